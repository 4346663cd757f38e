"""From the journal's entries back to a live game."""

from __future__ import annotations

from collections.abc import Iterable

from voicehost.hosting.course import SAVED
from voicehost.hosting.setup import Setup
from voicehost.record.entries import Entry
from voicehost.rules.events import TimeAdded
from voicehost.rules.history import AUTO, HOST, History, TimerState

UNDOABLE = frozenset({"host", "seat"})
"""Origins whose commands a person gave."""


def replay(setup: Setup, entries: Iterable[Entry]) -> tuple[History, TimerState | None]:
    """Return the history that ``entries`` make, and what is known of the timer that ran at their end.

    Raises:
        ValueError: the entries do not follow from one another.
    """
    history = History(setup.new_game(), next_seq=setup.first_seq)
    timer: TimerState | None = None
    for entry in entries:
        if entry.events and entry.events[0][0] != history.next_seq:
            raise ValueError(f"entry begins with seq {entry.events[0][0]}, not {history.next_seq}")
        if entry.command == SAVED:
            timer = entry.timer
        elif entry.command in {"undo", "redo"}:
            turned = history.undo(entry.timer) if entry.command == "undo" else history.redo()
            if turned is None:
                raise ValueError(f"nothing to {entry.command} at seq {history.next_seq}")
            history, _, timer = turned
        else:
            before = history.game.serial
            events = tuple(event for _, event in entry.events)
            history = history.record(HOST if entry.origin in UNDOABLE else AUTO, events, entry.timer)
            timer = _extended(entry.timer, events) if history.game.serial == before else None
    return history, timer


def _extended(timer: TimerState | None, events: tuple[object, ...]) -> TimerState | None:
    added = sum(event.seconds for event in events if isinstance(event, TimeAdded))
    if timer is None or not added:
        return timer
    return {**timer, "left": timer["left"] + added, "seconds": timer["seconds"] + added}
