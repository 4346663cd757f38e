"""Loudness as EBU R 128 measures it (ITU-R BS.1770-4), and bringing a sound to one loudness without clipping.

Loudness is in LUFS, peaks are in dBTP (of the oversampled signal). One channel counts once, so a full-scale 997 Hz sine
in mono is -3.01 LUFS.
"""

from __future__ import annotations

from math import log10, pi
from typing import Any

import numpy as np
import numpy.typing as npt

from voicehost.audio.pcm import Floats

TARGET = -18.0
"""Loudness of everything spoken: 5 LU above broadcast's -23, for a loudspeaker has to be heard across a table."""
CEILING = -1.0
"""The highest true peak (R 128 allows no more)."""
SILENT = -70.0
"""Blocks below this never count (BS.1770's absolute gate), and nothing at all measures as this."""

_STEP = 0.1
_STEPS_A_BLOCK = 4
_RELATIVE_GATE = -10.0
_OFFSET = -0.691
_MOST_GAIN = 30.0
_SMOOTH = 0.004
"""Seconds in which the limiter gives way before a peak and comes back after it."""
_NEAR_PEAK = 0.6

_Doubles = npt.NDArray[np.float64]


def _interpolation(reach: int = 12) -> Floats:
    """Rows that give the values at quarters of a sample up to three quarters before and behind one."""
    quarters = np.array([-0.75, -0.5, -0.25, 0.25, 0.5, 0.75])
    distances = np.arange(-reach, reach + 1)[None, :] - quarters[:, None]
    made: Floats = (np.sinc(distances) * np.cos(pi * distances / (2 * reach + 2)) ** 2).astype(np.float32)
    return made


_SINC = _interpolation()


class Meter:
    """Measures a sound that comes in pieces."""

    def __init__(self, rate: int) -> None:
        """Measure samples of this rate, full scale 1.0."""
        self._rate = rate
        self._step = round(_STEP * rate)
        self._before: Floats = np.zeros(self._step * 2, np.float32)
        self._waiting: Floats = np.zeros(0, np.float32)
        self._steps: list[float] = []

    def feed(self, samples: Floats) -> None:
        """Take a piece."""
        samples = np.concatenate([self._waiting, samples])
        whole = len(samples) // self._step * self._step
        self._waiting = samples[whole:]
        if whole:
            self._steps += self._energies(samples[:whole], self._step).tolist()

    @property
    def integrated(self) -> float:
        """The loudness so far of all that is no pause; of something shorter than a block (0.4 s), as one block."""
        steps = self._steps
        if len(steps) < _STEPS_A_BLOCK:
            rest = self._energies(self._waiting, len(self._waiting)).tolist() if len(self._waiting) else []
            lengths = [self._step] * len(steps) + [len(self._waiting)] * len(rest)
            total = sum(energy * length for energy, length in zip([*steps, *rest], lengths, strict=True))
            return max(SILENT, _loudness(total / sum(lengths))) if total > 0 else SILENT
        return _gated(np.convolve(np.array(steps), np.ones(_STEPS_A_BLOCK) / _STEPS_A_BLOCK, "valid"))

    def _energies(self, samples: Floats, step: int) -> _Doubles:
        """The mean square of each step after the filter, which rings on from the piece before."""
        count = len(self._before)
        heard = weighted(np.concatenate([self._before, samples]), self._rate)[count:]
        if step == self._step:
            self._before = np.concatenate([self._before, samples])[-count:]
        means: _Doubles = np.square(heard.reshape(-1, step)).mean(axis=1)
        return means


def integrated(samples: Floats, rate: int) -> float:
    """The loudness of a whole sound."""
    meter = Meter(rate)
    meter.feed(samples.astype(np.float32))
    return meter.integrated


def weighted(samples: Floats, rate: int) -> _Doubles:
    """The signal as ears weigh it: BS.1770's shelf for the head and its high-pass, applied to the spectrum."""
    padded = fast_length(len(samples) + rate // 5)
    turns = np.exp(-2j * pi * np.arange(padded // 2 + 1) / padded)
    response = np.ones(len(turns), np.complex128)
    for above, below in _filters(rate):
        response *= np.polyval(above[::-1], turns) / np.polyval(below[::-1], turns)
    spectrum = np.fft.rfft(samples.astype(np.float64), padded) * response
    made: _Doubles = np.fft.irfft(spectrum, padded)[: len(samples)]
    return made


def true_peak(samples: Floats) -> float:
    """The highest value between the samples too, 1.0 is full scale.

    Only around samples that come near the highest one is it looked for, at quarters of a sample.
    """
    if not len(samples):
        return 0.0
    sizes = np.abs(samples)
    highest = float(sizes.max())
    padded = np.pad(sizes, 1)
    tops = (sizes >= _NEAR_PEAK * highest) & (sizes >= padded[:-2]) & (sizes >= padded[2:])
    places = np.flatnonzero(tops)
    reach = _SINC.shape[1] // 2
    around = np.pad(samples, reach)[places[:, None] + np.arange(2 * reach + 1)]
    between = np.abs(around @ _SINC.T)
    return max(highest, float(between.max())) if between.size else highest


def normalise(samples: Floats, rate: int, target: float = TARGET) -> Floats:
    """Bring a sound to a loudness in LUFS; peaks that would pass -1 dBTP are limited, not clipped.

    A sound without signal stays as it is, and a very quiet one is raised by 30 dB at most.
    """
    measured = integrated(samples, rate)
    if measured <= SILENT:
        return samples
    gain = min(target - measured, _MOST_GAIN)
    made: Floats = (samples * 10 ** (gain / 20)).astype(np.float32)
    limited = limit(made, rate)
    if limited is not made and gain < _MOST_GAIN:
        # What the limiter took away is given back once, so that a line with peaks is not softer than the others.
        missing = min(1.5, target - integrated(limited, rate))
        if missing > 0.05:
            limited = limit((made * 10 ** (missing / 20)).astype(np.float32), rate)
    return limited


def limit(samples: Floats, rate: int, ceiling: float = CEILING) -> Floats:
    """Turn down only around peaks above the ceiling (dBTP), smoothly; the same samples if there are none."""
    top = 10 ** (ceiling / 20)
    if true_peak(samples) <= top:
        return samples
    width = max(1, round(_SMOOTH * rate))
    top *= 0.97  # the peaks between the samples
    for _ in range(3):
        needed = np.minimum(1.0, top / np.maximum(np.abs(samples), 1e-9))
        # The lowest over a window on both sides, then smoothed by less than that window: never above what is needed.
        gains = _means(_means(_lowest(needed, width), width // 2), width // 2)
        samples = (samples * gains).astype(np.float32)
        peak = true_peak(samples)
        if peak <= 10 ** (ceiling / 20):
            break
        top *= 10 ** (ceiling / 20) / peak * 0.995
    return samples


def _lowest(values: npt.NDArray[Any], reach: int) -> npt.NDArray[Any]:
    """The lowest of each value and its neighbours up to ``reach`` places away."""
    padded = np.pad(values, reach, constant_values=np.inf)
    length, wanted = 1, 2 * reach + 1
    while length < wanted:
        step = min(length, wanted - length)
        padded = np.minimum(padded[:-step], padded[step:])
        length += step
    return padded


def _means(values: npt.NDArray[Any], reach: int) -> npt.NDArray[Any]:
    """The mean of each value and its neighbours up to ``reach`` places away."""
    sums = np.concatenate([[0.0], np.cumsum(np.pad(values.astype(np.float64), reach, mode="edge"))])
    means: npt.NDArray[Any] = (sums[2 * reach + 1 :] - sums[: -2 * reach - 1]) / (2 * reach + 1)
    return means


def _gated(blocks: _Doubles) -> float:
    heard = blocks[blocks > 10 ** ((SILENT - _OFFSET) / 10)]
    if not len(heard):
        return SILENT
    gate = heard.mean() * 10 ** (_RELATIVE_GATE / 10)
    return _loudness(float(heard[heard > gate].mean()))


def _loudness(energy: float) -> float:
    return _OFFSET + 10 * log10(energy)


def _filters(rate: int) -> tuple[tuple[_Doubles, _Doubles], tuple[_Doubles, _Doubles]]:
    """The two biquads for any rate, from the analogue ones behind the standard's 48 kHz coefficients."""
    turn = np.tan(pi * 1681.974450955533 / rate)
    high = 10 ** (3.999843853973347 / 20)
    middle = high**0.4996667741545416
    damped = turn / 0.7071752369554196
    first = 1 + damped + turn**2
    shelf = (
        np.array([high + middle * damped + turn**2, 2 * (turn**2 - high), high - middle * damped + turn**2]) / first,
        np.array([1.0, 2 * (turn**2 - 1) / first, (1 - damped + turn**2) / first]),
    )
    turn = np.tan(pi * 38.13547087602444 / rate)
    damped = turn / 0.5003270373238773
    first = 1 + damped + turn**2
    low_cut = (
        np.array([1.0, -2.0, 1.0]),
        np.array([1.0, 2 * (turn**2 - 1) / first, (1 - damped + turn**2) / first]),
    )
    return shelf, low_cut


def fast_length(count: int) -> int:
    """The next length with only the factors 2, 3 and 5, for which the transform is fast."""
    while True:
        rest = count
        for factor in (2, 3, 5):
            while rest % factor == 0:
                rest //= factor
        if rest == 1:
            return count
        count += 1
