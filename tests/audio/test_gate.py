from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicehost.audio.gate import Gate


@dataclass
class Sounding:
    started: float | None
    finished: float | None


def gate(*sounds: tuple[float | None, float | None], tail: float = 0.25, lead: float = 0.15) -> Gate:
    made = Gate(tail, lead)
    for began, ended in sounds:
        made.watch(Sounding(began, ended))
    return made


@pytest.mark.parametrize(
    ("began", "ended", "dropped"),
    [
        (8.0, 9.8, False),
        (8.0, 9.9, True),  # cut off by the program
        (8.0, 10.5, True),
        (10.5, 11.5, True),
        (9.0, 13.0, True),
        (11.9, 13.0, True),
        (12.2, 13.0, True),  # in the echo
        (12.3, 13.0, False),
    ],
)
def test_drops_what_overlaps_a_sound_or_its_echo(began: float, ended: float, dropped: bool) -> None:
    assert gate((10.0, 12.0)).overlaps(began, ended) is dropped


def test_a_sound_that_goes_on_shuts_the_gate_until_it_ends() -> None:
    sounding = Sounding(None, None)
    made = Gate()
    made.watch(sounding)
    assert not made.overlaps(1, 2)
    sounding.started = 5.0
    assert not made.overlaps(1, 2)
    assert made.overlaps(100, 101)
    sounding.finished = 6.0
    assert not made.overlaps(100, 101)


def test_a_sound_cancelled_before_it_began_shuts_nothing() -> None:
    assert not gate((None, None), (None, 3.0)).overlaps(0, 10)


def test_two_sounds_leave_a_gap_open() -> None:
    made = gate((1.0, 2.0), (4.0, 5.0))
    assert not made.overlaps(2.5, 3.5)
    assert made.overlaps(2.5, 4.2)


def test_the_tail_can_be_set() -> None:
    assert gate((1.0, 2.0), tail=0.8).overlaps(2.7, 3.0)
    assert not gate((1.0, 2.0), tail=0.8).overlaps(2.9, 3.0)
    with pytest.raises(ValueError, match="must not be negative"):
        Gate(tail=-0.1)


def test_a_block_becomes_silence_of_its_own_length_while_the_gate_is_shut() -> None:
    made = gate((1.0, 2.0))
    block = b"\1\2" * 480
    assert made.pass_through(block, 0.9) == block
    assert made.pass_through(block, 1.01) == bytes(960)
    assert made.pass_through(block, 2.2) == bytes(960)
    assert made.pass_through(block, 2.29) == block


def test_old_sounds_are_forgotten_and_late_utterances_are_not() -> None:
    made = Gate(memory=10)
    for second in range(100):
        made.watch(Sounding(second, second + 0.5))
    assert made.overlaps(95.2, 95.3)
    assert len(made._sounds) < 20
    assert made.overlaps(91.2, 91.3)


@given(
    st.lists(st.tuples(st.floats(0, 50), st.floats(0, 5)), max_size=6),
    st.floats(0, 50),
    st.floats(0, 5),
    st.floats(0, 1),
)
def test_the_gate_is_what_intervals_say(
    sounds: list[tuple[float, float]], began: float, length: float, tail: float
) -> None:
    made = gate(*((start, start + lasts) for start, lasts in sounds), tail=tail, lead=0)
    ended = began + length
    expected = any(start <= ended and began < start + lasts + tail for start, lasts in sounds)
    assert made.overlaps(began, ended) == expected
