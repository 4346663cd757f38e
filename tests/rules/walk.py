"""Random play: commands that may be given now, commands that may not, and what phones do.

``choose`` picks one of a sequence, so that the same code serves a seeded generator and hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from voicehost.rules import commands as cmd
from voicehost.rules.game import EYES_SHUT, Game, Step
from voicehost.rules.legal import Allowed, legal
from voicehost.rules.roles import ROLES

Choose = Callable[[Sequence[Any]], Any]

ENDING = frozenset({"declare-winner", "end-game", "team-defeat"})
"""Commands that end a game at once: given rarely, or no walk would get far."""

IDLE = frozenset(command.name for command in cmd.COMMANDS.values() if command.query) | {
    "undo",
    "redo",
    "confirm",
    "deny",
    "play-again",
}
"""Commands the referee has no part in."""

COURSE = ("start-game", "next", "end-speech", "nominate", "votes", "shot", "shooter", "don-check", "sheriff-check")
"""What carries a game on, with ``best-move`` and the clock: given in most cases."""


def some(choose: Choose, seats: Sequence[int], most: int | None = None) -> tuple[int, ...]:
    """A few different seats."""
    left, taken = list(seats), []
    for _ in range(choose(range(min(len(left), most if most is not None else len(left)) + 1))):
        seat = choose(left)
        left.remove(seat)
        taken.append(seat)
    return tuple(taken)


def fill(choose: Choose, allowed: Allowed, game: Game) -> cmd.Command:
    """The command with slots that are allowed; only a role may still not fit the deck."""
    match allowed.command:
        case "votes":
            half = max(allowed.counts) // 2  # ties are rare by chance
            if choose([True, True, False]):
                return cmd.Votes(choose([half, half, half + 1 if half else 0, choose(allowed.counts)]))
            return cmd.Votes(seats=some(choose, allowed.seats, max(allowed.counts)))
        case "foul":
            return cmd.Foul(choose(allowed.seats), choose([1, 1, 1, *allowed.counts]))
        case "best-move":
            seats = list(allowed.seats)
            return cmd.BestMove(tuple(seats.pop(choose(range(len(seats)))) for _ in range(allowed.size or 0)))
        case "shot":
            return cmd.Shot(choose([None, *allowed.seats, *game.unannounced * 5]))
        case "shooter":
            return cmd.Shooter(choose(allowed.seats), choose(allowed.targets[:2]))
        case "add-time":
            return cmd.AddTime(choose([1, 10, 600]))
        case "declare-winner":
            return cmd.DeclareWinner(choose(["city", "mafia", "draw"]))
        case "set-role":
            return cmd.SetRole(choose(allowed.seats), choose(ROLES))
    kind = cmd.COMMANDS[allowed.command]
    return kind(choose(allowed.seats)) if fields(kind) else kind()  # type: ignore[call-arg]


def allowed_command(choose: Choose, game: Game) -> cmd.Command:
    """A command that may be said now, the clock's among them."""
    now = {name: allowed for name, allowed in legal(game).items() if name not in IDLE}
    course = [name for name in (*COURSE, "best-move") if name in now]
    course += ["elapse"] if game.seconds else []
    course += ["proceed"] if game.settled and game.step in {*EYES_SHUT, Step.BEST_MOVE} else []
    others = [name for name in now if name not in course and (name not in ENDING or choose(range(6)) == 0)]
    names = course if course and (not others or choose([True, True, True, False])) else others
    if not names:
        return cmd.Next()
    name = choose(names)
    return cmd.COMMANDS[name]() if name in {"elapse", "proceed"} else fill(choose, now[name], game)


def any_command(choose: Choose, game: Game) -> cmd.Command:
    """A command of any kind with slots of the right type and mostly senseless values."""

    def seat() -> int:
        return int(choose([*game.seats, 0, -1, game.players + 1]))

    values: dict[str, Callable[[], Any]] = {
        "count": lambda: choose([0, 1, 2, 3, 5, game.players, game.players + 1, -1]),
        "seats": lambda: tuple(seat() for _ in range(choose(range(5)))),
        "target": seat,
        "shooter": seat,
        "seat": seat,
        "card": lambda: choose([-1, 0, 1, game.players, game.players + 1]),
        "seconds": lambda: choose([-5, 0, 1, 600, 601]),
        "winner": lambda: choose(["city", "mafia", "draw", "none", "nobody"]),
        "role": lambda: choose([*ROLES, "doctor"]),
        "reason": lambda: choose([None, "insult"]),
        "player": lambda: choose(["", "Аня"]),
    }
    kind: type[cmd.Command] = choose(list(cmd.COMMANDS.values()))
    slots = {field.name: values[field.name]() for field in fields(kind)}
    if kind is cmd.Votes:
        slots |= choose([{"seats": None}, {"count": None}, {"seats": None, "count": None}, {}])
    return kind(**slots)


def tap(choose: Choose, game: Game) -> tuple[cmd.Command, int]:
    """What some phone sends now, and whose it is."""
    by: int = choose(list(game.seats))
    seat = choose(list(game.seats))
    match game.step:
        case Step.LOBBY:
            return cmd.TakeSeat(by, choose(["Аня", "Борис"])), by
        case Step.DEAL:
            by = game.seat if game.seat is not None and choose([True, True, False]) else by
            return choose([cmd.TakeCard(by, choose(range(game.players + 2))), cmd.KeepCard(by)]), by
        case Step.HUNT:
            return cmd.Shooter(by, choose([1, 2, seat])), by
        case Step.DON_CHECK:
            return cmd.DonCheck(seat), choose([by, game.don or by])
        case Step.SHERIFF_CHECK:
            return cmd.SheriffCheck(seat), choose([by, game.sheriff or by])
        case Step.BEST_MOVE:
            return cmd.BestMove(some(choose, list(game.seats), 3)), choose([by, game.seat or by])
    by = game.seat if game.seat is not None and choose([True, True, False]) else by
    return choose([cmd.Nominate(seat), cmd.EndSpeech(), cmd.Withdraw(seat)]), by
