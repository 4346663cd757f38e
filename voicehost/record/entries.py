"""What the journal holds, as values: games, commands with their events, utterances; and their JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from voicehost.rules.events import Event

ORIGINS = ("host", "timer", "auto", "seat")
"""Who gave a command: the host's voice or keys, a timer, the program itself, a player's phone."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One command and all that followed from it; it is journalled whole or not at all.

    ``slots`` are the command's JSON slots, ``text`` is what was said or typed. ``events`` pair each event with its
    seq. ``at`` is the wall clock as unix time, ``clock`` the game's own clock, both in seconds. ``timer`` is the
    timer that ran BEFORE the command, as ``name``, ``seat``, ``left`` and ``seconds``, or None.
    """

    origin: str
    command: str
    slots: Mapping[str, Any]
    text: str | None
    events: tuple[tuple[int, Event], ...]
    at: float
    clock: float
    timer: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One game as the journal knows it.

    ``setup`` is whatever the journal was given at the start. Times are unix times; ``finished`` is None until the
    game has ended, and again when its end was undone. ``winner`` and ``reason`` are those of the end in force.
    ``entries`` counts the commands, ``last_seq`` is the seq of the last event, 0 before the first.
    """

    id: str
    created: float
    updated: float
    finished: float | None
    setup: Mapping[str, Any]
    winner: str | None
    reason: str | None
    entries: int
    last_seq: int


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something the microphone heard, kept only when the host asks for it.

    ``state`` is the step in which it was heard, ``verdict`` what became of it (heard, asked, refused, unrecognised,
    ignored), ``reason`` why (the code of a refusal). ``at`` and ``clock`` are as in an entry. ``details`` is JSON: the
    command understood, the candidates with their scores, the recogniser; ``sound`` the file with its sound.
    """

    text: str
    state: str
    verdict: str
    reason: str | None
    at: float
    clock: float
    details: Mapping[str, Any] = field(default_factory=dict)
    sound: str | None = None


def to_json(value: object) -> str:
    """Return compact JSON that SQLite can store; half characters from a broken terminal become «?»."""
    return storable(json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False))


def storable(text: str) -> str:
    """Return ``text`` with a question mark for each lone surrogate, which has no UTF-8 form."""
    return text.encode("utf-8", "replace").decode("utf-8") if _has_surrogates(text) else text


def _has_surrogates(text: str) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in text)
