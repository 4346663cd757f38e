"""What is still in force after all undoing and redoing. The journal itself forgets nothing."""

from __future__ import annotations

from collections.abc import Iterable

from voicehost.record.entries import Entry
from voicehost.rules.events import Event, Redone, Undone


def in_force(entries: Iterable[Entry]) -> list[tuple[int, Event]]:
    """Return the events of ``entries`` that count, with their seqs, in order.

    ``undone`` takes out every event before it that comes after its ``to_seq``; ``redone`` puts its range back. The
    two themselves are left out: they change no game, only which events make it.
    """
    return standing(pair for entry in entries for pair in entry.events)


def standing(events: Iterable[tuple[int, Event]]) -> list[tuple[int, Event]]:
    """Do the same for bare (seq, event) pairs."""
    kept: list[tuple[int, Event]] = []
    taken: list[list[tuple[int, Event]]] = []
    """What each undo took out, the latest last."""
    for seq, event in events:
        if isinstance(event, Undone):
            taken.append([pair for pair in kept if pair[0] > event.to_seq])
            kept = [pair for pair in kept if pair[0] <= event.to_seq]
        elif isinstance(event, Redone):
            # Only the latest undo can be taken back: a range may also span events that an older one took for good.
            last = taken.pop() if taken else []
            kept += [pair for pair in last if event.from_seq <= pair[0] <= event.to_seq]
        else:
            kept.append((seq, event))
    return kept
