"""Everything that may be said now as an automaton over words, for a decoder that may only walk along it.

Seat lists («голосуют первый, третий и шестой») loop, each seat once; that is why this is an automaton and not a list
of phrases. States are made when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from voicehost.language.commands import Heard, parse
from voicehost.language.graph import START
from voicehost.language.sayable import Sayable, sayables, spellings
from voicehost.language.template import Slot

if TYPE_CHECKING:
    from voicehost.language.pack import Pack
    from voicehost.rules.legal import Legal

Spot = tuple[int, int, frozenset[Any], tuple[str, ...]]
"""A place in one template: which template, which position, the members said so far, the rest of a value's words."""


class Automaton:
    """A deterministic automaton over words as the pack spells them, with ё. States are numbers; 0 is the start."""

    start = 0

    def __init__(self, pack: Pack, legal: Legal, *, digits: bool = False) -> None:
        """Take the templates that may be said now.

        Args:
            pack: The language.
            legal: What may be said now.
            digits: Whether numbers may be written in digits too («5», «5-го»), as dictating recognisers do.
        """
        self._pack = pack
        self._legal = legal
        self._digits = digits
        self._templates: tuple[Sayable, ...] = tuple(sayables(pack, legal))
        beginning = frozenset((index, START, frozenset[Any](), ()) for index in range(len(self._templates)))
        self._states: list[frozenset[Spot]] = [beginning]
        self._numbers: dict[frozenset[Spot], int] = {beginning: 0}
        self._edges: dict[int, Mapping[str, int]] = {}

    def edges(self, state: int) -> Mapping[str, int]:
        """Return the words that may come next, each with the state after it. From every state an end is in reach."""
        known = self._edges.get(state)
        if known is None:
            spots: dict[str, set[Spot]] = {}
            for spot in self._states[state]:
                for word, after in self._steps(spot):
                    spots.setdefault(word, set()).add(after)
            known = self._edges[state] = {word: self._number(frozenset(after)) for word, after in spots.items()}
        return known

    def accepts(self, state: int) -> bool:
        """Tell whether a command may end in this state."""
        return any(
            place != START and not rest and self._templates[index].ends((place, len(members)))
            for index, place, members, rest in self._states[state]
        )

    def follow(self, words: Iterable[str]) -> int | None:
        """Return the state after some words, or None when they lead nowhere."""
        state: int | None = self.start
        for word in words:
            state = self.edges(state).get(word) if state is not None else None
        return state

    def heard(self, words: Iterable[str]) -> Heard | None:
        """Return the command of a path through the automaton."""
        return parse(self._pack, " ".join(words), self._legal)

    def _steps(self, spot: Spot) -> Iterable[tuple[str, Spot]]:
        index, place, members, rest = spot
        if rest:
            yield rest[0], (index, place, members, rest[1:])
            return
        sayable = self._templates[index]
        for target, count in sayable.steps((place, len(members))):
            if (target, count) not in sayable.alive:
                continue
            label = sayable.positions.labels[target]
            if not isinstance(label, Slot):
                yield label.text, (index, target, members, ())
                continue
            digits = self._pack.commands.lists[label.source].digits if self._digits else {}
            for value in sayable.values[target]:
                if count > len(members) and value.value in members:
                    continue
                after = members | {value.value} if count > len(members) else members
                yield value.words[0], (index, target, after, value.words[1:])
                for spelling in spellings(value, digits):
                    yield spelling, (index, target, after, ())

    def _number(self, spots: frozenset[Spot]) -> int:
        number = self._numbers.setdefault(spots, len(self._states))
        if number == len(self._states):
            self._states.append(spots)
        return number
