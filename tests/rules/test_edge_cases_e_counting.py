"""Edge cases 39–50: counting hands, ties, the lift."""

from __future__ import annotations

import pytest

from tests.rules.driver import ALL, Table
from voicehost.rules import commands as cmd
from voicehost.rules.events import (
    LiftAsked,
    LiftCounted,
    ShootoutSpeechBegan,
    Tie,
    VoteCancelled,
    VoteOpened,
    VotesCast,
)
from voicehost.rules.game import Step
from voicehost.rules.legal import legal

each = pytest.mark.parametrize("rules", ALL)


@each
def test_39_the_last_candidates_hands_follow_by_subtraction(rules: str) -> None:
    table = Table(rules).start(out=(10,)).speeches({1: 7, 2: 8, 3: 9}).votes(2, 3)
    assert [(vote.candidate, vote.count) for vote in table.all(VotesCast)] == [(7, 2), (8, 3), (9, 4)]
    assert table.game.seat == 9


@each
def test_39_with_seats_the_rest_is_known_by_seat(rules: str) -> None:
    table = Table(rules).start().speeches({1: 7, 2: 8}).votes((9, 1, 3))
    assert table.all(VotesCast) == [VotesCast(7, 3, (1, 3, 9)), VotesCast(8, 7, (2, 4, 5, 6, 7, 8, 10))]


@each
def test_39_once_only_numbers_are_known_the_rest_is_a_number(rules: str) -> None:
    table = Table(rules).start().speeches({1: 7, 2: 8, 3: 9}).votes((1, 2), 3)
    assert table.all(VotesCast) == [VotesCast(7, 2, (1, 2)), VotesCast(8, 3), VotesCast(9, 5)]


@each
def test_39_refused_hands(rules: str) -> None:
    table = Table(rules).start(out=(10,)).speeches({1: 7, 2: 8, 3: 9}).votes((1, 2))
    assert table.refused(cmd.Votes(8)) == "too-many-votes"
    assert table.refused(cmd.Votes(seats=(2, 3))) == "already-voted"
    assert table.refused(cmd.Votes(seats=(3, 10))) == "seat-out"
    assert table.refused(cmd.Votes(seats=(3, 11))) == "no-such-seat"
    assert table.refused(cmd.Votes(seats=(3, 3))) == "repeated-number"
    table.votes(7)
    assert table.all(VotesCast)[-1] == VotesCast(9, 0)


@each
def test_40_the_count_goes_on_when_one_is_out_of_reach(rules: str) -> None:
    table = Table(rules).start().speeches({1: 7, 2: 8, 3: 9}).votes(6)
    assert (table.step, table.game.ballot and table.game.ballot.candidate) == (Step.VOTE, 8)
    assert table.game.fixed


def test_40_out_of_reach_is_told_by_the_living_not_by_ten() -> None:
    table = Table("fsm").start(out=(2, 5, 6)).speeches({1: 7, 3: 8, 4: 9}).votes(4)  # four of seven
    assert table.game.fixed
    table = Table("fsm").start(out=(2, 5)).speeches({1: 7, 3: 8, 4: 9}).votes(4)  # four of eight: a tie is possible
    assert not table.game.fixed


@each
def test_41_all_abstain_until_the_last(rules: str) -> None:
    table = Table(rules).start().speeches({1: 7, 2: 8, 3: 9}).say(cmd.Next(), cmd.Next())
    assert table.all(VotesCast) == [
        VotesCast(7, 0, ()),
        VotesCast(8, 0, ()),
        VotesCast(9, 10, tuple(range(1, 11))),
    ]
    assert (table.step, table.out) == (Step.LAST_WORD, [9])


@each
def test_42_of_three_tied_two_tie_again(rules: str) -> None:
    table = Table(rules).start().speeches({1: 2, 3: 5, 4: 7, 6: 9}).votes(3, 3, 3)
    assert table.all(Tie) == [Tie((2, 5, 7))]
    assert spoken(table) == [2, 5, 7]
    table.votes(5, 5)
    assert table.all(Tie)[-1] == Tie((2, 5))
    assert spoken(table) == [2, 5]  # speeches again, among the two
    assert table.all(VoteOpened)[-1] == VoteOpened((2, 5), 3)
    table.votes(5)
    assert table.all(LiftAsked) == [LiftAsked((2, 5))]


def spoken(table: Table) -> list[int | None]:
    """Let the tied speak; return who did."""
    seats = []
    while table.step is Step.SHOOTOUT_SPEECH:
        assert table.game.seconds == 30
        seats.append(table.game.seat)
        table.say(cmd.EndSpeech())
    return seats


@each
def test_43_the_same_tie_with_other_voters_is_a_repeat(rules: str) -> None:
    table = Table(rules).start().speeches({1: 7, 2: 8}).votes((1, 2, 3, 4, 5)).defend().votes((6, 7, 8, 9, 10))
    assert table.step is Step.LIFT


@each
def test_44_the_revote_goes_in_the_order_of_nomination(rules: str) -> None:
    table = Table(rules).start().speeches({1: 9, 2: 4, 3: 7}).votes(5, 0).defend()
    assert table.all(VoteOpened)[-1] == VoteOpened((9, 7), 2)


def test_44_or_in_reverse_in_every_revote() -> None:
    table = Table("fsm", revote_order="reverse").start().speeches({1: 9, 2: 4, 3: 7, 5: 6}).votes(3, 3, 3)
    assert spoken(table) == [9, 4, 7]
    assert table.all(VoteOpened)[-1] == VoteOpened((7, 4, 9), 2)
    table.votes(5, 5)
    assert table.all(Tie)[-1] == Tie((4, 7))
    assert spoken(table) == [4, 7]
    assert table.all(VoteOpened)[-1] == VoteOpened((7, 4), 3)
    table.votes(5)
    assert table.all(LiftAsked) == [LiftAsked((4, 7))]


@pytest.mark.parametrize("rules", ["sport", "professional", "classic", "fsm"])
def test_45_the_whole_table_is_never_lifted(rules: str) -> None:
    table = Table(rules).start(out=(2, 3, 5, 6, 7, 8), day=2)  # 1 4 9 10 are left
    table.speeches({1: 4, 4: 1, 9: 10, 10: 9}).votes(1, 1, 1)
    assert table.step is Step.SHOOTOUT_SPEECH
    table.defend().votes(1, 1, 1)
    assert not table.all(LiftAsked)
    assert (table.step, table.out[6:]) == (Step.HUNT, [])


@pytest.mark.parametrize("rules", ALL)
def test_45_three_of_three(rules: str) -> None:
    table = Table(rules).start(out=(2, 3, 5, 6, 7, 8, 9), day=2)
    table.speeches({1: 4, 4: 1, 10: 10}).votes(1, 1).defend().votes(1, 1)
    assert not table.all(LiftAsked)
    assert table.step is Step.HUNT


@each
@pytest.mark.parametrize(("living", "needed"), [(10, 6), (8, 5), (6, 4)])
@pytest.mark.parametrize("enough", [True, False])
def test_46_the_lift_needs_more_than_half_of_the_living(rules: str, living: int, needed: int, enough: bool) -> None:
    out = (10, 9, 8, 3)[: 10 - living]
    table = Table(rules).start(out=out, day=2).speeches({1: 6, 4: 7}).votes(living // 2).defend().votes(living // 2)
    hands = needed if enough else needed - 1  # exactly half stays
    table.votes(hands)
    assert table.all(LiftCounted) == [LiftCounted(hands, needed)]
    assert table.out[len(out) :] == (list(table.all(LiftAsked)[0].candidates) if enough else [])


@pytest.mark.parametrize(("three_of_nine", "asked"), [(True, True), (False, False)])
def test_47_three_of_nine(three_of_nine: bool, asked: bool) -> None:
    table = Table("fsm", lift_three_of_nine=three_of_nine).start(out=(10,)).speeches({1: 7, 2: 8, 3: 9})
    table.votes(3, 3).defend().votes(3, 3)
    assert bool(table.all(LiftAsked)) is asked
    assert table.step is (Step.LIFT if asked else Step.HUNT)


def test_47_nine_need_five_hands() -> None:
    table = Table("fsm").start(out=(10,)).speeches({1: 7, 2: 8, 3: 9}).votes(3, 3).defend().votes(3, 3).votes(5)
    assert table.all(LiftCounted) == [LiftCounted(5, 5)]
    assert table.out == [10, 7, 8, 9]


def test_47_four_of_eight_is_another_matter() -> None:
    table = Table("fsm", lift_three_of_nine=False).start(out=(10, 6)).speeches({1: 7, 2: 8, 3: 9, 4: 1})
    table.votes(2, 2, 2).defend().votes(2, 2, 2)
    assert table.step is Step.LIFT


@pytest.mark.parametrize(
    ("rules", "speeches", "revote"),
    [
        ("sport", True, True),
        ("professional", True, True),
        ("classic", True, True),
        ("club", False, False),
        ("virtual", True, False),
        ("fsm", True, True),
    ],
)
def test_48_two_of_four(rules: str, speeches: bool, revote: bool) -> None:
    table = Table(rules).start(out=(2, 3, 5, 6, 7, 8), day=2).speeches({1: 9, 4: 10}).votes(2).defend()
    assert bool(table.all(ShootoutSpeechBegan)) is speeches
    assert (table.step is Step.VOTE) is revote
    if revote:
        table.votes(2)
        assert table.all(LiftAsked) == [LiftAsked((10, 9))]
        assert table.votes(2).step is Step.HUNT
    else:
        assert table.all(VoteCancelled) == [VoteCancelled("four-at-table")]
        assert (table.step, table.out[6:]) == (Step.HUNT, [])


@each
def test_49_a_triple_tie_on_day_one_is_allowed(rules: str) -> None:
    table = Table(rules).start(out=(10,)).speeches({1: 7, 2: 8, 3: 9}).votes(3, 3).defend().votes(3, 3).votes(5)
    assert table.out == [10, 7, 8, 9]


def test_50_stay_makes_a_repeated_tie_end_the_day() -> None:
    table = Table("fsm", repeated_tie="stay").start().speeches({1: 7, 2: 8}).votes(5).defend().votes(5)
    assert not table.all(LiftAsked)
    assert (table.step, table.out) == (Step.HUNT, [])


@each
def test_50_a_day_one_vote_among_several_acts(rules: str) -> None:
    assert Table(rules).start().speeches({1: 7, 2: 8}).votes(9).out == [7]


@each
def test_50_a_revote_that_is_decided(rules: str) -> None:
    table = Table(rules).start().speeches({1: 7, 2: 8}).votes(5).defend().votes(4)
    assert table.out == [8]


@each
def test_50_hands_for_the_lift_by_seat(rules: str) -> None:
    table = Table(rules).start().speeches({1: 7, 2: 8}).votes(5).defend().votes(5)
    assert legal(table.game)["votes"].counts == tuple(range(11))
    assert table.refused(cmd.Votes(11)) == "too-many-votes"
    assert table.votes((1, 2, 3, 4, 7, 8)).out == [7, 8]
