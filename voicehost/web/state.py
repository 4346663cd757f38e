"""What each page is shown, as plain JSON values. Everything comes from ``view``, so nothing else can leak."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from voicehost.hosting.course import Course
from voicehost.rules.game import EYES_SHUT, Game, Step
from voicehost.rules.legal import legal
from voicehost.rules.roles import DON, SHERIFF
from voicehost.rules.view import HOST, TABLE, roles, view

SECRET_BYTES = 4096
"""Length of every answer that holds a secret: nothing can be told from its size."""

MOST_CHECKS = 20
"""Checks that fit into a secret answer: more nights than a table of twenty can last."""

PUBLIC_AT_NIGHT = ("pause", "resume", "end-game", "confirm", "deny")
"""What the device of a game without a host may do while eyes are shut; no more, for the rest may tell who acted."""


@dataclass(slots=True)
class House:
    """What the pages know and the game does not; all of it is public."""

    joined: frozenset[int] = frozenset()
    """Seats that a phone has taken."""
    absent: tuple[int, ...] = ()
    """Seats whose phone is not connected; kept as it was while eyes are shut."""
    votes_by: str = "phone"
    """``phone`` or ``voice``."""
    lost_sound: int = 0
    """How often the microphone's sound was lost because the computer is too slow."""
    lines: list[dict[str, Any]] = field(default_factory=list)
    """The latest spoken lines, numbered."""


@dataclass(slots=True)
class Deadlines:
    """Keeps the end of a running timer to the same millisecond, however often it is asked for."""

    key: tuple[Any, ...] = ()
    end: int = 0

    def of(self, key: tuple[Any, ...], end: int) -> int:
        """Return the end in milliseconds; one that only rounding has moved stays."""
        if key != self.key or abs(end - self.end) > 20:
            self.key, self.end = key, end
        return self.end


def table_state(course: Course, house: House, deadlines: Deadlines) -> dict[str, Any]:
    """Return what every table page, overlay and phone is shown."""
    game = course.game
    return view(game, TABLE) | {
        "title": game.rules.title,
        "mode": str(game.mode),
        "language": course.setup.language,
        "eyes": "shut" if game.step in EYES_SHUT else "open",
        "timer": _timer(course, deadlines),
        "called": course.keeper.tick if game.step is Step.HUNT else None,
        "hands": course.waits_for_hands,
        "cards": _cards(game),
        "choose_cards": game.choose_cards,
        "house": {
            "joined": sorted(house.joined),
            "absent": list(house.absent),
            "votes_by": house.votes_by,
            "lost_sound": house.lost_sound,
        },
        "lines": list(house.lines),
    }


def _cards(game: Game) -> int | None:
    """How many cards lie before the player who draws; his own draw shows only on his phone."""
    if game.step is not Step.DEAL or not game.choose_cards or game.seat is None:
        return None
    return game.players - game.seat + 1


def _timer(course: Course, deadlines: Deadlines) -> dict[str, Any] | None:
    keeper = course.keeper
    if keeper.name is None:
        return None
    runs = keeper.runs and not course.clock.virtual
    left = round(keeper.left * 1000)
    end = round(course.clock.now() * 1000) + left
    key = (keeper.name, keeper.seat, keeper.seconds, course.game.serial)
    return {
        "name": keeper.name,
        "seat": keeper.seat,
        "whole": round(keeper.seconds * 1000),
        "end": deadlines.of(key, end) if runs else None,
        "left": None if runs else left,
    }


def host_state(course: Course, house: House, deadlines: Deadlines) -> dict[str, Any]:
    """Return what the host's remote shows besides secrets: the table, and what may be said now."""
    game = course.game
    pending = None if game.pending is None else {"command": game.pending.name, "slots": game.pending.slots()}
    state = table_state(course, house, deadlines)
    if game.hosted:
        shown = view(game, HOST)
        state |= {key: shown[key] for key in ("seats", "hit", "shots", "unannounced", "silenced", "decided")}
    return state | {"legal": host_legal(game), "pending": pending, "settled": game.hosted and game.settled}


def host_legal(game: Game) -> dict[str, dict[str, Any]]:
    """Return what may be said now. With no host only what follows from public facts: the device is on the table."""
    allowed = legal(game)
    if not game.hosted:
        if game.step in EYES_SHUT:
            allowed = {name: allowed[name] for name in PUBLIC_AT_NIGHT if name in allowed}
        elif game.is_night:
            allowed = {name: allowed[name] for name in (*PUBLIC_AT_NIGHT, "next", "best-move") if name in allowed}
    return {
        name: {
            "seats": list(item.seats),
            "targets": list(item.targets),
            "counts": list(item.counts),
            "size": item.size,
        }
        for name, item in allowed.items()
    }


def host_secret(game: Game) -> dict[str, Any]:
    """Return what the host sees while he holds the button; nothing when nobody hosts."""
    if not game.hosted:
        return {"roles": None, "checks": []}
    return {"roles": roles(game), "checks": view(game, HOST)["checks"]}


def seat_secret(game: Game, seat: int, *, raised: bool) -> dict[str, Any]:
    """Return what only this seat may see."""
    you = view(game, seat)["you"]
    asks = {Step.DON_CHECK: DON, Step.SHERIFF_CHECK: SHERIFF}.get(game.step, "")
    latest = [check for check in you["checks"] if check["night"] == game.night and you["role"] == asks]
    return {
        "seat": seat,
        "role": you["role"],
        "drawn": seat in dict(game.taken),
        "kept": you["kept"],
        "checks": you["checks"][-MOST_CHECKS:],
        "latest": latest[-1] if latest else None,
        "raised": raised,
    }


def padded(data: Mapping[str, Any]) -> bytes:
    """Return JSON of exactly ``SECRET_BYTES`` bytes.

    Raises:
        ValueError: it does not fit.
    """
    body = json.dumps({**data, "pad": ""}, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    missing = SECRET_BYTES - len(body)
    if missing < 0:
        raise ValueError(f"a secret of {len(body)} bytes does not fit into {SECRET_BYTES}")
    return body[:-2] + b" " * missing + body[-2:]
