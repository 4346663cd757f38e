"""A game at every step of every rule set, for tests of what may be said, shown or announced there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from tests.rules.driver import ALL, Table
from voicehost.rules import commands as cmd
from voicehost.rules.game import Game, Mode, Step
from voicehost.rules.ruleset import shipped


def _to(step: Step) -> Callable[[str], Table]:
    return lambda rules: Table(rules).say(cmd.StartGame()).to(step)


def _deal(rules: str) -> Table:
    return Table(rules, roles=None).say(cmd.StartGame())


def _speech(rules: str) -> Table:
    return Table(rules).start().foul(5).say(cmd.Nominate(8), cmd.EndSpeech())


def _silenced(rules: str) -> Table:
    return Table(rules).start().foul(2, 3).until(2)


def _vote(rules: str) -> Table:
    return Table(rules).start().speeches({1: 7, 2: 8, 3: 9}).votes(2)


def _shootout(rules: str) -> Table:
    return Table(rules).start().speeches({1: 7, 2: 8}).votes(5)


def _lift(rules: str) -> Table:
    return _shootout(rules).defend().votes(5)


def _voted_out(rules: str) -> Table:
    return Table(rules).start().speeches({1: 7, 2: 8}).votes(6)


def _hunt(rules: str) -> Table:
    return Table(rules).start().speeches().shoot({1: 7})


def _don_check(rules: str) -> Table:
    return Table(rules).start().speeches().hunt(7)


def _sheriff_check(rules: str) -> Table:
    return _don_check(rules).say(cmd.DonCheck(4), cmd.Next())


def _best_move(rules: str) -> Table:
    return _don_check(rules).checks()


def _morning_question(rules: str) -> Table:
    return Table(rules).start().speeches().say(cmd.Elapse()).checks()


def _over(rules: str) -> Table:
    return Table(rules).start(out=(2, 3)).remove(1)


STEPS: dict[Step, Callable[[str], Table]] = {
    Step.LOBBY: Table,
    Step.DEAL: _deal,
    Step.CONTRACT: _to(Step.CONTRACT),
    Step.MEETING_DON: _to(Step.MEETING_DON),
    Step.MEETING_SHERIFF: _to(Step.MEETING_SHERIFF),
    Step.FREE_SEATING: _to(Step.FREE_SEATING),
    Step.SPEECH: _speech,
    Step.NOMINATE_ONLY: _silenced,
    Step.VOTE: _vote,
    Step.SHOOTOUT_SPEECH: _shootout,
    Step.LIFT: _lift,
    Step.LAST_WORD: _voted_out,
    Step.HUNT: _hunt,
    Step.DON_CHECK: _don_check,
    Step.SHERIFF_CHECK: _sheriff_check,
    Step.BEST_MOVE: _best_move,
    Step.MORNING_QUESTION: _morning_question,
    Step.OVER: _over,
}
"""How to get to each step, by a rule set's name."""


def has_step(rules: str, step: Step) -> bool:
    """Tell whether games by that rule set come to the step."""
    switches = shipped(rules)
    return {
        Step.MEETING_DON: switches.meeting_don_seconds > 0,
        Step.MEETING_SHERIFF: switches.meeting_sheriff_seconds > 0,
        Step.FREE_SEATING: switches.free_seating_seconds > 0,
        Step.NOMINATE_ONLY: switches.third_foul == "nominate-only",
        Step.BEST_MOVE: switches.best_move_seconds > 0,
    }.get(step, True)


def state(rules: str, step: Step) -> Game:
    """Return a game of that rule set at that step; roles are known but in the deal."""
    game: Game = STEPS[step](rules).game
    if game.step is not step:
        raise AssertionError(f"{rules} stands at {game.step}, not at {step}")
    return game


def home_states(rules: str) -> dict[str, Game]:
    """Games with no host: the deal by phones, a speech, and every step of the night."""
    table = Table(rules, mode=Mode.HOME, choose_cards=True)
    states = {f"{rules}/home/lobby": table.game}
    table.say(cmd.StartGame())
    states[f"{rules}/home/deal"] = table.game
    table.say(cmd.Next())
    while table.game.is_night:
        states[f"{rules}/home/{table.step}"] = table.game
        table.say(cmd.Elapse())
    states[f"{rules}/home/speech"] = table.game
    table.speeches()
    while table.game.is_night:
        states[f"{rules}/home/{table.step}"] = table.game
        table.say(cmd.Elapse())
    return states


@cache
def all_states() -> dict[str, Game]:
    """Return a game for each step of each rule set, with variants, by names such as ``fsm/vote/paused``.

    Variants: ``paused`` where a timer runs, ``pending`` (a removal waits for «подтверждаю»), ``redoable`` (after an
    undo), ``settled`` (the fact of a night step is recorded), ``unknown`` (the program does not know the roles), and
    ``home`` (no host). Every state but the lobby and the fresh deal can be undone.
    """
    states: dict[str, Game] = {}
    for rules in ALL:
        for step in Step:
            if not has_step(rules, step):
                continue
            game = state(rules, step)
            name = f"{rules}/{step}"
            states[name] = game
            if game.seconds:
                states[f"{name}/paused"] = replace(game, paused=True)
            if step not in {Step.LOBBY, Step.DEAL, Step.OVER}:
                states[f"{name}/pending"] = replace(game, pending=cmd.RemovePlayer(5))
            if step is not Step.LOBBY:
                states[f"{name}/redoable"] = replace(game, redoable=True)
        night = STEPS[Step.HUNT](rules).shoot({2: 7, 3: 7})
        states[f"{rules}/hunt/settled"] = night.game
        states[f"{rules}/don-check/settled"] = night.say(cmd.Next(), cmd.DonCheck(4)).game
        states[f"{rules}/sheriff-check/settled"] = night.say(cmd.Next(), cmd.SheriffCheck(1)).game
        unknown = Table(rules, roles=None).start()
        states[f"{rules}/speech/unknown"] = unknown.game
        for step in (Step.HUNT, Step.DON_CHECK, Step.SHERIFF_CHECK):
            states[f"{rules}/{step}/unknown"] = unknown.to(step).game
        states |= home_states(rules)
    return states
