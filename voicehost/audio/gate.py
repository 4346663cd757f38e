"""When the microphone hears the program itself: what was said meanwhile is thrown away.

The gate goes by real beginnings and ends of playback, never by the length of a text. It stays shut a little longer
than the sound: the system plays on for a tenth of a second, then the room does.
"""

from __future__ import annotations

from typing import Protocol

SAMPLE_RATE = 16_000
"""Samples a second of the blocks."""
TAIL = 0.25
"""Seconds that the gate stays shut after a sound; more for an echoing room or Bluetooth."""
LEAD = 0.15
"""Seconds before a sound that count with it: what ends there was cut off by it."""


class Timed(Protocol):
    """Something that sounds: a ``Playback``. Times are in seconds on one clock with the blocks'."""

    @property
    def started(self) -> float | None:
        """When it began to be heard; ``None``: not yet, or never."""

    @property
    def finished(self) -> float | None:
        """When it stopped being heard; ``None``: it has not."""


class Gate:
    """Knows when the program was to be heard, and so which utterances to drop.

    Sounds are looked at when the gate is asked, so that one watched before it begins counts from its real beginning.
    """

    def __init__(self, tail: float = TAIL, lead: float = LEAD, memory: float = 60.0) -> None:
        """Set how long the gate is shut after a sound and before it, and how long it remembers one, in seconds."""
        if tail < 0 or lead < 0 or memory < 0:
            raise ValueError("times must not be negative")
        self.tail = tail
        self.lead = lead
        self._memory = memory
        self._sounds: list[Timed] = []

    def watch(self, sound: Timed) -> None:
        """Shut the gate while this sounds."""
        # Where no microphone is, nobody asks, and nothing would be forgotten.
        self._forget(max((one.finished for one in self._sounds if one.finished is not None), default=0.0))
        self._sounds = [*self._sounds, sound]

    def pass_through(self, pcm: bytes, arrived: float) -> bytes:
        """The block as a recogniser may hear it: silence of the same length while the gate is shut.

        So an answer that follows right after the program's words does not run together with them.
        """
        seconds = len(pcm) / 2 / SAMPLE_RATE
        return bytes(len(pcm)) if self._sounded(arrived - seconds, arrived) else pcm

    def overlaps(self, began: float, ended: float) -> bool:
        """Whether an utterance is to be dropped: the program was to be heard in it, or cut it off."""
        return self._sounded(began, ended + self.lead)

    def _sounded(self, began: float, ended: float) -> bool:
        self._forget(began)
        for sound in self._sounds:
            started, finished = sound.started, sound.finished
            if started is not None and started <= ended and (finished is None or began < finished + self.tail):
                return True
        return False

    def _forget(self, now: float) -> None:
        """Drop what ended long before ``now``: utterances come late, but not by a minute."""
        self._sounds = [
            sound for sound in self._sounds if sound.finished is None or sound.finished + self._memory >= now
        ]
