"""From readings to a decision: which command it was, how sure that is, and whether to ask which of two.

Readings that are the same command («фол третьему», «Фол 3-му») count together. How sure a command is comes from
four things: what the sound says for it beyond what was expected, how much likelier the free reading is, how far the
next command is behind, and whether its length suits the length of the sound.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from voicehost.stt.whisper_search import Found, Reading

Care = Literal["query", "plain", "word", "grave"]
"""What a mistake costs: a question to the program, an ordinary command, one of a single word, one hard to take back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSettings:
    """Weights of the logistic function, and how sure a command of each kind must be. Chosen by measurement."""

    bias: float = -2.1
    evidence: float = 0.3
    """For each nat (up to 10) that the sound says for a command."""
    below_free: float = 0.2
    """Against it, for each nat by which the free reading is likelier."""
    apart: float = 0.77
    """For it, for each nat (up to 5) that the next command of another kind is behind."""
    overhang: float = 1.6
    """Against it, for each second of sound beyond what its words take."""
    unsaid: float = 2.0
    """Against it, for each second that the free reading takes longer to say."""
    expectation: float = 0.5
    """How much of the model's own expectation is taken away."""
    near: float = 1.2
    """Nats within which two seats of one command are as likely: then it asks."""
    thresholds: Mapping[Care, float] = field(
        default_factory=lambda: {"query": 0.3, "plain": 0.35, "word": 0.42, "grave": 0.5}
    )


@dataclass(frozen=True, slots=True)
class Candidate:
    """A command that may have been said.

    Attributes:
        text: its likeliest reading.
        key: what it means; readings with equal keys are one command.
        score: what the sound says for it, in nats.
        total: the log probability of all its readings.
        confidence: 0 to 1.
    """

    text: str
    key: Hashable
    score: float
    total: float
    confidence: float


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided.

    Attributes:
        accepted: the command, or ``None``: it was none.
        others: commands as likely, so that one must ask.
        candidates: all, the likeliest first.
    """

    accepted: Candidate | None
    others: tuple[Candidate, ...]
    candidates: tuple[Candidate, ...]


def decide(
    found: Found,
    free_text: str,
    said: Callable[[tuple[int, ...]], tuple[str, Hashable] | None],
    seconds: float,
    care: Callable[[Hashable, str], Care],
    alike: Callable[[Hashable, Hashable], bool],
    settings: ScoreSettings,
) -> Decision:
    """Decide what was said.

    Args:
        found: the readings.
        free_text: the free one as a text.
        said: from tokens to text and meaning, ``None`` if they mean nothing.
        seconds: how long the speech was.
        care: what a mistake about a command would cost.
        alike: whether two commands differ only in their seat or number.
        settings: the weights.
    """
    groups: dict[Hashable, list[tuple[float, float, str]]] = {}
    for reading in found.readings:
        meaning = said(reading.tokens)
        if meaning is not None:
            score = reading.total - settings.expectation * reading.prior
            groups.setdefault(meaning[1], []).append((score, reading.total, meaning[0]))
    summed = {key: _sum([reading[0] for reading in readings]) for key, readings in groups.items()}
    candidates = []
    for key, readings in groups.items():
        score, total = summed[key], _sum([reading[1] for reading in readings])
        best = max(readings)
        apart = score - max((summed[other] for other in groups if not alike(key, other)), default=-np.inf)
        confidence = _confidence(score, total, apart, found.free, free_text, best[2], seconds, settings)
        candidates.append(Candidate(best[2], key, score, total, confidence))
    candidates.sort(key=lambda candidate: candidate.score, reverse=True)
    if not candidates:
        return Decision(None, (), ())
    first = candidates[0]
    if first.confidence < settings.thresholds[care(first.key, first.text)]:
        return Decision(None, (), tuple(candidates))
    others = tuple(
        other for other in candidates[1:3] if first.score - other.score < settings.near and alike(first.key, other.key)
    )
    return Decision(first, others[:1], tuple(candidates))


def expected_seconds(text: str) -> float:
    """How long it takes to say a text at most in ordinary speech: by its vowels, digits as words."""
    vowels = sum(letter in "аеёиоуыэюяъ" for letter in text.lower())
    digits = sum(letter.isdecimal() for letter in text)
    return 0.5 + 0.26 * (vowels + 2 * digits)


def _confidence(
    score: float,
    total: float,
    apart: float,
    free: Reading,
    free_text: str,
    text: str,
    seconds: float,
    settings: ScoreSettings,
) -> float:
    takes = expected_seconds(text)
    logit = (
        settings.bias
        + settings.evidence * min(score, 10.0)
        - settings.below_free * max(0.0, free.total - total)
        + settings.apart * min(apart, 5.0)
        - settings.overhang * max(0.0, seconds - takes)
        - settings.unsaid * max(0.0, expected_seconds(free_text) - takes)
    )
    return float(1.0 / (1.0 + np.exp(-np.clip(logit, -30, 30))))


def _sum(logarithms: list[float]) -> float:
    top = max(logarithms)
    return top + float(np.log(sum(np.exp(value - top) for value in logarithms)))
