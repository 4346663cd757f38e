"""Raw speech made ready to play: silence cut, one loudness, one rate, no clicks."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from voicehost.audio.loudness import fast_length, normalise
from voicehost.tts.voice import Sound

Samples = NDArray[np.float32]

FADE_SECONDS = 0.005
_FRAME_SECONDS = 0.01
_SILENCE_BELOW_PEAK = 10 ** (-46 / 20)
_KEEP_BEFORE = 0.02
_KEEP_AFTER = 0.05


def samples_of(sound: Sound) -> Samples:
    """Samples between -1 and 1."""
    return np.frombuffer(sound.pcm[: len(sound.pcm) // 2 * 2], dtype="<i2").astype(np.float32) / 32768.0


def sound_of(samples: Samples, rate: int) -> Sound:
    """Back to int16; values beyond full scale are clipped."""
    return Sound(np.round(np.clip(samples, -1.0, 32767 / 32768) * 32768).astype("<i2").tobytes(), rate)


def resample(samples: Samples, rate: int, wanted: int) -> Samples:
    """Band-limited conversion of a whole line between sample rates, by its spectrum.

    The line is padded with silence so that both lengths are whole numbers and its end does not wrap into its start.
    """
    if rate == wanted or not len(samples):
        return samples
    common = math.gcd(rate, wanted)
    step, grown = rate // common, wanted // common
    blocks = fast_length(math.ceil((len(samples) + rate // 20) / step))
    spectrum = np.fft.rfft(samples, blocks * step)
    kept = np.zeros(blocks * grown // 2 + 1, dtype=spectrum.dtype)
    shared = min(len(spectrum), len(kept))
    kept[:shared] = spectrum[:shared]
    # The last 4 % of the band are faded out: a sharp edge would ring.
    edge = max(1, shared // 25)
    kept[shared - edge : shared] *= np.linspace(1.0, 0.0, edge)
    changed = np.fft.irfft(kept, blocks * grown) * (wanted / rate)
    return changed[: round(len(samples) * wanted / rate)].astype(np.float32)


def trim(samples: Samples, rate: int) -> Samples:
    """Cut silence from both ends, keeping 20 ms before the first sound and 50 ms after the last."""
    loudness = _frames(samples, rate)
    if not len(loudness):
        return samples
    loud = np.flatnonzero(loudness > _SILENCE_BELOW_PEAK * max(float(np.abs(samples).max()), 1e-9))
    if not len(loud):
        return samples[:0]
    frame = int(rate * _FRAME_SECONDS)
    first = int(loud[0]) * frame - int(rate * _KEEP_BEFORE)
    last = (int(loud[-1]) + 1) * frame + int(rate * _KEEP_AFTER)
    return samples[max(0, first) : last]


def fade(samples: Samples, rate: int) -> Samples:
    """Rise and fall over 5 ms, so that neither end clicks."""
    length = min(int(rate * FADE_SECONDS), len(samples) // 2)
    if length < 1:
        return samples
    shaped = samples.copy()
    ramp = np.linspace(0.0, 1.0, length, dtype=np.float32)
    shaped[:length] *= ramp
    shaped[-length:] *= ramp[::-1]
    return shaped


def finish(sound: Sound, rate: int) -> Sound:
    """Everything above in its order; the result has ``rate`` Hz."""
    samples = samples_of(sound)
    samples = trim(samples, sound.rate)
    samples = resample(samples, sound.rate, rate)
    return sound_of(fade(normalise(samples, rate), rate), rate)


def peak(sound: Sound) -> float:
    """The loudest sample, 0 to 1."""
    samples = samples_of(sound)
    return float(np.abs(samples).max()) if len(samples) else 0.0


def _frames(samples: Samples, rate: int) -> Samples:
    """RMS of each 10 ms; an incomplete last frame is left out."""
    frame = int(rate * _FRAME_SECONDS)
    count = len(samples) // frame
    if not count:
        return np.zeros(0, dtype=np.float32)
    frames = samples[: count * frame].reshape(count, frame)
    loudness: Samples = np.sqrt(np.mean(np.square(frames), axis=1)).astype(np.float32)
    return loudness
