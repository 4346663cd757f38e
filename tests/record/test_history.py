"""Which events are in force after undoing and redoing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicehost.record.entries import Entry
from voicehost.record.history import in_force, standing
from voicehost.rules.events import Event, FoulGiven, Redone, Undone

UNDO, REDO = "undo", "redo"


def foul(seq: int) -> tuple[int, Event]:
    return seq, FoulGiven(seat=seq, count=1)


@pytest.mark.parametrize(
    ("events", "left"),
    [
        ([], []),
        ([foul(1), foul(2)], [1, 2]),
        ([foul(1), foul(2), (3, Undone(1))], [1]),
        ([foul(1), foul(2), (3, Undone(1)), foul(4)], [1, 4]),
        ([foul(1), foul(2), (3, Undone(1)), (4, Redone(2, 2))], [1, 2]),
        ([foul(1), foul(2), foul(3), (4, Undone(0)), (5, Redone(1, 3)), foul(6)], [1, 2, 3, 6]),
        # Two undone one after the other come back one after the other.
        ([foul(1), foul(2), (3, Undone(1)), (4, Undone(0)), (5, Redone(1, 1))], [1]),
        ([foul(1), foul(2), (3, Undone(1)), (4, Undone(0)), (5, Redone(1, 1)), (6, Redone(2, 2))], [1, 2]),
        # What was put back can be taken again.
        ([foul(1), (2, Undone(0)), (3, Redone(1, 1)), (4, Undone(0))], []),
        # 2 is gone for good once 4 was given; a redo of the range up to 4 does not raise it.
        ([foul(1), foul(2), (3, Undone(1)), foul(4), (5, Undone(1)), (6, Redone(2, 4))], [1, 4]),
    ],
)
def test_standing(events: list[tuple[int, Event]], left: list[int]) -> None:
    assert standing(events) == [foul(seq) for seq in left]


@given(st.lists(st.one_of(st.integers(1, 3), st.just(UNDO), st.just(REDO))))
def test_history_agrees_with_a_plain_undo_stack(steps: list[int | str]) -> None:
    """A step is a command with that many events, an undo or a redo; the model keeps lists of seqs."""
    entries: list[Entry] = []
    done: list[list[int]] = []
    undone: list[list[int]] = []
    seq = 0

    def write(*events: Event) -> None:
        nonlocal seq
        pairs = tuple(enumerate(events, seq + 1))
        seq += len(events)
        entries.append(Entry("host", "", {}, None, pairs, 0.0, 0.0))

    for step in steps:
        if step == UNDO and done:
            undone.append(done.pop())
            write(Undone(to_seq=done[-1][-1] if done else 0))
        elif step == REDO and undone:
            done.append(undone.pop())
            write(Redone(from_seq=done[-1][0], to_seq=done[-1][-1]))
        elif isinstance(step, int):
            undone.clear()
            write(*(FoulGiven(seat=1, count=1) for _ in range(step)))
            done.append(list(range(seq - step + 1, seq + 1)))
    assert [number for number, _ in in_force(entries)] == [number for command in done for number in command]
