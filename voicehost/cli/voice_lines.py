"""Which lines a voice pack is made of: those of a rule set, a language, a style and the players' names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from voicehost.hosting.repertoire import Said
    from voicehost.hosting.words import Words
    from voicehost.rules.ruleset import Ruleset


def all_lines(
    rules: str, language: str | None, players: int | None, style: str, names: str | None
) -> tuple[str, list[Said]]:
    """Return the language and everything that may be said.

    Raises:
        UserError: there is no such rule set or style.
    """
    from voicehost.hosting.repertoire import repertoire

    found, words, seats = _words(rules, language, players, style, names)
    return words.pack.language, repertoire(words, found, seats)


def most_needed(rules: str, language: str | None, players: int | None, style: str, names: str | None) -> list[str]:
    """Return the lines that must sound at once. Raises as ``all_lines``."""
    from voicehost.hosting.repertoire import essential

    found, words, seats = _words(rules, language, players, style, names)
    return essential(words, found, seats)


def _words(
    rules: str, language: str | None, players: int | None, style: str, names: str | None
) -> tuple[Ruleset, Words, int]:
    from voicehost.cli.options import load_rules
    from voicehost.hosting.words import Words
    from voicehost.language.pack import load_pack
    from voicehost.language.styles import load_style

    found = load_rules(rules)
    pack = load_pack(language or found.language)
    words = Words(pack, found.manner, load_style(pack, style))
    called = [name.strip() for name in names.split(",")] if names else []
    words.call_by(lambda seat: called[seat - 1] or None if seat <= len(called) else None)
    seats = players or min(max(10, found.players_min, len(called)), found.players_max)
    return found, words, seats
