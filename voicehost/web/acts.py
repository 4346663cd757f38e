"""What phones do: come in by a key, take a seat, prove to be its player, act, look at their secret."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from voicehost.hosting.inputs import Phone
from voicehost.hosting.setup import name_problem
from voicehost.rules.game import Step
from voicehost.web.guard import client
from voicehost.web.keys import DOORS, HOST
from voicehost.web.room import SEAT, Room, closed, slow_down, wrong
from voicehost.web.state import padded, seat_secret

LONGEST_NAME = 24

VERBS = {"choose": True, "nominate": True, "confirm": False, "tap": False, "vote": False, "done": False}
"""What a phone may do, and whether a number comes with it."""


async def read(request: Request) -> dict[str, Any]:
    """Return the JSON object of a request; an empty one for anything else."""
    try:
        data = json.loads(await request.body())
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def text_of(data: dict[str, Any], name: str, longest: int = 64) -> str:
    """Return a short text field, or ""."""
    value = data.get(name)
    return value if isinstance(value, str) and len(value) <= longest and value.isprintable() else ""


def number_of(data: dict[str, Any], name: str, most: int) -> int | None:
    """Return a number from 1 to ``most``, or None."""
    value = data.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most else None


class Acts:
    """The endpoints of phones."""

    def __init__(self, room: Room) -> None:
        """Act in ``room``."""
        self._room = room

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/api/enter", self.enter, methods=["POST"]),
            Route("/api/join", self.join, methods=["POST"]),
            Route("/api/claim", self.claim, methods=["POST"]),
            Route("/api/leave", self.leave, methods=["POST"]),
            Route("/api/act", self.act, methods=["POST"]),
            Route("/api/me", self.me, methods=["GET"]),
            Route("/api/secret", self.secret, methods=["GET"]),
        ]

    async def enter(self, request: Request) -> Response:
        """Change a key for a pass; wrong ones are slowed, and then right ones too."""
        room, data = self._room, await read(request)
        address = client(request.scope)
        wait = room.limits.keys.wait(address)
        if wait:
            return slow_down(wait)
        door = text_of(data, "door")
        token = room.keys.open(door if door in DOORS else "", text_of(data, "key"))
        if token is None:
            room.limits.keys.take(address)
            return closed()
        response = JSONResponse({"door": door})
        room.give_cookie(response, door, token)
        return response

    async def me(self, request: Request) -> Response:
        """Tell a browser which doors it has passed and which seat it acts for."""
        room = self._room
        seat = room.seat_of(request)
        data = {
            "join": room.may_join(request),
            "host": room.passed(request, HOST),
            "seat": seat[0] if seat else None,
            "helper": seat is not None and seat[1],
        }
        return JSONResponse(data)

    async def join(self, request: Request) -> Response:
        """Take a seat in the lobby; later only one that never had a phone."""
        room, data = self._room, await read(request)
        if not room.may_join(request):
            return closed()
        game = room.hub.course.game
        seat = number_of(data, "seat", game.players)
        name = " ".join(text_of(data, "name", LONGEST_NAME * 2).split())[:LONGEST_NAME]
        if seat is None or not name or not room.home:
            return wrong()
        if not room.is_free(seat):
            return wrong("seat-taken", 409)
        if name_problem(name, [other for i, other in enumerate(game.names, 1) if i != seat]) == "hosting.name-twice":
            return wrong("name-taken", 409)
        own = room.seat_of(request)
        if own is not None and not own[1]:
            return wrong("already-seated", 409)
        if not room.in_lobby and game.choose_cards and seat in game.kept:
            return wrong("too-late", 409)
        token, pin = room.keys.take(seat)
        room.expect(seat)
        if room.in_lobby and await room.ask(Phone(seat, "join", name)):
            room.forget(seat)
            return wrong("too-late", 409)
        room.hub.stir()
        response = JSONResponse({"seat": seat, "pin": pin})
        room.give_cookie(response, SEAT, token)
        return response

    async def claim(self, request: Request) -> Response:
        """Go on with one's seat on another device, by the PIN."""
        room, data = self._room, await read(request)
        if not room.may_join(request):
            return closed()
        seat, pin = number_of(data, "seat", room.hub.course.game.players), text_of(data, "pin", 8)
        if seat is None or not pin:
            return wrong()
        wait = room.limits.pins.wait(seat)
        if wait:
            return slow_down(wait)
        helper = room.passed(request, HOST)
        token = room.keys.claim(seat, pin, helper=helper)
        if token is None:
            room.limits.pins.take(seat)
            return closed()
        if not helper:
            room.turn_out(seat)
        room.hub.stir()
        response = JSONResponse({"seat": seat})
        room.give_cookie(response, SEAT, token)
        return response

    async def leave(self, request: Request) -> Response:
        """Give the seat back in the lobby; the host's device stops acting for it at any time."""
        room, own = self._room, self._room.seat_of(request)
        if own is None:
            return closed()
        seat, helper = own
        if helper:
            room.keys.places[seat].helper = ""
        elif not room.in_lobby:
            return wrong("too-late", 409)
        else:
            room.forget(seat)
            await room.ask(Phone(seat, "join", ""))
        room.hub.stir()
        response = JSONResponse({"seat": seat})
        response.delete_cookie(room.cookie_name(SEAT), path="/", secure=room.secure, httponly=True, samesite="strict")
        return response

    async def act(self, request: Request) -> Response:
        """Do what was tapped. While eyes are shut the answer is always the same, and comes at once."""
        room, own = self._room, self._room.seat_of(request)
        if own is None:
            return closed()
        data = await read(request)
        verb = text_of(data, "verb")
        if verb not in VERBS:
            return wrong()
        number = number_of(data, "number", room.hub.course.game.players) if VERBS[verb] else 0
        if number is None:
            return wrong()
        phone = Phone(own[0], verb, str(number) if number else "")
        if room.hub.eyes_shut:
            room.send(phone)
            return JSONResponse({"reason": ""})
        if verb == "vote" and room.hub.course.hands_by_voice:
            return JSONResponse({"reason": "not-now"})
        return JSONResponse({"reason": await room.ask(phone)})

    async def secret(self, request: Request) -> Response:
        """Tell the player what only he may know: always so many bytes."""
        room, own = self._room, self._room.seat_of(request)
        if own is None:
            return closed()
        seat, course = own[0], room.hub.course
        voting = course.game.step in {Step.VOTE, Step.LIFT}
        data = seat_secret(course.game, seat, raised=voting and seat in course.hands.raised)
        body = padded({**data, "pin": room.keys.places[seat].pin, "helper": own[1]})
        return Response(body, media_type="application/json")
