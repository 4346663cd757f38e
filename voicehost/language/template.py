"""Sentence templates in Home Assistant's syntax: source text to one tree, which every walker goes over.

``выставляю [игрока] (номер|№) {seat}`` reads: words in a sequence, an optional part, alternatives, a slot filled from
the list ``seat``; ``{seat:target}`` fills the slot ``target`` from it; ``<rule>`` inserts an expansion rule; ``(a;b)``
is both in any order. Parts written without a space make one word: ``повтори[те]``. Our own addition is ``+`` after a
closing bracket: once or more, with the words of the rule ``joiner`` allowed in between («первый, третий и шестой»).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

OPENING = {"(": ")", "[": "]", "{": "}", "<": ">"}
CLOSING = frozenset(OPENING.values())

_WORD = re.compile(r"[^\W_]+")
_SPACE = re.compile(r"\s*")


@dataclass(frozen=True, slots=True)
class Word:
    """One word, as the pack spells it."""

    text: str


@dataclass(frozen=True, slots=True)
class Slot:
    """A value from the list ``source``, kept under ``name``."""

    source: str
    name: str


@dataclass(frozen=True, slots=True)
class Rule:
    """The place of an expansion rule."""

    name: str


@dataclass(frozen=True, slots=True)
class Sequence:
    """Parts one after another; none of them is the empty phrase."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several parts; an optional part offers the empty sequence as well."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Permutation:
    """All parts, in any order."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """The part once or more."""

    item: Node


Node = Word | Slot | Rule | Sequence | Choice | Permutation | Repeat

EMPTY = Sequence(())


class TemplateError(ValueError):
    """A template that cannot be read.

    ``problem`` names a sentence of the messages file ``language``; ``place`` is the offending piece of source.
    """

    def __init__(self, problem: str, place: str) -> None:
        super().__init__(f"{problem}: {place}")
        self.problem = problem
        self.place = place


def parse_template(source: str) -> Node:
    """Return the tree of one template.

    Raises:
        TemplateError: brackets do not match, a bracket is empty, or a character belongs to no template.
    """
    reader = _Reader(source)
    tree = reader.group("")
    if reader.place < len(source):
        raise TemplateError("template-bracket", source[reader.place :])
    return tree


def children(node: Node) -> tuple[Node, ...]:
    """Return the parts of a node."""
    match node:
        case Sequence(items) | Choice(items) | Permutation(items):
            return items
        case Repeat(item):
            return (item,)
        case _:
            return ()


class _Reader:
    """A recursive-descent reader over one source string."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.place = 0

    def group(self, end: str) -> Node:
        """Read up to the bracket ``end`` (or the end of the source), which is left unread."""
        branches: list[Node] = []
        separators: set[str] = set()
        while True:
            branches.append(self.sequence())
            mark = self.source[self.place : self.place + 1]
            if mark not in ("|", ";") or not mark:
                break
            separators.add(mark)
            self.place += 1
        if end and mark != end:
            raise TemplateError("template-bracket", self.source)
        if len(separators) > 1:
            raise TemplateError("template-mixed", self.source)
        if len(branches) == 1:
            return branches[0]
        return Permutation(tuple(branches)) if ";" in separators else Choice(tuple(branches))

    def sequence(self) -> Node:
        """Read parts until a separator or a closing bracket."""
        items: list[Node] = []
        while True:
            self.place = _SPACE.match(self.source, self.place).end()  # type: ignore[union-attr]  # matches anything
            mark = self.source[self.place : self.place + 1]
            if not mark or mark in "|;" or mark in CLOSING:
                break
            items.append(self.run())
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def run(self) -> Node:
        """Read one part; parts without a space between them are the pieces of words."""
        start = self.place
        parts = [self.part()]
        while (mark := self.source[self.place : self.place + 1]) and not (
            mark.isspace() or mark in "|;" or mark in CLOSING
        ):
            parts.append(self.part())
        if len(parts) == 1:
            return parts[0]
        phrases = dict.fromkeys(" ".join(phrase.split()) for phrase in _spellings(self.source[start : self.place]))
        return Choice(tuple(_words(phrase) for phrase in phrases)) if len(phrases) > 1 else _words(*phrases)

    def part(self) -> Node:
        """Read a word or a bracket."""
        mark = self.source[self.place]
        if mark not in OPENING:
            word = _WORD.match(self.source, self.place)
            if word is None:
                raise TemplateError("template-character", mark)
            self.place = word.end()
            return Word(word[0].lower())
        self.place += 1
        node = self.name(mark) if mark in "{<" else self.group(OPENING[mark])
        self.place += 1
        if mark in "([" and node == EMPTY:
            raise TemplateError("template-empty", self.source)
        if self.source[self.place : self.place + 1] == "+":
            self.place += 1
            node = Repeat(node)
        return Choice((node, EMPTY)) if mark == "[" else node

    def name(self, mark: str) -> Node:
        """Read the name inside ``{…}`` or ``<…>``; the closing bracket is left unread."""
        end = self.source.find(OPENING[mark], self.place)
        if end < 0:
            raise TemplateError("template-bracket", self.source)
        name = self.source[self.place : end].strip()
        self.place = end
        source, colon, slot = name.partition(":")
        if not source.isidentifier() or (colon and not slot.isidentifier()) or (colon and mark == "<"):
            raise TemplateError("template-name", name)
        return Rule(source) if mark == "<" else Slot(source, slot or source)


def _words(phrase: str) -> Node:
    words = tuple(Word(word.lower()) for word in phrase.split())
    return words[0] if len(words) == 1 else Sequence(words)


def _spellings(source: str) -> list[str]:
    """Return every text that a piece of source without slots and rules stands for."""
    texts, place = _spelled_group(source, 0)
    if place < len(source):
        raise TemplateError("template-bracket", source)
    return texts


def _spelled_group(source: str, place: int) -> tuple[list[str], int]:
    done: list[str] = []
    texts = [""]
    while place < len(source) and source[place] not in ")]":
        mark = source[place]
        place += 1
        if mark in "([":
            inner, place = _spelled_group(source, place)
            place += 1
            texts = [text + piece for text in texts for piece in (inner if mark == "(" else ["", *inner])]
        elif mark == "|":
            done += texts
            texts = [""]
        elif mark in "{<;+":
            raise TemplateError("template-glued", source)
        else:
            texts = [text + mark for text in texts]
    return done + texts, place
