"""When the microphone hears the program itself: what was said meanwhile is thrown away.

The gate goes by real beginnings and ends of playback, never by the length of a text. It stays shut a little longer
than the sound: the system plays on for a tenth of a second, then the room does.
"""

from __future__ import annotations

from typing import Protocol

TAIL = 0.25
"""Seconds that the gate stays shut after a sound; more for an echoing room or Bluetooth."""


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

    def __init__(self, tail: float = TAIL, memory: float = 60.0) -> None:
        """Set how long the gate stays shut after a sound, and for how long it remembers one, in seconds."""
        if tail < 0 or memory < 0:
            raise ValueError("times must not be negative")
        self.tail = tail
        self._memory = memory
        self._sounds: list[Timed] = []

    def watch(self, sound: Timed) -> None:
        """Shut the gate while this sounds."""
        self._sounds = [*self._sounds, sound]

    def shut(self, at: float) -> bool:
        """Whether the microphone hears the program, or its echo, at this moment."""
        return self.overlaps(at, at)

    def overlaps(self, began: float, ended: float) -> bool:
        """Whether the program was to be heard at any moment of an utterance."""
        self._forget(began)
        return any(
            sound.started is not None
            and sound.started <= ended
            and (sound.finished is None or began < sound.finished + self.tail)
            for sound in self._sounds
        )

    def _forget(self, now: float) -> None:
        """Drop what ended long before ``now``: utterances come late, but not by a minute."""
        self._sounds = [
            sound for sound in self._sounds if sound.finished is None or sound.finished + self._memory >= now
        ]
