"""What the host's remote does: the same commands as by voice and keyboard, the push-to-talk button, settings."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from voicehost.hosting.inputs import Pressed
from voicehost.rules import commands as cmd
from voicehost.rules.roles import ROLES
from voicehost.web.acts import number_of, read, text_of
from voicehost.web.keys import HOST
from voicehost.web.room import Room, closed, wrong
from voicehost.web.state import host_legal, host_secret, padded

HELD_SECONDS = 20.0
"""A button that was never released, because its phone is gone, is let go after that."""

MOST = {"seat": 20, "shooter": 20, "target": 20, "count": 20, "seconds": 600}
WORDS = {"winner": ("city", "mafia", "draw"), "role": ROLES}


def command_of(data: dict[str, Any]) -> cmd.Command | None:
    """Return the command that a request names, or None."""
    name, given = text_of(data, "command"), data.get("slots", {})
    kind = cmd.COMMANDS.get(name)
    if kind is None or not kind.spoken or not isinstance(given, dict) or len(given) > 3:
        return None
    slots: dict[str, Any] = {}
    for slot, value in given.items():
        if value is None and kind is cmd.Shot:
            slots[slot] = None  # a miss
            continue
        found = _value(given, slot)
        if found is None:
            return None
        slots[slot] = found
    try:
        return cmd.command_from(name, slots)
    except TypeError:
        return None


def _value(given: dict[str, Any], slot: str) -> Any:
    value = given[slot]
    if slot == "count" and value == 0 and not isinstance(value, bool):
        return 0
    if slot in MOST:
        return number_of(given, slot, MOST[slot])
    if slot == "seats":
        return _seats(value)
    return value if isinstance(value, str) and value in WORDS.get(slot, ()) else None


def _seats(value: Any) -> list[int] | None:
    if not isinstance(value, list) or len(value) > 20:
        return None
    seats = [seat for seat in value if isinstance(seat, int) and not isinstance(seat, bool) and 1 <= seat <= 20]
    return seats if len(seats) == len(value) else None


def wording(command: cmd.Command) -> str:
    """Return the words that stand for a button in the journal, such as «shot 7»."""
    values = [v for value in command.slots().values() for v in (value if isinstance(value, list) else [value])]
    return " ".join([command.name, *(str(value) for value in values if value is not None)])


class Remote:
    """The endpoints of the host's page."""

    def __init__(self, room: Room) -> None:
        """Act in ``room``."""
        self._room = room
        self._release: asyncio.TimerHandle | None = None

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/api/host", self.command, methods=["POST"]),
            Route("/api/host/secret", self.secret, methods=["GET"]),
            Route("/api/host/push", self.push, methods=["POST"]),
            Route("/api/host/setting", self.setting, methods=["POST"]),
            Route("/api/host/codes", self.codes, methods=["GET"]),
        ]

    async def command(self, request: Request) -> Response:
        """Give a command; tell why it was refused."""
        room = self._room
        if not room.passed(request, HOST):
            return closed()
        command = command_of(await read(request))
        if command is None:
            return wrong()
        if not room.home or command.name in host_legal(room.hub.course.game):
            return JSONResponse({"reason": await room.ask(Pressed(command, wording(command)))})
        return JSONResponse({"reason": "not-now"})

    async def secret(self, request: Request) -> Response:
        """Tell the roles and the answers of the checks."""
        room = self._room
        if not room.passed(request, HOST):
            return closed()
        return Response(padded(host_secret(room.hub.course.game)), media_type="application/json")

    async def push(self, request: Request) -> Response:
        """Hold the push-to-talk button, or let it go."""
        room = self._room
        if not room.passed(request, HOST):
            return closed()
        down = (await read(request)).get("down")
        if not isinstance(down, bool) or room.hub.conductor is None:
            return wrong()
        trigger = room.hub.conductor.trigger
        if self._release is not None:
            self._release.cancel()
            self._release = None
        if down:
            trigger.push.press()
            self._release = asyncio.get_running_loop().call_later(HELD_SECONDS, trigger.push.let_go)
        else:
            trigger.push.let_go()
        return JSONResponse({"down": down, "trigger": str(trigger.kind)})

    async def setting(self, request: Request) -> Response:
        """Choose how hands are given in a game that nobody hosts."""
        room = self._room
        if not room.passed(request, HOST):
            return closed()
        votes_by = text_of(await read(request), "votes_by")
        if votes_by not in {"phone", "voice"}:
            return wrong()
        room.hub.house.votes_by = votes_by
        room.hub.course.hands_by_voice = votes_by == "voice"
        room.hub.stir()
        return JSONResponse({"votes_by": votes_by})

    async def codes(self, request: Request) -> Response:
        """Tell the host the address and key by which players join."""
        room = self._room
        if not room.passed(request, HOST):
            return closed()
        return JSONResponse({"addresses": list(room.addresses), "key": room.keys.join if room.home else ""})
