"""Edge cases 61–65: the first victim's best move."""

from __future__ import annotations

import pytest

from tests.rules.driver import ALL, Table
from voicehost.rules import commands as cmd
from voicehost.rules.events import BestMoveNamed
from voicehost.rules.game import Step

WITHOUT = ("sport", "professional", "classic", "club", "virtual")


def after_first_hunt(table: Table, shot: int | None = 7) -> Table:
    return table.hunt(shot).checks()


@pytest.mark.parametrize("rules", ALL)
def test_61_who_has_a_best_move(rules: str) -> None:
    table = after_first_hunt(Table(rules).start().speeches())
    assert (table.step is Step.BEST_MOVE) is (rules == "fsm")
    assert table.game.seat == 7


def test_61_twenty_seconds_for_three_numbers() -> None:
    table = after_first_hunt(Table("fsm").start().speeches())
    assert table.game.seconds == 20
    table.say(cmd.BestMove((1, 2, 3)))
    assert table.all(BestMoveNamed) == [BestMoveNamed(7, (1, 2, 3))]
    table.say(cmd.Proceed())
    assert (table.step, table.game.seat) == (Step.LAST_WORD, 7)


@pytest.mark.parametrize("end", [cmd.Next(), cmd.Elapse()])
def test_61_he_may_be_silent(end: cmd.Command) -> None:
    table = after_first_hunt(Table("fsm").start().speeches()).say(end)
    assert not table.all(BestMoveNamed)
    assert table.step is Step.LAST_WORD


def test_61_lost_if_two_were_voted_out_on_day_one() -> None:
    table = Table("fsm").start().speeches({1: 8, 2: 9}).votes(5).defend().votes(5).votes(6).last_words()
    assert after_first_hunt(table).step is Step.LAST_WORD


def test_61_kept_if_one_was() -> None:
    table = Table("fsm").start().speeches({1: 8, 2: 9}).votes(6).last_words()
    assert after_first_hunt(table).step is Step.BEST_MOVE


def test_61_lost_after_one_where_a_club_says_so() -> None:
    table = Table("fsm", best_move_lost_after=1).start().speeches({1: 8, 2: 9}).votes(6).last_words()
    assert after_first_hunt(table).step is Step.LAST_WORD


def test_61_never_lost_where_a_club_says_so() -> None:
    table = Table("fsm", best_move_lost_after=0).start().speeches({1: 8, 2: 9}).votes(5).defend().votes(5).votes(6)
    assert after_first_hunt(table.last_words()).step is Step.BEST_MOVE


def test_62_none_for_the_first_victim_of_a_later_night() -> None:
    table = Table("fsm").start(day=2).speeches()
    assert after_first_hunt(table).step is Step.LAST_WORD


def test_62_none_after_a_miss() -> None:
    table = after_first_hunt(Table("fsm").start().speeches(), None)
    assert table.step is Step.SPEECH


@pytest.mark.parametrize(("counts", "kept"), [("voted", True), ("all", False)])
def test_63_one_removed_and_one_voted_out(counts: str, kept: bool) -> None:
    table = Table("fsm", best_move_counts=counts, vote_after_removal="held").start().remove(6)
    table.speeches({1: 8, 2: 9}).votes(6).last_words()
    assert (after_first_hunt(table).step is Step.BEST_MOVE) is kept


@pytest.mark.parametrize(("counts", "kept"), [("voted", True), ("all", False)])
def test_63_heads_are_counted_wherever_they_were_lost(counts: str, kept: bool) -> None:
    table = Table("fsm", best_move_counts=counts).say(cmd.StartGame()).remove(6).to(Step.SPEECH).speeches().remove(5)
    assert (after_first_hunt(table).step is Step.BEST_MOVE) is kept


@pytest.mark.parametrize(
    ("numbers", "reason"),
    [
        ((1, 2), "not-enough-numbers"),
        ((), "not-enough-numbers"),
        ((1, 2, 3, 4), "not-enough-numbers"),
        ((2, 2, 3), "repeated-number"),
        ((1, 2, 11), "no-such-seat"),
    ],
)
def test_64_three_different_numbers(numbers: tuple[int, ...], reason: str) -> None:
    table = after_first_hunt(Table("fsm").start().speeches())
    assert table.refused(cmd.BestMove(numbers)) == reason


def test_64_his_own_number_is_his_affair() -> None:
    table = after_first_hunt(Table("fsm").start().speeches()).say(cmd.BestMove((7, 2, 3)))
    assert table.game.best_move == (7, 2, 3)


def test_64_no_change_afterwards() -> None:
    table = after_first_hunt(Table("fsm").start().speeches()).say(cmd.BestMove((1, 2, 3)))
    assert table.refused(cmd.BestMove((1, 2, 4))) == "not-now"


def test_64_game_talk_in_it_removes_and_stops_it() -> None:
    table = after_first_hunt(Table("fsm").start().speeches()).remove(7)
    assert table.step is Step.SPEECH
    assert table.refused(cmd.BestMove((1, 2, 3))) == "not-now"


def test_64_another_removed_meanwhile_does_not_stop_it() -> None:
    table = after_first_hunt(Table("fsm").start().speeches()).remove(6)
    assert (table.step, table.game.seat) == (Step.BEST_MOVE, 7)


def test_65_a_black_victim_has_it_too() -> None:
    table = after_first_hunt(Table("fsm").start().speeches(), 2)
    assert (table.step, table.game.seat) == (Step.BEST_MOVE, 2)


def test_65_one_removed_and_shot_has_none() -> None:
    table = after_first_hunt(Table("fsm").start().speeches().remove(7))
    assert table.step is Step.SPEECH
    table = Table("fsm").start().speeches().hunt(7).remove(7).checks()
    assert table.step is Step.SPEECH


@pytest.mark.parametrize("rules", WITHOUT)
def test_65_elsewhere_there_is_none_to_name(rules: str) -> None:
    table = after_first_hunt(Table(rules).start().speeches())
    assert table.refused(cmd.BestMove((1, 2, 3))) == "not-now"
