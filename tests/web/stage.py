"""A game with its pages, for tests: over ASGI without a network, or on a port with a clock that may be hurried."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx

from voicehost.hosting.clock import Clock, VirtualClock
from voicehost.hosting.conductor import Conductor
from voicehost.hosting.course import Course
from voicehost.hosting.inputs import Input, Phone, Pressed, Said, Wait
from voicehost.hosting.ports import SilentSpeaker
from voicehost.hosting.setup import Setup, make_setup
from voicehost.hosting.words import Words
from voicehost.language.pack import load_pack
from voicehost.record.entries import Entry
from voicehost.rules.game import Game, Mode
from voicehost.rules.ruleset import Ruleset, load
from voicehost.web.app import build_app
from voicehost.web.hub import Hub
from voicehost.web.keys import Keys
from voicehost.web.limits import Limits
from voicehost.web.network import Hosts, Place, listen
from voicehost.web.room import Room
from voicehost.web.server import WebServer

HOST = "127.0.0.1:8765"
ORIGIN = f"http://{HOST}"
NAMES = ("Аня", "Борис", "Вера", "Глеб", "Дина", "Егор", "Жанна", "Зоя", "Илья", "Катя")


class Forgetful:
    """A memory that keeps nothing."""

    def append(self, entry: Entry) -> None:
        pass

    def begin(self, setup: dict[str, object]) -> None:
        pass


class HurriedClock:
    """The real clock, which a test may put forward when nothing more is to be seen."""

    virtual = False

    def __init__(self) -> None:
        self._ahead = 0.0

    def now(self) -> float:
        return time.monotonic() + self._ahead

    def skip(self, seconds: float) -> None:
        """Put the clock forward."""
        self._ahead += max(0.0, seconds)

    async def sleep_until(self, moment: float, stirred: asyncio.Event) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stirred.wait(), max(0.0, moment - self.now()))


class Stage:
    """Conductor, hub, room and application of one game."""

    def __init__(self, setup: Setup, clock: Clock | None = None, limits: Limits | None = None) -> None:
        self.messages: list[dict[str, Any]] = []
        self.inputs: asyncio.Queue[Input | None] = asyncio.Queue()
        self.hub = Hub()
        self.keys = Keys()
        self.room = Room(self.hub, self.keys, self.inputs.put_nowait, limits or Limits(), addresses=(ORIGIN,))

        def tell(message: dict[str, Any]) -> None:
            self.messages.append(message)
            self.hub.tell(message)

        self.course = Course(
            setup,
            words=Words(load_pack(setup.language), setup.rules.manner),
            clock=clock or VirtualClock(),
            tell=tell,
            memory=Forgetful(),
            speaker=SilentSpeaker(),
            wall=lambda: 0.0,
        )
        self.conductor = Conductor(self.course)
        self.app = build_app(self.room, Hosts(["127.0.0.1"], 8765))
        self.hub.attach(self.conductor)
        self.conductor.open()

    @property
    def game(self) -> Game:
        return self.course.game

    async def do(self, *items: Input | str | float) -> None:
        """Handle inputs one after another: a text is said, a number is seconds."""
        for item in items:
            if isinstance(item, str):
                item = Said(item)
            elif isinstance(item, int | float):
                item = Wait(float(item))
            await self.conductor.handle(item)
            await asyncio.sleep(0)

    async def run(self) -> None:
        """Conduct what comes from the pages; a hurried clock is looked at often."""
        clock = self.course.clock

        async def stir() -> None:
            while True:
                await asyncio.sleep(0.01)
                self.course.stirred.set()

        stirring = None if clock.virtual else asyncio.ensure_future(stir())
        try:
            await self.conductor.run(self.inputs)
        finally:
            if stirring is not None:
                stirring.cancel()

    def client(self, address: str = "127.0.0.1", **headers: str) -> httpx.AsyncClient:
        """A browser that talks to the application directly."""
        transport = httpx.ASGITransport(app=self.app, client=(address, 40000))
        return httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers={"origin": ORIGIN, **headers})

    def let_in(self, client: httpx.AsyncClient, door: str) -> None:
        """Give a browser a pass."""
        client.cookies.set(f"voicehost-{door}", self.keys.passes[door])

    def seated(self, seat: int, address: str = "10.0.0.1") -> httpx.AsyncClient:
        """A phone that has the seat."""
        token, _ = self.keys.take(seat)
        client = self.client(address)
        client.cookies.set("voicehost-seat", token)
        return client


def home(rules: str | Ruleset = "sport", **options: Any) -> Setup:
    """The setup of a game that nobody hosts."""
    ruleset = load(rules) if isinstance(rules, str) else rules
    return make_setup(ruleset, mode=Mode.HOME, names=options.pop("names", NAMES), **options)


def hosted(rules: str = "sport", **options: Any) -> Setup:
    """The setup of a game with a host."""
    return make_setup(load(rules), names=options.pop("names", NAMES), **options)


@contextlib.asynccontextmanager
async def conducted(stage: Stage) -> AsyncIterator[Stage]:
    """Let the conductor run beside a test."""
    task = asyncio.ensure_future(stage.run())
    try:
        yield stage
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@contextlib.asynccontextmanager
async def served(stage: Stage) -> AsyncIterator[str]:
    """Serve the pages on a free port; gives the address."""
    place = Place(("127.0.0.1",), 0)
    sockets = listen(place)
    port = sockets[0].getsockname()[1]
    stage.app = build_app(stage.room, Hosts(place.hosts, port))
    stage.room.addresses = (f"http://127.0.0.1:{port}",)
    server = WebServer(stage.app, sockets)
    await server.start()
    try:
        async with conducted(stage):
            yield f"http://127.0.0.1:{port}"
    finally:
        stage.hub.close()
        await server.stop()


__all__ = [
    "HOST",
    "NAMES",
    "ORIGIN",
    "HurriedClock",
    "Phone",
    "Pressed",
    "Stage",
    "conducted",
    "home",
    "hosted",
    "served",
]
