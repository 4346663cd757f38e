"""Answers to the host's questions: they are heard by all, so they tell only what the table knows."""

from __future__ import annotations

import pytest

from tests.rules.driver import Table
from voicehost.hosting.answers import answer
from voicehost.hosting.clock import VirtualClock
from voicehost.hosting.script import Cue, cue
from voicehost.hosting.timekeeper import Timekeeper
from voicehost.rules import commands as cmd
from voicehost.rules.game import Game, Step


def ask(game: Game, question: cmd.Command, keeper: Timekeeper | None = None) -> list[Cue]:
    return answer(question, game, keeper or Timekeeper(VirtualClock()), lambda: "пауза, дальше")


def test_nominees_in_their_order() -> None:
    table = Table("sport").start()
    assert ask(table.game, cmd.AskNominees()) == [cue("nominees-none")]
    table.say(cmd.Nominate(7), cmd.EndSpeech(), cmd.Nominate(2))
    assert ask(table.game, cmd.AskNominees()) == [cue("nominees", seats=(7, 2))]


def test_time_is_rounded_up() -> None:
    table, keeper = Table("sport").start(), Timekeeper(VirtualClock())
    assert ask(table.game, cmd.AskTime(), keeper) == [cue("time-none")]
    keeper.start("speech", 60, left=12.2)
    assert ask(table.game, cmd.AskTime(), keeper) == [cue("time-left", seconds=13)]


def test_a_timer_that_stands_has_time_left() -> None:
    keeper = Timekeeper(VirtualClock())
    keeper.start("speech", 60, left=5, paused=True)
    assert ask(Table("sport").start().game, cmd.AskTime(), keeper) == [cue("time-left", seconds=5)]


def test_fouls_of_a_seat() -> None:
    table = Table("sport").start().foul(3, 2)
    assert ask(table.game, cmd.AskFouls(3)) == [cue("fouls-of", seat=3, count=2)]
    assert ask(table.game, cmd.AskFouls(4)) == [cue("fouls-of", seat=4, count=0)]


def test_at_night_the_victim_is_still_in_the_game() -> None:
    table = Table("sport").start().speeches().hunt(7)
    assert 7 not in table.game.alive
    assert ask(table.game, cmd.AskAlive()) == [cue("alive", seats=tuple(range(1, 11)))]
    table.checks()
    assert ask(table.game, cmd.AskAlive()) == [cue("alive", seats=(1, 2, 3, 4, 5, 6, 8, 9, 10))]


def test_a_foul_that_removed_at_night_is_not_told() -> None:
    table = Table("sport").start().foul(7, 3).speeches().foul(7)
    assert table.step is Step.HUNT
    assert 7 not in table.game.alive
    assert ask(table.game, cmd.AskFouls(7)) == [cue("fouls-of", seat=7, count=3)]


@pytest.mark.parametrize(
    ("play", "said"),
    [
        (lambda table: table, cue("before-start")),
        (lambda table: table.start(), cue("day", number=1)),
        (lambda table: table.say(cmd.StartGame()), cue("night", number=0)),
        (lambda table: table.start().speeches(), cue("night", number=1)),
        (lambda table: table.start(day=3), cue("day", number=3)),
        (lambda table: table.start().say(cmd.EndGame()), cue("after-end")),
    ],
)
def test_which_day_it_is(play: object, said: Cue) -> None:
    game = play(Table("sport")).game  # type: ignore[operator]
    assert ask(game, cmd.AskDay()) == [said]


def test_before_unknown_roles_are_dealt_the_game_has_not_begun() -> None:
    assert ask(Table("sport", roles=None).say(cmd.StartGame()).game, cmd.AskDay()) == [cue("before-start")]


def test_help_and_listening() -> None:
    game = Table("sport").game
    assert ask(game, cmd.AskHelp()) == [cue("help", phrases="пауза, дальше")]
    assert ask(game, cmd.Listen()) == [cue("listening")]
    assert ask(game, cmd.StopListening()) == [cue("not-listening")]


def test_a_repetition_is_no_answer() -> None:
    assert ask(Table("sport").game, cmd.Repeat()) == []
