"""From an automaton over words to one over the model's tokens: every way in which the model may write a command.

A word may begin with a capital at the start and be written with е for ё; a comma may stand between the members of
a list, and a stop or nothing at the end. States are made when they are first asked for and kept with the automaton,
so that a grammar that comes back (the next speech) costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from voicehost.errors import UserError

Indexes = npt.NDArray[np.intp]

SPECIAL = ("<|endoftext|>", "<|startoftranscript|>", "<|startofprev|>", "<|transcribe|>", "<|notimestamps|>")
_STOPS = (".", "!", "?")
_COMMA = ","

_LIST = 8
"""A comma may stand only where so many words can follow: between the members of a list."""

Item = tuple[int, tuple[int, ...], bool]
"""A state of the word automaton, the tokens of the next word so far, and whether a comma went before it."""


class WordAutomaton(Protocol):
    """What may be said, word by word; state 0 is the start."""

    def edges(self, state: int) -> Mapping[str, int]:
        """Return the words that may come next, each with the state after it."""

    def accepts(self, state: int) -> bool:
        """Tell whether a command may end in this state."""


class Vocabulary:
    """The tokens of a model that a language can write, numbered anew from 0."""

    def __init__(self, file: Path, language: str) -> None:
        """Read ``tokenizer.json``.

        Raises:
            UserError: ``models.no-whisper``: the library is not installed; ``models.broken``: the file is damaged.
        """
        try:
            from tokenizers import Tokenizer
        except (ImportError, OSError) as error:
            raise UserError("models.no-whisper", detail=error) from error
        try:
            self._tokenizer: Any = Tokenizer.from_file(str(file))
        except Exception as error:
            # The library knows no exceptions of its own.
            raise UserError("models.broken", file=file, detail=error) from error
        found = {name: self._tokenizer.token_to_id(name) for name in (*SPECIAL, f"<|{language}|>")}
        special: dict[str, int] = {name: number for name, number in found.items() if number is not None}
        if len(special) < len(found):
            raise UserError("models.broken", file=file, detail=sorted(found.keys() - special.keys()))
        self.end: int = special["<|endoftext|>"]
        self.begin: tuple[int, ...] = tuple(
            special[name] for name in ("<|startoftranscript|>", f"<|{language}|>", "<|transcribe|>", "<|notimestamps|>")
        )
        self.previous: int = special["<|startofprev|>"]
        ids = self._tokenizer.get_vocab(with_added_tokens=False)
        self.tokens: tuple[int, ...] = (*sorted(number for token, number in ids.items() if _writable(token)), self.end)
        self._places = {token: place for place, token in enumerate(self.tokens)}
        self.end_place = self._places[self.end]
        self._words: dict[str, tuple[int, ...]] = {}
        stops = [self._tokenizer.encode(stop, add_special_tokens=False).ids for stop in _STOPS]
        self.stops = tuple(self._places[ids[0]] for ids in stops if len(ids) == 1 and ids[0] in self._places)
        self.comma = self._places[self._tokenizer.encode(_COMMA, add_special_tokens=False).ids[0]]

    def prompt(self, text: str) -> list[int]:
        """The tokens of the model before the first one that is heard, after an earlier text if there is one."""
        if not text:
            return list(self.begin)
        return [self.previous, *self._tokenizer.encode(" " + text, add_special_tokens=False).ids, *self.begin]

    def word(self, word: str) -> tuple[int, ...]:
        """The places of the tokens of one word with the space before it; empty: it cannot be written."""
        known = self._words.get(word)
        if known is None:
            ids = self._tokenizer.encode(" " + word, add_special_tokens=False).ids
            known = tuple(self._places[number] for number in ids) if all(n in self._places for n in ids) else ()
            self._words[word] = known
        return known

    def text(self, places: Iterable[int]) -> str:
        """What the tokens at these places say."""
        ids = [self.tokens[place] for place in places if place != self.end_place]
        return str(self._tokenizer.decode(ids)).strip()


@dataclass(frozen=True, slots=True)
class Edges:
    """The tokens that may come next, each with the state after it, and whether a command may end here."""

    tokens: Indexes
    targets: tuple[int, ...]
    ends: bool


class TokenAutomaton:
    """A deterministic automaton over places in a vocabulary. States are numbers; 0 is the start."""

    start = 0

    def __init__(self, words: WordAutomaton, vocabulary: Vocabulary) -> None:
        self.words = words
        self._vocabulary = vocabulary
        beginning: frozenset[Item] = frozenset({(0, (), False)})
        self._states: list[frozenset[Item]] = [beginning]
        self._numbers: dict[frozenset[Item], int] = {beginning: 0}
        self._edges: dict[int, Edges] = {}
        self._spelled: dict[int, dict[tuple[int, ...], set[Item]]] = {}

    def edges(self, state: int) -> Edges:
        """Return what may come after a state."""
        known = self._edges.get(state)
        if known is None:
            found: dict[int, set[Item]] = {}
            for word_state, said, comma in self._states[state]:
                for token, item in self._steps(word_state, said, comma):
                    found.setdefault(token, set()).add(item)
            known = self._edges[state] = Edges(
                np.fromiter(found, np.intp, len(found)),
                tuple(self._number(frozenset(items)) for items in found.values()),
                any(not said and not comma and self.words.accepts(at) for at, said, comma in self._states[state]),
            )
        return known

    def accepts(self, tokens: Sequence[int]) -> bool:
        """Tell whether exactly these tokens, without a final stop, are a command."""
        state = self.start
        for token in tokens:
            edges = self.edges(state)
            if token not in edges.tokens:
                return False
            state = edges.targets[int(np.flatnonzero(edges.tokens == token)[0])]
        return self.edges(state).ends

    def _steps(self, word_state: int, said: tuple[int, ...], comma: bool) -> Iterable[tuple[int, Item]]:
        if not said and not comma and word_state and len(self.words.edges(word_state)) >= _LIST:
            yield self._vocabulary.comma, (word_state, (), True)
        spelled = self._spellings(word_state)
        for prefix, items in spelled.items():
            if len(prefix) == len(said) + 1 and prefix[: len(said)] == said:
                for item in items:
                    yield prefix[-1], item

    def _spellings(self, word_state: int) -> Mapping[tuple[int, ...], set[Item]]:
        """Every beginning of every word that may come, with what it leads to."""
        known = self._spelled.get(word_state)
        if known is None:
            known = self._spelled[word_state] = {}
            for word, after in self.words.edges(word_state).items():
                for spelling in spellings(word, first=word_state == 0):
                    tokens = self._vocabulary.word(spelling)
                    for length in range(1, len(tokens)):
                        known.setdefault(tokens[:length], set()).add((word_state, tokens[:length], False))
                    if tokens:
                        known.setdefault(tokens, set()).add((after, (), False))
        return known

    def _number(self, items: frozenset[Item]) -> int:
        number = self._numbers.setdefault(items, len(self._states))
        if number == len(self._states):
            self._states.append(items)
        return number


def spellings(word: str, *, first: bool) -> list[str]:
    """The ways to write a word: with ё or е, and with a capital where it begins the text."""
    plain = dict.fromkeys([word, word.replace("ё", "е")])
    return [*plain, *(text[0].upper() + text[1:] for text in plain if text[0].islower())] if first else list(plain)


def _writable(token: str) -> bool:
    """Whether a token of a byte-level vocabulary is Cyrillic letters, digits or punctuation, or part of such."""
    data = bytes(_BYTES[letter] for letter in token if letter in _BYTES)
    text = data.decode("utf-8", errors="ignore")
    if not text.strip():
        # Parts of letters (Cyrillic ones begin with D0 or D1), and bare spaces.
        return any(byte in {0xD0, 0xD1} or 0x80 <= byte < 0xC0 for byte in data) or data == b" "
    return all("Ѐ" <= letter <= "ӿ" or letter in " 0123456789.,!?-–—…«»\"':;№%" for letter in text)


def _byte_letters() -> dict[str, int]:
    """The letters that stand for bytes in such vocabularies: printable ones for themselves, the rest from U+0100."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    letters = {chr(byte): byte for byte in plain}
    rest = [byte for byte in range(256) if byte not in plain]
    return letters | {chr(0x100 + number): byte for number, byte in enumerate(rest)}


_BYTES = _byte_letters()
