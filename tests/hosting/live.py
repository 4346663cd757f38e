"""A game on the real clock, without waiting: the event loop's own time jumps to the next thing that is due.

Everything that sleeps, times out or speaks does so in the loop's time, so a whole game takes a moment and every figure
is exact.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from voicehost.cli.memory import JournalMemory
from voicehost.hosting.clock import RealClock
from voicehost.hosting.conductor import Conductor
from voicehost.hosting.course import Course
from voicehost.hosting.inputs import Input, read_line
from voicehost.hosting.messages import Message
from voicehost.hosting.ports import SilentSpeaker, Speaker
from voicehost.hosting.setup import Setup, make_setup
from voicehost.hosting.trigger import Trigger
from voicehost.hosting.words import Words
from voicehost.language.pack import load_pack
from voicehost.record.journal import Journal
from voicehost.rules.game import Mode
from voicehost.rules.history import History, TimerState
from voicehost.rules.ruleset import shipped

ROLES = "don,mafia,mafia,sheriff,city,city,city,city,city,city"
"""Seat 1 is the Don, 2 and 3 are mafia, 4 is the Sheriff."""

T = TypeVar("T")


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose time jumps over every wait."""

    def __init__(self) -> None:
        super().__init__(_JumpingSelector(self._jump))
        self._moment = 0.0

    def time(self) -> float:
        return self._moment

    def _jump(self, seconds: float | None) -> None:
        if seconds is None:
            raise RuntimeError("the game waits for something that will never come")
        self._moment += max(seconds, 1e-9)


class _JumpingSelector(selectors.SelectSelector):
    def __init__(self, jump: Callable[[float | None], None]) -> None:
        super().__init__()
        self._jump = jump

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and (timeout is None or timeout > 0):
            self._jump(timeout)
        return ready


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in jumping time."""
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(main)


class LoopClock(RealClock):
    """A real clock that shows the loop's time."""

    def now(self) -> float:
        return asyncio.get_running_loop().time()


@dataclass(slots=True)
class Sounded:
    """One line that was heard, from when to when."""

    text: str
    began: float
    ended: float


@dataclass(slots=True)
class SlowSpeaker:
    """Speaks each line for so many seconds, urgent lines before waiting ones, as a loudspeaker does."""

    seconds: float = 2.0
    heard: list[Sounded] = field(default_factory=list)
    waiting: list[tuple[str, asyncio.Future[None]]] = field(default_factory=list)
    task: asyncio.Task[None] | None = None
    urgent: int = 0

    def say(self, text: str, *, urgent: bool = False) -> asyncio.Future[None]:
        loop = asyncio.get_running_loop()
        said: asyncio.Future[None] = loop.create_future()
        self.waiting.insert(self.urgent if urgent else len(self.waiting), (text, said))
        self.urgent += urgent
        if self.task is None or self.task.done():
            self.task = loop.create_task(self._speak())
        return said

    def stop(self) -> None:
        self.waiting.clear()

    async def _speak(self) -> None:
        loop = asyncio.get_running_loop()
        while self.waiting:
            text, said = self.waiting.pop(0)
            self.urgent = max(0, self.urgent - 1)
            began = loop.time()
            await asyncio.sleep(self.seconds)
            self.heard.append(Sounded(text, began, loop.time()))
            said.set_result(None)


@dataclass(slots=True)
class Told:
    """One message, when it was told, and how many inputs had been given by then."""

    at: float
    message: Message
    inputs: int


class LiveGame:
    """A conductor with its journal; inputs are given at moments of the loop's time."""

    def __init__(
        self,
        rules: str = "sport",
        *,
        mode: Mode = Mode.HOSTED,
        roles: str | None = ROLES,
        speaker: Speaker | None = None,
        setup: Setup | None = None,
        history: History | None = None,
        journal: Journal | None = None,
        game: str | None = None,
        trigger: Trigger | None = None,
    ) -> None:
        self.told: list[Told] = []
        self.inputs: asyncio.Queue[Input | None] = asyncio.Queue()
        self.given = 0
        self.journal = journal or Journal.in_memory(now=lambda: 0.0)
        setup = setup or make_setup(shipped(rules), mode=mode, dealing=roles)
        self.memory = JournalMemory(self.journal, setup.to_mapping(), game)
        self.clock = LoopClock()
        course = Course(
            setup,
            words=Words(load_pack(setup.language), setup.rules.manner),
            clock=self.clock,
            tell=lambda message: self.told.append(Told(self.clock.now(), message, self.given)),
            memory=self.memory,
            speaker=speaker or SilentSpeaker(),
            history=history,
            wall=lambda: 0.0,
        )
        self.conductor = Conductor(course, trigger)

    async def play(
        self, script: Iterable[tuple[float, str | Input]], until: float, timer: TimerState | None = None
    ) -> LiveGame:
        """Give each line at its moment, stop at ``until``."""
        self.conductor.open(timer, resumed=self.conductor.course.game.serial > 0)
        running = asyncio.ensure_future(self.conductor.run(self.inputs))
        for moment, line in script:
            await self._sleep_until(moment)
            self.given += 1
            self.inputs.put_nowait(read_line(line) if isinstance(line, str) else line)
        await self._sleep_until(until)
        self.inputs.put_nowait(None)
        await running
        self.conductor.close()
        return self

    async def _sleep_until(self, moment: float) -> None:
        await asyncio.sleep(max(0.0, moment - self.clock.now()))
        await asyncio.sleep(0)

    # --- what was told

    def of(self, kind: str, **fields: Any) -> list[Told]:
        """The messages of a type with these fields."""
        return [
            told
            for told in self.told
            if told.message["type"] == kind and all(told.message.get(key) == value for key, value in fields.items())
        ]

    def when(self, kind: str, **fields: Any) -> list[float]:
        """The moments of those messages, to the millisecond."""
        return [round(told.at, 3) for told in self.of(kind, **fields)]


def play(
    script: Iterable[tuple[float, str | Input]], until: float, speaker: Speaker | None = None, **options: Any
) -> LiveGame:
    """Play a new game in jumping time."""

    async def main() -> LiveGame:
        return await LiveGame(speaker=speaker, **options).play(script, until)

    return run(main())
