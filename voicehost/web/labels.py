"""The words on the pages, one file a language."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

LANGUAGES = ("ru", "bg", "en")


COMMISSAR = frozenset({"club", "virtual"})
"""Manners in which the Sheriff is called commissar in Russian; in Bulgarian he always is."""


@cache
def labels(language: str, manner: str = "") -> Mapping[str, str]:
    """Return all labels of a language, in a rule set's manner; Russian for a language that is not there."""
    name = language if language in LANGUAGES else LANGUAGES[0]
    text = files("voicehost.web").joinpath("labels", f"{name}.toml").read_text(encoding="utf-8")
    found = {key: str(value) for key, value in tomllib.loads(text).items()}
    if name == "ru" and manner in COMMISSAR:
        return {key: text.replace("Шериф", "Комиссар").replace("шериф", "комиссар") for key, text in found.items()}
    return found


def choose(asked: str | None, accepted: str, fallback: str, *, personal: bool) -> str:
    """Return a page's language: the one asked for, a person's own on his phone, else the game's."""
    if asked in LANGUAGES:
        return asked
    if personal:
        for part in accepted.split(","):
            language = part.partition(";")[0].strip()[:2].lower()
            if language in LANGUAGES:
                return language
    return fallback if fallback in LANGUAGES else LANGUAGES[0]
