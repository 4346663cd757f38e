"""The host's lines: a cue and its numbers become the words of a rule set's manner.

``announcements.toml`` holds one table a cue: ``default`` and overrides named by manner; an empty line is silence.
A line is fixed text with placeholders:

- ``{seat}`` a number in words, ``{seat:ordinal.genitive}`` in a form of ``numbers.toml``, ``{number-1:…}`` one less;
- ``{count:голос}`` a number with its noun, ``{count:минута.accusative}`` after a verb;
- ``{seconds:duration}`` minutes and seconds;
- ``{seats}`` a list, ``{seats/or}`` with the language's «or», each with a form as above;
- ``{seats?one|several}`` the one text for a list of one, the other for a longer one.

The table ``words`` names what all lines share: ``or``, ``minute``, ``second``, ``joint`` (between minutes and
seconds) and ``seat`` (the form of a seat's number where a line names none).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from voicehost.language.cues import CUES
from voicehost.language.numerals import Numerals

__all__ = ["CUES", "Choice", "LineError", "Placeholder", "Table", "announce", "fill", "has", "line_of", "parts_of"]

SETTINGS = "words"
"""The table of the file that is not a cue."""

SHARED_WORDS = ("or", "minute", "second", "joint", "seat")
"""What ``words`` must hold."""

DURATION = "duration"


class Speaking(Protocol):
    """What a line is made from: a ``Pack``, or a bare ``Table``."""

    @property
    def announcements(self) -> Mapping[str, Any]:
        """The parsed ``announcements.toml``."""

    @property
    def numerals(self) -> Numerals:
        """The number words of its language."""


@dataclass(frozen=True, slots=True)
class Table:
    """Lines that need not belong to a pack."""

    announcements: Mapping[str, Any]
    numerals: Numerals


class LineError(ValueError):
    """A line that cannot be read: ``place`` is the offending piece."""

    def __init__(self, place: str) -> None:
        super().__init__(f"not a placeholder: {place}")
        self.place = place


@dataclass(frozen=True, slots=True)
class Placeholder:
    """The place of a parameter in a line."""

    name: str
    shift: int = 0
    """Added to the number before it is spoken."""
    either: bool = False
    """Whether a list is joined with «or» instead of «and»."""
    form: str = ""
    """A form of ``numbers.toml``, a noun with or without a case, ``duration``, or nothing."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A text that depends on whether a list has one member or several."""

    name: str
    one: str
    several: str


Part = str | Placeholder | Choice

_BRACES = re.compile(r"\{([^{}]*)\}")
_PLACEHOLDER = re.compile(r"(?P<name>\w+?)(?P<shift>[+-]\d+)?(?P<either>/or)?(?::(?P<form>[\w.]+))?")
_CHOICE = re.compile(r"(?P<name>\w+)\?(?P<one>[^|]*)\|(?P<several>[^|]*)")
_SENTENCE_START = re.compile(r"(?:^|[.!?] +)(\w)")


def announce(pack: Speaking, manner: str, phrase: str, **params: int | Sequence[int] | str) -> str:
    """Return the words of a cue in a rule set's manner, every number spelled out; "" is silence.

    Args:
        pack: the language.
        manner: the rule set's manner; one that the pack does not know takes the default lines.
        phrase: the cue, one of ``CUES``.
        params: its parameters: whole numbers from 0 to 999, sequences of them, or ready text.

    Raises:
        KeyError: there is no such cue.
        TypeError: a parameter of the cue is missing, is not one of its parameters, or has a wrong type.
        ValueError: a number cannot be spoken.
    """
    needed = CUES[phrase]
    if set(params) != set(needed):
        raise TypeError(f"{phrase} takes {', '.join(needed) or 'nothing'}, not {', '.join(params) or 'nothing'}")
    return fill(pack, line_of(pack, manner, phrase), params)


def fill(pack: Speaking, line: str, params: Mapping[str, int | Sequence[int] | str]) -> str:
    """Return a line with its placeholders filled; raises like ``announce``."""
    words = [_say(pack, part, params) for part in parts_of(line)]
    return _SENTENCE_START.sub(lambda start: start[0][:-1] + start[1].upper(), "".join(words))


def has(pack: Speaking, manner: str, phrase: str) -> bool:
    """Tell whether the manner says anything at this cue.

    Raises:
        KeyError: there is no such cue.
    """
    return bool(line_of(pack, manner, phrase))


def line_of(pack: Speaking, manner: str, phrase: str) -> str:
    """Return the unfilled line of a cue.

    Raises:
        KeyError: there is no such cue.
    """
    if phrase not in CUES:
        raise KeyError(phrase)
    lines = pack.announcements[phrase]
    line: str = lines[manner] if manner in lines else lines["default"]
    return line


@cache
def parts_of(line: str) -> tuple[Part, ...]:
    """Return a line cut into fixed text and placeholders.

    Raises:
        LineError: braces do not match, or what they hold is no placeholder.
    """
    parts: list[Part] = []
    for index, piece in enumerate(_BRACES.split(line)):
        if index % 2:
            parts.append(_placeholder(piece))
        elif "{" in piece or "}" in piece:
            raise LineError(piece)
        elif piece:
            parts.append(piece)
    return tuple(parts)


def _placeholder(source: str) -> Placeholder | Choice:
    if choice := _CHOICE.fullmatch(source):
        return Choice(choice["name"], choice["one"], choice["several"])
    found = _PLACEHOLDER.fullmatch(source)
    if found is None:
        raise LineError(f"{{{source}}}")
    return Placeholder(found["name"], int(found["shift"] or 0), bool(found["either"]), found["form"] or "")


def _say(pack: Speaking, part: Part, params: Mapping[str, int | Sequence[int] | str]) -> str:
    if isinstance(part, str):
        return part
    if part.name not in params:
        raise TypeError(f"a line asks for {part.name}, which its cue does not have")
    value = params[part.name]
    if isinstance(part, Choice):
        if isinstance(value, int | str):
            raise TypeError(f"{part.name} must be a list to choose by")
        return part.one if len(value) == 1 else part.several
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return spoken(pack, part, value)
    numbers = [spoken(pack, part, number) for number in value]
    if len(numbers) < 2:
        return "".join(numbers)
    last = shared(pack, "or") if part.either else pack.numerals.last
    return f"{', '.join(numbers[:-1])} {last} {numbers[-1]}"


def spoken(pack: Speaking, place: Placeholder, value: int) -> str:
    """Return one number as its placeholder wants it.

    Raises:
        ValueError: there is no such form or noun, or no word for the number.
    """
    number = value + place.shift
    kind, _, case = place.form.partition(".")
    if not kind:
        return pack.numerals.spell(number, _plain_form(pack, place.name))
    if kind in ("cardinal", "ordinal"):
        return pack.numerals.spell(number, place.form)
    try:
        if kind == DURATION:
            return _duration(pack, number, case or "nominative")
        return pack.numerals.counted(number, kind, case or "nominative")
    except KeyError:
        raise ValueError(f"numbers.toml has no noun {kind}") from None


def shared(pack: Speaking, name: str) -> str:
    """Return one of the words that all lines share."""
    return str(pack.announcements[SETTINGS][name])


def _plain_form(pack: Speaking, name: str) -> str:
    return shared(pack, "seat") if name in ("seat", "seats") else "cardinal.nominative"


def _duration(pack: Speaking, seconds: int, case: str) -> str:
    minutes, rest = divmod(seconds, 60)
    words = []
    if minutes:
        words.append(pack.numerals.counted(minutes, shared(pack, "minute"), case))
    if rest or not minutes:
        words.append(pack.numerals.counted(rest, shared(pack, "second"), case))
    joint = shared(pack, "joint")
    return (f" {joint} " if joint else " ").join(words)
