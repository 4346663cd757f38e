"""The program asks back instead of guessing between two seats."""

from __future__ import annotations

from tests.hosting.typed import TypedGame
from voicehost.hosting.inputs import Said


def speaking() -> TypedGame:
    """Return a game in which seat 1 speaks."""
    game = TypedGame().open()
    game.say("начинаем игру", "/wait end")
    return game


def test_two_seats_that_sound_alike_are_asked_for() -> None:
    game = speaking()
    told = game.say(Said("фол седьмому", spoken=True, alternatives=("фол восьмому",)))
    assert [m["type"] for m in told] == ["ask", "say", "ready"]
    assert told[0]["options"] == [7, 8]
    assert "едьмой или восьмой" in told[0]["question"]
    told = game.say(Said("восьмой", spoken=True))
    assert told[0] == {"type": "heard", "text": "восьмой", "command": "foul", "slots": {"seat": 8, "count": 1}}


def test_the_whole_command_again_is_an_answer_too() -> None:
    game = speaking()
    game.say(Said("фол седьмому", spoken=True, alternatives=("фол восьмому",)))
    assert game.say("фол седьмому")[0]["slots"] == {"seat": 7, "count": 1}


def test_a_number_alone_is_nothing_when_nobody_asked() -> None:
    game = speaking()
    assert game.say("восьмой")[0]["type"] == "unrecognised"
    game.say(Said("фол седьмому", spoken=True, alternatives=("фол восьмому",)))
    game.say("сколько времени осталось")
    assert game.say("восьмой")[0]["type"] == "unrecognised"


def test_a_doubt_about_more_than_the_seat_is_not_understood() -> None:
    game = speaking()
    told = game.say(Said("спасибо", spoken=True, alternatives=("пауза",)))
    assert told[0]["type"] == "unrecognised"


def test_readings_that_are_no_command_now_or_the_same_one_leave_no_doubt() -> None:
    game = speaking()
    told = game.say(Said("спасибо", spoken=True, alternatives=("пас", "убит седьмой", "[unk]")))
    assert told[0]["command"] == "end-speech"
