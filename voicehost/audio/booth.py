"""A microphone for recording a voice: the device's own rate, and a judgement of each take."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import Any, Literal

import numpy as np

from voicehost.audio.devices import own_stream
from voicehost.audio.loudness import SILENT, integrated, true_peak
from voicehost.audio.pcm import Floats
from voicehost.audio.stream import DeviceStream

LONGEST = 60.0
"""Seconds after which a take is not added to any more."""

_TOO_QUIET = -42.0
_TOO_LOUD = -0.5
_NOISE_BELOW = 20.0
_FRAME = 0.02


@dataclass(frozen=True, slots=True)
class Take:
    """What was recorded: samples of full scale 1.0 at ``rate`` Hz."""

    samples: Floats
    rate: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a take will do: its loudness in LUFS, its true peak in dB, the noise between the words in dB."""

    what: Literal["good", "empty", "quiet", "loud", "noisy"]
    loudness: float
    peak: float
    noise: float

    @property
    def usable(self) -> bool:
        """Whether it may be kept all the same."""
        return self.what != "empty"


def judge(take: Take) -> Verdict:
    """Judge a take by its level: nothing in it, too quiet, overdriven, or noise less than 20 dB below the speech."""
    loudness = integrated(take.samples, take.rate)
    peak = _decibels(true_peak(take.samples))
    noise = _noise(take)
    if loudness <= SILENT or len(take.samples) < 0.15 * take.rate:
        return Verdict("empty", loudness, peak, noise)
    if peak > _TOO_LOUD:
        return Verdict("loud", loudness, peak, noise)
    if loudness < _TOO_QUIET:
        return Verdict("quiet", loudness, peak, noise)
    if noise > loudness - _NOISE_BELOW:
        return Verdict("noisy", loudness, peak, noise)
    return Verdict("good", loudness, peak, noise)


def _noise(take: Take) -> float:
    """The level of the quietest tenth."""
    frame = round(_FRAME * take.rate)
    count = len(take.samples) // frame
    if count < 5:
        return -100.0
    energies = np.square(take.samples[: count * frame].reshape(count, frame)).mean(axis=1)
    return _decibels(float(np.sqrt(np.percentile(energies, 10))))


def _decibels(value: float) -> float:
    return 20 * float(np.log10(max(value, 1e-5)))


class Booth:
    """A microphone that is open all the time and keeps what comes between ``start`` and ``stop``."""

    def __init__(self, name: str | None = None) -> None:
        """Open the microphone. Raises like ``DeviceStream.open``."""
        self._lock = Lock()
        self._taken: list[bytes] | None = None
        self._stream = DeviceStream("microphone", name, self._take, lambda event: None)
        self._stream.open()
        own_stream(self)

    @property
    def busy(self) -> bool:
        """Whether PortAudio must not start anew."""
        return self._stream.is_open

    def release(self) -> None:
        """Close the device for a moment."""
        self._stream.release()

    def start(self) -> None:
        """Begin a take."""
        with self._lock:
            self._taken = []

    def stop(self) -> Take:
        """End the take and return it."""
        with self._lock:
            blocks, self._taken = self._taken or [], None
        samples = np.frombuffer(b"".join(blocks), np.int16).reshape(-1, self._stream.channels)[:, 0]
        rate = self._stream.rate
        return Take((samples[: round(LONGEST * rate)] / 32768).astype(np.float32), rate)

    def close(self) -> None:
        """Let the device go. May be called twice."""
        self._stream.close()

    def _take(self, buffer: Any, frames: int, times: Any, flags: Any) -> None:
        self._stream.touch(frames)
        with self._lock:
            if self._taken is not None:
                self._taken.append(bytes(buffer))
