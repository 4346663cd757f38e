"""The journal as the game's memory."""

from __future__ import annotations

from typing import Any

from voicehost.record.entries import Entry
from voicehost.record.journal import Journal


class JournalMemory:
    """Writes the present game into a journal. A game that never leaves its lobby leaves no trace."""

    def __init__(self, journal: Journal, setup: dict[str, Any], game: str | None = None) -> None:
        """Write into ``game``, or into a new one that begins with the first entry."""
        self._journal = journal
        self._setup = setup
        self.game = game

    def append(self, entry: Entry) -> None:
        """Write one command with its events; durable when this returns."""
        if self.game is None:
            if not entry.events:
                return
            self.game = self._journal.create(self._setup).id
        self._journal.append(self.game, entry)

    def begin(self, setup: dict[str, Any]) -> None:
        """Let the next entry begin another game."""
        if self.game is not None:
            self._journal.release(self.game)
        self._setup, self.game = setup, None
