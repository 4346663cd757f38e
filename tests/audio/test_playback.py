from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import monotonic, sleep

import numpy as np
import pytest

from tests.audio.portaudio import Entry, ScriptedPortAudio
from voicehost.audio import stream
from voicehost.audio.playback import StreamPlayer
from voicehost.audio.stream import DeviceEvent
from voicehost.errors import UserError

RATE = 16_000


@dataclass(frozen=True)
class Sound:
    pcm: bytes
    rate: int = RATE


def steady(value: int, seconds: float = 0.1, rate: int = RATE) -> Sound:
    return Sound(np.full(round(rate * seconds), value, "<i2").tobytes(), rate)


def until(found: Callable[[], bool]) -> None:
    end = monotonic() + 10
    while not found():
        assert monotonic() < end, "it did not happen"
        sleep(0.005)


def pull(portaudio: ScriptedPortAudio, seconds: float) -> np.ndarray:
    """What the last opened loudspeaker gets, asking once for some seconds of sound."""
    return np.frombuffer(portaudio.streams[-1].pull(round(seconds * RATE)), "<i2")


@pytest.fixture
def player(portaudio: ScriptedPortAudio) -> Iterator[StreamPlayer]:
    made = StreamPlayer()
    warm = pull(portaudio, 0.3)
    assert not warm.any()
    yield made
    made.close()


def test_sounds_follow_each_other_without_a_gap(portaudio: ScriptedPortAudio, player: StreamPlayer) -> None:
    first, second = player.play(steady(100)), player.play(steady(-200))
    assert player.sounding()
    samples = pull(portaudio, 0.3)
    assert (samples == np.concatenate([np.full(1600, 100), np.full(1600, -200), np.zeros(1600)])).all()
    assert first.wait(5)
    assert second.wait(5)
    assert first.heard
    assert first.started is not None
    assert first.finished is not None
    assert second.started is not None
    assert first.finished - first.started == pytest.approx(0.1, abs=0.02)
    assert second.started == pytest.approx(first.finished, abs=0.02)
    assert not player.sounding()
    assert player.silent_since() == second.finished


def test_small_requests_leave_no_seams(portaudio: ScriptedPortAudio, player: StreamPlayer) -> None:
    rattle = np.random.default_rng(2).integers(-30_000, 30_000, 5000).astype("<i2")
    player.play(Sound(rattle[:3000].tobytes()))
    player.play(Sound(rattle[3000:].tobytes()))
    samples = np.concatenate([pull(portaudio, count / RATE) for count in (1, 7, 160, 1000, 2000, 1832)])
    assert (samples == rattle).all()


def test_a_sound_is_over_only_when_its_last_sample_is_in_the_air(
    portaudio: ScriptedPortAudio, player: StreamPlayer
) -> None:
    playback = player.play(steady(100))
    pull(portaudio, 0.2)
    taken = monotonic()
    assert playback.wait(5)
    assert playback.finished is not None
    # The device holds 50 ms; the sound itself was taken faster than it lasts.
    assert playback.finished - taken >= 0.04
    assert monotonic() >= playback.finished


def test_other_rates_are_converted(portaudio: ScriptedPortAudio, player: StreamPlayer) -> None:
    player.play(steady(1000, 0.5, rate=22_050))
    samples = pull(portaudio, 0.5)
    assert samples[200:7800] == pytest.approx(1000, abs=3)


def test_cancelling_fades_what_sounds_and_goes_on_with_the_next(
    portaudio: ScriptedPortAudio, player: StreamPlayer
) -> None:
    first, second = player.play(steady(10_000, 1.0)), player.play(steady(50))
    pull(portaudio, 0.1)
    first.cancel()
    samples = pull(portaudio, 0.3)
    assert np.abs(np.diff(samples[:80].astype(int))).max() < 500
    assert (samples[80 : 80 + 1600] == 50).all()
    assert first.wait(5)
    assert first.cancelled
    assert second.wait(5)
    assert not second.cancelled


def test_what_waits_can_be_cancelled_and_is_never_heard(portaudio: ScriptedPortAudio, player: StreamPlayer) -> None:
    first, second, third = (player.play(steady(value)) for value in (1, 2, 3))
    second.cancel()
    assert second.done
    assert second.started is None
    assert set(pull(portaudio, 0.3)) == {0, 1, 3}
    assert first.wait(5)
    assert third.wait(5)


def test_flush_silences_all(portaudio: ScriptedPortAudio, player: StreamPlayer) -> None:
    playbacks = [player.play(steady(9000, 5.0)) for _ in range(4)]
    pull(portaudio, 0.1)
    player.flush()
    samples = pull(portaudio, 0.2)
    assert not samples[200:].any()
    assert all(playback.wait(5) and playback.cancelled for playback in playbacks)


def test_an_empty_sound_is_over(portaudio: ScriptedPortAudio, player: StreamPlayer) -> None:
    playback = player.play(Sound(b""))
    pull(portaudio, 0.1)
    assert playback.wait(5)


def test_two_channels_where_one_is_not_to_be_had(portaudio: ScriptedPortAudio) -> None:
    portaudio.entries[1] = Entry("Speakers", outputs=2, channels=(2,))
    player = StreamPlayer()
    pull(portaudio, 0.3)
    player.play(steady(5))
    samples = pull(portaudio, 0.1).reshape(-1, 2)
    assert (samples == 5).all()
    player.close()


def test_no_speaker_is_told(portaudio: ScriptedPortAudio) -> None:
    portaudio.entries.pop()
    with pytest.raises(UserError) as caught:
        StreamPlayer()
    assert caught.value.key.startswith("audio.no-speaker-")


def test_closing_cancels_and_gives_the_device_back(portaudio: ScriptedPortAudio, player: StreamPlayer) -> None:
    playback = player.play(steady(1, 5.0))
    pull(portaudio, 0.1)
    player.close()
    player.close()
    assert playback.done
    assert playback.cancelled
    assert portaudio.streams[-1].closed
    late = player.play(steady(1))
    assert late.done
    assert late.cancelled


def test_without_the_device_sounds_pass_unheard_and_it_comes_back(
    portaudio: ScriptedPortAudio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "FIRST_BLOCKS", 0.5)
    monkeypatch.setattr(stream, "NEXT_BLOCK", 0.5)
    monkeypatch.setattr(stream, "RETRY", 0.0)
    events: list[DeviceEvent] = []
    player = StreamPlayer(on_event=events.append)
    pull(portaudio, 0.3)
    portaudio.alive = False
    until(lambda: player.lost)
    unheard = player.play(steady(7))
    assert unheard.wait(5)
    assert not unheard.heard
    assert not unheard.cancelled
    portaudio.alive = True
    until(lambda: len(portaudio.streams) > 1)
    pull(portaudio, 0.3)
    until(lambda: not pull(portaudio, 0.02).any() and not player.lost)
    heard = player.play(steady(8))
    assert (pull(portaudio, 0.1) == 8).all()
    assert heard.wait(5)
    assert heard.heard
    assert events == [DeviceEvent("lost", "speaker", "Speakers"), DeviceEvent("back", "speaker", "Speakers")]
    player.close()
