"""From words to a command, and from what may be said now to the phrases that a recogniser should expect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any

from voicehost.language.graph import Slots
from voicehost.language.normal import normalise, tokens
from voicehost.language.pack import Pack
from voicehost.rules.commands import COMMANDS, Command, command_from

if TYPE_CHECKING:
    from voicehost.language.automaton import Automaton
    from voicehost.language.book import Template
    from voicehost.rules.legal import Legal

__all__ = ["Heard", "automaton", "covering_phrases", "examples", "normalise", "parse"]

LONGEST = 2_000
"""Characters; a longer text is no utterance."""
MOST_WORDS = 60
"""Words; the longest command, with every seat of a large table named, has fewer."""


@dataclass(frozen=True, slots=True)
class Heard:
    """An utterance that was understood."""

    command: Command
    text: str
    """As it was recognised or typed."""


def parse(pack: Pack, text: str, legal: Legal | None = None, *, beyond: bool = False) -> Heard | None:
    """Return the command that the whole utterance is, or None when it is not a command.

    Case, punctuation, ё, digits for words and filler words do not matter; a left-over word does. Every command of the
    pack is understood at any time. ``legal`` only decides when the words fit several commands: one that may be said
    now wins. Never raises, whatever the text. ``beyond`` understands seats that no table has (0, 21 and more) as well.
    """
    if len(text) > LONGEST:
        return None
    words = tokens(text)
    graph = pack.wide_graph if beyond else pack.graph
    if len(words) > MOST_WORDS or any(word not in graph.vocabulary and not word.isdecimal() for word in words):
        return None
    commands = [command for found in graph.walk(words) if (command := build(*found)) is not None]
    if not commands:
        return None
    if legal is not None and len(commands) > 1:
        commands.sort(key=lambda command: _rank(command, legal))
    return Heard(commands[0], text)


def covering_phrases(pack: Pack, legal: Legal) -> list[str]:
    """Return the phrases that a recogniser should expect now: together they hold every wording, word pair and value.

    Every phrase is in small letters, in words only, with ё as the pack spells it, and parses back to its command. Each
    template comes with each seat once while its other slots keep one value: a sum, where the product would be millions.
    The filler words come before and behind one of the phrases, so that a recogniser has heard of them.
    """
    phrases = dict.fromkeys(phrase for phrase, _ in covering(pack, legal))
    for example in list(examples(pack, legal).values())[:1]:
        for filler in pack.commands.skip:
            phrases[f"{filler} {example}"] = phrases[f"{example} {filler}"] = None
    return list(phrases)


def covering(pack: Pack, legal: Legal) -> Iterator[tuple[str, Command]]:
    """Yield the covering phrases with the command that each one is."""
    from voicehost.language.sayable import sayables

    for sayable in sayables(pack, legal):
        for phrase, slots in sayable.phrases():
            yield phrase, command_from(sayable.template.command, slots)


def examples(pack: Pack, legal: Legal) -> dict[str, str]:
    """Return one taught wording for each command that may be said now: the first template's shortest phrase."""
    from voicehost.language.sayable import sayables

    taught: dict[str, str] = {}
    for sayable in sayables(pack, legal):
        if sayable.template.command not in taught:
            taught[sayable.template.command] = sayable.example()
    return {name: taught[name] for name in legal if name in taught}


def automaton(pack: Pack, legal: Legal, *, digits: bool = False) -> Automaton:
    """Return all that may be said now as an automaton over words; ``digits`` admits numbers in digits as well."""
    from voicehost.language.automaton import Automaton

    return Automaton(pack, legal, digits=digits)


def build(template: Template, said: Slots) -> Command | None:
    """Return the command of a matched template, or None when its slots do not make one (two seats for one)."""
    many = many_slots(template.command)
    slots: dict[str, Any] = dict(template.fixed)
    for name, value in said:
        if name in many:
            slots[name] = (*slots.get(name, ()), value)
        elif name in slots:
            return None
        else:
            slots[name] = value
    try:
        return command_from(template.command, slots)
    except (KeyError, TypeError):
        return None


@cache
def many_slots(command: str) -> frozenset[str]:
    """Return the slots of a command that hold several values."""
    return frozenset(field.name for field in _fields(command) if str(field.type).startswith("tuple"))


@cache
def slot_names(command: str) -> Mapping[str, bool]:
    """Return the slots of a command and whether each must be given."""
    return {field.name: field.default is MISSING for field in _fields(command)}


def _fields(command: str) -> tuple[Any, ...]:
    return fields(COMMANDS[command]) if command in COMMANDS else ()


def _rank(command: Command, legal: Legal) -> int:
    from voicehost.rules.legal import fits

    allowed = legal.get(command.name)
    return 2 if allowed is None else int(not fits(allowed, command))
