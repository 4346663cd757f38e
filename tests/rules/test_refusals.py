"""Every reason for a refusal, by an example or more."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.rules.driver import Table
from voicehost.rules import commands as cmd
from voicehost.rules.game import Mode, Step
from voicehost.rules.refusals import REASONS


def lobby() -> Table:
    return Table("fsm")


def unknown() -> Table:
    return Table("fsm", roles=None).start()


def day() -> Table:
    return Table("fsm").start(out=(9,)).say(cmd.Nominate(7), cmd.EndSpeech())


def named() -> Table:
    return day().say(cmd.Nominate(8))


def vote() -> Table:
    return named().speeches({3: 10}).votes((1, 2))


def hunt() -> Table:
    return day().to(Step.HUNT).shoot({1: 7})


def best_move() -> Table:
    return Table("fsm").start().speeches().hunt(7).checks()


def over() -> Table:
    return day().say(cmd.EndGame())


def home() -> Table:
    return Table("fsm", mode=Mode.HOME, choose_cards=True).say(cmd.StartGame())


def home_night() -> Table:
    table = home().say(cmd.Next())
    while table.game.day < 1:
        table.say(cmd.Elapse())
    return table.speeches()


CASES: list[tuple[str, Callable[[], Table], cmd.Command, int | None]] = [
    ("not-now", lobby, cmd.Next(), None),
    ("not-now", lobby, cmd.Elapse(), None),
    ("not-now", lobby, cmd.Foul(3), None),
    ("not-now", lobby, cmd.EndGame(), None),
    ("not-now", lobby, cmd.PlayAgain(), None),
    ("not-now", day, cmd.StartGame(), None),
    ("not-now", day, cmd.Votes(3), None),
    ("not-now", day, cmd.Shot(7), None),
    ("not-now", day, cmd.BestMove((1, 2, 3)), None),
    ("not-now", day, cmd.DonCheck(3), None),
    ("not-now", day, cmd.Resume(), None),
    ("not-now", day, cmd.Foul(3, 4), None),
    ("not-now", day, cmd.Foul(3, 0), None),
    ("not-now", day, cmd.AddTime(0), None),
    ("not-now", day, cmd.AddTime(601), None),
    ("not-now", day, cmd.DeclareWinner("none"), None),
    ("not-now", day, cmd.TakeSeat(3, "Аня"), None),
    ("not-now", vote, cmd.EndSpeech(), None),
    ("not-now", vote, cmd.AddTime(10), None),
    ("not-now", hunt, cmd.Proceed(), None),
    ("not-now", home, cmd.Shooter(3, 3), 3),
    ("not-now", home, cmd.Pause(), 3),
    ("not-now", home_night, cmd.TakeCard(3, 1), 3),
    ("not-now", day, cmd.Nominate(5), 2),
    ("no-such-seat", lobby, cmd.AskFouls(11), None),
    ("no-such-seat", unknown, cmd.SetRole(0, "city"), None),
    ("no-such-seat", day, cmd.Nominate(11), None),
    ("no-such-seat", day, cmd.TeamDefeat(11), None),
    ("no-such-seat", day, cmd.RemovePlayer(-1), None),
    ("no-such-seat", hunt, cmd.Shooter(2, 0), None),
    ("no-such-seat", home, cmd.EndSpeech(), 11),
    ("seat-out", day, cmd.Nominate(9), None),
    ("seat-out", vote, cmd.Votes(seats=(9,)), None),
    ("seat-out", hunt, cmd.Shooter(9, 7), None),
    ("already-nominated", day, cmd.Nominate(7), None),
    ("already-nominated-by-you", named, cmd.Nominate(5), None),
    ("not-your-turn", home, cmd.TakeCard(2, 1), 2),
    ("not-your-turn", home, cmd.TakeCard(1, 1), None),
    ("withdrawal-forbidden", named, cmd.Withdraw(8), None),
    ("too-many-votes", vote, cmd.Votes(8), None),
    ("too-many-votes", vote, cmd.Votes(-1), None),
    ("too-many-votes", vote, cmd.Votes(), None),
    ("too-many-votes", vote, cmd.Votes(1, (3,)), None),
    ("already-voted", vote, cmd.Votes(seats=(2, 3)), None),
    ("already-voted", hunt, cmd.Shooter(1, 7), None),
    ("not-a-candidate", home, cmd.TakeCard(1, 11), 1),
    ("no-foul", day, cmd.RemoveFoul(3), None),
    ("nothing-to-undo", lobby, cmd.Undo(), None),
    ("nothing-to-redo", day, cmd.Redo(), None),
    ("game-over", over, cmd.Next(), None),
    ("game-over", over, cmd.SetRole(3, "city"), None),
    ("role-unknown", unknown, cmd.TeamDefeat(3), None),
    ("wrong-roles", lobby, cmd.SetRole(3, "doctor"), None),
    ("not-black", hunt, cmd.Shooter(5, 7), None),
    ("not-don", lambda: home_night().say(cmd.Elapse()), cmd.DonCheck(3), 4),
    ("not-sheriff", lambda: home_night().say(cmd.Elapse(), cmd.Elapse()), cmd.SheriffCheck(3), 1),
    ("not-enough-numbers", best_move, cmd.BestMove((1, 2)), None),
    ("repeated-number", best_move, cmd.BestMove((1, 2, 2)), None),
    ("repeated-number", vote, cmd.Votes(seats=(3, 3)), None),
    ("nothing-pending", day, cmd.Confirm(), None),
    ("nothing-pending", day, cmd.Deny(), None),
]


@pytest.mark.parametrize(("reason", "at", "command", "by"), CASES, ids=[f"{c[0]}-{c[2].name}" for c in CASES])
def test_refused(reason: str, at: Callable[[], Table], command: cmd.Command, by: int | None) -> None:
    assert at().refused(command, by) == reason


def test_every_reason_has_an_example() -> None:
    assert {case[0] for case in CASES} == set(REASONS)


def test_a_refusal_changes_nothing() -> None:
    table = day()
    before = table.game
    table.refused(cmd.Nominate(9))
    assert table.game == before


def test_next_deals_on_from_whoever_has_his_card() -> None:
    table = home().say(cmd.TakeCard(1, 1), by=1).say(cmd.KeepCard(1), by=1).say(cmd.Next())
    assert sorted(table.game.roles) == sorted(table.game.cards)
    assert table.game.roles[0] == "don"
