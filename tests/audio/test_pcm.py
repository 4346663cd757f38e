from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicehost.audio.pcm import Resampler, Samples, level_db, resample, seconds_of, to_int16

RATES = [8_000, 11_025, 16_001, 22_050, 32_000, 44_056, 44_100, 48_000, 96_000]


def tone(rate: int, hertz: float = 440.0, seconds: float = 0.5) -> Samples:
    return (np.sin(2 * np.pi * hertz * np.arange(round(rate * seconds)) / rate) * 10_000).astype(np.int16)


@pytest.mark.parametrize("rate", RATES)
def test_a_tone_stays_the_same_tone_at_the_same_time(rate: int) -> None:
    made = resample(tone(rate), rate, 16_000)
    right = tone(16_000)
    assert abs(len(made) - len(right)) <= 1
    inner = slice(400, len(right) - 400)
    error = made[inner].astype(float) - right[inner]
    assert 10 * np.log10(np.mean(error**2) / np.mean(right[inner].astype(float) ** 2)) < -50


def test_what_16_khz_cannot_hold_is_taken_out_and_not_folded_down() -> None:
    made = resample(tone(48_000, hertz=12_000), 48_000, 16_000)
    assert level_db(made[400:-400].tobytes()) < -70


def test_the_same_rate_gives_the_same_samples() -> None:
    samples = np.random.default_rng(0).integers(-32768, 32768, 5000).astype(np.int16)
    assert (resample(samples, 16_000, 16_000) == samples).all()
    assert (Resampler(44_100, 44_100).feed(samples) == samples).all()


@given(st.lists(st.integers(0, 900), max_size=12), st.sampled_from(RATES))
def test_blocks_leave_no_seams(sizes: list[int], rate: int) -> None:
    samples = np.random.default_rng(1).integers(-20_000, 20_000, sum(sizes)).astype(np.int16)
    converter = Resampler(rate, 16_000)
    parts = [converter.feed(part) for part in np.split(samples, np.cumsum(sizes)[:-1])] if sizes else []
    made = np.concatenate([*parts, converter.flush()])
    assert len(made) == -(-len(samples) * 16_000 // rate)
    assert (made == resample(samples, rate, 16_000)).all()


def test_a_resampler_can_be_used_again_after_its_end() -> None:
    converter = Resampler(48_000, 16_000)
    first = np.concatenate([converter.feed(tone(48_000)), converter.flush()])
    second = np.concatenate([converter.feed(tone(48_000)), converter.flush()])
    assert (first == second).all()


@pytest.mark.parametrize(("source", "target"), [(0, 16_000), (16_000, 0), (-8_000, 16_000)])
def test_a_rate_must_be_a_rate(source: int, target: int) -> None:
    with pytest.raises(ValueError, match="rates must be positive"):
        Resampler(source, target)


def test_floats_become_16_bits_and_what_is_no_number_becomes_silence() -> None:
    samples = np.array([0.0, 0.5, -0.5, 1.0, -1.0, 3.0, -3.0, np.nan, np.inf, -np.inf], np.float32)
    assert to_int16(samples).tolist() == [0, 16384, -16384, 32767, -32768, 32767, -32768, 0, 32767, -32768]


def test_every_16_bit_sample_survives_the_way_over_floats() -> None:
    every = np.arange(-32768, 32768).astype(np.int16)
    assert (to_int16(every.astype(np.float32) / 32768) == every).all()


def test_levels() -> None:
    full = np.tile(np.array([32767, -32767], np.int16), 800)
    assert level_db(full.tobytes()) == pytest.approx(0, abs=0.01)
    assert level_db((full // 10).tobytes()) == pytest.approx(-20, abs=0.01)
    assert level_db(bytes(320)) == level_db(b"") == level_db(b"\1") == -100
    assert seconds_of(bytes(32_000)) == 1.0
