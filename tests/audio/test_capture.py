from __future__ import annotations

from time import monotonic

import numpy as np
import pytest

from tests.audio.portaudio import Entry, ScriptedPortAudio
from voicehost.audio import capture, stream
from voicehost.audio.capture import Microphone
from voicehost.audio.pcm import Block
from voicehost.audio.stream import DeviceEvent
from voicehost.errors import UserError
from voicehost.language.messages import message
from voicehost.language.pack import load_pack

BLOCK = np.arange(1, 481, dtype="<i2").tobytes()


@pytest.fixture
def events() -> list[DeviceEvent]:
    return []


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let devices count as lost quickly and be tried again at once."""
    monkeypatch.setattr(stream, "FIRST_BLOCKS", 0.1)
    monkeypatch.setattr(stream, "NEXT_BLOCK", 0.1)
    monkeypatch.setattr(stream, "RETRY", 0.0)


def read_until(microphone: Microphone, events: list[DeviceEvent], what: str) -> None:
    end = monotonic() + 10
    while not any(event.what == what for event in events):
        assert monotonic() < end, f"no event {what}, only {events}"
        microphone.read(0.01)


def test_blocks_come_as_they_are_with_their_times(portaudio: ScriptedPortAudio) -> None:
    microphone = Microphone()
    before = monotonic()
    portaudio.streams[0].feed(BLOCK)
    portaudio.streams[0].feed(BLOCK)
    first, second = microphone.read(1), microphone.read(1)
    assert first is not None
    assert second is not None
    assert first.pcm == second.pcm == BLOCK
    assert (first.began, second.began) == pytest.approx((0.0, 0.03))
    assert before <= first.arrived <= second.arrived <= monotonic()
    assert microphone.read(0.01) is None
    microphone.close()
    assert microphone.ended
    assert microphone.read(1) is None
    assert portaudio.streams[0].closed


def test_is_opened_at_the_devices_own_rate_and_converted(portaudio: ScriptedPortAudio) -> None:
    portaudio.entries[0] = Entry("Desk microphone", inputs=1, rate=48_000, rates=(48_000,))
    microphone = Microphone()
    assert portaudio.streams[0].options["samplerate"] == 48_000
    assert portaudio.streams[0].options["blocksize"] == 1440
    tone = (np.sin(2 * np.pi * 500 * np.arange(48_000) / 48_000) * 8000).astype("<i2")
    given: list[Block] = []
    for part in np.split(tone, 25):
        portaudio.streams[0].feed(part.tobytes())
        block = microphone.read(1)
        assert block is not None
        given.append(block)
    samples = np.frombuffer(b"".join(block.pcm for block in given), "<i2")
    right = np.sin(2 * np.pi * 500 * np.arange(len(samples)) / 16_000) * 8000
    assert len(samples) == pytest.approx(16_000, abs=40)
    assert samples[200:] == pytest.approx(right[200:], abs=40)
    assert given[-1].began == pytest.approx(sum(block.seconds for block in given[:-1]))


def test_a_device_that_has_only_two_channels_gives_its_first(portaudio: ScriptedPortAudio) -> None:
    portaudio.entries[0] = Entry("Desk microphone", inputs=2, channels=(2,))
    microphone = Microphone()
    both = np.stack([np.full(480, 7), np.full(480, -9)], axis=1).astype("<i2")
    portaudio.streams[0].feed(both.tobytes())
    block = microphone.read(1)
    assert block is not None
    assert set(np.frombuffer(block.pcm, "<i2")) == {7}


def test_another_interface_to_the_same_device_is_tried(portaudio: ScriptedPortAudio) -> None:
    portaudio.entries = [
        Entry("Webcam", inputs=1, interface="MME", rates=()),
        Entry("Webcam", inputs=1, interface="Windows WASAPI", rate=44_100),
    ]
    microphone = Microphone("webcam")
    assert portaudio.streams[0].entry.interface == "Windows WASAPI"
    assert microphone.name == "Webcam"


def test_a_device_that_cannot_be_opened_is_told_with_the_reason(portaudio: ScriptedPortAudio) -> None:
    portaudio.entries[0].channels = ()
    with pytest.raises(UserError) as caught:
        Microphone()
    assert caught.value.key == "audio.microphone-failed"
    assert caught.value.params == {
        "name": "Desk microphone",
        "detail": "Invalid number of channels [PaErrorCode -9998]",
    }


@pytest.mark.parametrize(
    ("language", "causes"),
    [("ru", ["выключен", "такой частоты у него нет"]), ("bg", ["изключен", "няма такава честота"])],
)
def test_a_rate_that_is_refused_has_two_causes(portaudio: ScriptedPortAudio, language: str, causes: list[str]) -> None:
    """PulseAudio says so of a muted microphone too."""
    portaudio.entries[0].rates = ()
    with pytest.raises(UserError) as caught:
        Microphone()
    told = message(load_pack(language), caught.value.key, **caught.value.params)
    for part in ("Desk microphone", "16000", "-9997", *causes):
        assert part in told


def test_overflows_are_counted(portaudio: ScriptedPortAudio) -> None:
    microphone = Microphone()
    portaudio.streams[0].feed(BLOCK, overflow=True)
    for _ in range(500):
        portaudio.streams[0].feed(BLOCK)
    assert microphone.overflows == 102  # one told, 101 that found no place among 400


def test_overflows_are_told_at_once_and_then_every_ten_seconds(
    portaudio: ScriptedPortAudio, events: list[DeviceEvent], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(capture, "monotonic", lambda: now[0])
    microphone = Microphone(on_event=events.append)
    counts = []
    for now[0], overflow in (
        (100.0, False),
        (100.1, True),
        (100.2, True),
        (109.0, True),
        (110.2, False),
        (200.0, False),
    ):
        portaudio.streams[0].feed(BLOCK, overflow=overflow)
        before = len(events)
        assert microphone.read(0) is not None
        counts += [microphone.overflows] * (len(events) - before)
    assert counts == [1, 3]
    assert set(events) == {DeviceEvent("overflow", "microphone", "Desk microphone")}


@pytest.mark.usefixtures("impatient")
def test_a_device_that_stops_is_lost_and_opened_again(portaudio: ScriptedPortAudio, events: list[DeviceEvent]) -> None:
    microphone = Microphone(on_event=events.append)
    portaudio.streams[0].feed(BLOCK)
    assert microphone.read(1) is not None
    portaudio.alive = False
    read_until(microphone, events, "lost")
    assert microphone.lost
    assert portaudio.streams[0].closed
    for _ in range(20):
        microphone.read(0.005)
    assert [event.what for event in events] == ["lost"]
    portaudio.alive = True
    while len(portaudio.streams) == 1:
        microphone.read(0.005)
    assert microphone.lost  # open, but nothing heard yet
    portaudio.streams[-1].feed(BLOCK)
    block = microphone.read(1)
    assert block is not None
    assert block.pcm == BLOCK
    assert events == [
        DeviceEvent("lost", "microphone", "Desk microphone"),
        DeviceEvent("back", "microphone", "Desk microphone"),
    ]
    assert not microphone.lost


@pytest.mark.usefixtures("impatient")
def test_a_stream_that_opens_and_never_calls_back_is_told_and_opened_again(
    portaudio: ScriptedPortAudio, events: list[DeviceEvent]
) -> None:
    microphone = Microphone(on_event=events.append)
    read_until(microphone, events, "dumb")
    assert microphone.lost
    while len(portaudio.streams) < 3:
        microphone.read(0.005)
    assert [event.what for event in events] == ["dumb"]
    portaudio.streams[-1].feed(BLOCK)
    assert microphone.read(1) is not None
    assert [event.what for event in events] == ["dumb", "back"]


@pytest.mark.usefixtures("impatient")
def test_an_interface_that_never_calls_back_gives_way_to_another(
    portaudio: ScriptedPortAudio, events: list[DeviceEvent]
) -> None:
    portaudio.entries = [
        Entry("Webcam", inputs=1, interface="MME"),
        Entry("Webcam", inputs=1, interface="Windows DirectSound"),
    ]
    microphone = Microphone("webcam", on_event=events.append)
    dumb = portaudio.streams[0].entry
    read_until(microphone, events, "dumb")
    while len(portaudio.streams) == 1:
        microphone.read(0.005)
    assert {dumb.interface, portaudio.streams[1].entry.interface} == {"MME", "Windows DirectSound"}


def test_two_seconds_without_a_first_block_are_too_many(
    portaudio: ScriptedPortAudio, events: list[DeviceEvent], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(stream, "monotonic", lambda: now[0])
    microphone = Microphone(on_event=events.append)
    for now[0], told in ((100.3, []), (101.9, []), (102.1, ["dumb"])):
        microphone.read(0.001)
        assert [event.what for event in events] == told


def test_a_stream_that_ends_by_itself_is_lost_at_once(portaudio: ScriptedPortAudio, events: list[DeviceEvent]) -> None:
    microphone = Microphone(on_event=events.append)
    portaudio.streams[0].feed(BLOCK)
    portaudio.streams[0].finish()
    microphone.read(0.01)
    assert [event.what for event in events] == ["lost"]


@pytest.mark.usefixtures("impatient")
def test_what_waited_when_the_device_went_is_thrown_away(
    portaudio: ScriptedPortAudio, events: list[DeviceEvent]
) -> None:
    microphone = Microphone(on_event=events.append)
    for _ in range(50):
        portaudio.streams[0].feed(BLOCK)
    portaudio.alive = False
    portaudio.streams[0].finish()
    assert microphone.read(0.01) is None
    assert [event.what for event in events] == ["lost"]


@pytest.mark.usefixtures("impatient")
def test_a_device_that_is_plugged_in_anew_is_found_after_a_rescan(
    portaudio: ScriptedPortAudio, events: list[DeviceEvent]
) -> None:
    microphone = Microphone(on_event=events.append)
    portaudio.streams[0].feed(BLOCK)
    microphone.read(1)
    gone = portaudio.entries.pop(0)
    portaudio.streams[0].finish()
    end = monotonic() + 10
    while portaudio.starts == 0:
        assert monotonic() < end
        microphone.read(0.005)
    portaudio.entries.append(gone)
    while len(portaudio.streams) == 1:
        assert monotonic() < end
        microphone.read(0.005)
    assert portaudio.streams[-1].entry is gone


def test_a_microphone_that_only_gives_zeros_is_told_once(
    portaudio: ScriptedPortAudio, events: list[DeviceEvent]
) -> None:
    microphone = Microphone(on_event=events.append)
    for _ in range(150):
        portaudio.streams[0].feed(bytes(960))
        microphone.read(1)
    assert events == [DeviceEvent("silent", "microphone", "Desk microphone")]


def test_a_microphone_that_was_heard_once_may_be_silent(
    portaudio: ScriptedPortAudio, events: list[DeviceEvent]
) -> None:
    microphone = Microphone(on_event=events.append)
    portaudio.streams[0].feed(BLOCK)
    microphone.read(1)
    for _ in range(150):
        portaudio.streams[0].feed(bytes(960))
        microphone.read(1)
    assert events == []


def test_a_gain_makes_the_samples_louder_and_never_turns_them_over(portaudio: ScriptedPortAudio) -> None:
    asked: list[str] = []

    def gain_of(name: str) -> float:
        asked.append(name)
        return 20.0

    microphone = Microphone(gain_of=gain_of)
    for _ in range(2):
        portaudio.streams[0].feed(np.array([3, -7, 20_000, -20_000] * 120, "<i2").tobytes())
    for _ in range(2):
        block = microphone.read(1)
        assert block is not None
        assert np.frombuffer(block.pcm, "<i2")[:4].tolist() == [30, -70, 32_767, -32_768]
    assert asked == ["Desk microphone"]
