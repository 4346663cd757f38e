"""Signals made by arithmetic: a gong for what begins and ends, a wooden tick when ten seconds are left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from voicehost.audio.loudness import limit, normalise
from voicehost.audio.pcm import Floats, to_int16

RATE = 24_000
"""Samples a second of every signal."""

_BELOW_VOICE = -22.0
"""Loudness in LUFS: a signal is short and sharp and must not startle."""
_GONG = ((1.0, 1.0, 1.1), (1.48, 0.5, 0.9), (2.03, 0.45, 0.7), (2.74, 0.3, 0.5), (3.76, 0.2, 0.6), (5.1, 0.12, 0.35))
"""Partials of a struck plate: pitch over the lowest, strength, seconds to fade to a third."""
_GONG_PITCH = 147.0
_GONG_SECONDS = 1.8
_TICK = ((1.0, 1.0, 0.012), (2.37, 0.6, 0.007), (4.1, 0.3, 0.004))
_TICK_PITCH = 980.0
_TICK_SECONDS = 0.12


@dataclass(frozen=True, slots=True)
class Signal:
    """A sound that is no speech: 16-bit mono."""

    pcm: bytes
    rate: int

    @property
    def seconds(self) -> float:
        """How long it sounds."""
        return len(self.pcm) / 2 / self.rate


def gong() -> Signal:
    """A soft gong of two seconds, for the night, the morning and the end."""
    return _made(_gong)


def tick() -> Signal:
    """Two knocks on wood, when a time without speech has ten seconds left."""
    return _made(_ticks)


SIGNALS: dict[str, Callable[[], Signal]] = {"gong": gong, "tick": tick}
"""Every signal by name."""


@cache
def _made(shape: Callable[[], Floats]) -> Signal:
    samples = limit(normalise(shape(), RATE, _BELOW_VOICE), RATE)
    return Signal(to_int16(samples).astype("<i2").tobytes(), RATE)


def _gong() -> Floats:
    time = np.arange(round(_GONG_SECONDS * RATE)) / RATE
    # The strike grows in 8 ms and the plate beats a little; the end falls to nothing.
    made = _struck(time, _GONG, _GONG_PITCH) * (1 + 0.15 * np.sin(2 * np.pi * 3.1 * time))
    made *= np.minimum(1.0, time / 0.008) * np.minimum(1.0, (_GONG_SECONDS - time) / 0.5)
    return made.astype(np.float32)


def _ticks() -> Floats:
    time = np.arange(round(_TICK_SECONDS * RATE)) / RATE
    knock = _struck(time, _TICK, _TICK_PITCH) * np.minimum(1.0, time / 0.001)
    knock *= np.minimum(1.0, (_TICK_SECONDS - time) / 0.02)
    pause = np.zeros(round(0.06 * RATE))
    return np.concatenate([knock, pause, 0.8 * knock]).astype(np.float32)


def _struck(
    time: npt.NDArray[np.float64], partials: tuple[tuple[float, float, float], ...], pitch: float
) -> npt.NDArray[np.float64]:
    made = np.zeros(len(time))
    for number, (ratio, strength, fading) in enumerate(partials):
        made += strength * np.exp(-time / fading) * np.sin(2 * np.pi * pitch * ratio * time + number)
    return made
