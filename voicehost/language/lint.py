"""The check of ``announcements.toml``: what would be missing, wrong or dangerous when it is spoken.

A line is dangerous when it is itself a command that may be said at that moment: the microphone could hear the host.
So every line is filled with sample numbers and tried, whole and sentence by sentence, in every step in which it may
be spoken (``STEPS``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from voicehost.language.announcements import (
    DURATION,
    SETTINGS,
    SHARED_WORDS,
    Choice,
    LineError,
    Placeholder,
    Table,
    announce,
    parts_of,
)
from voicehost.language.cues import CUES, STEPS
from voicehost.language.numerals import Numerals
from voicehost.language.pack import Pack, read_toml
from voicehost.rules.ballot import Ballot
from voicehost.rules.commands import Undo
from voicehost.rules.game import Step, new_game
from voicehost.rules.legal import Legal, fits, legal
from voicehost.rules.ruleset import shipped
from voicehost.rules.switches import MANNERS

Hears = Callable[[str, str], str | None]
"""Takes a text and a step; returns the name of the command that the text is and that may be said there, or None."""

CASES = ("nominative", "genitive", "dative", "accusative", "instrumental")
COUNTING_CASES = ("nominative", "accusative")
"""The cases that a number with its noun is known in."""

SAMPLES: Mapping[str, tuple[Any, ...]] = {
    "seat": (1, 2, 5, 10),
    "count": (0, 1, 2, 5),
    "needed": (6,),
    "seconds": (10, 30, 60),
    "number": (1, 2),
    "seats": ((1,), (5, 2), (1, 3, 6)),
    "phrases": ("…",),
}
"""What every line is tried with."""

_HEADER = re.compile(r"\s*\[\s*[\"']?([^\"'\]]+?)[\"']?\s*\]")
_KEY = re.compile(r"\s*[\"']?([\w-]+)[\"']?\s*=")
_BRACES = re.compile(r"\{[^{}]*\}")
_SENTENCE = re.compile(r"[^.!?]+")
_WORD = re.compile(r"[^\W\d_]+")
_CYRILLIC = re.compile("[а-яё]", re.IGNORECASE)
_LATIN = re.compile("[a-z]", re.IGNORECASE)
_DIGIT = re.compile("[\\d\N{NUMERO SIGN}]")
_TWINS = frozenset("aceopxyABCEHKMOPTXY")
"""Latin letters that look like Cyrillic ones."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something wrong in the file, at a line that a person can go to.

    ``key`` names a sentence of the messages, as ``UserError`` does; ``params`` fill it.
    """

    file: Path
    line: int
    key: str
    params: Mapping[str, str] = field(default_factory=dict)


def check_announcements(
    path: Path, numerals: Numerals, hears: Hears | None = None, manners: Sequence[str] = MANNERS
) -> list[Finding]:
    """Return everything that is wrong with an ``announcements.toml``, in the order of its lines.

    Args:
        path: the file.
        numerals: the number words of its language.
        hears: how commands are understood; without it the lines are not tried as commands.
        manners: the manners that may override a line.

    Raises:
        UserError: the file is missing or is not TOML.
    """
    return LineCheck(path, numerals, hears, manners).run()


def hearing(pack: Pack) -> Hears:
    """Return how the commands of a pack are understood at a table where as much as possible may be said."""
    from voicehost.language.commands import parse

    @cache
    def hears(text: str, step: str) -> str | None:
        allowed = widest_legal(step)
        heard = parse(pack, text, allowed)
        if heard is None or heard.command.name not in allowed:
            return None
        return heard.command.name if fits(allowed[heard.command.name], heard.command) else None

    return hears


@cache
def widest_legal(step: str) -> Legal:
    """Return whatever may be said in a step: paused or not, with something to undo, confirm and withdraw.

    Raises:
        ValueError: there is no such step.
    """
    rules = replace(shipped("fsm"), withdrawal="by-word", outside_hint=True)
    game = replace(
        new_game(rules, 10),
        step=Step(step),
        seat=1,
        seconds=60,
        roles=("don", "mafia", "mafia", "sheriff", *["city"] * 6),
        fouls=(1,) * 10,
        ballot=Ballot((5, 2)),
        pending=Undo(),
        undoable=True,
        redoable=True,
    )
    nominated = replace(game, nominations=((1, 3),))
    return legal(replace(game, paused=True)) | legal(nominated) | legal(game)


class LineCheck:
    """Checks one file and gathers its findings."""

    def __init__(self, path: Path, numerals: Numerals, hears: Hears | None, manners: Sequence[str]) -> None:
        self.path = path
        self.numerals = numerals
        self.hears = hears
        self.manners = manners
        self.tables = read_toml(path)
        self.places = places_of(path.read_text(encoding="utf-8"))
        self.findings: list[Finding] = []

    def run(self) -> list[Finding]:
        """Check the whole file and return what is wrong, in the order of its lines."""
        sound = self.settings()
        for cue, lines in self.tables.items():
            if cue == SETTINGS:
                continue
            if cue not in CUES:
                self.tell(cue, "", "unknown-cue")
            elif not isinstance(lines, dict):
                self.tell(cue, "", "no-table")
            else:
                self.cue(cue, lines, sound)
        for cue in CUES:
            if cue not in self.tables:
                self.tell(cue, "", "missing-cue")
        return sorted(self.findings, key=lambda finding: finding.line)

    def settings(self) -> bool:
        """Check the shared words; the lines can be tried only when all are there."""
        words = self.tables.get(SETTINGS)
        words = words if isinstance(words, dict) else {}
        missing = [name for name in SHARED_WORDS if not isinstance(words.get(name), str)]
        for name in missing:
            self.tell(SETTINGS, "", "missing-word", word=name)
        wrong = [
            name for name in ("minute", "second") if name not in missing and words[name] not in self.numerals.nouns
        ]
        for name in wrong:
            self.tell(SETTINGS, name, "unknown-noun", noun=words[name], known=self.nouns)
        if "seat" not in missing and not self.known_form(words["seat"]):
            self.tell(SETTINGS, "seat", "wrong-form", place="seat", form=words["seat"])
            return False
        return not missing and not wrong

    def cue(self, cue: str, lines: Mapping[str, Any], sound: bool) -> None:
        """Check all lines of a cue."""
        if "default" not in lines:
            self.tell(cue, "", "missing-default")
        for manner, line in lines.items():
            if manner != "default" and manner not in self.manners:
                self.tell(cue, manner, "unknown-manner", known=", ".join(self.manners))
            if not isinstance(line, str):
                self.tell(cue, manner, "not-text")
                continue
            self.spelling(cue, manner, line)
            if self.places_fit(cue, manner, line) and sound:
                self.commands(cue, manner, line)

    def spelling(self, cue: str, manner: str, line: str) -> None:
        """Check the fixed text: no digits, no letters of another alphabet."""
        text = _BRACES.sub(" ", line)
        if digit := _DIGIT.search(text):
            self.tell(cue, manner, "digit", digit=digit[0])
        for word in _WORD.findall(text):
            latin = "".join(_LATIN.findall(word))
            if latin and (_CYRILLIC.search(word) or (_TWINS.issuperset(word) and _CYRILLIC.search(text))):
                self.tell(cue, manner, "look-alike", word=word, letters=latin)

    def places_fit(self, cue: str, manner: str, line: str) -> bool:
        """Check the placeholders; a line with a wrong one cannot be spoken."""
        try:
            parts = parts_of(line)
        except LineError as error:
            self.tell(cue, manner, "braces", place=error.place)
            return False
        before = len(self.findings)
        for part in parts:
            if isinstance(part, str):
                continue
            if part.name not in CUES[cue]:
                known = ", ".join(CUES[cue]) or "–"
                self.tell(cue, manner, "unknown-placeholder", place=part.name, known=known)
            elif isinstance(part, Choice):
                if part.name != "seats":
                    self.tell(cue, manner, "not-a-list", place=part.name)
            else:
                self.form(cue, manner, part)
        return len(self.findings) == before

    def form(self, cue: str, manner: str, place: Placeholder) -> None:
        """Check the form in which a placeholder wants its number."""
        kind, _, case = place.form.partition(".")
        if place.either and place.name != "seats":
            self.tell(cue, manner, "not-a-list", place=place.name)
        if (place.form or place.shift) and place.name == "phrases":
            self.tell(cue, manner, "wrong-form", place=place.name, form=place.form)
        elif kind in ("cardinal", "ordinal"):
            if not self.known_form(place.form):
                self.tell(cue, manner, "wrong-form", place=place.name, form=place.form)
        elif kind and kind != DURATION and kind not in self.numerals.nouns:
            self.tell(cue, manner, "unknown-noun", noun=kind, known=self.nouns)
        elif case and case not in COUNTING_CASES:
            self.tell(cue, manner, "wrong-form", place=place.name, form=place.form)

    def known_form(self, form: str) -> bool:
        """Tell whether the language says a form itself, or may rightly fall back from it."""
        if form in self.numerals.forms():
            return True
        match form.split("."):
            case ["cardinal" | "ordinal", case]:
                return case in CASES
            case ["cardinal" | "ordinal", case, gender]:
                return case in CASES and gender in ("feminine", "neuter")
        return False

    def commands(self, cue: str, manner: str, line: str) -> None:
        """Speak the line with every sample and try whether it is heard as a command."""
        table = Table(self.tables, self.numerals)
        for params in _samples(cue):
            try:
                text = announce(table, manner, cue, **params)
            except ValueError as error:
                self.tell(cue, manner, "unspeakable", problem=str(error))
                return
            if self.hears is None:
                continue
            for step in STEPS[cue]:
                for piece in dict.fromkeys([text, *(piece.strip() for piece in _SENTENCE.findall(text))]):
                    if command := self.hears(piece, step):
                        self.tell(cue, manner, "command", text=piece, command=command, step=step)
                        return

    @property
    def nouns(self) -> str:
        """The nouns that may be counted, for people."""
        return ", ".join(self.numerals.nouns)

    def tell(self, cue: str, manner: str, key: str, **params: str) -> None:
        """Note a finding at the line of the file where it stands."""
        line = self.places.get((cue, manner)) or self.places.get((cue, "")) or 1
        self.findings.append(Finding(self.path, line, f"announcements.{key}", {"cue": cue, "manner": manner, **params}))


def _samples(cue: str) -> Iterator[dict[str, Any]]:
    """Return parameter sets in which every sample of every parameter occurs; not their product."""
    columns = {name: SAMPLES[name] for name in CUES[cue]}
    for row in range(max((len(values) for values in columns.values()), default=1)):
        yield {name: values[row % len(values)] for name, values in columns.items()}


def places_of(source: str) -> dict[tuple[str, str], int]:
    """Return the lines at which tables ("" for the header) and their keys stand."""
    places: dict[tuple[str, str], int] = {}
    table = ""
    for number, line in enumerate(source.splitlines(), start=1):
        if header := _HEADER.match(line):
            table = header[1]
            places.setdefault((table, ""), number)
        elif key := _KEY.match(line):
            places.setdefault((table, key[1]) if table else (key[1], ""), number)
    return places
