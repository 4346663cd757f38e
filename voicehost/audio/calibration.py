"""What a microphone needs in its room: gain, the threshold of speech, how loud the host is. Kept for each device.

All of it is worked out from levels of 10 ms: those of the empty room, and those of phrases that the host has read.
Levels are in dB below full scale, differences in dB.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from voicehost.audio.pcm import SILENCE_DB, Floats
from voicehost.audio.vad import FRAME, SpeechSettings
from voicehost.errors import UserError

FILE = "microphones.toml"

AIM = -23.0
"""How loud the host's speech is to be."""
HIGHEST_PEAK = -3.0
"""What his loudest moment may reach; the rest is for the moments when he is louder."""
GAINS = (-20.0, 30.0)
"""The least and the greatest gain: beyond that something is wrong with the device, not with its level."""
ABOVE_NOISE = (4.0, 15.0)
"""The least and the greatest distance of the threshold from the noise."""
CLEAR = 10.0
"""How far speech must be above the noise; below that no setting helps."""
CLIPPED = 0.001
"""The share of samples at full scale from which on a sound is overdriven; a single crack does no harm."""

_FULL = 32_700


@dataclass(frozen=True, slots=True)
class Take:
    """What was measured in a piece of sound.

    Attributes:
        levels: of each 10 ms.
        peak: of the loudest sample.
        clipped: the share of samples at full scale.
        silent: whether there is nothing but zeros.
    """

    levels: Floats
    peak: float
    clipped: float
    silent: bool

    @property
    def noise(self) -> float:
        """The level of the noise: what the quietest fifth of the time does not exceed."""
        return _percentile(self.levels, 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What is known of one microphone in its room.

    Attributes:
        gain: dB by which its samples are multiplied.
        above_noise: dB above the noise at which speech begins.
        level: of the host's speech, after the gain.
        noise: of the room, after the gain.
        measured: the day, as 2026-05-01.
    """

    gain: float
    above_noise: float
    level: float
    noise: float
    measured: str = ""

    @property
    def speech(self) -> SpeechSettings:
        """The settings for whoever cuts speech out of the sound."""
        return SpeechSettings(above_noise=self.above_noise, first_noise=self.noise)


def measure(pcm: bytes) -> Take:
    """Measure 16-bit mono samples at 16 kHz."""
    samples = np.frombuffer(pcm[: len(pcm) // 2 * 2], "<i2").astype(np.float32)
    size = np.abs(samples)
    whole = samples[: len(samples) // FRAME * FRAME].reshape(-1, FRAME) / 32768
    levels = 10 * np.log10(np.mean(whole * whole, axis=1) + 10 ** (SILENCE_DB / 10))
    loudest = float(size.max()) if len(size) else 0.0
    return Take(
        levels.astype(np.float32),
        max(SILENCE_DB, 20 * float(np.log10(loudest / 32768))) if loudest else SILENCE_DB,
        float(np.mean(size >= _FULL)) if len(size) else 0.0,
        not loudest,
    )


def speech_level(take: Take, noise: float) -> float:
    """How loud somebody speaks in a take: the mean power of what is clearly above the noise and no mere tail."""
    if not len(take.levels):
        return SILENCE_DB
    loud = max(_percentile(take.levels, 95) - 20, noise + 6)
    spoken = take.levels[take.levels >= loud]
    return 10 * float(np.log10(np.mean(10 ** (spoken / 10)))) if len(spoken) else SILENCE_DB


def verdict(take: Take, noise: float) -> str:
    """What a host is told of a phrase: ``clipped``, ``quiet`` or ``fine``."""
    if take.clipped > CLIPPED:
        return "clipped"
    return "fine" if speech_level(take, noise) >= noise + CLEAR else "quiet"


def work_out(room: Take, phrases: Sequence[Take]) -> Calibration:
    """Return what makes these phrases as loud as wanted and tells them from this room.

    Args:
        room: a few seconds in which nobody spoke.
        phrases: what the host said, one take each, with little silence around.

    Raises:
        ValueError: there are no phrases.
    """
    noise = room.noise
    levels = np.array([speech_level(take, noise) for take in phrases], np.float32)
    if not len(levels):
        raise ValueError("no phrases")
    level, quietest = float(np.median(levels)), _percentile(levels, 10)
    loudest = max(take.peak for take in phrases)
    least, most = GAINS
    gain = max(least, min(AIM - level, HIGHEST_PEAK - loudest, most))
    # The noise's own ups and downs must not begin an utterance, the host's quietest word must: a third of the way
    # to him keeps out most of what is said at the table behind.
    swings = _percentile(room.levels, 98) - noise
    above = min(max(swings + 2, (quietest - noise) / 3), quietest - noise - 8)
    above = max(ABOVE_NOISE[0], min(above, ABOVE_NOISE[1]))
    return Calibration(
        gain=round(gain, 1),
        above_noise=round(above, 1),
        level=round(level + gain, 1),
        noise=round(noise + gain, 1),
        measured=date.today().isoformat(),
    )


def path() -> Path:
    """The file with the calibrations."""
    from platformdirs import user_config_path

    return user_config_path("voicehost", appauthor=False) / FILE


def load(device: str, file: Path | None = None) -> Calibration | None:
    """Return what is known of a device, or ``None``.

    Raises:
        UserError: ``audio.calibration-broken``: the file cannot be read.
    """
    values = _read(file or path()).get(device)
    return None if values is None else _calibration(values, file or path())


def save(device: str, calibration: Calibration, file: Path | None = None) -> None:
    """Keep what is known of a device, in place of what was known; other devices' stays.

    A file that cannot be read is replaced.

    Raises:
        UserError: ``audio.calibration-unwritable``.
    """
    place = file or path()
    try:
        known = _read(place)
    except UserError:
        known = {}
    known[device] = {key: value for key, value in asdict(calibration).items() if value != ""}
    text = "\n".join(_table(name, values) for name, values in known.items() if isinstance(values, dict))
    beside = place.with_suffix(".new")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, place)
    except OSError as error:
        raise UserError("audio.calibration-unwritable", path=place, detail=error.strerror or error) from error


def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise UserError("audio.calibration-broken", path=file, detail=error) from error


def _calibration(values: Any, file: Path) -> Calibration:
    try:
        known = {field.name: values[field.name] for field in fields(Calibration) if field.name in values}
        numbers = {name: float(value) for name, value in known.items() if name != "measured"}
        low, high = GAINS
        if not low <= numbers["gain"] <= high or not all(np.isfinite(list(numbers.values()))):
            raise ValueError(f"gain = {numbers['gain']}")
        return Calibration(measured=str(known.get("measured", "")), **numbers)
    except (KeyError, TypeError, ValueError) as error:
        raise UserError("audio.calibration-broken", path=file, detail=error) from error


def _table(name: str, values: dict[str, Any]) -> str:
    # A JSON string is a TOML string too.
    lines = [f"[{json.dumps(name, ensure_ascii=False)}]"]
    lines += [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in values.items()]
    return "\n".join(lines) + "\n"


def _percentile(levels: Floats, percent: float) -> float:
    return float(np.percentile(levels, percent)) if len(levels) else SILENCE_DB
