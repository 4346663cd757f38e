"""Plays golden transcripts through the real conductor, with a virtual clock, a journal in memory and no sound.

``python -m tests.games.runner --write [NAME...]`` writes the files anew; read the diff before you keep it: the
transcripts are the specification. Without ``--write`` the difference is printed.
"""

from __future__ import annotations

import asyncio
import difflib
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from tests.games import prelude, shown
from tests.games.transcript import Transcript, TranscriptError, load, paths, write
from voicehost.cli.memory import JournalMemory
from voicehost.errors import UserError
from voicehost.hosting.clock import VirtualClock
from voicehost.hosting.conductor import Conductor
from voicehost.hosting.course import Course
from voicehost.hosting.inputs import Said, read_line
from voicehost.hosting.messages import Message
from voicehost.hosting.ports import SilentSpeaker
from voicehost.hosting.resume import replay
from voicehost.hosting.setup import RANDOM, Setup, make_setup
from voicehost.hosting.trigger import Trigger, TriggerKind
from voicehost.hosting.words import Words
from voicehost.language.messages import message
from voicehost.language.pack import load_pack
from voicehost.record.journal import Journal
from voicehost.rules.commands import Command
from voicehost.rules.game import Game, Mode
from voicehost.rules.ruleset import SWITCHES, Ruleset, shipped
from voicehost.rules.view import view

SHOWN = ("step", "table", "host", "seats", "may-say")
"""Parts of the state that are printed when they change, unless the header's ``show`` names others."""

UNWELCOME = {"refused", "unrecognised", "error"}


@dataclass(slots=True)
class Played:
    """What a transcript led to."""

    outputs: list[list[str]] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    """Those that are printed."""


def rules_of(transcript: Transcript, **overrides: Any) -> Ruleset:
    """Return the rule set with the transcript's switches."""
    switches = transcript.switches | overrides
    unknown = switches.keys() - set(SWITCHES)
    if unknown:
        raise TranscriptError(f"{transcript.name}: no such switch: {', '.join(unknown)}")
    return replace(shipped(transcript.header["rules"]), **switches)


def setup_of(transcript: Transcript, rules: Ruleset) -> Setup:
    """Return the setup that a header describes."""
    roles, deck = transcript.words("roles"), transcript.words("deck")
    setup = make_setup(
        rules,
        players=int(transcript.header["players"]) if "players" in transcript.header else None,
        mode=Mode(transcript.header.get("mode", "hosted")),
        language=transcript.header.get("language"),
        names=transcript.words("names"),
        dealing=",".join(roles) if roles else None,
    )
    return replace(setup, dealing=RANDOM, cards=tuple(deck)) if deck else setup


class Performance:
    """One transcript being played."""

    def __init__(self, transcript: Transcript, rules: Ruleset) -> None:
        self.transcript = transcript
        self.played = Played()
        self.show = set(transcript.words("show") or SHOWN)
        self._told: list[Message] = []
        self._ready: Message = {}
        self._state: dict[tuple[str, int], str] = {}
        for seat, role in enumerate(transcript.words("roles"), 1):  # the header tells them already
            self._state["seats", seat] = f"{seat}: {role}"
        self._journal = Journal.in_memory(now=lambda: 0.0)
        setup = setup_of(transcript, rules)
        self._memory = JournalMemory(self._journal, setup.to_mapping())
        course = Course(
            setup,
            words=Words(load_pack(setup.language), rules.manner),
            clock=VirtualClock(),
            tell=self._told.append,
            memory=self._memory,
            speaker=SilentSpeaker(),
            wall=lambda: 0.0,
        )
        self.conductor = Conductor(course, Trigger(TriggerKind(transcript.header.get("trigger", "open"))))

    @property
    def game(self) -> Game:
        return self.conductor.course.game

    async def play(self) -> Played:
        """Play the prelude in silence, then each line."""
        self.conductor.open()
        await self._in_silence(self.transcript.header.get("from", ""))
        self.played.outputs.append(self._changes())
        for line in self.transcript.lines:
            await self._line(line.kind, line.text)
        self._check_resume()
        self._journal.close()
        return self.played

    async def _in_silence(self, steps: str) -> None:
        for step in prelude.steps(steps):
            for command in prelude.commands(step, lambda: self.game):
                await self._prepare(command, step)
        self._ready = (messages_of(self._told, "ready") or [self._ready])[-1]
        self._told.clear()

    async def _prepare(self, command: str | Command, step: str) -> None:
        if isinstance(command, str):
            await self.conductor.handle(read_line(command))
        else:
            self.conductor.command(command, "")
            self.conductor.ready()
        wrong = [told for told in self._told if told["type"] in UNWELCOME]
        if wrong:
            raise TranscriptError(f"{self.transcript.name}: prelude «{step}»: {wrong[0]}")

    async def _line(self, kind: str, text: str) -> None:
        self._told.clear()
        output: list[str] = []
        match kind:
            case ">":
                await self.conductor.handle(read_line(text))
            case ">>":
                await self.conductor.handle(Said(text, spoken=True))
            case "~":
                await self._in_silence(text)
                output = self._changes()
            case "?":
                output = self._ask(text)
        for told in self._told:
            output += shown.message(told, seqs="seq" in self.show)
        self.played.messages += self._told
        readies = messages_of(self._told, "ready")
        if kind == ">" and (len(readies) != 1 or self._told[-1] is not readies[0]):
            raise TranscriptError(f"{self.transcript.name}: «{text}» has no single ready as its last line")
        if readies:
            self._ready = readies[-1]
            output += self._changes()
        self.played.outputs.append(output)

    def _changes(self) -> list[str]:
        """Return the parts of the state that are to be shown and have changed."""
        lines = []
        for part in SHOWN:
            now = self._parts(part)
            news = {key: text for key, text in now.items() if text != self._state.get((part, key), shown.NOTHING)}
            if part == "seats":  # before the deal nobody knows more than the table
                news = {seat: text for seat, text in news.items() if text != shown.NOTHING}
            self._state.update({(part, key): text for key, text in now.items()})
            if news and part in self.show:
                lines.append(shown.row(part.replace("-", " "), " · ".join(news.values())))
        return lines

    def _parts(self, part: str) -> dict[int, str]:
        """Return one part of the state: several texts when it is about several seats."""
        match part:
            case "step":
                return {0: shown.step(self._ready)}
            case "table":
                return {0: shown.table(view(self.game, "table"))}
            case "host":
                return {0: shown.host(view(self.game, "host"))}
            case "seats":
                return {seat: shown.seat(seat, view(self.game, seat)) for seat in self.game.seats}
            case "may-say":
                return {0: shown.may_say(self._ready)}
        raise TranscriptError(f"{self.transcript.name}: there is no {part} to ask for")

    def _ask(self, text: str) -> list[str]:
        """Return the part of the state that the reader asks for."""
        part = text.strip().replace(" ", "-")
        texts = [text for text in self._parts(part).values() if text != shown.NOTHING] or [shown.NOTHING]
        return [shown.row(part.replace("-", " "), " · ".join(texts))]

    def _check_resume(self) -> None:
        """Every transcript must be resumable where it ends: the journal gives the same game."""
        if self._memory.game is None:
            return
        course = self.conductor.course
        history, _ = replay(course.setup, self._journal.entries(self._memory.game))
        if replace(history.game, pending=None) != replace(self.game, pending=None):
            raise TranscriptError(f"{self.transcript.name}: the journal gives another game")


def messages_of(messages: Iterable[Message], kind: str) -> list[Message]:
    """Return the messages of a type."""
    return [message for message in messages if message["type"] == kind]


def play(transcript: Transcript, **switches: Any) -> Played:
    """Play a transcript, if need be with other switches; one that cannot begin shows why."""
    rules = rules_of(transcript, **switches)
    try:
        performance = Performance(transcript, rules)
    except UserError as error:
        text = message(load_pack(rules.language), error.key, **error.params)
        refused = [shown.row("cannot begin", f" «{text}»")]
        return Played([refused, *([] for _ in transcript.lines)])
    return asyncio.run(performance.play())


@cache
def played(path: Path) -> Played:
    """Play a file as it is written, once."""
    return play(load(path))


def text_of(transcript: Transcript) -> str:
    """Return the file that a transcript should be."""
    return write(transcript, play(transcript).outputs)


def main(arguments: list[str]) -> int:
    """Compare files, or write them anew; return the number of those that differ."""
    writing = "--write" in arguments
    names = {argument for argument in arguments if not argument.startswith("-")}
    different = 0
    for path in paths():
        if names and path.stem not in names:
            continue
        was = path.read_text(encoding="utf-8")
        now = text_of(load(path))
        if was == now:
            continue
        different += 1
        sys.stdout.writelines(difflib.unified_diff(was.splitlines(True), now.splitlines(True), path.name, path.name))
        if writing:
            path.write_text(now, encoding="utf-8", newline="\n")
    return different


if __name__ == "__main__":
    main(sys.argv[1:])
