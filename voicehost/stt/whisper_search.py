"""Looks for the likeliest things that were said: along an automaton, and freely for comparison, in one pass.

The free reading is one more row of the same batch. What it says does not matter much; how likely it is tells how well
anything at all explains the sound, and a command that is far below it was not said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from voicehost.stt.whisper_decoder import Decoder, Floats, Run
from voicehost.stt.whisper_tokens import TokenAutomaton, Vocabulary


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """How far to look."""

    beam: int = 8
    """Readings followed at once."""
    longest: int = 40
    """Tokens of the longest command."""
    margin: float = 12.0
    """A reading this much less likely (in nats) than the best finished one is given up."""
    longest_free: int = 40


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to write what was said.

    Attributes:
        tokens: places in the vocabulary, without the final stop.
        total: the logarithm of its probability, with the end.
        steps: the log probability of each token, then of the end.
    """

    tokens: tuple[int, ...]
    total: float
    steps: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """Finished readings along the automaton, the likeliest first, and the free one."""

    readings: tuple[Reading, ...]
    free: Reading


@dataclass(slots=True)
class _Row:
    state: int
    tokens: tuple[int, ...]
    steps: tuple[float, ...]
    total: float
    free: bool = False


def search(
    decoder: Decoder,
    start: tuple[Run, Floats],
    automaton: TokenAutomaton,
    vocabulary: Vocabulary,
    settings: SearchSettings,
) -> Found:
    """Decode along the automaton with a beam, and freely (the likeliest token each time).

    Args:
        decoder: for the vocabulary's tokens.
        start: what ``Decoder.start`` returned for the prompt.
        automaton: what may be said; without a path through it there are no readings.
        vocabulary: what the tokens are.
        settings: how far to look.
    """
    run, first = start
    ending = [vocabulary.end_place, *vocabulary.stops]
    finished: list[Reading] = []
    free: Reading | None = None
    rows = [_Row(TokenAutomaton.start, (), (), 0.0), _Row(-1, (), (), 0.0, free=True)]
    table = np.stack([first, first])
    while rows:
        best = max((reading.total for reading in finished), default=-np.inf)
        continued: list[tuple[float, int, int, int]] = []
        """Total, parent, token, state."""
        free_row: tuple[int, int] | None = None
        for parent, row in enumerate(rows):
            chances = table[parent]
            if row.free:
                token = int(chances.argmax())
                if token == vocabulary.end_place or len(row.tokens) >= settings.longest_free:
                    last = float(chances[vocabulary.end_place])
                    free = Reading(row.tokens, row.total + last, (*row.steps, last))
                else:
                    free_row = (parent, token)
                continue
            edges = automaton.edges(row.state)
            if edges.ends:
                last = _total(chances[ending])
                finished.append(Reading(row.tokens, row.total + last, (*row.steps, last)))
                best = max(best, finished[-1].total)
            if len(row.tokens) < settings.longest and len(edges.tokens):
                scores = chances[edges.tokens]
                order = np.argsort(scores)[::-1][: settings.beam]
                continued += [
                    (row.total + float(scores[i]), parent, int(edges.tokens[i]), edges.targets[i]) for i in order
                ]
        continued.sort(key=lambda step: step[0], reverse=True)
        kept = [step for step in continued[: settings.beam] if step[0] > best - settings.margin]
        following = [
            _Row(state, (*rows[parent].tokens, token), (*rows[parent].steps, float(table[parent][token])), total)
            for total, parent, token, state in kept
        ]
        parents = [step[1] for step in kept]
        if free_row is not None:
            parent, token = free_row
            row, chance = rows[parent], float(table[parent][token])
            following.append(_Row(-1, (*row.tokens, token), (*row.steps, chance), row.total + chance, free=True))
            parents.append(parent)
        rows = following
        if rows:
            run.select(parents)
            table = decoder.step(run, [row.tokens[-1] for row in rows])
    assert free is not None
    finished.sort(key=lambda reading: reading.total, reverse=True)
    return Found(tuple(finished), free)


def _total(logarithms: Floats | Sequence[float]) -> float:
    """The logarithm of the sum of probabilities."""
    values = np.asarray(logarithms)
    top = float(values.max())
    return top + float(np.log(np.exp(values - top).sum()))
