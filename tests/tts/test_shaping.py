from __future__ import annotations

import numpy as np
import pytest

from tests.tts.helpers import tone
from voicehost.audio.loudness import TARGET, integrated
from voicehost.tts import shaping
from voicehost.tts.voice import Sound

SILENCE = np.zeros(4000, dtype=np.float32)


def _rms(samples: shaping.Samples) -> float:
    return float(np.sqrt(np.mean(np.square(samples))))


def _pitch(samples: shaping.Samples, rate: int) -> float:
    spectrum = np.abs(np.fft.rfft(samples))
    return float(np.argmax(spectrum) * rate / len(samples))


@pytest.mark.parametrize("rate", [8000, 16000, 22050, 24000, 44100, 48000])
@pytest.mark.parametrize("wanted", [16000, 24000, 48000])
def test_resampling_keeps_pitch_loudness_and_length(rate: int, wanted: int) -> None:
    samples = shaping.samples_of(tone(0.5, rate, pitch=1000.0))
    changed = shaping.resample(samples, rate, wanted)
    assert len(changed) == round(0.5 * wanted)
    assert _pitch(changed, wanted) == pytest.approx(1000.0, abs=5)
    middle = slice(len(changed) // 4, -len(changed) // 4)
    assert _rms(changed[middle]) == pytest.approx(0.5 / np.sqrt(2), rel=0.01)


def test_resampling_agrees_with_the_tone_at_the_other_rate() -> None:
    changed = shaping.resample(shaping.samples_of(tone(0.3, 22050)), 22050, 24000)
    wanted = shaping.samples_of(tone(0.3, 24000))
    middle = slice(2000, -2000)
    assert np.abs(changed[middle] - wanted[middle]).max() < 0.01


def test_what_the_lower_rate_cannot_hold_does_not_fold_back() -> None:
    changed = shaping.resample(shaping.samples_of(tone(0.3, 48000, pitch=11000.0)), 48000, 16000)
    assert _rms(changed[1000:-1000]) < 0.01


def test_the_end_does_not_wrap_into_the_start() -> None:
    samples = np.concatenate([SILENCE, shaping.samples_of(tone(0.2, 16000))])
    changed = shaping.resample(samples, 16000, 24000)
    assert np.abs(changed[:3000]).max() < 0.01


def test_silence_is_cut_at_both_ends_only() -> None:
    word = shaping.samples_of(tone(0.2, 16000))
    line = np.concatenate([SILENCE, word, SILENCE, word, SILENCE])
    cut = shaping.trim(line, 16000)
    kept = len(word) * 2 + len(SILENCE)
    assert kept <= len(cut) <= kept + 0.1 * 16000
    assert np.abs(cut).max() == np.abs(line).max()


def test_a_quiet_last_consonant_is_kept() -> None:
    hiss = np.random.default_rng(5).normal(0, 0.008, 1600).astype(np.float32)
    line = np.concatenate([shaping.samples_of(tone(0.2, 16000)), hiss, SILENCE])
    assert len(shaping.trim(line, 16000)) >= 3200 + 1600


def test_nothing_but_silence() -> None:
    assert shaping.finish(Sound(SILENCE.astype("<i2").tobytes(), 16000), 24000).pcm == b""
    assert shaping.finish(Sound(b"", 16000), 24000) == Sound(b"", 24000)
    assert shaping.finish(Sound(b"\1\0", 16000), 24000).seconds < 0.001


@pytest.mark.parametrize("loudness", [0.02, 0.2, 0.9])
def test_loud_and_quiet_voices_come_out_alike(loudness: float) -> None:
    word = shaping.samples_of(tone(1.0, 16000, loudness=loudness))
    line = np.concatenate([SILENCE, word, SILENCE, SILENCE, word, SILENCE])
    finished = shaping.samples_of(shaping.finish(shaping.sound_of(line, 16000), 24000))
    assert integrated(finished, 24000) == pytest.approx(TARGET, abs=0.2)


def test_both_ends_start_from_nothing() -> None:
    line = np.ones(2400, dtype=np.float32)
    faded = shaping.fade(line, 24000)
    assert faded[0] == 0.0
    assert faded[-1] == 0.0
    assert np.abs(np.diff(faded)).max() < 0.01
    assert (faded[200:-200] == 1.0).all()
    assert line[0] == 1.0


def test_samples_survive_the_way_there_and_back() -> None:
    sound = Sound(np.array([-32768, -1, 0, 1, 32767], dtype="<i2").tobytes(), 16000)
    assert shaping.sound_of(shaping.samples_of(sound), 16000) == sound
    loud = shaping.sound_of(np.array([1.5, -1.5], dtype=np.float32), 16000)
    assert loud == Sound(np.array([32767, -32768], dtype="<i2").tobytes(), 16000)
