"""How many legal sequences there are from some positions of a small table: a figure that any change of the rules moves.

The numbers were counted by this program; a change of one of them is right only if a rule was meant to change.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from tests.rules.driver import Table
from tests.rules.walk import COURSE, IDLE
from voicehost.rules import commands as cmd
from voicehost.rules.fold import fold_all
from voicehost.rules.game import Game, Step
from voicehost.rules.legal import LONGEST_EXTENSION, Allowed, legal
from voicehost.rules.referee import decide, settles_early
from voicehost.rules.refusals import Refusal
from voicehost.rules.roles import ROLES


def every(allowed: Allowed) -> Iterator[cmd.Command]:
    """Every command with all values of its slots; hands by number, three numbers in rising order."""
    match allowed.command:
        case "votes":
            yield from map(cmd.Votes, allowed.counts)
        case "foul":
            yield from (cmd.Foul(seat, count) for seat in allowed.seats for count in allowed.counts)
        case "best-move":
            yield from map(cmd.BestMove, combinations(allowed.seats, allowed.size or 0))
        case "shot":
            yield from map(cmd.Shot, [None, *allowed.seats])
        case "shooter":
            yield from (cmd.Shooter(seat, target) for seat in allowed.seats for target in allowed.targets)
        case "set-role":
            yield from (cmd.SetRole(seat, role) for seat in allowed.seats for role in ROLES)
        case "add-time":
            yield cmd.AddTime(LONGEST_EXTENSION)
        case "declare-winner":
            yield from map(cmd.DeclareWinner, ("city", "mafia", "draw"))
        case name if allowed.seats:
            kind = cmd.COMMANDS[name]
            yield from (kind(seat) for seat in allowed.seats)  # type: ignore[call-arg]
        case name:
            yield cmd.COMMANDS[name]()


def following(game: Game, course: bool) -> Iterator[Game]:
    """Every state one command away, or only those by commands that carry the game on."""
    names = [name for name in legal(game) if (name in COURSE if course else name not in IDLE)]
    commands = [command for name in names for command in every(legal(game)[name])]
    commands += [cmd.Elapse()] if game.seconds else []
    commands += [cmd.Proceed()] if settles_early(game) else []
    for command in commands:
        decision = decide(game, command)
        if not isinstance(decision, Refusal):  # a role that does not fit the deck
            yield fold_all(game, decision)


def perft(game: Game, depth: int, *, course: bool = False) -> int:
    """The number of sequences of that length."""
    states = following(game, course)
    return sum(1 for _ in states) if depth == 1 else sum(perft(state, depth - 1, course=course) for state in states)


def small() -> Table:
    """Five at the table: the Don, the Sheriff and three of the city."""
    return Table("fsm", players_min=5, players_max=5, black_cards=1)


def at(step: Step) -> Game:
    table = small().say(cmd.StartGame())
    if step in {Step.VOTE, Step.SHOOTOUT_SPEECH, Step.LIFT, Step.LAST_WORD}:
        table.to(Step.SPEECH).speeches({1: 3, 2: 4, 3: 5})
        if step is not Step.VOTE:
            table.votes(*{Step.SHOOTOUT_SPEECH: (2, 2), Step.LAST_WORD: (3, 0), Step.LIFT: (2, 2)}[step])
        if step is Step.LIFT:  # five hands cannot tie twice: one of the city leaves first
            table = small().start(out=(5,)).speeches({1: 3, 2: 4}).votes(2).defend().votes(2)
    elif step is Step.BEST_MOVE:
        table.to(Step.SPEECH).speeches().hunt(4).checks()
    else:
        table.to(step)
    assert table.step is step
    game: Game = table.game
    return game


ANY = {  # all commands, to depth two
    Step.CONTRACT: (38, 1059),
    Step.MEETING_DON: (38, 1059),
    Step.MEETING_SHERIFF: (38, 1059),
    Step.FREE_SEATING: (38, 1071),
    Step.SPEECH: (44, 1462),
    Step.VOTE: (42, 1348),
    Step.SHOOTOUT_SPEECH: (39, 1162),
    Step.LIFT: (36, 968),
    Step.LAST_WORD: (39, 1176),
    Step.HUNT: (48, 1697),
    Step.DON_CHECK: (42, 1319),
    Step.SHERIFF_CHECK: (42, 1318),
    Step.BEST_MOVE: (48, 1744),
}

ON = {  # those that carry the game on, to depth four
    Step.CONTRACT: (2, 4, 8, 16),
    Step.MEETING_DON: (2, 4, 8, 64),
    Step.MEETING_SHERIFF: (2, 4, 32, 156),
    Step.FREE_SEATING: (2, 16, 78, 444),
    Step.SPEECH: (8, 39, 222, 1161),
    Step.VOTE: (7, 34, 102, 1236),
    Step.SHOOTOUT_SPEECH: (3, 9, 63, 189),
    Step.LIFT: (6, 58, 206, 1156),
    Step.LAST_WORD: (3, 39, 141, 867),
    Step.HUNT: (13, 47, 289, 1287),
    Step.DON_CHECK: (7, 29, 167, 861),
    Step.SHERIFF_CHECK: (7, 31, 198, 1029),
    Step.BEST_MOVE: (2, 6, 42, 198),
}


@pytest.mark.parametrize("step", ANY)
def test_sequences_of_all_commands(step: Step) -> None:
    assert tuple(perft(at(step), depth) for depth in (1, 2)) == ANY[step]


@pytest.mark.parametrize("step", ON)
def test_sequences_that_carry_the_game_on(step: Step) -> None:
    assert tuple(perft(at(step), depth, course=True) for depth in (1, 2, 3, 4)) == ON[step]
