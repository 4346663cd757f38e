"""The history of a game: groups of events, undo, redo. The state is always the fold of what is in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from voicehost.rules.events import Event, Redone, Undone
from voicehost.rules.fold import fold_all
from voicehost.rules.game import Game, Step

HOST = "host"
"""Origin of a group: a command that a person gave and may take back."""
AUTO = "auto"
"""Origin of a group: the program or the clock went on by itself."""

TimerState = Mapping[str, Any]
"""What the running timer was, as its keeper describes it."""


@dataclass(frozen=True, slots=True)
class Group:
    """The events of one command, numbered, with the game before them and the timer that ran then."""

    origin: str
    events: tuple[tuple[int, Event], ...]
    before: Game
    timer: TimerState | None = None


@dataclass(frozen=True, slots=True)
class History:
    """All that is in force, what may be redone, and the next free number."""

    start: Game
    groups: tuple[Group, ...] = ()
    undone: tuple[tuple[tuple[Group, ...], Game, TimerState | None], ...] = field(default=())
    next_seq: int = 1
    current: Game | None = None

    @property
    def game(self) -> Game:
        """The state, with what undo and redo can do."""
        game = self.current or self.start
        return replace(game, undoable=self._last_host() is not None, redoable=bool(self.undone))

    def _last_host(self) -> int | None:
        return next((i for i in range(len(self.groups) - 1, -1, -1) if self.groups[i].origin == HOST), None)

    def record(self, origin: str, events: tuple[Event, ...], timer: TimerState | None = None) -> History:
        """Return the history with one more group, after which there is nothing to redo; no events are no group."""
        if not events:
            return self
        before = self.current or self.start
        numbered = tuple(enumerate(events, self.next_seq))
        return replace(
            self,
            groups=(*self.groups, Group(origin, numbered, before, timer)),
            undone=(),
            next_seq=self.next_seq + len(events),
            current=fold_all(before, events),
        )

    def undo(self, timer: TimerState | None = None) -> tuple[History, Undone, TimerState | None] | None:
        """Take back the last host command and all that followed; None when there is none.

        Also returns the event and the timer to put back, which stands.
        """
        index = self._last_host()
        if index is None:
            return None
        kept, dropped = self.groups[:index], self.groups[index:]
        to_seq = max((seq for group in kept for seq, _ in group.events), default=0)
        return (
            replace(
                self,
                groups=kept,
                undone=(*self.undone, (dropped, self.current or self.start, timer)),
                next_seq=self.next_seq + 1,
                current=_standing(dropped[0].before),
            ),
            Undone(to_seq),
            dropped[0].timer,
        )

    def redo(self) -> tuple[History, Redone, TimerState | None] | None:
        """Put back what the last undo took; None when there is nothing."""
        if not self.undone:
            return None
        *rest, (groups, game, timer) = self.undone
        numbers = [seq for group in groups for seq, _ in group.events]
        return (
            replace(
                self,
                groups=(*self.groups, *groups),
                undone=tuple(rest),
                next_seq=self.next_seq + 1,
                current=_standing(game),
            ),
            Redone(min(numbers), max(numbers)),
            timer,
        )


def _standing(game: Game) -> Game:
    """Pause a timed step: whoever corrects the past needs the clock to wait."""
    return replace(game, paused=True) if game.seconds and game.step is not Step.OVER else game
