"""The templates as one graph of word positions, which the parser, the phrase maker and the automaton walk.

Every word or slot of a template is a position; an edge leads to each position that may follow (Glushkov's
construction, so there are no empty edges and an edge is exactly a pair of neighbouring words). Position 0 is the
start of every template.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

from voicehost.errors import UserError
from voicehost.language.book import JOINER, CommandBook, Template, Value, WordList
from voicehost.language.normal import fold
from voicehost.language.template import (
    Choice,
    Node,
    Permutation,
    Repeat,
    Rule,
    Slot,
    Word,
)
from voicehost.language.template import (
    Sequence as Series,
)

START = 0
MOST_POSITIONS = 2_000
"""The positions that one template may have; nested permutations and rules could ask for millions."""

Slots = tuple[tuple[str, Any], ...]
"""The slots filled so far, in the order in which they were said."""


class GraphError(ValueError):
    """A template that cannot be compiled; ``problem`` names a sentence of the messages file ``language``."""

    def __init__(self, problem: str, place: str) -> None:
        super().__init__(f"{problem}: {place}")
        self.problem = problem
        self.place = place


@dataclass(slots=True)
class Piece:
    """A part of a template under construction."""

    first: list[int] = field(default_factory=list)
    last: list[int] = field(default_factory=list)
    empty: bool = True
    """Whether the part may be left out."""


class Positions:
    """The positions of one template and what may follow each."""

    def __init__(self, template: Template, book: CommandBook) -> None:
        """Compile one template.

        Raises:
            GraphError: it names a list or rule that is not there, a rule contains itself, or it is far too large.
        """
        self.template = template
        self.labels: list[Word | Slot] = [Word("")]
        self.follow: list[dict[int, None]] = [{}]
        self._book = book
        self._open: list[str] = []
        whole = self._piece(template.tree)
        if whole.empty:
            raise GraphError("template-empty", template.source)
        self.follow[START] = dict.fromkeys(whole.first)
        self.final = frozenset(whole.last)

    def _piece(self, node: Node) -> Piece:
        match node:
            case Word() | Slot():
                return self._position(node)
            case Series(items):
                return self._series(items)
            case Choice(items):
                pieces = [self._piece(item) for item in items]
                return Piece(
                    [place for piece in pieces for place in piece.first],
                    [place for piece in pieces for place in piece.last],
                    any(piece.empty for piece in pieces),
                )
            case Permutation(items):
                return self._piece(Choice(tuple(Series(order) for order in permutations(items))))
            case Repeat(item):
                return self._repeat(item)
            case Rule(name):
                return self._rule(name)

    def _position(self, label: Word | Slot) -> Piece:
        if isinstance(label, Slot) and label.source not in self._book.lists:
            raise GraphError("unknown-list", label.source)
        if len(self.labels) >= MOST_POSITIONS:
            raise GraphError("template-large", self.template.source)
        place = len(self.labels)
        self.labels.append(label)
        self.follow.append({})
        return Piece([place], [place], empty=False)

    def _series(self, items: Iterable[Node]) -> Piece:
        whole = Piece()
        for item in items:
            piece = self._piece(item)
            self._join(whole.last, piece.first)
            whole.first += piece.first if whole.empty else []
            whole.last = piece.last + (whole.last if piece.empty else [])
            whole.empty = whole.empty and piece.empty
        return whole

    def _repeat(self, item: Node) -> Piece:
        piece = self._piece(item)
        self._join(piece.last, piece.first)
        if JOINER in self._book.rules:
            between = self._rule(JOINER)
            self._join(piece.last, between.first)
            self._join(between.last, piece.first)
        return piece

    def _rule(self, name: str) -> Piece:
        rule = self._book.rules.get(name)
        if rule is None:
            raise GraphError("unknown-rule", name)
        if name in self._open:
            raise GraphError("rule-in-itself", name)
        self._open.append(name)
        piece = self._piece(rule.tree)
        self._open.pop()
        return piece

    def _join(self, last: Iterable[int], first: Iterable[int]) -> None:
        for place in last:
            self.follow[place].update(dict.fromkeys(first))


@dataclass(frozen=True, slots=True)
class SpokenList:
    """A word list, indexed for matching."""

    by_word: Mapping[str, tuple[tuple[tuple[str, ...], Any], ...]]
    """By the first word, folded: the other words and the value."""
    digits: Mapping[int, Any]
    values: tuple[Value, ...]

    def match(self, tokens: Sequence[str], place: int, skip: frozenset[str]) -> Iterable[tuple[int, Any]]:
        """Yield the place behind each value that stands at ``place``, and the value; words to skip may be inside."""
        token = tokens[place]
        for rest, value in self.by_word.get(token, ()):
            end = place + 1
            for word in rest:
                while end < len(tokens) and tokens[end] != word and tokens[end] in skip:
                    end += 1
                if end == len(tokens) or tokens[end] != word:
                    break
                end += 1
            else:
                yield end, value
        if self.digits and token.isdecimal() and len(token) <= 3 and int(token) in self.digits:
            yield place + 1, self.digits[int(token)]


class Graph:
    """All templates of a book as one graph; the parser walks it, one word at a time."""

    def __init__(self, book: CommandBook) -> None:
        """Compile every template.

        Raises:
            UserError: a template cannot be compiled; told with file and line.
        """
        self._numbers = book.numbers
        self.skip = frozenset(fold(word) for word in book.skip)
        self.lists = {name: spoken_list(values) for name, values in book.lists.items()}
        self.templates = tuple(_compiled(template, book) for template in book.templates)
        self.words: list[dict[str, list[int]]] = [{}]
        """By position: the positions after it by their word, folded."""
        self.slots: list[list[tuple[str, list[tuple[str, int]]]]] = [[]]
        """By position: the slots after it, as (list, [(slot, position)])."""
        self.final: list[Template | None] = [None]
        """By position: the template that may end there."""
        for positions in self.templates:
            self._add(positions)
        self.vocabulary = frozenset(self._vocabulary())

    def _add(self, positions: Positions) -> None:
        base = len(self.words) - 1
        labels = [label if isinstance(label, Slot) else fold(label.text) for label in positions.labels]
        for place, follow in enumerate(positions.follow):
            if place == START:
                words, slots = self.words[START], self.slots[START]
            else:
                words, slots = {}, []
                self.words.append(words)
                self.slots.append(slots)
                self.final.append(positions.template if place in positions.final else None)
            by_list = dict(slots)
            for target in follow:
                label = labels[target]
                if isinstance(label, Slot):
                    by_list.setdefault(label.source, []).append((label.name, base + target))
                    continue
                words.setdefault(label, []).append(base + target)
                if label in self._numbers:  # «ещё один фол» may be written with a 1
                    words.setdefault(str(self._numbers[label]), []).append(base + target)
            slots[:] = list(by_list.items())

    def _vocabulary(self) -> Iterable[str]:
        yield from self.skip
        for words in self.words:
            yield from words
        for values in self.lists.values():
            for first, entries in values.by_word.items():
                yield first
                for rest, _ in entries:
                    yield from rest

    def walk(self, tokens: Sequence[str]) -> list[tuple[Template, Slots]]:
        """Return every template that the whole of ``tokens`` matches, with its slots, in the order of the file.

        Words to skip may stand anywhere; no other word may be left over.
        """
        threads: list[dict[tuple[int, Slots], None]] = [{} for _ in range(len(tokens) + 1)]
        threads[0][START, ()] = None
        for place, token in enumerate(tokens):
            for node, slots in threads[place]:
                if token in self.skip:
                    threads[place + 1][node, slots] = None
                for target in self.words[node].get(token, ()):
                    threads[place + 1][target, slots] = None
                for source, targets in self.slots[node]:
                    for end, value in self.lists[source].match(tokens, place, self.skip):
                        for name, target in targets:
                            threads[end][target, (*slots, (name, value))] = None
        ends = sorted((node, slots) for node, slots in threads[-1] if self.final[node] is not None)
        return [(template, slots) for node, slots in ends if (template := self.final[node]) is not None]


def _compiled(template: Template, book: CommandBook) -> Positions:
    try:
        return Positions(template, book)
    except GraphError as error:
        raise UserError(
            f"language.{error.problem}",
            file=book.file,
            line=template.line,
            place=error.place,
            template=template.source,
        ) from error


def spoken_list(source: WordList) -> SpokenList:
    """Index a word list by the first word of each value."""
    by_word: dict[str, dict[tuple[tuple[str, ...], Any], None]] = {}
    for value in source.values:
        first, *rest = (fold(word) for word in value.words)
        by_word.setdefault(first, {})[tuple(rest), value.value] = None
    return SpokenList({word: tuple(entries) for word, entries in by_word.items()}, source.digits, source.values)
