"""The same foul heard twice in a breath counts once; what is typed, or said later, counts."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.hosting.typed import TypedGame
from voicehost.hosting.inputs import Said


@dataclass(frozen=True)
class Sound:
    text: str
    began: float
    ended: float


def heard(text: str, seconds: float = 1.0) -> Said:
    return Said(text, spoken=True, utterance=Sound(text, 10.0, 10.0 + seconds))


@pytest.fixture
def game() -> TypedGame:
    game = TypedGame().open()
    game.say("начинаем игру", "/wait end")
    return game


def test_an_echo_counts_once_and_the_count_is_said_again(game: TypedGame) -> None:
    first = game.say(heard("фол третьему"))
    again = game.say("/wait 2.4", heard("третьему фол"))
    assert game.game.fouls[2] == 1
    said = [told["text"] for told in first if told["type"] == "say"]
    assert said
    assert [told["text"] for told in again if told["type"] == "say"] == said
    assert (again[-1]["type"], again[-2]["type"]) == ("ready", "say")


@pytest.mark.parametrize("second", ["фол четвёртому", "два фола третьему", "технический фол третьему"])
def test_another_foul_is_no_echo(game: TypedGame, second: str) -> None:
    before = len(game.events())
    game.say(heard("фол третьему"), heard(second))
    assert len(game.events()) == before + 2


def test_what_is_said_later_counts(game: TypedGame) -> None:
    game.say(heard("фол третьему"), "/wait 2.6", heard("фол третьему"))
    assert game.game.fouls[2] == 2


def test_what_is_typed_counts(game: TypedGame) -> None:
    game.say(heard("фол третьему"), "фол третьему", "фол третьему")
    assert game.game.fouls[2] == 3


def test_after_another_command_it_counts(game: TypedGame) -> None:
    game.say(heard("фол третьему"), heard("отмена"), heard("фол третьему"))
    assert game.game.fouls[2] == 1
    assert game.events()[-1] == "foul-given"
