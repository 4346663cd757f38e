"""What may be said now: the single source for the recogniser's phrases, the parser, the buttons and the help."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from voicehost.rules import commands as cmd
from voicehost.rules.game import CHECKS, EYES_SHUT, SPEAKING, Game, Step


@dataclass(frozen=True, slots=True)
class Allowed:
    """One command that may be said, with the values of its slots."""

    command: str
    seats: tuple[int, ...] = ()
    """Values of the slot seat, seats or shooter."""
    targets: tuple[int, ...] = ()
    """Values of the slot target."""
    counts: tuple[int, ...] = ()
    """Values of the slot count: hands, or fouls for one act."""
    size: int | None = None
    """Exact length of the slot seats."""


Legal = Mapping[str, Allowed]
"""Every command that may be said, by name."""

ALWAYS = ("ask-alive", "ask-day", "ask-help", "ask-nominees", "ask-time", "repeat", "listen", "stop-listening")
"""Questions to the program, open in every step."""

MOST_FOULS_AT_ONCE = 3
LONGEST_EXTENSION = 600
"""Seconds that may be added at once."""


def legal(game: Game) -> dict[str, Allowed]:
    """Return every command that may be said now, in a stable order."""
    return {allowed.command: allowed for allowed in _allowed(game)}


def _allowed(game: Game) -> Iterable[Allowed]:
    if game.pending is not None:
        yield from _plain("confirm", "deny")
    if game.step is Step.LOBBY:
        yield Allowed("start-game")
    elif game.step is Step.OVER:
        yield Allowed("play-again")
    else:
        yield from _course(game)
        yield from _day(game)
        yield from _night(game)
        if game.step is not Step.DEAL:
            yield from _discipline(game)
    if may_set_roles(game):
        yield Allowed("set-role", tuple(game.seats))
    if game.undoable:
        yield Allowed("undo")
    if game.redoable:
        yield Allowed("redo")
    yield Allowed("ask-fouls", tuple(game.seats))
    yield from _plain(*ALWAYS)


def _plain(*names: str) -> Iterable[Allowed]:
    return (Allowed(name) for name in names)


def _course(game: Game) -> Iterable[Allowed]:
    # With no host, «дальше» at night would tell who is awake and cut the set time short.
    if game.hosted or game.step not in EYES_SHUT:
        yield Allowed("next")
    if game.step in SPEAKING:
        yield Allowed("end-speech")
    yield from _plain("resume" if game.paused else "pause")
    if game.seconds and game.step not in {Step.HUNT, *CHECKS}:
        yield Allowed("add-time")
    yield from _plain("declare-winner", "end-game")


def _day(game: Game) -> Iterable[Allowed]:
    if game.step in {Step.SPEECH, Step.NOMINATE_ONLY}:
        by = dict(game.nominations)
        if game.seat not in by or game.rules.withdrawal == "last-counts":
            taken = {seat for _, seat in game.nominations}
            seats = tuple(seat for seat in game.alive if seat not in taken)
            if seats:
                yield Allowed("nominate", seats)
        if game.seat in by and game.rules.withdrawal != "forbidden":
            yield Allowed("withdraw", (by[game.seat],))
    if game.step in {Step.VOTE, Step.LIFT}:
        voted = game.ballot.voted if game.ballot and game.step is Step.VOTE else frozenset()
        voters = tuple(seat for seat in game.alive if seat not in voted)
        yield Allowed("votes", voters, counts=tuple(range(game.hands_left + 1)))


def _night(game: Game) -> Iterable[Allowed]:
    if game.step is Step.BEST_MOVE and not game.settled:
        yield Allowed("best-move", tuple(game.seats), size=3)
    if not game.hosted:
        return  # the phones are the only channel at night
    if (game.step is Step.HUNT and not game.settled) or game.step is Step.MORNING_QUESTION:
        yield Allowed("shot", tuple(game.seats))
        shooters = free_shooters(game)
        if shooters and game.step is Step.HUNT:
            yield Allowed("shooter", shooters, targets=tuple(game.seats))
    if game.step is Step.DON_CHECK and not game.settled and may_check(game):
        yield Allowed("don-check", tuple(game.seats))
    if game.step is Step.SHERIFF_CHECK and not game.settled and may_check(game):
        yield Allowed("sheriff-check", tuple(game.seats))


def free_shooters(game: Game) -> tuple[int, ...]:
    """Return the living who may have a shot that is not yet recorded this night."""
    shot = {shooter for shooter, _ in game.shots}
    return tuple(seat for seat in game.alive if game.black(seat) is not False and seat not in shot)


def may_set_roles(game: Game) -> bool:
    """Tell whether the host may name roles: before the deal, unless the players draw, or when he alone knows them."""
    if game.step is Step.LOBBY:
        return not game.choose_cards
    return game.deals_unknown and game.step is not Step.OVER


def may_check(game: Game) -> bool:
    """Tell whether the leader whose check is on can act; an unknown one may be alive."""
    leader = game.don if game.step is Step.DON_CHECK else game.sheriff
    return leader is None or game.acts_tonight(leader)


def _discipline(game: Game) -> Iterable[Allowed]:
    if game.present:
        yield Allowed("foul", game.present, counts=tuple(range(1, MOST_FOULS_AT_ONCE + 1)))
        yield Allowed("technical-foul", game.present)
        yield Allowed("remove-player", game.present)
    fouled = tuple(seat for seat in game.present if game.fouls[seat - 1])
    if fouled:
        yield Allowed("remove-foul", fouled)
    # With no host the list is everyone's to see, and must not tell that all is decided before the last word ends.
    if game.decided is None and (game.hosted or not (game.is_night or game.step is Step.LAST_WORD)):
        out = tuple(seat for seat in game.seats if seat not in game.present)
        candidates = (game.present if game.rules.team_defeat else ()) + (out if game.rules.outside_hint else ())
        seats = tuple(sorted(seat for seat in candidates if game.black(seat) is not None))
        if seats:
            yield Allowed("team-defeat", seats)


def fits(allowed: Allowed, command: cmd.Command) -> bool:
    """Tell whether a command's slots lie within what is allowed."""
    match command:
        case cmd.Votes(count=count, seats=None):
            return count in allowed.counts
        case cmd.Votes(count=None, seats=tuple(seats)):
            return len(set(seats)) == len(seats) <= max(allowed.counts) and set(seats) <= set(allowed.seats)
        case cmd.Votes():
            return False
        case cmd.BestMove(seats=seats):
            return len(seats) == allowed.size == len(set(seats)) and set(seats) <= set(allowed.seats)
        case cmd.Shooter(shooter=shooter, target=target):
            return shooter in allowed.seats and target in allowed.targets
        case cmd.Shot(seat=None):
            return True
        case cmd.Foul(seat=seat, count=count):
            return seat in allowed.seats and count in allowed.counts
        case cmd.AddTime(seconds=seconds):
            return 1 <= seconds <= LONGEST_EXTENSION
        case cmd.DeclareWinner(winner=winner):
            return winner in {"city", "mafia", "draw"}
    slot: object = getattr(command, "seat", None)
    return slot is None or slot in allowed.seats
