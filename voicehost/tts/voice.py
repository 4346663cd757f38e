"""What a voice is: text in, PCM out, and one way to fail."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

ACCENT = "\N{COMBINING ACUTE ACCENT}"
"""Stresses the vowel before it."""

_UNSPOKEN = ("Cc", "Cs", "Co", "Cn", "So", "Sk", "Zl", "Zp")
_JOINED = ("Cf", "Mn", "Me")
_SECONDS_BASE = 2.5
_SECONDS_PER_CHARACTER = 0.06


@dataclass(frozen=True, slots=True)
class Sound:
    """Speech as int16 little-endian mono samples; ``rate`` in Hz."""

    pcm: bytes
    rate: int

    @property
    def seconds(self) -> float:
        """How long it sounds."""
        return len(self.pcm) / 2 / self.rate


class VoiceFailed(Exception):
    """A voice did not render a line.

    ``why`` is one of: hung (killed after its time), died (ended without a result), silent (no sound, or far too short
    for the text), refused (the engine said no), missing (not installed after all). ``tts.failed-WHY`` explains it.
    """

    def __init__(self, voice: str, why: str, detail: str = "") -> None:
        super().__init__(f"{voice}: {why}{': ' + detail if detail else ''}")
        self.voice = voice
        self.why = why
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an engine cannot be used: a message key such as ``tts.festival-missing`` and its parameters."""

    key: str
    params: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class VoiceInfo:
    """One voice that is installed here.

    ``name`` is what ``--voice`` takes, ``ENGINE:VOICE``; ``ident`` is the engine's own word for it. ``licence`` is an
    SPDX name, "system" for voices of the operating system, or "" when unknown. ``intelligible`` is false for voices
    that people hardly understand. ``note`` is a message key or "". Higher ``quality`` is chosen first.
    """

    name: str
    engine: str
    language: str
    licence: str
    intelligible: bool
    note: str
    quality: int
    ident: str


class Voice(Protocol):
    """Something that can say a line."""

    @property
    def name(self) -> str:
        """The name it is chosen by."""

    @property
    def language(self) -> str:
        """Language code, such as ``ru``."""

    def render(self, text: str) -> Sound:
        """Text to sound, blocking; safe to call from several threads. Raises VoiceFailed."""

    def close(self) -> None:
        """End every process it keeps. It may be used again, and then starts anew."""


class Engine(Protocol):
    """A family of voices made by one program or library."""

    @property
    def name(self) -> str:
        """Short name, the part of a voice's name before the colon."""

    def available(self) -> Reason | None:
        """None when it can be used here, else why not."""

    def voices(self, language: str) -> Sequence[VoiceInfo]:
        """The installed voices for a language, best first; empty when the engine is not available."""

    def open(self, info: VoiceInfo) -> Voice:
        """A voice to speak with; nothing is started before its first line."""


def speakable(text: str, *, stressed: bool = False) -> str:
    r"""One line without what no engine can say: control characters, emoji; «№» becomes a word.

    Accents go too, but for engines that understand them (``stressed``).

    >>> speakable('Игрок\n№ 5 🎲')
    'Игрок номер 5'
    """
    text = unicodedata.normalize("NFC", text).replace("№", " номер ")
    kept = []
    for character in text:
        category = unicodedata.category(character)
        if category not in _JOINED or (stressed and character == ACCENT):
            kept.append(" " if category in _UNSPOKEN else character)
    return " ".join("".join(kept).split())


def has_words(text: str) -> bool:
    """Whether there is a letter or a digit to pronounce."""
    return any(c.isalnum() for c in text)


def time_limit(text: str, start: float = 0.0) -> float:
    """Seconds after which an engine that is still busy with ``text`` counts as hung.

    Speech takes about 0.07 s a character, so an engine as slow as speech itself still passes. ``start`` is what the
    engine may need to load before its first line.
    """
    return start + _SECONDS_BASE + _SECONDS_PER_CHARACTER * len(text)
