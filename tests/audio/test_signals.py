from __future__ import annotations

import numpy as np
import pytest

from voicehost.audio.loudness import TARGET, integrated, true_peak
from voicehost.audio.signals import SIGNALS


@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_is_softer_than_the_voice_and_begins_and_ends_without_a_click(name: str) -> None:
    signal = SIGNALS[name]()
    samples = np.frombuffer(signal.pcm, "<i2").astype(np.float32) / 32768
    assert signal.seconds == pytest.approx(len(samples) / signal.rate)
    assert 0.1 < signal.seconds < 2.5
    assert TARGET - 6 < integrated(samples, signal.rate) < TARGET - 2
    assert true_peak(samples) < 0.9
    for edge in (samples[:2], samples[-2:]):
        assert np.abs(edge).max() < 0.05
    assert SIGNALS[name]() is signal


def test_the_gong_is_low_and_the_tick_is_short() -> None:
    gong, tick = SIGNALS["gong"](), SIGNALS["tick"]()
    samples = np.frombuffer(gong.pcm, "<i2").astype(np.float64)
    spectrum = np.abs(np.fft.rfft(samples))
    assert np.argmax(spectrum) * gong.rate / len(samples) < 500
    assert tick.seconds < 0.5 < gong.seconds
