"""Samples: the one format that recognisers get, blocks of it with their times, and the way to it from any other.

Everything inside the program is 16-bit mono little-endian; recognisers get it at 16 kHz.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import gcd
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

SAMPLE_RATE = 16_000
"""Samples a second that recognisers get."""

SILENCE_DB = -100.0
"""What digital silence counts as, in dB below full scale."""

Samples: TypeAlias = npt.NDArray[np.int16]
Floats: TypeAlias = npt.NDArray[np.float32]

_ZERO_CROSSINGS = 16
_MOST_PHASES = 1024
_ROLLOFF = 0.945


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of what a source heard.

    Attributes:
        pcm: 16-bit mono samples at 16 kHz.
        began: seconds of this source's sound before the block.
        arrived: when its last sample was there, on the source's own clock: ``time.monotonic()`` for a microphone,
            the recording's time for a file.
    """

    pcm: bytes
    began: float
    arrived: float

    @property
    def seconds(self) -> float:
        """How long the block is."""
        return seconds_of(self.pcm)


class Source(Protocol):
    """A microphone or a recording."""

    @property
    def name(self) -> str:
        """The device's or the file's name."""

    def read(self, timeout: float | None = None) -> Block | None:
        """Return the next block, waiting ``timeout`` seconds for it; ``None``: nothing came, or the end."""

    @property
    def ended(self) -> bool:
        """Whether no block will come any more."""

    def close(self) -> None:
        """Let the device or the file go."""


def seconds_of(pcm: bytes, rate: int = SAMPLE_RATE) -> float:
    """The length of 16-bit mono sound."""
    return len(pcm) / 2 / rate


def level_db(pcm: bytes) -> float:
    """The level of 16-bit sound in dB below full scale (0 is the loudest square wave)."""
    samples = np.frombuffer(pcm[: len(pcm) // 2 * 2], dtype="<i2").astype(np.float32)
    power = float(np.mean(samples * samples)) / 32768**2 if len(samples) else 0.0
    return max(SILENCE_DB, 10 * float(np.log10(power))) if power > 0 else SILENCE_DB


def to_int16(samples: Floats) -> Samples:
    """Full scale 1.0 to 16 bits; what is beyond is cut, what is not a number is silence."""
    clean = np.nan_to_num(samples, nan=0.0, posinf=1.0, neginf=-1.0)
    return _rounded(clean * 32768.0)


def resample(samples: Samples, source_rate: int, target_rate: int) -> Samples:
    """Convert a whole sound to another rate; the same rate gives the same samples."""
    if source_rate == target_rate or not len(samples):
        return samples
    converter = Resampler(source_rate, target_rate)
    return np.concatenate([converter.feed(samples), converter.flush()])


class Resampler:
    """Converts a stream from one rate to another with a windowed sinc, block by block without seams.

    It holds back half a filter length (16 samples at the lower of both rates); ``flush`` gives the rest.
    """

    def __init__(self, source_rate: int, target_rate: int) -> None:
        if source_rate <= 0 or target_rate <= 0:
            raise ValueError(f"rates must be positive, not {source_rate} and {target_rate}")
        common = gcd(source_rate, target_rate)
        self._up = target_rate // common
        self._down = source_rate // common
        self._bank = _filters(self._up, self._down)
        self._half = self._bank.shape[1] // 2
        # Silence before the first sample, so that the first output lies on it.
        self._waiting: Floats = np.zeros(self._half - 1, np.float32)
        self._first = -(self._half - 1)
        self._made = 0
        self._taken = 0

    def feed(self, samples: Samples) -> Samples:
        """Take a block and return what can be made of it."""
        if self._up == self._down:
            return samples
        self._taken += len(samples)
        self._waiting = np.concatenate([self._waiting, samples.astype(np.float32)])
        # Output n lies at input n * down / up and needs `half` samples after it.
        last = self._first + len(self._waiting) - self._half - 1
        return self._make((last * self._up) // self._down + 1 if last >= 0 else 0)

    def flush(self) -> Samples:
        """Return what is still held back and begin anew."""
        if self._up == self._down:
            return np.zeros(0, np.int16)
        self._waiting = np.concatenate([self._waiting, np.zeros(self._half + 1, np.float32)])
        rest = self._make(-(-self._taken * self._up // self._down))
        self._waiting = np.zeros(self._half - 1, np.float32)
        self._first = -(self._half - 1)
        self._made = self._taken = 0
        return rest

    def _make(self, until: int) -> Samples:
        """Make the outputs up to number ``until``."""
        if until <= self._made:
            return np.zeros(0, np.int16)
        positions = np.arange(self._made, until, dtype=np.int64) * self._down
        whole = positions // self._up
        phases = (positions % self._up) * len(self._bank) // self._up
        begins = whole - (self._half - 1) - self._first
        windows = np.lib.stride_tricks.sliding_window_view(self._waiting, self._bank.shape[1])
        made = np.einsum("ij,ij->i", windows[begins], self._bank[phases])
        self._made = until
        keep = (until * self._down) // self._up - (self._half - 1) - self._first
        keep = max(0, min(keep, len(self._waiting)))
        self._waiting = self._waiting[keep:]
        self._first += keep
        return _rounded(made)


@lru_cache(maxsize=8)
def _filters(up: int, down: int) -> Floats:
    """A low-pass filter for each position of an output between two inputs, one a row."""
    phases = min(up, _MOST_PHASES)
    cutoff = _ROLLOFF * min(1.0, up / down)
    half = int(np.ceil(_ZERO_CROSSINGS / cutoff))
    offsets = np.arange(-(half - 1), half + 1)[None, :] - (np.arange(phases) / phases)[:, None]
    window = np.kaiser(4097, 9.0)
    weights = np.interp(offsets / half, np.linspace(-1, 1, 4097), window, left=0.0, right=0.0)
    bank = cutoff * np.sinc(cutoff * offsets) * weights
    made: Floats = (bank / bank.sum(axis=1, keepdims=True)).astype(np.float32)
    return made


def _rounded(values: Floats) -> Samples:
    made: Samples = np.clip(np.rint(values), -32768, 32767).astype(np.int16)
    return made
