"""``play --keep-heard`` and ``--keep-audio``: what was heard goes into the journal, its sound into a folder."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from voicehost.cli.texts import interface
from voicehost.errors import UserError
from voicehost.hosting.transcript import Transcript, Verdict, may_be_kept, situation_of
from voicehost.record.entries import Utterance
from voicehost.rules.game import Game

if TYPE_CHECKING:
    from voicehost.cli.memory import JournalMemory
    from voicehost.cli.play import Options
    from voicehost.hosting.conductor import Conductor
    from voicehost.record.journal import Journal
    from voicehost.rules.commands import Command
    from voicehost.stt.keeping import KeptRecordings
    from voicehost.stt.recogniser import Recogniser

MOST_CANDIDATES = 8
"""Candidates of one utterance that are kept."""

COMPUTING = 1.0
"""Seconds that a recogniser may take over an utterance."""

CANDIDATE_FIELDS = ("text", "score", "confidence")


class JournalTranscript(Transcript):
    """Writes down everything that is heard. A disk that refuses ends the transcript, never the game."""

    def __init__(
        self,
        journal: Journal,
        memory: JournalMemory,
        now: Callable[[], float],
        recogniser: tuple[str, str],
        recordings: KeptRecordings | None = None,
    ) -> None:
        """Write into the game of ``memory``; ``now`` is the game's clock, ``recogniser`` its name and model."""
        self._journal = journal
        self._memory = memory
        self._now = now
        self._recogniser = recogniser
        self._recordings = recordings
        self._waiting: list[Utterance] = []
        self._failed = False
        self._secret = float("-inf")
        """The last moment at which nothing might be kept."""
        self._shut = False

    def stands(self, game: Game) -> None:
        """Note when the game was where nothing may be kept: what began then ends later."""
        shut, self._shut = self._shut, not may_be_kept(game)
        if shut or self._shut:
            self._secret = self._now()

    def keep(self, utterance: Any, before: Game, verdict: Verdict) -> None:
        """Write one utterance with what became of it."""
        began = self._now() - (utterance.endpoint - utterance.began) - COMPUTING
        if self._failed or not may_be_kept(before) or began <= self._secret:
            return
        try:
            self._waiting.append(self._row(utterance, before, verdict))
            if self._memory.game is not None:  # a game begins with its first command
                for row in self._waiting:
                    self._journal.heard(self._memory.game, row)
                self._waiting.clear()
        except UserError as error:
            self._failed = True
            why = interface(error.key, **error.params)
            click.echo(click.style(interface("games.transcript-ended", why=why), dim=True), err=True)

    def _row(self, heard: Any, before: Game, verdict: Verdict) -> Utterance:
        sound = None
        if self._recordings is not None and heard.sound:
            sound = self._recordings.add(heard.sound)
            named = _in_a_manifest(before, verdict)
            if named is not None:
                state, command = named
                slots = {} if command is None else command.slots()
                name = None if command is None else command.name
                self._recordings.note(sound, heard.text, name, slots, state, verdict.what)
        name, model = self._recogniser
        candidates = [
            dict(zip(CANDIDATE_FIELDS, (other.text, _rounded(other.score), _rounded(other.confidence)), strict=True))
            for other in heard.candidates[:MOST_CANDIDATES]
        ]
        command = verdict.command
        details = {
            "command": None if command is None else command.name,
            "slots": {} if command is None else command.slots(),
            "confidence": _rounded(heard.confidence),
            "alternatives": list(heard.alternatives),
            "candidates": candidates,
            "seconds": _rounded(heard.ended - heard.began),
            "recogniser": name,
            "model": model,
        }
        return Utterance(
            text=heard.text,
            state=str(before.step),
            verdict=verdict.what,
            reason=verdict.reason or _why_not(heard, verdict),
            at=time.time(),
            clock=self._now(),
            details=details,
            sound=None if sound is None else str(sound),
        )


def open_recordings(folder: Path | None) -> KeptRecordings | None:
    """Return the folder for the sounds, if one was asked for.

    Raises:
        UserError: it cannot be used.
    """
    if folder is None:
        return None
    from voicehost.stt.keeping import KeptRecordings

    return KeptRecordings(folder)


def keep_transcript(
    options: Options,
    journal: Journal,
    memory: JournalMemory,
    conductor: Conductor,
    recogniser: Recogniser | None,
    recordings: KeptRecordings | None,
) -> None:
    """Let a game write its transcript, if that was asked for and it hears anything."""
    if recogniser is not None and (options.keep_heard or recordings is not None):
        now = conductor.course.clock.now
        names = recogniser.name, recogniser.model
        conductor.transcript = JournalTranscript(journal, memory, now, names, recordings)


def _why_not(heard: Any, verdict: Verdict) -> str | None:
    """Why an utterance was no command."""
    from voicehost.stt.recogniser import UNKNOWN

    if verdict.what != "unrecognised":
        return None
    if UNKNOWN not in heard.text:
        return "no-command"
    sure = any(other.confidence is not None for other in heard.candidates)
    return "below-threshold" if sure and heard.text == UNKNOWN else "talk"


def _in_a_manifest(before: Game, verdict: Verdict) -> tuple[str, Command | None] | None:
    """The moment and the command under which ``evaluate`` can judge this; None: it cannot.

    What was refused because it may not be said now must not be taken for a command there either.
    """
    from voicehost.rules.legal import fits
    from voicehost.rules.situations import SITUATIONS, legal_in

    usual, command = situation_of(before), verdict.command
    if verdict.what == "ignored":
        return None
    if command is None or verdict.what == "unrecognised":
        return usual, None
    for state in dict.fromkeys((usual, "any", *SITUATIONS)):
        allowed = legal_in(state).get(command.name)
        if allowed is not None and fits(allowed, command):
            return state, command
        if verdict.reason == "not-now" and state == usual:
            return usual, None
    return None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(float(value), 3)
