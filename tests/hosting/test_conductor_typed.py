"""The conductor and whatever may be typed: one ready a line, numbers that grow, the journal always ahead."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hosting.test_resume import BEGINNINGS, begin, lines
from tests.hosting.typed import TypedGame
from voicehost.hosting.inputs import Passed, Pressed, Said
from voicehost.hosting.messages import Message
from voicehost.rules import commands as cmd
from voicehost.rules.game import Mode


def watched(game: TypedGame) -> list[Message]:
    """Look into the journal whenever something is told; return the events that were not yet in it."""
    early: list[Message] = []

    def tell(message: Message) -> None:
        game.told.append(message)
        written = {seq for entry in game.entries for seq, _ in entry.events}
        if message["type"] == "event" and message["seq"] not in written:
            early.append(message)

    game.conductor.course.tell = tell
    return early


@settings(deadline=None, max_examples=40)
@given(
    mode=st.sampled_from(list(Mode)),
    beginning=st.sampled_from(BEGINNINGS),
    said=st.lists(st.one_of(lines, st.text(max_size=30)), max_size=20),
)
def test_every_line_has_one_ready_as_its_last(mode: Mode, beginning: str, said: list[str]) -> None:
    game = TypedGame(mode=mode).open()
    if mode is Mode.HOSTED:
        begin(game, beginning)
    else:
        game.say("начинаем игру", "/wait end")
    early = watched(game)
    for line in said:
        told = game.say(line)
        assert [message["type"] for message in told].count("ready") == 1, line
        assert told[-1]["type"] == "ready", line
        assert not {"heard", "refused", "unrecognised", "error"} & {message["type"] for message in told[1:]}, line
    assert early == [], "an event is in the journal before it is shown"
    seqs = [message["seq"] for message in game.told if message["type"] == "event"]
    assert seqs == sorted(set(seqs)), "numbers only grow"


@settings(deadline=None, max_examples=40)
@given(said=st.lists(lines, max_size=15), beginning=st.sampled_from(BEGINNINGS))
def test_what_is_legal_is_taken_and_what_is_not_is_refused(said: list[str], beginning: str) -> None:
    """``legal`` of the last ready and the answer to a line never disagree."""
    game = TypedGame("fsm").open()
    begin(game, beginning)
    game.conductor.ready()
    for line in said:
        legal = game.ready["legal"]
        first = game.say(line)[0]
        if first["type"] == "heard":
            assert first["command"] in legal
            seat: Any = first["slots"].get("seat")
            assert seat is None or not legal[first["command"]] or seat in legal[first["command"]]


def test_time_of_a_recording_passes_without_a_ready() -> None:
    game = TypedGame().open()
    game.say("начинаем игру", "дальше")
    told = game.say(Passed(61.0))
    assert "speech-ended" in [message["name"] for message in told if message["type"] == "event"]
    assert [message for message in told if message["type"] == "ready"] == []


def test_a_button_is_a_command_that_needs_no_words() -> None:
    game = TypedGame().open()
    game.say("начинаем игру", "дальше")
    told = game.say(Pressed(cmd.Nominate(5), "5"))
    assert [message["type"] for message in told] == ["heard", "event", "say", "ready"]
    assert told[0]["text"] == "5"


@pytest.mark.parametrize("text", ["", "   ", "…", "123456789", "номер", "ф" * 9999])
def test_an_utterance_of_nothing_is_unrecognised(text: str) -> None:
    game = TypedGame().open()
    assert [message["type"] for message in game.say(Said(text, spoken=True))] == ["unrecognised", "ready"]
