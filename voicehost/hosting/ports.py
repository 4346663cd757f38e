"""What the conductor needs of the outside: someone to speak, something that remembers, someone who is told."""

from __future__ import annotations

from asyncio import Future
from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

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


@runtime_checkable
class PunctualSpeaker(Speaker, Protocol):
    """A speaker that knows how long its lines are and can say them at a moment; moments are ``time.monotonic``'s."""

    @property
    def lead(self) -> float:
        """How many seconds before its moment a line must be given."""
        ...

    def say(
        self, text: str, *, urgent: bool = False, at: float | None = None, firm: bool = False
    ) -> Future[None] | None:
        """Queue a line as ``Speaker``; with ``at`` it begins to be heard at that moment, or later if others sound.

        A firm line is not ended by ``skip``.
        """
        ...

    def length(self, text: str) -> float:
        """How many seconds a line will take."""
        ...

    def signal(self, name: str, at: float | None = None) -> Future[None] | None:
        """Queue a signal: gong or tick."""
        ...

    def prepare(self, lines: Sequence[str]) -> None:
        """Make lines ready that must come at once, the most urgent first."""
        ...

    def skip(self) -> None:
        """End the line that sounds and forget those that wait, but for firm ones."""
        ...

    def music(self, *, plays: bool) -> None:
        """Let the music be heard, or fade it out."""
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
