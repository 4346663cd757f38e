"""Typical moments of a game, for measuring recognisers and for the vocabulary probe.

Ten seats, all alive, one foul each, roles unknown to the program, seat 1 speaking; in the vote seats 5 and 2 are
nominated and 5 is being counted. The names are those of the ``state`` column of a recordings folder.
"""

from __future__ import annotations

from dataclasses import replace

from voicehost.rules import commands as cmd
from voicehost.rules.fold import fold_all
from voicehost.rules.game import Game, new_game
from voicehost.rules.legal import Legal, legal
from voicehost.rules.referee import decide, settles_early
from voicehost.rules.refusals import Refusal
from voicehost.rules.ruleset import shipped

_QUIET_DAY: tuple[cmd.Command, ...] = (cmd.StartGame(), *(cmd.Next(),) * 12)
_TO_SPEECH: tuple[cmd.Command, ...] = (cmd.StartGame(), cmd.Next(), cmd.Next())
_TO_VOTE = (*_TO_SPEECH, cmd.Nominate(5), cmd.Next(), cmd.Nominate(2), *(cmd.Next(),) * 9)
_HALF = cmd.Votes(count=5)

SITUATIONS: dict[str, tuple[str, tuple[cmd.Command, ...]]] = {
    "lobby": ("sport", ()),
    "speech": ("sport", _TO_SPEECH),
    "any": ("sport", _TO_SPEECH),
    "vote": ("sport", _TO_VOTE),
    "lift": ("sport", (*_TO_VOTE, _HALF, cmd.Next(), cmd.Next(), _HALF)),
    "night-hunt": ("sport", _QUIET_DAY),
    "don-check": ("sport", (*_QUIET_DAY, cmd.Next())),
    "sheriff-check": ("sport", (*_QUIET_DAY, cmd.Next(), cmd.Next())),
    "best-move": ("fsm", (*_QUIET_DAY, *(cmd.Next(),) * 3, cmd.Shot(7), cmd.Next(), cmd.Next())),
}
"""The rule set and the commands that lead to each moment."""


def situation(state: str) -> Game:
    """Return the game at a moment.

    Raises:
        KeyError: there is no such moment.
    """
    rules, commands = SITUATIONS[state]
    game = new_game(shipped(rules), 10)
    for command in commands:
        game = _after(game, command)
        while settles_early(game):
            game = _after(game, cmd.Proceed())
    fouls = (0,) * 10 if state == "lobby" else (1,) * 10
    return replace(game, fouls=fouls, undoable=state != "lobby", redoable=state != "lobby")


def _after(game: Game, command: cmd.Command) -> Game:
    decision = decide(game, command)
    assert not isinstance(decision, Refusal), (command, decision)
    return fold_all(game, decision)


def legal_in(state: str) -> Legal:
    """Return what may be said at a moment; in ``any`` also what answers a question and ends a pause.

    Raises:
        KeyError: there is no such moment.
    """
    game = situation(state)
    if state != "any":
        return legal(game)
    return {**legal(game), **legal(replace(game, pending=cmd.RemovePlayer(5), paused=True))}
