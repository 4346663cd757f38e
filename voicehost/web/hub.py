"""Where the game meets its pages: whatever is told becomes a new frame when something visible has changed."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable
from typing import Any

from voicehost.hosting.conductor import Conductor
from voicehost.hosting.course import Course
from voicehost.hosting.messages import Message
from voicehost.hosting.trigger import TriggerKind
from voicehost.rules.game import EYES_SHUT
from voicehost.web.state import Deadlines, House, host_state, table_state

KEPT_LINES = 4
"""Spoken lines that a page may show; a page that was away catches up with them."""

LONGEST_LINE = 400
"""Characters of a spoken line that are shown."""


class Viewer:
    """One open stream."""

    def __init__(self) -> None:
        """Nothing new yet."""
        self.wake = asyncio.Event()
        self.gone = False

    def leave(self) -> None:
        """End the stream: its place is taken by another device."""
        self.gone = True
        self.wake.set()


class Channel:
    """One group of viewers that all get the same bytes: the newest state, numbered."""

    def __init__(self, boot: str, present: Callable[[], dict[str, Any]]) -> None:
        """Number frames after ``boot``, which differs from start to start; ``present`` gives the state."""
        self._boot = boot
        self._present = present
        self._state: dict[str, Any] | None = None
        self.viewers: set[Viewer] = set()
        self.number = 0
        self.frame = b""
        self.closed = False

    def refresh(self) -> bool:
        """Make a new frame if the state has changed; tell whether it has."""
        state = self._present()
        if state == self._state:
            return False
        self._state = state
        self.number += 1
        data = json.dumps(state, ensure_ascii=False, separators=(",", ":"))
        self.frame = f"id: {self._boot}-{self.number}\nevent: state\ndata: {data}\n\n".encode()
        for viewer in self.viewers:
            viewer.wake.set()
        return True

    def close(self) -> None:
        """End every stream."""
        self.closed = True
        for viewer in self.viewers:
            viewer.wake.set()

    def seen(self, last_id: str | None) -> int:
        """Return the number of the last frame a page has had; 0 when that was another start of the program."""
        boot, _, number = (last_id or "").partition("-")
        if boot == self._boot and number.isascii() and number.isdigit() and len(number) < 12:
            return int(number)
        return 0

    async def follow(self, viewer: Viewer, last_id: str | None = None) -> AsyncIterator[bytes]:
        """Give the newest frame, then each that follows; a page too slow for all gets the newest.

        ``last_id`` names the last frame the page has had, if it was here before.
        """
        seen = self.seen(last_id)
        self.viewers.add(viewer)
        try:
            while not self.closed and not viewer.gone:
                viewer.wake.clear()
                if self.number != seen:
                    seen = self.number
                    yield self.frame
                    continue
                await viewer.wake.wait()
        finally:
            self.viewers.discard(viewer)
        if viewer.gone:
            yield b"event: gone\ndata: {}\n\n"


class Hub:
    """Listens to a conductor and keeps the frames of the table and of the host."""

    def __init__(self) -> None:
        """Show nothing before ``attach``."""
        boot = secrets.token_hex(4)
        self.house = House()
        self.turn: list[Message] = []
        """What was told since the latest ``ready``."""
        self.latest: list[Message] = []
        """What was told in the latest turn."""
        self.conductor: Conductor | None = None
        self._deadlines = Deadlines()
        self._said = 0
        self._scheduled = False
        self.table = Channel(boot, lambda: table_state(self.course, self.house, self._deadlines))
        self.host = Channel(boot, self._host_state)
        self.on_flush: Callable[[], None] = lambda: None
        """Called before frames are made."""

    @property
    def course(self) -> Course:
        """The game that is shown."""
        assert self.conductor is not None
        return self.conductor.course

    @property
    def now(self) -> int:
        """The game clock in milliseconds, the one that deadlines are told in."""
        return round(self.course.clock.now() * 1000)

    def attach(self, conductor: Conductor) -> None:
        """Show the game of ``conductor`` from now on."""
        self.conductor = conductor
        self.flush()

    def tell(self, message: Message) -> None:
        """Take note of one line of the game."""
        if message["type"] == "say":
            self._said += 1
            text = str(message["text"])[:LONGEST_LINE]
            self.house.lines = [*self.house.lines, {"n": self._said, "text": text}][-KEPT_LINES:]
        if message["type"] == "ready":
            self.latest, self.turn = self.turn, []
        else:
            self.turn.append(message)
            del self.turn[:-50]
        self.stir()

    def stir(self) -> None:
        """Look soon whether something visible has changed."""
        if self.conductor is None or self._scheduled:
            return
        self._scheduled = True
        asyncio.get_running_loop().call_soon(self.flush)

    def flush(self) -> None:
        """Make new frames of what has changed."""
        self._scheduled = False
        self.on_flush()
        self.table.refresh()
        self.host.refresh()

    def _host_state(self) -> dict[str, Any]:
        assert self.conductor is not None
        talk = self.conductor.trigger.kind is TriggerKind.PUSH
        return host_state(self.course, self.house, self._deadlines) | {"talk": talk}

    @property
    def eyes_shut(self) -> bool:
        """Whether it is a moment in which nothing may differ between phones."""
        return self.course.game.step in EYES_SHUT

    def close(self) -> None:
        """End all streams."""
        self.table.close()
        self.host.close()
