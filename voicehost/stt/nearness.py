"""The host is the voice nearest to the microphone: how loud an utterance is, beside what was heard a moment ago.

In a noisy room the talk of others goes on when the host has spoken, and a recogniser that knows only a few commands
finds one in it. Talk from further away is softer by 6 dB and more, while one person's own voice changes less than that
from one sentence to the next. Who has calibrated his microphone is expected to be about as loud as he was then.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np

from voicehost.audio.vad import FRAME, frame_levels
from voicehost.stt.recogniser import SAMPLE_RATE

Levels = np.ndarray[tuple[int], np.dtype[np.float32]]

_LOUD_DB = 9.0
"""Below the loud tenth of an utterance; what lies between counts as the voice itself."""
_VOICE_DB = 15.0
"""Below the loudest moment; the mean power of what lies between is how loud a voice is, however short the word."""
_TURNED_AWAY = 0.5
"""How much each dB below the calibrated level counts: a host turns away, or sits back, and speaks 6 dB softer."""


@dataclass(frozen=True, slots=True)
class Sounded:
    """How an utterance sounded.

    Attributes:
        seconds: from its beginning to its end.
        loud: seconds of it in which the voice was loud, without pauses and without softer voices before and after.
        softer: how many dB below the voice of a moment ago it was; if there was none, half as many as it was below
            the host's own level; 0 if it was as loud, or if neither is known.
    """

    seconds: float
    loud: float
    softer: float = 0.0


class Nearest:
    """Remembers how loud the nearest voice was a moment ago."""

    def __init__(self, memory: float = 4.0, host_level: float | None = None) -> None:
        """Remember for ``memory`` seconds.

        ``host_level`` is how loud the host is in dB below full scale, as it was calibrated (``audio.calibration``).
        Whoever is heard twice within the memory is measured by himself: a host who has moved away need only repeat.
        """
        self._memory = memory
        self._host_level = host_level
        self._heard: deque[tuple[float, float]] = deque()

    def sounded(self, pcm: bytes, began: float, ended: float) -> Sounded:
        """Measure an utterance.

        Args:
            pcm: its sound, 16-bit at 16 kHz; what comes before and after may be with it.
            began: its beginning, in seconds of the stream.
            ended: its end.
        """
        levels = frame_levels(pcm)
        if not len(levels):
            return Sounded(ended - began, 0.0)
        top = loud_tenth(levels)
        before = [level for level, moment in self._heard if began - moment < self._memory]
        loud = int(np.count_nonzero(levels > top - _LOUD_DB)) * FRAME / SAMPLE_RATE
        softer = max(before) - top if before else self._below_host(levels)
        return Sounded(ended - began, loud, max(0.0, softer))

    def note(self, pcm: bytes, ended: float) -> None:
        """Remember an utterance that ended now."""
        levels = frame_levels(pcm)
        if len(levels):
            self._heard.append((loud_tenth(levels), ended))
        while self._heard and ended - self._heard[0][1] >= self._memory:
            self._heard.popleft()

    def forget(self) -> None:
        """Begin a new stream."""
        self._heard.clear()

    def _below_host(self, levels: Levels) -> float:
        if self._host_level is None:
            return 0.0
        return _TURNED_AWAY * (self._host_level - voice_level(levels))


def loud_tenth(levels: Levels) -> float:
    """The level that a tenth of the frames exceed, in dB below full scale."""
    return float(np.percentile(levels, 90))


def voice_level(levels: Levels) -> float:
    """How loud a voice is, in dB below full scale, as ``audio.calibration.speech_level`` tells it of a phrase."""
    spoken = levels[levels > levels.max() - _VOICE_DB].astype(np.float64)
    return 10.0 * float(np.log10(np.mean(10 ** (spoken / 10))))
