"""Headsets at 8 kHz, cards at 44.1 and 48 kHz, stereo: over the virtual card every one of them is understood."""

from __future__ import annotations

import subprocess
from itertools import pairwise
from threading import Thread

import numpy as np
import pytest

from tests.audio.portaudio import Entry, ScriptedPortAudio
from tests.audio.test_live import Listening
from tests.components import RECORDINGS, TINY_MODEL, require
from tests.virtual_card import RATE, VirtualCard
from voicehost.audio.capture import Microphone
from voicehost.audio.pcm import resample
from voicehost.hosting.expectation import Expectation
from voicehost.language.pack import load_pack
from voicehost.rules.situations import legal_in


def phrase(louder: float = -6.0) -> np.ndarray:
    import soundfile

    samples, _ = soundfile.read(RECORDINGS / "000_festival.flac", dtype="float32")
    sound = np.concatenate([np.zeros(RATE // 2), samples * 10 ** (louder / 20), np.zeros(RATE)])
    return np.clip(np.rint(sound * 32768), -32768, 32767).astype(np.int16)


def understood(pcm: bytes) -> list[str]:
    from voicehost.stt.vosk import VoskRecogniser

    recogniser = VoskRecogniser(TINY_MODEL)
    expected = Expectation(load_pack("ru"), legal_in("speech"))
    recogniser.expect(expected.phrases, expected)
    try:
        return [utterance.text for utterance in [*recogniser.feed(pcm), *recogniser.finish()]]
    finally:
        recogniser.close()


def play(card: VirtualCard, sink: str, samples: np.ndarray) -> None:
    """Play 16 kHz samples, one or two channels of them."""
    channels = 1 if samples.ndim == 1 else samples.shape[1]
    command = ["pacat", "--raw", "--format=s16le", f"--rate={RATE}", f"--channels={channels}", "-d", sink]
    subprocess.run(command, env=card.environment, input=samples.astype("<i2").tobytes(), check=True)


@pytest.mark.live
@pytest.mark.parametrize(
    ("rate", "channels"), [(8_000, 1), (44_100, 1), (44_100, 2), (48_000, 1), (48_000, 2), (96_000, 2)]
)
def test_a_card_of_any_kind_is_understood(virtual_card: VirtualCard, rate: int, channels: int) -> None:
    require("vosk", "soundfile")
    virtual_card.load("module-null-sink", "sink_name=other", f"rate={rate}", f"channels={channels}")
    microphone = Microphone("other.monitor", rate=rate)
    listening = Listening(microphone)
    try:
        for _ in range(3):  # a busy computer leaves gaps
            begin = len(listening.blocks)
            play(virtual_card, "other", phrase())
            heard = understood(b"".join(block.pcm for block in listening.blocks[begin:]) + bytes(2 * RATE))
            if heard == ["выставляю номер пять"]:
                break
    finally:
        listening.stop()
        microphone.close()
    assert heard == ["выставляю номер пять"]
    assert microphone.overflows == 0


@pytest.mark.parametrize(("rate", "channels"), [(8_000, 1), (44_100, 2), (48_000, 2)])
def test_a_card_that_takes_nothing_but_its_own_way(portaudio: ScriptedPortAudio, rate: int, channels: int) -> None:
    """Where nobody converts for us: Windows and macOS, or ALSA without a server."""
    require("vosk", "soundfile")
    portaudio.entries[0] = Entry("Headset", inputs=channels, rate=rate, rates=(rate,), channels=(channels,))
    microphone = Microphone()
    samples = resample(phrase(), RATE, rate)
    frames = np.stack([samples] + [np.zeros_like(samples)] * (channels - 1), axis=1).astype("<i2")
    size, given = round(0.03 * rate), b""
    for place in range(0, len(frames) - size, size):
        portaudio.streams[0].feed(frames[place : place + size].tobytes())
        block = microphone.read(1)
        given += block.pcm if block else b""
    microphone.close()
    assert understood(given + bytes(2 * RATE)) == ["выставляю номер пять"]


def test_sound_that_was_lost_on_the_way_does_not_shift_the_time(portaudio: ScriptedPortAudio) -> None:
    """Whoever reads too late loses blocks, but those that come are stamped with their own moment."""
    microphone = Microphone()
    block = np.arange(1, 481, dtype="<i2").tobytes()

    def flood() -> None:
        for _ in range(600):
            portaudio.streams[0].feed(block, overflow=False)

    flooding = Thread(target=flood)
    flooding.start()
    flooding.join()
    blocks = []
    while (got := microphone.read(0.01)) is not None:
        blocks.append(got)
    assert microphone.overflows == 200
    assert len(blocks) == 400
    assert [one.began for one in blocks] == pytest.approx([0.03 * place for place in range(400)])
    assert all(one.arrived <= two.arrived for one, two in pairwise(blocks))
    portaudio.streams[0].feed(block, overflow=True)
    late = microphone.read(1)
    assert late is not None
    assert late.arrived >= blocks[-1].arrived
    assert microphone.overflows == 201
