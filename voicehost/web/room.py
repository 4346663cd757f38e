"""What all endpoints share: the hub, the keys, the limits, and who is at which phone."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from voicehost.hosting.inputs import Asked, Input, Phone, Pressed
from voicehost.rules.game import Mode, Step
from voicehost.web.guard import client
from voicehost.web.hub import Hub, Viewer
from voicehost.web.keys import HOST, JOIN, SCREEN, Keyring, Keys
from voicehost.web.limits import Limits, is_loopback

SEAT = "seat"

GONE_SECONDS = 5.0
"""How long a phone may be away before the table is told."""

NEVER_CAME_SECONDS = 15.0
"""How long a seat is kept in the lobby for a phone that took it and asked for nothing since: the answer was lost."""

ANSWER_SECONDS = 5.0
"""How long a page waits to learn how its button went."""


@dataclass(slots=True)
class Room:
    """One evening's pages."""

    hub: Hub
    keys: Keys
    put: Callable[[Input], None]
    """Hands an input to the conductor."""
    limits: Limits = field(default_factory=Limits)
    keyring: Keyring = field(default_factory=lambda: Keyring(None))
    game_id: Callable[[], str | None] = lambda: None
    secure: bool = False
    """Whether the pages come over TLS."""
    addresses: tuple[str, ...] = ()
    """Where phones reach the pages, best first."""
    phones: dict[int, set[Viewer]] = field(default_factory=dict)
    last_seen: dict[int, float] = field(default_factory=dict)
    expected: dict[int, float] = field(default_factory=dict)
    """Seats whose phone has not asked for anything yet, and when they were taken."""
    _saved: str = ""

    def __post_init__(self) -> None:
        """Look after presence and the key file whenever the game moves."""
        self.hub.on_flush = self.look_around

    # --- who is there

    def arrive(self, seat: int, viewer: Viewer) -> None:
        """A phone has opened its stream."""
        self.phones.setdefault(seat, set()).add(viewer)
        self.hub.stir()

    def depart(self, seat: int, viewer: Viewer) -> None:
        """A phone's stream has ended: it may be back in a moment."""
        self.phones.get(seat, set()).discard(viewer)
        self.last_seen[seat] = time.monotonic()
        asyncio.get_running_loop().call_later(GONE_SECONDS + 0.1, self.hub.stir)

    def expect(self, seat: int) -> None:
        """A phone has taken the seat: its page follows, unless the answer never reached it."""
        self.expected[seat] = time.monotonic()
        asyncio.get_running_loop().call_later(NEVER_CAME_SECONDS + 0.1, self.hub.stir)

    def forget(self, seat: int) -> None:
        """The seat has no phone any more."""
        self.keys.free(seat)
        self.expected.pop(seat, None)

    def is_free(self, seat: int) -> bool:
        """Tell whether a phone may take the seat: nobody has it, or in the lobby only somebody who never came."""
        if seat not in self.keys.places:
            return True
        taken = self.expected.get(seat)
        return self.in_lobby and taken is not None and time.monotonic() - taken > NEVER_CAME_SECONDS

    def look_around(self) -> None:
        """Renew what the pages show of the phones; at night nothing of that changes."""
        if self.hub.eyes_shut:
            return
        house, now = self.hub.house, time.monotonic()
        house.joined = frozenset(seat for seat in self.keys.joined if not self.is_free(seat))
        house.absent = tuple(
            seat
            for seat in sorted(self.keys.joined)
            if not self.phones.get(seat) and now - self.last_seen.setdefault(seat, now) > GONE_SECONDS
        )
        self.save()

    def save(self) -> None:
        """Keep the keys for a restart, once the game has a name and when they have changed."""
        game = self.game_id()
        if game is None:
            return
        now = f"{game} {self.keys.to_mapping()}"
        if now != self._saved:
            self._saved = now
            self.keyring.save(game, self.keys)

    def turn_out(self, seat: int) -> None:
        """End the streams of the seat's former phone."""
        for viewer in list(self.phones.get(seat, ())):
            viewer.leave()

    # --- cookies

    def cookie_name(self, door: str) -> str:
        """Return a cookie's name; over TLS one that no other site can set."""
        return f"__Host-voicehost-{door}" if self.secure else f"voicehost-{door}"

    def give_cookie(self, response: Response, door: str, value: str) -> None:
        """Let the browser keep a pass: no script reads it, no other site makes it sent."""
        response.set_cookie(
            self.cookie_name(door),
            value,
            max_age=86_400,
            path="/",
            httponly=True,
            samesite="strict",
            secure=self.secure,
        )

    def passed(self, request: Request, door: str) -> bool:
        """Tell whether the browser holds the pass."""
        return self.keys.passed(door, request.cookies.get(self.cookie_name(door)))

    def seat_of(self, request: Request) -> tuple[int, bool] | None:
        """Return the seat the browser acts for, and whether it is the host's device."""
        found = self.keys.seat_of(request.cookies.get(self.cookie_name(SEAT)))
        if found is not None:
            self.expected.pop(found[0], None)
        return found

    def may_join(self, request: Request) -> bool:
        """Tell whether the browser may ask for a seat."""
        return self.passed(request, JOIN) or self.passed(request, HOST)

    def may_show_code(self, request: Request) -> bool:
        """Tell whether the join code may be shown: on this computer, the host's device, or a screen let in."""
        local = is_loopback(client(request.scope))
        return local or self.passed(request, SCREEN) or self.passed(request, HOST)

    # --- what a tap becomes

    @property
    def home(self) -> bool:
        """Whether nobody hosts."""
        return self.hub.course.game.mode is Mode.HOME

    @property
    def in_lobby(self) -> bool:
        """Whether seats are still being taken."""
        return self.hub.course.game.step is Step.LOBBY

    def send(self, item: Phone | Pressed) -> None:
        """Hand an input on without waiting."""
        self.put(Asked(item, lambda: None))

    async def ask(self, item: Phone | Pressed) -> str:
        """Hand an input on; return why it was refused, or ""."""
        answered: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def done() -> None:
            if not answered.done():
                reasons = [m["reason"] for m in self.hub.latest if m["type"] == "refused"]
                answered.set_result(str(reasons[-1]) if reasons else "")

        self.put(Asked(item, done))
        try:
            return await asyncio.wait_for(answered, ANSWER_SECONDS)
        except TimeoutError:
            return "late"


def closed() -> JSONResponse:
    """Return the one answer to whoever has no right key, whatever is wrong with it."""
    return JSONResponse({"error": "closed"}, 403)


def wrong(code: str = "bad-request", status: int = 400) -> JSONResponse:
    """Return what is wrong with a request."""
    return JSONResponse({"error": code}, status)


def slow_down(seconds: int) -> JSONResponse:
    """Return that there were too many tries."""
    return JSONResponse({"error": "too-many"}, 429, {"retry-after": str(seconds)})
