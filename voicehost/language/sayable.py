"""One template as what may be said now: its paths, and the values that its slots may take."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from voicehost.language.book import Value
from voicehost.language.commands import many_slots
from voicehost.language.graph import START, Positions
from voicehost.language.template import Slot

if TYPE_CHECKING:
    from voicehost.language.pack import Pack
    from voicehost.rules.legal import Allowed, Legal

EXAMPLE_VALUE = 4
"""Which value of a list an example shows; seat five does not look like an ordinal of the example itself."""

State = tuple[int, int]
"""A position, and how many members a list of seats has so far."""


class Sayable:
    """A template under one ``Allowed``: only the values that may be said now, every seat of a list once."""

    def __init__(self, positions: Positions, pack: Pack, allowed: Allowed) -> None:
        """Work out values and paths; ``alive`` is empty when nothing of the template may be said now."""
        self.positions = positions
        self.template = positions.template
        self.many = many_slots(self.template.command)
        self.values: dict[int, list[Value]] = {}
        """By slot position: what may fill it."""
        for place, label in enumerate(positions.labels):
            if isinstance(label, Slot):
                wanted = allowed_values(allowed, label.name)
                self.values[place] = [
                    value
                    for value in pack.commands.lists[label.source].values
                    if value.expected and (wanted is None or value.value in wanted)
                ]
        self.size = allowed.size
        self.longest = allowed.size or 0
        if self.many and not self.longest:
            hands = max(allowed.counts) if allowed.counts else len(allowed.seats)
            self.longest = min(hands, len(allowed.seats))
        self.alive = self._alive()

    def steps(self, state: State) -> Iterator[State]:
        """Yield the states after ``state``, wherever they lead."""
        place, members = state
        for target in self.positions.follow[place]:
            label = self.positions.labels[target]
            if not isinstance(label, Slot):
                yield target, members
            elif label.name not in self.many:
                if self.values[target]:
                    yield target, members
            elif members < min(self.longest, len(self.values[target])):
                yield target, members + 1

    def ends(self, state: State) -> bool:
        """Tell whether the phrase may end there."""
        place, members = state
        return place in self.positions.final and (self.size is None or not self.many or members == self.size)

    def _alive(self) -> dict[State, int]:
        """Return every reachable state from which an end can be reached, with the words still to say at least."""
        seen: dict[State, list[State]] = {(START, 0): []}
        queue = deque(seen)
        while queue:
            state = queue.popleft()
            for after in self.steps(state):
                if after not in seen:
                    seen[after] = []
                    queue.append(after)
                seen[after].append(state)
        alive = {state: 0 for state in seen if self.ends(state)}
        queue = deque(alive)
        while queue:
            state = queue.popleft()
            for before in seen[state]:
                if before not in alive:
                    alive[before] = alive[state] + 1
                    queue.append(before)
        return alive

    def paths(self) -> list[tuple[int, ...]]:
        """Return shortest paths that together use every pair of neighbouring words, the shortest path first."""
        if (START, 0) not in self.alive:
            return []
        reached: dict[State, tuple[int, ...]] = {(START, 0): ()}
        queue = deque(reached)
        while queue:
            state = queue.popleft()
            for after in self.steps(state):
                if after not in reached and after in self.alive:
                    reached[after] = (*reached[state], after[0])
                    queue.append(after)
        found = [self._finish(START, (START, 0), ())]
        covered = _pairs(found[0])
        for state, path in reached.items():
            for after in self.steps(state):
                if after in self.alive and (state[0], after[0]) not in covered:
                    found.append(self._finish(state[0], after, (*path, after[0])))
                    covered |= _pairs(found[-1])
        return found

    def _finish(self, before: int, state: State, path: tuple[int, ...]) -> tuple[int, ...]:
        """Return ``path``, which has come to ``state``, continued to the nearest end."""
        while not self.ends(state) or state[0] == START:
            state = min((after for after in self.steps(state) if after in self.alive), key=self.alive.__getitem__)
            path = (*path, state[0])
        return path

    def example(self) -> str:
        """Return the shortest phrase, with a value from the middle of each list: «выставляю номер пять»."""
        path = self.paths()[0]
        return self._say(path, EXAMPLE_VALUE, set())[0]

    def phrases(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield covering phrases with their slots: every word pair once, and every value of every slot once.

        The other slots keep one value meanwhile, so the number of phrases is a sum and not a product.
        """
        told: set[int] = set()
        for turn, path in enumerate(self.paths()):
            slots = [place for place in path if place in self.values]
            yield self._say(path, turn, set())
            for moving in self._moving(slots, told):
                for shift in range(max(len(self.values[place]) for place in moving)):
                    yield self._say(path, shift, moving)
            told.update(slots)

    def _moving(self, slots: Sequence[int], told: set[int]) -> Iterator[set[int]]:
        """Yield the groups of slot places whose values move together: a list's members, or one single slot."""
        labels = {place: label for place in slots if isinstance(label := self.positions.labels[place], Slot)}
        group = {place for place, label in labels.items() if label.name in self.many}
        if group - told:
            yield group
        for place in labels:
            if place not in group and place not in told:
                yield {place}

    def _say(self, path: Sequence[int], shift: int, moving: set[int]) -> tuple[str, dict[str, Any]]:
        """Return the phrase of a path: the places that move take value number ``shift``, the others the first.

        When no place is named, all move.
        """
        words: list[str] = []
        said: dict[str, Any] = dict(self.template.fixed)
        for place in path:
            label = self.positions.labels[place]
            if not isinstance(label, Slot):
                words.append(label.text)
                continue
            values = self.values[place]
            if label.name in self.many:
                members = said.get(label.name, ())
                start = shift if place in moving or not moving else 0
                value = next(v for v in _rotated(values, start + len(members)) if v.value not in members)
                said[label.name] = (*members, value.value)
            else:
                value = values[shift % len(values)] if place in moving or not moving else values[0]
                said[label.name] = value.value
            words += value.words
        return " ".join(words), said


def sayables(pack: Pack, legal: Legal) -> Iterator[Sayable]:
    """Yield every template of which something may be said now and that recognisers should listen for."""
    for positions in pack.graph.templates:
        allowed = legal.get(positions.template.command)
        if allowed is not None and positions.template.prompt:
            sayable = Sayable(positions, pack, allowed)
            if (START, 0) in sayable.alive:
                yield sayable


def allowed_values(allowed: Allowed, slot: str) -> Iterable[Any] | None:
    """Return the values that a slot may have now; None means all of them."""
    match slot:
        case "seat" | "seats" | "shooter":
            return allowed.seats
        case "target":
            return allowed.targets
        case "count":
            return allowed.counts
        case _:
            return None


def _pairs(path: Sequence[int]) -> set[tuple[int, int]]:
    return set(zip((START, *path), path, strict=False))


def _rotated(values: Sequence[Value], start: int) -> Iterator[Value]:
    for step in range(len(values)):
        yield values[(start + step) % len(values)]


def spellings(value: Value, digits: Mapping[int, Any]) -> Iterator[str]:
    """Yield a number in digits, bare and with the ending of its word: «5», «5-го» for «пятого»."""
    for number, out in digits.items():
        if out == value.value:
            yield str(number)
            word = value.words[-1]
            cut = 1 if word[-2:-1] in "аеиоуыэюяёьй" else 2
            yield f"{number}-{word[-cut:]}"
