"""Looks for the likeliest things that were said: along an automaton, and freely for comparison, in one pass.

The free reading is one more row of the same batch. What it says does not matter much; how likely it is tells how well
anything at all explains the sound, and a command that is far below it was not said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from voicehost.stt.whisper_decoder import Decoder, Floats, Run
from voicehost.stt.whisper_prior import Prior
from voicehost.stt.whisper_tokens import TokenAutomaton, Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """How far to look."""

    beam: int = 7
    """Readings followed at once; with the free one eight rows; nine cost a quarter more."""
    longest: int = 40
    """Tokens of the longest reading."""
    expectation: float = 0.6
    """How much of what the model expects without hearing anything is taken away."""
    margin: float = 5.0
    """A reading whose score (in nats) is this far below the best finished one is given up."""
    hopeless: float = 12.0
    """So is one that is this much less likely than the best."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to write what was said.

    Attributes:
        tokens: places in the vocabulary, without the final stop.
        total: the logarithm of its probability, with the end.
        prior: the same for a silent room.
    """

    tokens: tuple[int, ...]
    total: float
    prior: float


@dataclass(frozen=True, slots=True)
class Found:
    """Finished readings along the automaton, the best first, and the free one (its prior is not worked out: 0)."""

    readings: tuple[Reading, ...]
    free: Reading


_FREE = -1
"""The free reading."""
_STOPPED = -2
"""A reading after its final stop: only the end of the text may come."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A reading under way: the automaton's state after it, or one of the two below."""

    state: int
    tokens: tuple[int, ...] = ()
    total: float = 0.0
    prior: float = 0.0

    @property
    def free(self) -> bool:
        return self.state == _FREE


class Search:
    """One search; ``found`` runs it."""

    def __init__(
        self,
        decoder: Decoder,
        automaton: TokenAutomaton,
        vocabulary: Vocabulary,
        prior: Prior,
        settings: SearchSettings | None = None,
    ) -> None:
        """Take the decoder for the vocabulary's tokens, what may be said and what the model expects."""
        self._decoder = decoder
        self._automaton = automaton
        self._prior = prior
        self._settings = settings or SearchSettings()
        self._end = vocabulary.end_place
        self._stops = np.asarray(vocabulary.stops, np.intp)
        self._finished: list[Reading] = []
        self._free: Reading | None = None

    def score(self, reading: Reading | _Row) -> float:
        """What the sound says for a reading, in nats."""
        return reading.total - self._settings.expectation * reading.prior

    def found(self, run: Run, first: Floats) -> Found:
        """Decode along the automaton with a beam, and freely (the likeliest token each time).

        Args:
            run: begun by ``Decoder.start``.
            first: the log probabilities that it returned.
        """
        rows = [_Row(TokenAutomaton.start), _Row(_FREE)]
        chances: Sequence[Floats] = [first, first]
        expected: Sequence[Floats] = [self._prior.first]
        while rows:
            followers = self._followers(rows, chances, expected)
            rows = [row for _, row in followers]
            if rows and rows[0].free and len(rows[0].tokens) > self._enough():
                # Nothing is left to compare with what the rest of it would be.
                self._free = Reading(rows[0].tokens, rows[0].total, 0.0)
                break
            if rows:
                run.select([parent for parent, _ in followers])
                chances = list(self._decoder.step(run, [row.tokens[-1] for row in rows]))
                texts = [row.tokens for row in rows if not row.free]
                expected = self._prior.after(texts) if texts else []
        assert self._free is not None
        self._finished.sort(key=self.score, reverse=True)
        return Found(tuple(self._finished), self._free)

    def _followers(
        self, rows: Sequence[_Row], chances: Sequence[Floats], expected: Sequence[Floats]
    ) -> list[tuple[int, _Row]]:
        """The rows to go on with, each with the place of the one that it continues; the free one comes last."""
        steps: list[tuple[float, int, _Row]] = []
        free: list[tuple[int, _Row]] = []
        for parent, row in enumerate(rows):
            if row.free:
                free = [(parent, after) for after in self._freely(row, chances[parent])]
                continue
            steps += [
                (self.score(after), parent, after) for after in self._along(row, chances[parent], expected[parent])
            ]
        steps.sort(key=lambda step: step[0], reverse=True)
        kept = steps[: self._settings.beam]
        if self._finished:
            best = max(map(self.score, self._finished)) - self._settings.margin
            likely = max(reading.total for reading in self._finished) - self._settings.hopeless
            kept = [step for step in kept if step[0] > best and step[2].total > likely]
        return [(parent, row) for _, parent, row in kept] + free

    def _enough(self) -> int:
        """How many tokens of the free reading are enough when no other is left."""
        return max((len(reading.tokens) for reading in self._finished), default=0)

    def _along(self, row: _Row, chances: Floats, expected: Floats) -> list[_Row]:
        """What may follow a reading; note it as finished if it may end here, with or without a stop."""
        if row.state == _STOPPED:
            self._finish(row, row.tokens[:-1], chances, expected)
            return []
        edges = self._automaton.edges(row.state)
        stopped = []
        if edges.ends:
            self._finish(row, row.tokens, chances, expected)
            stop = int(self._stops[chances[self._stops].argmax()])
            total, prior = row.total + float(chances[stop]), row.prior + float(expected[stop])
            stopped = [_Row(_STOPPED, (*row.tokens, stop), total, prior)]
        if len(row.tokens) >= self._settings.longest or not len(edges.tokens):
            return stopped
        totals = row.total + chances[edges.tokens]
        priors = row.prior + expected[edges.tokens]
        order = np.argsort(totals - self._settings.expectation * priors)[::-1][: self._settings.beam]
        return stopped + [
            _Row(edges.targets[i], (*row.tokens, int(edges.tokens[i])), float(totals[i]), float(priors[i]))
            for i in order
        ]

    def _finish(self, row: _Row, tokens: tuple[int, ...], chances: Floats, expected: Floats) -> None:
        total, prior = row.total + float(chances[self._end]), row.prior + float(expected[self._end])
        self._finished.append(Reading(tokens, total, prior))

    def _freely(self, row: _Row, chances: Floats) -> list[_Row]:
        token = int(chances.argmax())
        if token == self._end or len(row.tokens) >= self._settings.longest:
            self._free = Reading(row.tokens, row.total + float(chances[self._end]), 0.0)
            return []
        return [_Row(_FREE, (*row.tokens, token), row.total + float(chances[token]))]
