"""A game by typed lines on the virtual clock, with its journal in memory."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from voicehost.cli.memory import JournalMemory
from voicehost.hosting.clock import VirtualClock
from voicehost.hosting.conductor import Conductor
from voicehost.hosting.course import Course
from voicehost.hosting.inputs import Input, read_line
from voicehost.hosting.messages import Message
from voicehost.hosting.ports import SilentSpeaker
from voicehost.hosting.setup import Setup, make_setup
from voicehost.hosting.words import Words
from voicehost.language.pack import load_pack
from voicehost.record.entries import Entry
from voicehost.record.journal import Journal
from voicehost.rules.game import Game, Mode
from voicehost.rules.history import History, TimerState
from voicehost.rules.ruleset import Ruleset, shipped

ROLES = "don,mafia,mafia,sheriff,city,city,city,city,city,city"


class TypedGame:
    """Takes lines, keeps what is told."""

    def __init__(
        self,
        rules: str | Ruleset = "sport",
        *,
        mode: Mode = Mode.HOSTED,
        roles: str | None = ROLES,
        setup: Setup | None = None,
        history: History | None = None,
    ) -> None:
        self.told: list[Message] = []
        ruleset = shipped(rules) if isinstance(rules, str) else rules
        self.setup = setup or make_setup(ruleset, mode=mode, dealing=roles)
        self.clock = VirtualClock()
        self.journal = Journal.in_memory(now=lambda: 0.0)
        self.memory = JournalMemory(self.journal, self.setup.to_mapping())
        course = Course(
            self.setup,
            words=Words(load_pack(self.setup.language), self.setup.rules.manner),
            clock=self.clock,
            tell=self.told.append,
            memory=self.memory,
            speaker=SilentSpeaker(),
            history=history,
            wall=lambda: 0.0,
        )
        self.conductor = Conductor(course)

    @property
    def game(self) -> Game:
        return self.conductor.course.game

    @property
    def entries(self) -> list[Entry]:
        """What the journal holds of the present game."""
        return self.journal.entries(self.memory.game) if self.memory.game else []

    def open(self, timer: TimerState | None = None) -> TypedGame:
        self.conductor.open(timer, resumed=self.game.serial > 0)
        return self

    def say(self, *lines: str | Input) -> list[Message]:
        """Give lines; return what was told."""
        before = len(self.told)
        for line in lines:
            _run(self.conductor.handle(read_line(line) if isinstance(line, str) else line))
        return self.told[before:]

    @property
    def ready(self) -> Message:
        """Where the game stood at last."""
        return next(message for message in reversed(self.told) if message["type"] == "ready")

    def events(self) -> list[Any]:
        """Names of all events told."""
        return [message["name"] for message in self.told if message["type"] == "event"]


def _run(work: Coroutine[Any, Any, None]) -> None:
    """Run what on the virtual clock never has to wait; an event loop of its own would cost more than the game."""
    try:
        work.send(None)
    except StopIteration:
        return
    raise RuntimeError("with the virtual clock nothing waits")
