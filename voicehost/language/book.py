"""``commands.yaml`` as a book of templates: what every command may sound like, which words fill its slots.

The file follows Home Assistant's ``intents`` format with these additions: a list may be made of numbers
(``numbers``, ``also``, ``from``, ``to``, ``times``), may name the values that recognisers expect (``usual``), and
a block with ``prompt: false`` is understood but never expected. Every problem is collected with its line, so that
one run of the check tells all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from voicehost.errors import UserError
from voicehost.language.normal import fold
from voicehost.language.numerals import Numerals
from voicehost.language.template import Node, TemplateError, parse_template
from voicehost.language.yamlfile import Entry, read_yaml

SEATS = "seat"
"""How the names of the lists of seats begin."""
BEYOND = 99
"""The highest number that people call a seat by mistake."""

JOINER = "joiner"
"""The expansion rule whose words may stand between the members of a repeated part."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a pack, at a line that a person can go to.

    ``key`` names a sentence of the messages file ``language``, ``params`` fill it.
    """

    file: Path
    line: int
    key: str
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Value:
    """One way to say one value of a list."""

    words: tuple[str, ...]
    """As the pack spells them."""
    value: Any
    expected: bool
    """Whether recognisers listen for it; the others are only understood."""


@dataclass(frozen=True, slots=True)
class WordList:
    """The values that a slot can take."""

    name: str
    line: int
    values: tuple[Value, ...]
    digits: Mapping[int, Any] = field(default_factory=dict)
    """The value of a number written in digits; empty for lists of words."""


@dataclass(frozen=True, slots=True)
class Template:
    """One sentence template of a command."""

    command: str
    source: str
    line: int
    tree: Node
    fixed: Mapping[str, Any]
    """Slots that the wording settles by itself: «промах» is a shot at seat None."""
    prompt: bool
    """Whether recognisers listen for it; if not, it is only understood."""


@dataclass(frozen=True, slots=True)
class ExpansionRule:
    """A named part of templates."""

    name: str
    source: str
    line: int
    tree: Node


@dataclass(frozen=True, slots=True)
class CommandBook:
    """All that ``commands.yaml`` says."""

    file: Path
    templates: tuple[Template, ...]
    lists: Mapping[str, WordList]
    rules: Mapping[str, ExpansionRule]
    skip: Mapping[str, int]
    """Words that say nothing and may stand anywhere, with their lines."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """The small numbers by each of their words, folded: where a template has the word, digits will do."""
    problems: tuple[Problem, ...] = ()


def read_commands(path: Path, numerals: Numerals, *, beyond: bool = False) -> CommandBook:
    """Return the book of a pack that must be sound; ``beyond``: with seats that no table has, 0 and up to ``BEYOND``.

    Raises:
        UserError: the file is missing, or has a problem; the first one is told.
    """
    book = _Reader(path, numerals, beyond=beyond).read()
    for problem in book.problems:
        raise UserError(f"language.{problem.key}", file=problem.file, line=problem.line, **problem.params)
    return book


def read_book(path: Path, numerals: Numerals) -> CommandBook:
    """Return the book with whatever could be read, and the problems of the rest.

    Raises:
        UserError: the file is missing or is not YAML at all.
    """
    return _Reader(path, numerals).read()


class _Reader:
    """Reads one file and gathers its problems."""

    def __init__(self, path: Path, numerals: Numerals, *, beyond: bool = False) -> None:
        self.path = path
        self.numerals = numerals
        self.beyond = beyond
        self.problems: list[Problem] = []

    def read(self) -> CommandBook:
        root = read_yaml(self.path)
        known = {"language", "intents", "lists", "expansion_rules", "skip_words"}
        self.unknown_keys(root, known)
        rules = {
            name: ExpansionRule(name, entry.text, entry.line, tree)
            for name, entry in root.get("expansion_rules").pairs()
            if (tree := self.tree(entry)) is not None
        }
        lists = {name: self.word_list(name, entry) for name, entry in root.get("lists").pairs()}
        templates = [
            template
            for command, intent in root.get("intents").pairs()
            for block in intent.get("data").items()
            for template in self.block(command, block)
        ]
        skip = {entry.text.lower(): entry.line for entry in root.get("skip_words").items()}
        numbers = {
            fold(word): number
            for form in self.numerals.forms()
            for number, word in self.numerals.words(form, range(11)).items()
        }
        return CommandBook(self.path, tuple(templates), lists, rules, skip, numbers, tuple(self.problems))

    def block(self, command: str, block: Entry) -> Iterator[Template]:
        self.unknown_keys(block, {"sentences", "slots", "prompt"})
        fixed = {name: entry.plain() for name, entry in block.get("slots").pairs()}
        prompt = block.get("prompt").plain() is not False
        for entry in block.get("sentences").items():
            tree = self.tree(entry)
            if tree is not None:
                yield Template(command, entry.text, entry.line, tree, fixed, prompt)

    def tree(self, entry: Entry) -> Node | None:
        try:
            return parse_template(entry.text)
        except TemplateError as error:
            self.problem(entry.line, error.problem, place=error.place, template=entry.text)
            return None

    def word_list(self, name: str, entry: Entry) -> WordList:
        if entry.get("values"):
            self.unknown_keys(entry, {"values", "usual"})
            return self.text_list(name, entry)
        self.unknown_keys(entry, {"numbers", "also", "from", "to", "times", "usual"})
        low, high, times = (entry.get(key).plain() for key in ("from", "to", "times"))
        times = 1 if times is None else times
        if not isinstance(low, int) or not isinstance(high, int) or not isinstance(times, int) or high > 999:
            self.problem(entry.line, "list-range", name=name)
            return WordList(name, entry.line, ())
        if self.beyond and name.startswith(SEATS):
            low, high = 0, BEYOND
        usual = self.usual(entry)
        values: dict[tuple[str, ...], Value] = {}
        for key in ("numbers", "also"):
            for form in entry.get(key).items():
                words = self.numerals.words(form.text, range(low, high + 1))
                if not words:
                    self.problem(form.line, "list-form", name=name, form=form.text)
                for number, text in words.items():
                    expected = key == "numbers" and (usual is None or number in usual)
                    values.setdefault(tuple(text.split()), Value(tuple(text.split()), number * times, expected))
        digits = {number: number * times for number in range(low, high + 1)}
        return WordList(name, entry.line, tuple(values.values()), digits)

    def text_list(self, name: str, entry: Entry) -> WordList:
        usual = self.usual(entry)
        values = []
        for item in entry.get("values").items():
            text = item.get("in").text or item.text
            out = item.get("out").plain() if item.get("out") else text
            if not text:
                self.problem(item.line, "list-value", name=name)
            values.append(Value(tuple(text.lower().split()), out, usual is None or out in usual))
        return WordList(name, entry.line, tuple(values))

    def usual(self, entry: Entry) -> frozenset[Any] | None:
        return frozenset(item.plain() for item in entry.get("usual").items()) if entry.get("usual") else None

    def unknown_keys(self, entry: Entry, known: set[str]) -> None:
        for name, child in entry.pairs():
            if name not in known:
                self.problem(child.line, "unknown-key", field=name, known=", ".join(sorted(known)))

    def problem(self, line: int, key: str, **params: Any) -> None:
        self.problems.append(Problem(self.path, line, key, params))
