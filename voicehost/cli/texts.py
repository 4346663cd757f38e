"""Interface sentences in the user's language."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from voicehost.language.pack import Pack

DEFAULT_LANGUAGE = "ru"

_language = DEFAULT_LANGUAGE


def set_language(arguments: Sequence[str]) -> None:
    """Choose the language of the interface: ``--language``, VOICEHOST_LANG, the locale, else Russian."""
    global _language
    wanted = os.environ.get("VOICEHOST_LANG") or ""
    for i, word in enumerate(arguments):
        if word == "--language" and i + 1 < len(arguments):
            wanted = arguments[i + 1]
        elif word.startswith("--language="):
            wanted = word.partition("=")[2]
    if not wanted:
        locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
        wanted = locale[:2].lower()
    _language = wanted if wanted in {"ru", "bg"} else DEFAULT_LANGUAGE


def language() -> str:
    """Return the language of the interface."""
    return _language


def pack() -> Pack:
    """Return the phrase pack of the interface's language."""
    from voicehost.language.pack import load_pack

    return load_pack(_language)


def interface(key: str, **params: object) -> str:
    """Return an interface sentence."""
    from voicehost.language.messages import message

    return message(pack(), key, **params)
