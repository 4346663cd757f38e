"""Hands raised on the phones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.rules.driver import Table
from voicehost.hosting.hands import Hands
from voicehost.rules import commands as cmd
from voicehost.rules.game import Game, Mode


def at_home(table: Table) -> Game:
    """The same game with nobody to host it."""
    game: Game = table.game
    return replace(game, mode=Mode.HOME)


def voting() -> Table:
    """Ten at the table, seat 9 out, candidates 2, 5 and 7."""
    return Table("professional").start(out=[9]).speeches({1: 2, 2: 5, 3: 7})


@pytest.fixture
def vote() -> Game:
    return at_home(voting())


def test_a_hand_counts_once(vote: Game) -> None:
    hands = Hands()
    assert hands.raise_one(vote, 3) == ""
    assert hands.raise_one(vote, 1) == ""
    assert hands.raise_one(vote, 3) == "already-voted"
    assert hands.command() == cmd.Votes(seats=(1, 3))


def test_a_candidate_may_vote_even_for_himself(vote: Game) -> None:
    assert Hands().raise_one(vote, 2) == ""


@pytest.mark.parametrize(("seat", "reason"), [(0, "no-such-seat"), (11, "no-such-seat"), (9, "seat-out")])
def test_whose_hand_does_not_count(vote: Game, seat: int, reason: str) -> None:
    hands = Hands()
    assert hands.raise_one(vote, seat) == reason
    assert not hands.raised


def test_a_hand_used_for_an_earlier_candidate_is_used(vote: Game) -> None:
    game = at_home(voting().votes((1, 3)))
    assert Hands().raise_one(game, 3) == "already-voted"
    assert Hands().raise_one(game, 4) == ""


def test_for_the_lift_everybody_has_a_hand_again() -> None:
    table = Table("professional").start().speeches({1: 2, 2: 5})
    table.votes((1, 2, 3, 4, 5)).defend().votes((1, 2, 3, 4, 5))
    assert table.step == "lift"
    assert Hands().raise_one(at_home(table), 1) == ""


def test_no_hands_outside_a_vote_or_with_a_host() -> None:
    assert Hands().raise_one(at_home(Table("sport").start()), 1) == "not-now"
    assert Hands().raise_one(voting().game, 1) == "not-now"


def test_when_everybody_has_raised_a_hand(vote: Game) -> None:
    hands = Hands()
    for seat in vote.alive:
        assert not hands.everyone(vote)
        hands.raise_one(vote, seat)
    assert hands.everyone(vote)


def test_no_hands_at_all_are_a_command_too() -> None:
    assert Hands().command() == cmd.Votes(seats=())
