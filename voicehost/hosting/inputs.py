"""A typed line as what it means: an utterance, or one of the ``/`` lines of the text mode."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from voicehost.rules.commands import Command

MAX_WAIT = 86_400.0
"""Longest ``/wait`` in seconds: a day."""

PHONE_VERBS = {"join": 1, "choose": 1, "nominate": 1, "confirm": 0, "tap": 0, "vote": 0, "done": 0}
"""What ``/seat N`` may do, with the number of words that follow."""


@dataclass(frozen=True, slots=True)
class Said:
    """An utterance: typed, or heard by a microphone (``spoken``), which may have had other readings in mind.

    ``began`` is when, on the machine's monotonic clock; ``over_voice``: while the program itself was speaking.
    """

    text: str
    spoken: bool = False
    alternatives: tuple[str, ...] = ()
    utterance: Any = field(default=None, compare=False, repr=False)
    """What the recogniser knows of it, for the transcript."""
    began: float | None = None
    over_voice: bool = False


@dataclass(frozen=True, slots=True)
class Overheard:
    """An utterance that was dropped because the program itself was to be heard in it."""

    utterance: Any


@dataclass(frozen=True, slots=True)
class Nothing:
    """An empty line."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Let time pass: so many seconds, or (None) until the running timer elapses."""

    seconds: float | None


@dataclass(frozen=True, slots=True)
class Look:
    """Show the game as ``table``, ``host`` or a seat sees it."""

    of: str | int


@dataclass(frozen=True, slots=True)
class Quit:
    """Save and leave."""


@dataclass(frozen=True, slots=True)
class Phone:
    """A player's phone does something; ``word`` is a number or a name, as typed."""

    seat: int
    verb: str
    word: str = ""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button of the host's page: a command, and the words that stand for it in the journal."""

    command: Command
    text: str


@dataclass(frozen=True, slots=True)
class Asked:
    """An input of a page, which is told when it has been dealt with."""

    item: Phone | Pressed
    done: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Skip:
    """End what is being said, if it is no official formula."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """A ``/`` line that means nothing; ``key`` names the sentence that says why."""

    text: str
    key: str


@dataclass(frozen=True, slots=True)
class Passed:
    """So many seconds of a recording have gone by."""

    seconds: float


@dataclass(frozen=True, slots=True)
class MicrophoneGone:
    """The microphone was lost."""


@dataclass(frozen=True, slots=True)
class MicrophoneBack:
    """The microphone is there again."""


Input = (
    Said
    | Overheard
    | Nothing
    | Wait
    | Look
    | Quit
    | Skip
    | Phone
    | Pressed
    | Asked
    | Unclear
    | Passed
    | MicrophoneGone
    | MicrophoneBack
)


def read_line(line: str) -> Input:
    """Return what a typed line means; never raises."""
    text = line.strip().lstrip("\ufeff")
    if not text:
        return Nothing()
    if not text.startswith("/"):
        return Said(text)
    verb, *words = text[1:].split() or [""]
    match verb.lower(), words:
        case "quit", []:
            return Quit()
        case "skip", []:
            return Skip()
        case "wait", [amount]:
            return _wait(text, amount)
        case "view", [("table" | "host") as of]:
            return Look(of)
        case "view", ["seat", number]:
            seat = _number(number)
            return Unclear(text, "hosting.bad-seat") if seat is None else Look(seat)
        case "seat", [number, action, *rest]:
            return _phone(text, number, action.lower(), rest)
    return Unclear(text, "hosting.bad-line")


def _wait(text: str, amount: str) -> Input:
    if amount.lower() == "end":
        return Wait(None)
    try:
        seconds = float(amount.replace(",", "."))
    except ValueError:
        return Unclear(text, "hosting.bad-wait")
    return Wait(seconds) if 0 <= seconds <= MAX_WAIT else Unclear(text, "hosting.bad-wait")


def _number(word: str) -> int | None:
    return int(word) if word.isascii() and word.isdigit() and len(word) < 4 else None


def _phone(text: str, number: str, action: str, rest: list[str]) -> Input:
    seat = _number(number)
    if seat is None:
        return Unclear(text, "hosting.bad-seat")
    wanted = PHONE_VERBS.get(action)
    if action == "join" and rest:
        return Phone(seat, action, " ".join(rest)[:40])
    if wanted is None or len(rest) != wanted:
        return Unclear(text, "hosting.bad-phone")
    if wanted and _number(rest[0]) is None:
        return Unclear(text, "hosting.bad-seat")
    return Phone(seat, action, rest[0] if rest else "")
