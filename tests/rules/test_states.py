"""The states other tests build on: there is one for every step, and what may be said there is well formed."""

from __future__ import annotations

import pytest

from tests.rules.driver import ALL, Table
from tests.rules.invariants import check_state
from tests.rules.states import STEPS, all_states, has_step, state
from tests.rules.test_perft import every
from tests.rules.walk import IDLE
from voicehost.rules import commands as cmd
from voicehost.rules.game import EYES_SHUT, Game, Step
from voicehost.rules.legal import ALWAYS, legal
from voicehost.rules.referee import decide

STATES = all_states()

EVERYWHERE = {*ALWAYS, "ask-fouls"}


@pytest.mark.parametrize("name", STATES)
def test_state(name: str) -> None:
    game = STATES[name]
    assert str(game.step) in name.split("/")
    check_state(game)
    now = legal(game)
    assert list(now) == [allowed.command for allowed in now.values()]
    assert set(now) <= set(cmd.COMMANDS)
    assert now.keys() >= EVERYWHERE
    assert all(cmd.COMMANDS[command].spoken for command in now)
    for allowed in now.values():
        assert set(allowed.seats) | set(allowed.targets) <= set(game.seats)
        assert len(set(allowed.seats)) == len(allowed.seats)
    assert ("confirm" in now) is ("deny" in now) is (game.pending is not None)
    assert ("undo" in now, "redo" in now) == (game.undoable, game.redoable)
    assert not ("pause" in now and "resume" in now)


@pytest.mark.parametrize("name", [name for name in STATES if not name.endswith(("/pending", "/redoable"))])
def test_all_that_may_be_said_is_accepted(name: str) -> None:
    game = STATES[name]
    for allowed in legal(game).values():
        for command in every(allowed):
            decision = decide(game, command)
            assert isinstance(decision, tuple) or command.name == "set-role", (command, decision)
            assert decision or command.name in IDLE


def test_every_step_of_every_rule_set_is_there() -> None:
    assert set(STEPS) == set(Step)
    for rules in ALL:
        assert {step for step in Step if f"{rules}/{step}" in STATES} == {s for s in Step if has_step(rules, s)}
    assert all(has_step("fsm", step) for step in Step)


EXPECTED = {
    Step.LOBBY: {"start-game", "set-role"},
    Step.DEAL: {"next", "pause", "declare-winner", "end-game", "set-role"},
    Step.CONTRACT: {"next", "add-time"},
    Step.MEETING_DON: {"next", "add-time"},
    Step.MEETING_SHERIFF: {"next", "add-time"},
    Step.FREE_SEATING: {"next", "add-time"},
    Step.SPEECH: {"next", "end-speech", "add-time", "nominate", "remove-foul"},
    Step.NOMINATE_ONLY: {"next", "end-speech", "add-time", "nominate", "remove-foul"},
    Step.VOTE: {"next", "votes"},
    Step.SHOOTOUT_SPEECH: {"next", "end-speech", "add-time"},
    Step.LIFT: {"next", "votes"},
    Step.LAST_WORD: {"next", "end-speech", "add-time"},
    Step.HUNT: {"next", "shot", "shooter"},
    Step.DON_CHECK: {"next", "don-check"},
    Step.SHERIFF_CHECK: {"next", "sheriff-check"},
    Step.BEST_MOVE: {"next", "add-time", "best-move"},
    Step.MORNING_QUESTION: {"next", "shot"},
    Step.OVER: {"play-again"},
}
"""What may be said besides the questions, undo and, in the game itself, discipline, pause and the end."""

IN_PLAY = {"pause", "declare-winner", "end-game", "foul", "technical-foul", "remove-player", "team-defeat"}


@pytest.mark.parametrize("step", list(Step))
def test_what_may_be_said(step: Step) -> None:
    game = state("fsm", step)
    in_play = IN_PLAY if step not in {Step.LOBBY, Step.DEAL, Step.OVER} else set()
    undo = {"undo"} if step is not Step.LOBBY else set()
    assert set(legal(game)) == EXPECTED[step] | in_play | undo | EVERYWHERE


@pytest.mark.parametrize("rules", ALL)
def test_with_no_host_the_night_takes_no_spoken_fact(rules: str) -> None:
    for name, game in STATES.items():
        if name.startswith(f"{rules}/home/") and game.step in EYES_SHUT:
            assert not {"next", "shot", "shooter", "don-check", "sheriff-check", "set-role"} & set(legal(game))


def test_seats_of_the_commands() -> None:
    game: Game = Table("fsm").start(out=(9,)).speeches({1: 7, 2: 8, 3: 5}).votes((1, 2)).game
    votes = legal(game)["votes"]
    assert votes.seats == (3, 4, 5, 6, 7, 8, 10)
    assert votes.counts == tuple(range(8))
    game = Table("fsm").start(out=(9,)).say(cmd.Nominate(7), cmd.EndSpeech()).game
    assert legal(game)["nominate"].seats == (1, 2, 3, 4, 5, 6, 8, 10)
    assert legal(game)["foul"].counts == (1, 2, 3)
    game = Table("fsm").start(out=(3,)).speeches().shoot({1: 7}).game
    assert legal(game)["shooter"].seats == (2,)
    assert legal(game)["shooter"].targets == tuple(range(1, 11))
    assert legal(game)["shot"].seats == tuple(range(1, 11))
    game = Table("fsm").start().speeches().hunt(7).checks().game
    assert legal(game)["best-move"].size == 3
