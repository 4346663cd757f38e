"""What each viewer may see. Every page, line and listing that shows a game goes through here."""

from __future__ import annotations

from typing import Any

from voicehost.rules.game import Game, Step

TABLE = "table"
HOST = "host"

Viewer = str | int
"""``table``, ``host`` or a seat's number."""


def view(game: Game, viewer: Viewer) -> dict[str, Any]:
    """Return the game as plain JSON values for one viewer.

    The table sees public facts only; the host sees everything; a seat sees the table and what it knows itself.
    Roles are in everyone's view once the game is over.
    """
    if viewer == HOST:
        return _table(game, game.alive) | _host(game)
    seen = _table(game, game.table_alive)
    return seen if viewer == TABLE else seen | {"you": _seat(game, int(viewer))}


def alive_for(game: Game, *, host: bool) -> tuple[int, ...]:
    """Return the living as the host, or as the table, knows them."""
    return game.alive if host else game.table_alive


def _table(game: Game, alive: tuple[int, ...]) -> dict[str, Any]:
    ballot = game.ballot
    return {
        "step": str(game.step),
        "day": game.day,
        "night": game.night,
        "dark": game.is_night,
        "seat": game.seat,
        "candidate": ballot.candidate if ballot and game.step is Step.VOTE else None,
        "paused": game.paused,
        "rules": game.rules.name,
        "seats": [
            {
                "seat": seat,
                "name": game.names[seat - 1],
                "alive": seat in alive,
                "fouls": game.fouls[seat - 1] - _hidden(game, seat, alive, "fouls"),
                "technical": game.technical[seat - 1] - _hidden(game, seat, alive, "technical-fouls"),
                "left": _left(game, seat) if seat not in alive else None,
            }
            for seat in game.seats
        ],
        "nominees": list(game.nominees),
        "nominations": [{"by": by, "seat": seat} for by, seat in game.nominations],
        "round": ballot.round if ballot else None,
        "votes": [
            {"candidate": candidate, "count": count, "seats": None if seats is None else list(seats)}
            for candidate, count, seats in (ballot.cast if ballot else ())
        ],
        "tied": list(ballot.tied) if ballot else [],
        "best_move": list(game.best_move),
        "result": _result(game),
    }


def _hidden(game: Game, seat: int, alive: tuple[int, ...], cause: str) -> bool:
    """Whether the seat's last foul is not to be seen: it has removed a player whose exit is not told yet."""
    return seat in alive and any(exit_.seat == seat and exit_.cause == cause for exit_ in game.exits)


def _left(game: Game, seat: int) -> dict[str, Any] | None:
    exit_ = game.left_by(seat)
    if exit_ is None:
        return None
    return {"cause": exit_.cause, "day": exit_.day, "night": exit_.night if exit_.at_night else None}


def _result(game: Game) -> dict[str, Any] | None:
    if game.result is None:
        return None
    return {"winner": game.result[0], "reason": game.result[1], "roles": roles(game)}


def roles(game: Game) -> dict[str, str] | None:
    """Return the known roles by seat, or None when none is known; only for the host and after the end."""
    known = {str(seat): role for seat in game.seats if (role := game.role(seat)) is not None}
    return known or None


def _host(game: Game) -> dict[str, Any]:
    return {
        "roles": roles(game),
        "shots": [{"shooter": shooter, "target": target} for shooter, target in game.shots],
        "hit": game.hit,
        "checks": [{"night": n, "by": by, "seat": seat, "answer": answer} for n, by, seat, answer in game.checks],
        "unannounced": list(game.unannounced),
        "decided": None if game.decided is None else {"winner": game.decided[0], "reason": game.decided[1]},
        "silenced": sorted(game.silenced),
    }


def _seat(game: Game, seat: int) -> dict[str, Any]:
    role = game.role(seat) if seat in dict(game.taken) or not game.choose_cards else None
    led = {"don": "don", "sheriff": "sheriff"}.get(role or "")
    drawing = game.step is Step.DEAL and game.choose_cards and game.seat == seat and seat not in dict(game.taken)
    return {
        "seat": seat,
        "role": role,
        "kept": seat in game.kept,
        "cards": game.players - len(game.taken) if drawing else None,
        "checks": [{"night": n, "seat": s, "answer": answer} for n, by, s, answer in game.checks if by == led],
    }
