"""Which words of a pack a recogniser knows, and which commands can still be said with them.

A recogniser drops an unknown word from its grammar in silence, so every word is asked for beforehand. Dictionaries
differ in ё and е: either spelling will do, and the known one is what the recogniser must be given.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from voicehost.language.commands import covering
from voicehost.language.normal import fold
from voicehost.language.template import Slot
from voicehost.rules.commands import COMMANDS
from voicehost.rules.legal import Allowed

if TYPE_CHECKING:
    from voicehost.language.pack import Pack

Known = Container[str] | Callable[[str], bool]
"""A recogniser's vocabulary: a set of words, or a function that tells whether it knows one."""

SEATS = tuple(range(1, 21))
HANDS = tuple(range(21))


@dataclass(frozen=True, slots=True)
class PackWord:
    """A word of a pack, where it stands first, and the commands that use it."""

    word: str
    file: Path
    line: int
    commands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Voice:
    """What a recogniser's vocabulary leaves of one command."""

    command: str
    phrases: tuple[str, ...]
    """The phrases that can be heard, in the recogniser's own spelling."""
    lost: int
    """How many phrases cannot."""
    silent: tuple[int, ...]
    """Numbers (seats of a table for twenty, hands, seconds) that no phrase of the command can name."""


def words(pack: Pack) -> list[PackWord]:
    """Return every word that recognisers should know, with the place where it is first written."""
    book = pack.commands
    places: dict[str, tuple[Path, int]] = {}
    users: dict[str, dict[str, None]] = {}
    for positions in pack.graph.templates:
        template = positions.template
        if not template.prompt:
            continue
        for label in positions.labels[1:]:
            if isinstance(label, Slot):
                source = book.lists[label.source]
                named = [(word, source.line) for value in source.values if value.expected for word in value.words]
            else:
                named = [(label.text, template.line)]
            for word, line in named:
                places.setdefault(word, (book.file, line))
                users.setdefault(word, {})[template.command] = None
    return [PackWord(word, *place, tuple(users[word])) for word, place in places.items()]


def unknown_words(pack: Pack, known: Known) -> list[PackWord]:
    """Return the words of the pack that a recogniser does not know in any spelling."""
    return [entry for entry in words(pack) if spelling(entry.word, known) is None]


def spelling(word: str, known: Known) -> str | None:
    """Return the word as the recogniser spells it: itself, with е for ё, or with ё for one е; None if unknown."""
    knows = known if callable(known) else known.__contains__
    return next((form for form in _spellings(word) if knows(form)), None)


def spoken(phrases: Iterable[str], known: Known) -> list[str]:
    """Return those phrases of which every word is known, in the recogniser's spelling."""
    spelled: dict[str, str | None] = {}
    kept: dict[str, None] = {}
    for phrase in phrases:
        for word in phrase.split():
            if word not in spelled:
                spelled[word] = spelling(word, known)
        forms = [spelled[word] for word in phrase.split()]
        if None not in forms:
            kept[" ".join(form for form in forms if form is not None)] = None
    return list(kept)


def sayable(pack: Pack, known: Known) -> dict[str, Voice]:
    """Return what can be said of each command; one without phrases cannot be given by voice at all."""
    phrases: dict[str, dict[str, set[int]]] = {name: {} for name, command in COMMANDS.items() if command.spoken}
    for phrase, command in covering(pack, everything()):
        phrases[command.name].setdefault(phrase, set()).update(_numbers(command.slots().values()))
    return {name: _voice(name, found, known) for name, found in phrases.items()}


def everything() -> dict[str, Allowed]:
    """Return every spoken command as if all of them might be said at once, at a table for twenty."""
    return {
        name: Allowed(name, SEATS, SEATS, HANDS, 3 if name == "best-move" else None)
        for name, command in COMMANDS.items()
        if command.spoken
    }


def _voice(command: str, found: dict[str, set[int]], known: Known) -> Voice:
    heard = {phrase: forms[0] for phrase in found if (forms := spoken([phrase], known))}
    all_seats = set().union(*found.values())
    seats = set().union(*(found[phrase] for phrase in heard))
    return Voice(command, tuple(heard.values()), len(found) - len(heard), tuple(sorted(all_seats - seats)))


def _numbers(values: Iterable[object]) -> Iterator[int]:
    for value in values:
        if isinstance(value, int):
            yield value
        elif isinstance(value, list):
            yield from value


def _spellings(word: str) -> Iterator[str]:
    yield word
    folded = fold(word)
    yield folded
    for place, letter in enumerate(folded):
        if letter == "е":
            yield f"{folded[:place]}ё{folded[place + 1 :]}"
