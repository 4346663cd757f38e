"""A speaker on the loop's time that keeps moments, as the real one does, and takes its time to get a sound out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.hosting.live import Sounded


@dataclass(slots=True)
class _Waiting:
    text: str
    seconds: float
    said: asyncio.Future[None]
    at: float | None
    firm: bool


@dataclass(slots=True)
class LoopSpeaker:
    """Each line takes ``per_letter`` seconds a letter and begins ``latency`` after it could, or at its moment."""

    latency: float = 0.15
    lead: float = 0.3
    per_letter: float = 0.1
    heard: list[Sounded] = field(default_factory=list)
    waiting: list[_Waiting] = field(default_factory=list)
    task: asyncio.Task[None] | None = None
    now: _Waiting | None = None
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    urgent: int = 0
    prepared: list[str] = field(default_factory=list)
    plays: list[tuple[float, bool]] = field(default_factory=list)

    def say(
        self, text: str, *, urgent: bool = False, at: float | None = None, firm: bool = False
    ) -> asyncio.Future[None]:
        return self._put(text, self.length(text), at, firm, urgent=urgent)

    def signal(self, name: str, at: float | None = None) -> asyncio.Future[None]:
        return self._put(f"<{name}>", 0.5, at, False)

    def length(self, text: str) -> float:
        return self.per_letter * len(text)

    def prepare(self, lines: Sequence[str]) -> None:
        self.prepared += lines

    def music(self, *, plays: bool) -> None:
        if not self.plays or self.plays[-1][1] != plays:
            self.plays.append((round(asyncio.get_running_loop().time(), 3), plays))

    def skip(self) -> None:
        for one in [one for one in self.waiting if not one.firm]:
            self.waiting.remove(one)
            one.said.set_result(None)
        if self.now is not None and not self.now.firm:
            self.ended.set()

    def stop(self) -> None:
        self.waiting.clear()

    def times(self, text: str) -> list[tuple[float, float]]:
        """When a line that holds ``text`` was heard."""
        return [(round(one.began, 3), round(one.ended, 3)) for one in self.heard if text in one.text]

    def _put(
        self, text: str, seconds: float, at: float | None, firm: bool, *, urgent: bool = False
    ) -> asyncio.Future[None]:
        loop = asyncio.get_running_loop()
        item = _Waiting(text, seconds, loop.create_future(), at, firm)
        self.waiting.insert(self.urgent if urgent else len(self.waiting), item)
        self.urgent += urgent
        if self.task is None or self.task.done():
            self.task = loop.create_task(self._speak())
        return item.said

    async def _speak(self) -> None:
        loop = asyncio.get_running_loop()
        while self.waiting:
            item = self.now = self.waiting.pop(0)
            self.urgent = max(0, self.urgent - 1)
            began = max(loop.time() + self.latency, item.at or 0.0)
            self.ended.clear()
            try:
                await asyncio.wait_for(self.ended.wait(), began + item.seconds - loop.time())
            except TimeoutError:
                self.heard.append(Sounded(item.text, began, loop.time()))
            self.now = None
            if not item.said.done():
                item.said.set_result(None)
