"""What the conductor needs of the outside: someone to speak, something that remembers, someone who is told."""

from __future__ import annotations

from asyncio import Future
from collections.abc import Callable
from typing import Protocol

from voicehost.hosting.messages import Message
from voicehost.record.entries import Entry

Tell = Callable[[Message], None]
"""Shows one line to whoever watches: a terminal, a pipe, the pages."""


class Speaker(Protocol):
    """Speaks lines one after another."""

    def say(self, text: str, *, urgent: bool = False) -> Future[None] | None:
        """Queue a line; return what is done when it has been heard, or None when that takes no time.

        An urgent line goes before waiting ones, but never cuts the one that sounds.
        """
        ...

    def stop(self) -> None:
        """Be silent at once and forget what waits."""
        ...


class SilentSpeaker:
    """Speaks nothing; lines are on the screen anyway."""

    def say(self, text: str, *, urgent: bool = False) -> None:
        """Take no time."""

    def stop(self) -> None:
        """Nothing sounds."""


class Memory(Protocol):
    """Keeps a game's commands; durable when ``append`` returns."""

    def append(self, entry: Entry) -> None:
        """Write one command with its events."""
        ...

    def begin(self, setup: dict[str, object]) -> None:
        """Begin another game; what is appended from now on belongs to it."""
        ...
