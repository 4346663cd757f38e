"""Why a command is not allowed now; the codes are stable, their texts are in the phrase packs."""

from __future__ import annotations

from dataclasses import dataclass

from voicehost.rules import commands as cmd
from voicehost.rules import roles
from voicehost.rules.game import CHECKS, Game, Step
from voicehost.rules.legal import Legal, fits, free_shooters, may_check, may_set_roles

REASONS = (
    "not-now",
    "no-such-seat",
    "seat-out",
    "already-nominated",
    "already-nominated-by-you",
    "not-your-turn",
    "withdrawal-forbidden",
    "too-many-votes",
    "already-voted",
    "not-a-candidate",
    "no-foul",
    "nothing-to-undo",
    "nothing-to-redo",
    "game-over",
    "role-unknown",
    "wrong-roles",
    "not-black",
    "not-don",
    "not-sheriff",
    "not-enough-numbers",
    "repeated-number",
    "nothing-pending",
)
"""Every reason."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Understood, but not allowed now."""

    reason: str


def refusal(game: Game, command: cmd.Command, legal: Legal) -> Refusal | None:
    """Return why ``command`` may not be given now, or None when it may: exactly when ``legal`` has it."""
    allowed = legal.get(command.name)
    if allowed is not None and fits(allowed, command):
        if not isinstance(command, cmd.SetRole) or _roles_fit(game, command):
            return None
        return Refusal("wrong-roles")
    return Refusal(_reason(game, command))


def _roles_fit(game: Game, command: cmd.SetRole) -> bool:
    known = list(game.roles)
    known[command.seat - 1] = command.role
    return command.role in roles.ROLES and roles.fits(known, game.players, game.blacks)


def _reason(game: Game, command: cmd.Command) -> str:
    by_history = {
        "undo": "nothing-to-undo",
        "redo": "nothing-to-redo",
        "confirm": "nothing-pending",
        "deny": "nothing-pending",
    }
    if command.name in by_history:
        return by_history[command.name]
    if game.step is Step.OVER:
        return "game-over"
    match command:
        case cmd.AskFouls(seat=seat):
            return _seat_reason(game, seat)
        case cmd.SetRole(seat=seat):
            return _seat_reason(game, seat) if may_set_roles(game) else "not-now"
    if game.step in {Step.LOBBY, Step.DEAL}:
        return "not-now"
    match command:
        case cmd.Nominate(seat=seat):
            return _nominate(game, seat)
        case cmd.Withdraw(seat=seat):
            return _withdraw(game, seat)
        case cmd.Votes():
            return _votes(game, command)
        case cmd.Shooter():
            return _shooter(game, command)
        case cmd.BestMove(seats=seats):
            return _best_move(game, seats)
        case cmd.Shot() | cmd.DonCheck() | cmd.SheriffCheck():
            return _night_fact(game, command)
        case cmd.RemoveFoul(seat=seat):
            return "no-foul" if seat in game.present else _seat_reason(game, seat)
        case cmd.Foul(seat=seat) | cmd.TechnicalFoul(seat=seat) | cmd.RemovePlayer(seat=seat):
            return "not-now" if seat in game.present else _seat_reason(game, seat)
        case cmd.TeamDefeat(seat=seat):
            return _team_defeat(game, seat)
    return "not-now"


def _seat_reason(game: Game, seat: int) -> str:
    if seat not in game.seats:
        return "no-such-seat"
    return "not-now" if seat in game.alive else "seat-out"


def _nominate(game: Game, seat: int) -> str:
    if game.step not in {Step.SPEECH, Step.NOMINATE_ONLY}:
        return "not-now"
    if seat not in game.alive:
        return _seat_reason(game, seat)
    if game.seat in dict(game.nominations) and game.rules.withdrawal != "last-counts":
        return "already-nominated-by-you"
    return "already-nominated"


def _withdraw(game: Game, seat: int) -> str:
    if game.rules.withdrawal == "forbidden":
        return "withdrawal-forbidden"
    if game.step not in {Step.SPEECH, Step.NOMINATE_ONLY}:
        return "not-now"
    if seat not in game.alive:
        return _seat_reason(game, seat)
    return "not-your-turn" if seat in game.nominees else "not-a-candidate"


def _votes(game: Game, command: cmd.Votes) -> str:
    if game.step not in {Step.VOTE, Step.LIFT}:
        return "not-now"
    seats = command.seats or ()
    for seat in seats:
        if seat not in game.alive:
            return _seat_reason(game, seat)
    if len(set(seats)) < len(seats):
        return "repeated-number"
    if game.step is Step.VOTE and game.ballot and set(seats) & game.ballot.voted:
        return "already-voted"
    return "too-many-votes"


def _night_fact(game: Game, command: cmd.Shot | cmd.DonCheck | cmd.SheriffCheck) -> str:
    steps = {cmd.Shot: {Step.HUNT, Step.MORNING_QUESTION}, cmd.DonCheck: {Step.DON_CHECK}}
    in_time = game.hosted and not game.settled and game.step in steps.get(type(command), {Step.SHERIFF_CHECK})
    if not in_time or command.seat is None:
        return "not-now"
    if game.step in CHECKS and not may_check(game):
        return "seat-out"
    return _seat_reason(game, command.seat)


def _shooter(game: Game, command: cmd.Shooter) -> str:
    if game.step is not Step.HUNT or game.settled or not game.hosted:
        return "not-now"
    for seat in (command.shooter, command.target):
        if seat not in game.seats:
            return "no-such-seat"
    if command.shooter not in game.alive:
        return "seat-out"
    if game.black(command.shooter) is False:
        return "not-black"
    return "already-voted" if command.shooter not in free_shooters(game) else "not-now"


def _best_move(game: Game, seats: tuple[int, ...]) -> str:
    if game.step is not Step.BEST_MOVE or game.settled:
        return "not-now"
    if any(seat not in game.seats for seat in seats):
        return "no-such-seat"
    if len(seats) != 3:
        return "not-enough-numbers"
    return "repeated-number"


def _team_defeat(game: Game, seat: int) -> str:
    if seat not in game.seats:
        return "no-such-seat"
    inside = seat in game.present
    possible = game.rules.team_defeat if inside else game.rules.outside_hint
    if possible and game.decided is None and game.black(seat) is None:
        return "role-unknown"
    return "not-now" if inside or possible else "seat-out"
