"""Sounds that are no command, for tests that must hear none: noises, tones, clicks, talk."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from tests.stt.conftest import recording

RATE = 16_000
Sound = npt.NDArray[np.float64]
"""Samples of a sound whose full scale is 1."""

TALK = ("039_festival", "040_festival", "043_festival", "asterisk_ru_conf-onlyone")
"""Recordings of talk."""


def pcm(sound: Sound) -> bytes:
    """A sound as 16-bit samples; what is too loud is cut."""
    return (sound * 32_767).clip(-32_768, 32_767).astype("<i2").tobytes()


def talk(number: int) -> Sound:
    """Somebody talks; the number tells who."""
    return np.frombuffer(recording(TALK[number % len(TALK)]), "<i2").astype(np.float64) / 32_768


def babble(seconds: float, seed: int = 0, voices: int = 6) -> Sound:
    """Several people talk at once, with no word to be made out; its loudest sample is 1."""
    rng = np.random.default_rng(seed)
    length = round(seconds * RATE)
    mixed = np.zeros(length)
    for voice in range(voices):
        said = talk(seed + voice)
        loud = said[np.abs(said) > 0.02]
        said = np.tile(said, -(-length // len(said)) + 1)
        begin = int(rng.integers(len(said) - length))
        mixed += said[begin : begin + length] * rng.uniform(0.5, 1.0) / max(1e-9, float(np.sqrt(np.mean(loud**2))))
    return mixed / max(1e-9, float(np.abs(mixed).max()))


def _silence(length: int, rng: np.random.Generator) -> Sound:
    return np.zeros(length)


def _white(length: int, rng: np.random.Generator) -> Sound:
    return rng.normal(0, 0.3, length)


def _clicks(length: int, rng: np.random.Generator) -> Sound:
    made = np.zeros(length)
    for place in rng.integers(0, max(1, length), rng.integers(1, 20)):
        burst = rng.normal(0, 1, 400) * np.exp(-np.arange(400) / rng.uniform(10, 120))
        made[place : place + 400] += burst[: max(0, length - place)]
    return made


def _music(length: int, rng: np.random.Generator) -> Sound:
    time = np.arange(length) / RATE
    made = np.zeros(length)
    note = round(rng.uniform(0.15, 0.6) * RATE)
    for begin in range(0, length, note):
        pitch = 110 * 2 ** (int(rng.integers(36)) / 12)
        part = time[begin : begin + note]
        tone = sum(np.sin(2 * np.pi * pitch * k * part) / k for k in range(1, 5))
        made[begin : begin + note] = tone * np.exp(-(part - part[0]) * rng.uniform(1, 6)) / 3 if len(part) else 0
    return made


def _offset(length: int, rng: np.random.Generator) -> Sound:
    return np.full(length, rng.uniform(-1, 1)) + rng.normal(0, 0.001, length)


def _hum(length: int, rng: np.random.Generator) -> Sound:
    return 0.5 * np.sin(2 * np.pi * 50 * np.arange(length) / RATE) + rng.normal(0, 0.01, length)


def _steps(length: int, rng: np.random.Generator) -> Sound:
    return np.where(np.arange(length) // int(rng.integers(20, 8_000)) % 2, 1.0, -1.0)


def _clipped_talk(length: int, rng: np.random.Generator) -> Sound:
    said = talk(int(rng.integers(len(TALK))))
    return np.clip(np.resize(said, length) * rng.uniform(20, 200), -1, 1)


def _babble(length: int, rng: np.random.Generator) -> Sound:
    return babble(length / RATE, int(rng.integers(1_000)))[:length]


NOISES: Mapping[str, Callable[[int, np.random.Generator], Sound]] = {
    "silence": _silence,
    "white noise": _white,
    "clicks": _clicks,
    "music": _music,
    "offset": _offset,
    "hum": _hum,
    "steps": _steps,
}
"""Makes so many samples of a sound that is no voice."""

VOICES: Mapping[str, Callable[[int, np.random.Generator], Sound]] = {"clipped talk": _clipped_talk, "babble": _babble}
"""The same of voices that say no command; loud babble cut anywhere may sound like one once in a while."""
