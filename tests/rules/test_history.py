"""Undo and redo: what they take, what they put back, and how seqs grow."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.rules.driver import Table, refold
from voicehost.rules import commands as cmd
from voicehost.rules.events import NightFell, Redone, SpeechBegan, Undone
from voicehost.rules.game import Step
from voicehost.rules.history import AUTO, HOST, History
from voicehost.rules.legal import legal


def standing(table: Table) -> object:
    return replace(table.game, paused=False)


def test_nothing_to_undo_in_a_new_lobby() -> None:
    table = Table("fsm")
    assert table.history.undo() is None
    assert table.history.redo() is None
    assert table.refused(cmd.Undo()) == "nothing-to-undo"
    assert table.refused(cmd.Redo()) == "nothing-to-redo"


def test_undo_takes_the_last_host_command_and_all_that_followed() -> None:
    table = Table("fsm").start().say(cmd.Nominate(5))
    before = table.game
    table.say(cmd.EndSpeech(), cmd.Elapse(), cmd.Elapse())  # two speeches ran out by themselves
    assert table.game.seat == 4
    table.undo()
    assert table.game.seat == 1
    assert table.game.nominations == before.nominations
    assert table.game.paused  # whoever corrects the past needs the clock to wait


def test_undo_gives_back_the_timer_of_that_moment() -> None:
    table = Table("fsm").start()
    history = table.history.record(HOST, (NightFell(0),), {"left": 42.0})
    undone = history.undo({"left": 7.0})
    assert undone is not None
    assert undone[2] == {"left": 42.0}
    redone = undone[0].redo()
    assert redone is not None
    assert redone[2] == {"left": 7.0}


def test_seqs_name_what_is_in_force() -> None:
    history = Table("fsm").history.record(HOST, (SpeechBegan(1, 60),)).record(AUTO, (SpeechBegan(2, 60),))
    history = history.record(HOST, (SpeechBegan(3, 60), SpeechBegan(4, 60)))
    assert history.next_seq == 5
    undone = history.undo()
    assert undone is not None
    assert (undone[1], undone[0].next_seq) == (Undone(2), 6)
    again = undone[0].undo()
    assert again is not None
    assert (again[1], again[0].next_seq) == (Undone(0), 7)
    redone = again[0].redo()
    assert redone is not None
    assert (redone[1], redone[0].next_seq) == (Redone(1, 2), 8)
    redone = redone[0].redo()
    assert redone is not None
    assert (redone[1], redone[0].next_seq) == (Redone(3, 4), 9)
    assert redone[0].redo() is None


@pytest.mark.parametrize("origin", [HOST, AUTO])
def test_whatever_happens_after_an_undo_clears_redo(origin: str) -> None:
    table = Table("fsm").start().say(cmd.EndSpeech()).undo()
    assert "redo" in legal(table.game)
    table.history = table.history.record(origin, (SpeechBegan(2, 60),))
    assert "redo" not in legal(table.game)
    assert table.refused(cmd.Redo()) == "nothing-to-redo"
    assert standing(table) == replace(refold(table), paused=False)


def test_no_events_are_no_group() -> None:
    history = Table("fsm").start().history
    assert history.record(HOST, ()) is history


def test_undo_opens_a_finished_game_again() -> None:
    table = Table("fsm").start(out=(2, 3))
    before = standing(table)
    table.remove(1)
    assert table.step is Step.OVER
    assert set(legal(table.game)) >= {"undo", "play-again"}
    table.undo()
    assert standing(table) == before
    table.redo()
    assert table.result == ("city", "black-gone")
    assert not table.game.paused


def test_an_untimed_step_comes_back_as_it_was() -> None:
    table = Table("fsm").start().speeches({1: 7, 2: 8}).votes(4).undo()
    assert (table.step, table.game.paused) == (Step.VOTE, False)


def test_histories_are_values() -> None:
    first = History(Table("fsm").game)
    second = first.record(HOST, (SpeechBegan(1, 60),))
    assert first.groups == ()
    assert len(second.groups) == 1


def test_pause_and_next() -> None:
    table = Table("fsm").start().say(cmd.Pause())
    assert table.refused(cmd.Pause()) == "not-now"
    table.say(cmd.Next())
    assert table.last_names == ["resumed", "speech-ended", "speech-began"]
    assert table.refused(cmd.Resume()) == "not-now"
    table.say(cmd.Pause(), cmd.EndSpeech())
    assert table.last_names[0] == "resumed"
    table.say(cmd.Pause(), cmd.Resume())
    assert not table.game.paused
