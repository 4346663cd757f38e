"""The pronunciation dictionary: what an engine is given instead of words that it stresses or reads wrongly."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path

from voicehost.errors import UserError
from voicehost.tts.voice import ACCENT, Sound, Voice

FILE = "pronunciation.toml"
STRESSED = frozenset({"rhvoice", "espeak-ng"})
"""Engines that understand an accent; for the others it is taken out."""

Entries = Mapping[str, str]


class PronouncedVoice:
    """A voice that is given its lines as the dictionary says."""

    def __init__(self, voice: Voice, entries: Entries) -> None:
        """``entries``: words, or several in a row, and what is spoken instead."""
        self._voice = voice
        self._entries = {" ".join(key.casefold().split()): spoken for key, spoken in entries.items()}
        self._pattern = _pattern(self._entries)
        self.name = voice.name
        self.language = voice.language

    def render(self, text: str) -> Sound:
        """See Voice."""
        return self._voice.render(self.spoken(text))

    def spoken(self, text: str) -> str:
        """What the engine gets for a text."""
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda found: self._replaced(found[0]), text)

    def close(self) -> None:
        """See Voice."""
        self._voice.close()

    def _replaced(self, words: str) -> str:
        spoken = self._entries[" ".join(words.casefold().split())]
        return spoken[:1].upper() + spoken[1:] if words[:1].isupper() else spoken


def pronounced(voice: Voice, engine: str, language: str) -> Voice:
    """The voice with the entries for its engine, the shipped ones and the user's. Raises as ``entries_for``."""
    entries = entries_for(engine, language)
    return PronouncedVoice(voice, entries) if entries else voice


def entries_for(engine: str, language: str) -> Entries:
    """The entries for an engine and a language; those of the engine go before those of ``any``, the user's before all.

    Raises UserError tts.pronunciation-broken for the user's file.
    """
    found: dict[str, str] = {}
    for tables in (_shipped(), _users(user_file())):
        for name in ("any", engine):
            found.update(tables.get(name, {}).get(language, {}))
    if engine not in STRESSED:
        found = {key: spoken.replace(ACCENT, "") for key, spoken in found.items()}
    return {key: spoken for key, spoken in found.items() if key != spoken}


def user_file() -> Path:
    """Where the user's own entries are read from, if the file is there."""
    from platformdirs import user_config_path

    return user_config_path("voicehost", appauthor=False) / FILE


@cache
def _shipped() -> Mapping[str, Mapping[str, Entries]]:
    return tomllib.loads((resources.files(__package__) / FILE).read_text(encoding="utf-8"))


def _users(path: Path) -> Mapping[str, Mapping[str, Entries]]:
    if not path.is_file():
        return {}
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        for engine in tables.values():
            for entries in engine.values():
                if not all(isinstance(spoken, str) for spoken in entries.values()):
                    raise ValueError("text expected")
        return tables
    except (OSError, ValueError, AttributeError) as error:
        raise UserError("tts.pronunciation-broken", file=path, problem=error) from error


def _pattern(entries: Entries) -> re.Pattern[str] | None:
    if not entries:
        return None
    longest_first = sorted(entries, key=len, reverse=True)
    words = "|".join(r"\s+".join(map(re.escape, key.split())) for key in longest_first)
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)
