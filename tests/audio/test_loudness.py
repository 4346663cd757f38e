from __future__ import annotations

import numpy as np
import pytest

from voicehost.audio import loudness
from voicehost.audio.pcm import Floats

RATES = [16000, 22050, 24000, 44100, 48000]


def tone(level: float, seconds: float, rate: int = 48000, pitch: float = 1000.0) -> Floats:
    """A sine whose peak is ``level`` dB below full scale."""
    phase = 2 * np.pi * pitch * np.arange(round(seconds * rate)) / rate
    return (10 ** (level / 20) * np.sin(phase)).astype(np.float32)


def sequence(*parts: tuple[float, float]) -> Floats:
    return np.concatenate([tone(level, seconds) for level, seconds in parts])


@pytest.mark.parametrize("rate", RATES)
def test_a_full_sine_at_997_hz_measures_what_the_standard_says(rate: int) -> None:
    assert loudness.integrated(tone(0, 5, rate, 997.0), rate) == pytest.approx(-3.01, abs=0.05)


# EBU Tech 3341, cases 1 to 5: two equal channels there, one here, so 3.01 less.
@pytest.mark.parametrize(
    ("parts", "wanted"),
    [
        ([(-23, 20)], -23.0),
        ([(-33, 20)], -33.0),
        ([(-36, 10), (-23, 60), (-36, 10)], -23.0),
        ([(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)], -23.0),
        ([(-26, 20), (-20, 20.1), (-26, 20)], -23.0),
    ],
)
def test_the_compliance_sequences(parts: list[tuple[float, float]], wanted: float) -> None:
    assert loudness.integrated(sequence(*parts), 48000) == pytest.approx(wanted - 3.01, abs=0.1)


def test_low_tones_count_less_and_high_ones_more() -> None:
    middle = loudness.integrated(tone(-20, 3), 48000)
    assert loudness.integrated(tone(-20, 3, pitch=40.0), 48000) < middle - 5
    assert loudness.integrated(tone(-20, 3, pitch=4000.0), 48000) > middle + 2


def test_pieces_measure_as_the_whole() -> None:
    sound = sequence((-30, 1.03), (-20, 2.51), (-50, 1.0))
    meter = loudness.Meter(48000)
    for place in range(0, len(sound), 7001):
        meter.feed(sound[place : place + 7001])
    assert meter.integrated == pytest.approx(loudness.integrated(sound, 48000), abs=0.02)


def test_silence_and_nothing() -> None:
    assert loudness.integrated(np.zeros(48000, np.float32), 48000) == loudness.SILENT
    assert loudness.integrated(np.zeros(0, np.float32), 48000) == loudness.SILENT
    silence = np.zeros(48000, np.float32)
    assert loudness.normalise(silence, 48000) is silence
    assert loudness.true_peak(np.zeros(0, np.float32)) == 0.0


def test_a_word_shorter_than_a_block_measures_as_a_long_one() -> None:
    assert loudness.integrated(tone(-20, 0.25), 48000) == pytest.approx(loudness.integrated(tone(-20, 3), 48000), abs=1)


def test_the_true_peak_lies_between_the_samples() -> None:
    # A quarter of the rate, sampled away from its peaks: the samples reach only 0.707.
    samples = np.sin(np.pi / 2 * np.arange(4800) + np.pi / 4).astype(np.float32)
    assert np.abs(samples).max() == pytest.approx(0.7071, abs=1e-3)
    middle = samples * np.hanning(4800).astype(np.float32)
    assert loudness.true_peak(middle) == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("level", [-45.0, -20.0, -3.0])
def test_every_level_comes_to_the_target(level: float) -> None:
    made = loudness.normalise(tone(level, 2, 24000), 24000)
    assert loudness.integrated(made, 24000) == pytest.approx(loudness.TARGET, abs=0.1)


def test_what_is_almost_silent_is_not_blown_up() -> None:
    made = loudness.normalise(tone(-65, 2), 48000)
    assert loudness.integrated(made, 48000) == pytest.approx(-65 - 3.01 + 30, abs=0.2)


def test_peaks_are_limited_without_clipping_and_the_rest_keeps_its_level() -> None:
    sound = tone(-24, 3, 24000)
    for place in (20000, 40000, 50000):
        sound[place : place + 5] = [0.5, -0.9, 0.95, -0.9, 0.5]
    made = loudness.normalise(sound, 24000)
    ceiling = 10 ** (loudness.CEILING / 20)
    assert loudness.true_peak(made) <= ceiling * 1.001
    assert loudness.integrated(made, 24000) == pytest.approx(loudness.TARGET, abs=0.3)
    # Far from the peaks nothing but a constant gain was applied.
    quiet = slice(5000, 15000)
    gains = made[quiet] / np.where(np.abs(sound[quiet]) < 1e-3, np.nan, sound[quiet])
    assert np.nanmax(gains) - np.nanmin(gains) < 1e-3


def test_the_limiter_moves_smoothly() -> None:
    sound = np.full(24000, 0.5, np.float32)
    sound[12000] = 1.5
    gains = loudness.limit(sound, 24000) / sound
    assert np.abs(np.diff(gains)).max() < 0.03


def test_a_sound_below_the_ceiling_is_left_alone() -> None:
    sound = tone(-6, 1)
    assert loudness.limit(sound, 48000) is sound
