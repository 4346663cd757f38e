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

from voicehost.stt.whisper_search import Found

Care = Literal["query", "plain", "word", "grave"]
"""What a mistake costs: a question to the program, an ordinary command, one of a single word, one hard to take back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSettings:
    """Weights of the logistic function, and how sure a command of each kind must be. Chosen by measurement."""

    bias: float = 2.2
    evidence: float = 0.32
    """For each nat that the sound says for a command."""
    below_free: float = 0.45
    """Against it, for each nat by which the free reading is likelier."""
    below_free_token: float = 0.9
    """Against it, for each nat a token by which the free reading is likelier."""
    overhang: float = 1.6
    """Against it, for each second of sound beyond what its words take."""
    expectation: float = 0.4
    """How much of the model's own expectation is taken away."""
    near: float = 1.2
    """Nats within which two seats of one command are as likely: then it asks."""
    thresholds: Mapping[Care, float] = field(
        default_factory=lambda: {"query": 0.35, "plain": 0.4, "word": 0.6, "grave": 0.55}
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
    said: Callable[[tuple[int, ...]], tuple[str, Hashable] | None],
    seconds: float,
    care: Callable[[Hashable, str], Care],
    alike: Callable[[Hashable, Hashable], bool],
    settings: ScoreSettings,
) -> Decision:
    """Decide what was said.

    Args:
        found: the readings.
        said: from tokens to text and meaning, ``None`` if they mean nothing.
        seconds: how long the speech was.
        care: what a mistake about a command would cost.
        alike: whether two commands differ only in their seat or number.
        settings: the weights.
    """
    groups: dict[Hashable, list[tuple[float, float, str, int]]] = {}
    for reading in found.readings:
        meaning = said(reading.tokens)
        if meaning is not None:
            score = reading.total - settings.expectation * reading.prior
            groups.setdefault(meaning[1], []).append((score, reading.total, meaning[0], len(reading.tokens)))
    candidates = []
    for key, readings in groups.items():
        score = _sum([reading[0] for reading in readings])
        total = _sum([reading[1] for reading in readings])
        best = max(readings)
        confidence = _confidence(score, total, found, best[2], best[3], seconds, settings)
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
    score: float, total: float, found: Found, text: str, tokens: int, seconds: float, settings: ScoreSettings
) -> float:
    free = found.free
    behind = max(0.0, free.total - total)
    a_token = max(0.0, free.total / (len(free.tokens) + 1) - total / (tokens + 1))
    overhang = max(0.0, seconds - expected_seconds(text))
    sum_ = (
        settings.bias
        + settings.evidence * min(score, 10.0)
        - settings.below_free * behind
        - settings.below_free_token * a_token
        - settings.overhang * overhang
    )
    return float(1.0 / (1.0 + np.exp(-np.clip(sum_, -30, 30))))


def _sum(logarithms: list[float]) -> float:
    top = max(logarithms)
    return top + float(np.log(sum(np.exp(value - top) for value in logarithms)))
