"""What a tap on a phone means, by the step of the game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.hosting.typed import TypedGame
from tests.rules.driver import Table
from voicehost.hosting.inputs import Phone, read_line
from voicehost.hosting.phones import Phones
from voicehost.rules import commands as cmd
from voicehost.rules.game import Game, Mode, Step


def phone(line: str) -> Phone:
    read = read_line(line)
    assert isinstance(read, Phone)
    return read


def command(game: Game, line: str, called: int | None = None) -> cmd.Command | None:
    return Phones().command(game, phone(line), called)


def at(step: Step) -> Game:
    """A home game of which only the step matters."""
    game: Game = Table("fsm", mode=Mode.HOME).game
    return replace(game, step=step, seat=4)


@pytest.mark.parametrize(
    ("step", "line", "meant"),
    [
        (Step.LOBBY, "/seat 3 join Аня", cmd.TakeSeat(3, "Аня")),
        (Step.DEAL, "/seat 3 choose 5", cmd.TakeCard(3, 5)),
        (Step.DEAL, "/seat 3 confirm", cmd.KeepCard(3)),
        (Step.SPEECH, "/seat 3 confirm", None),
        (Step.SPEECH, "/seat 3 nominate 5", cmd.Nominate(5)),
        (Step.SPEECH, "/seat 3 done", cmd.EndSpeech()),
        (Step.DON_CHECK, "/seat 3 choose 5", cmd.DonCheck(5)),
        (Step.SHERIFF_CHECK, "/seat 3 choose 5", cmd.SheriffCheck(5)),
        (Step.BEST_MOVE, "/seat 3 choose 5", cmd.BestMove((5,))),
        (Step.SPEECH, "/seat 3 choose 5", cmd.TakeCard(3, 5)),
    ],
)
def test_what_is_meant(step: Step, line: str, meant: cmd.Command | None) -> None:
    assert command(at(step), line) == meant


def test_a_touch_is_a_shot_at_the_number_that_is_called() -> None:
    assert command(at(Step.HUNT), "/seat 3 tap", called=7) == cmd.Shooter(3, 7)
    assert command(at(Step.HUNT), "/seat 3 tap", called=None) is None


def test_a_best_move_is_tapped_number_by_number() -> None:
    phones, game = Phones(), at(Step.BEST_MOVE)
    taps = [phones.command(game, phone(f"/seat 4 choose {number}"), None) for number in (2, 2, 9, 2, 5)]
    assert taps == [None, None, None, None, cmd.BestMove((2, 9, 5))]


def test_numbers_of_an_earlier_best_move_are_forgotten() -> None:
    phones, game = Phones(), at(Step.BEST_MOVE)
    phones.command(game, phone("/seat 4 choose 2"), None)
    phones.command(game, phone("/seat 4 choose 3"), None)
    later = replace(game, serial=game.serial + 1)
    assert phones.command(later, phone("/seat 4 choose 5"), None) is None
    assert phones.picked == [5]


def test_nobody_else_adds_to_a_best_move() -> None:
    phones, game = Phones(), at(Step.BEST_MOVE)
    phones.command(game, phone("/seat 4 choose 2"), None)
    assert phones.command(game, phone("/seat 6 choose 3"), None) == cmd.BestMove((3,)), "which the referee refuses"
    assert phones.picked == [2]


# --- names


@pytest.mark.parametrize("name", ["Аня", "аня", "АНЯ!", "Bad\x1b[2JName", "\u200b\u202e"])
def test_a_name_that_cannot_be_told_apart_or_shown_is_refused_with_a_sentence(name: str) -> None:
    game = TypedGame(mode=Mode.HOME).open()
    game.say("/seat 3 join Аня")
    error, ready = game.say(f"/seat 4 join {name}")
    assert (error["type"], ready["type"]) == ("error", "ready")
    assert "Имя «" in error["text"]
    assert error["text"].isprintable()
    assert game.game.names[2:4] == ("Аня", "")


def test_a_player_may_say_his_own_name_again_and_a_long_one_is_cut() -> None:
    game = TypedGame(mode=Mode.HOME).open()
    game.say("/seat 3 join Аня", "/seat 3 join аня", "/seat 4 join " + "я" * 200)
    assert game.game.names[2:4] == ("аня", "я" * 40)
    assert not [told for told in game.told if told["type"] == "error"]
