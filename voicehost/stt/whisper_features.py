"""What Whisper sees of a sound: the logarithm of its power in 80 mel bands, 100 frames a second.

Follows the published description of the model (Radford et al. 2022, section 2.2): 25 ms Hann windows, 10 ms steps,
the Slaney mel scale, 80 dB of range below the loudest, scaled to about -1 to 1.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

RATE = 16_000
BANDS = 80
STEP = 160
"""Samples from one frame to the next."""
WINDOW = 400
"""Samples of one frame."""
FRAMES_A_SECOND = RATE // STEP

_LINEAR_HZ = 200.0 / 3
_BREAK_HZ = 1000.0
_LOG_STEP = np.log(6.4) / 27


def log_mel(samples: Floats, seconds: float) -> Floats:
    """Return the features of a sound.

    Args:
        samples: mono at 16 kHz, full scale 1.
        seconds: the length of the window; shorter sounds are followed by silence, longer ones are cut.

    Returns:
        Array of shape (80, 100 * seconds).
    """
    frames = round(seconds * FRAMES_A_SECOND)
    heard = samples[: frames * STEP]
    # One frame each way beyond the sound; what follows is silence, and all frames of it are alike.
    needed = min(frames, -(-len(heard) // STEP) + 2)
    padded = np.zeros(needed * STEP + WINDOW, np.float32)
    padded[WINDOW // 2 : WINDOW // 2 + len(heard)] = heard
    mirrored = heard[1 : WINDOW // 2 + 1][::-1]
    padded[WINDOW // 2 - len(mirrored) : WINDOW // 2] = mirrored
    pieces = np.lib.stride_tricks.sliding_window_view(padded, WINDOW)[: needed * STEP : STEP]
    spectrum = np.fft.rfft(pieces * _hann())
    power = np.square(spectrum.real) + np.square(spectrum.imag)
    bands = power.astype(np.float32) @ mel_filters().T
    logs = np.full((frames, BANDS), -10.0, np.float32)
    logs[:needed] = np.log10(np.maximum(bands, 1e-10))
    logs = np.maximum(logs, logs.max() - 8.0)
    return np.ascontiguousarray((logs.T + 4.0) / 4.0, dtype=np.float32)


@cache
def mel_filters() -> Floats:
    """The weight of each of 201 frequencies in each of 80 bands: triangles of equal area on the Slaney mel scale."""
    edges = _hertz(np.linspace(0.0, _mel(RATE / 2), BANDS + 2))
    frequencies = np.linspace(0.0, RATE / 2, WINDOW // 2 + 1)
    rising = (frequencies[None, :] - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - frequencies[None, :]) / (edges[2:] - edges[1:-1])[:, None]
    triangles = np.maximum(0.0, np.minimum(rising, falling))
    scaled: Floats = (triangles * (2.0 / (edges[2:] - edges[:-2]))[:, None]).astype(np.float32)
    return scaled


@cache
def _hann() -> Floats:
    """The periodic Hann window."""
    return (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(WINDOW) / WINDOW)).astype(np.float32)


def _mel(hertz: float) -> float:
    """Slaney's scale: linear to 1 kHz, logarithmic above."""
    if hertz < _BREAK_HZ:
        return hertz / _LINEAR_HZ
    return float(_BREAK_HZ / _LINEAR_HZ + np.log(hertz / _BREAK_HZ) / _LOG_STEP)


def _hertz(mels: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The inverse of ``_mel``."""
    above = mels - _BREAK_HZ / _LINEAR_HZ
    return np.where(above < 0, mels * _LINEAR_HZ, _BREAK_HZ * np.exp(np.maximum(above, 0.0) * _LOG_STEP))
