"""From readings to a decision: which command it was, how sure that is, and whether to ask which of two.

Readings that are the same command («фол третьему», «Фол 3-му») count together. How sure a command is comes from
what the sound says for it beyond what was expected, how much likelier the free reading is and how clear that is
itself (in noise it is a guess, and says little), how far the next command is behind, whether its length suits the
length of the sound, and whether the voice was as near as the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from voicehost.stt.nearness import Sounded
from voicehost.stt.whisper_search import Found, Reading

_VOWELS = "аеёиоуыэюяъ"
"""Of Russian and Bulgarian."""

Care = Literal["query", "answer", "plain", "word", "grave"]
"""What a mistake costs: a question to the program, the answer that it waits for, an ordinary command, one of a single
word, one hard to take back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSettings:
    """Weights of the logistic function, and how sure a command of each kind must be. Chosen by measurement."""

    bias: float = 0.69
    evidence: float = 0.369
    """For each nat (up to 10) that the sound says for a command."""
    doubt: float = 0.383
    """Against it, for each nat that the sound says less for a command than was expected without any."""
    token: float = 0.653
    """For each nat of the likelihood of one token: a long command may lose more than a short one."""
    below_free: float = 0.262
    """Against it, for each nat (up to 12) by which a clear free reading is likelier."""
    apart: float = 0.305
    """For it, for each nat (up to 5) that the next command of another kind is behind."""
    overhang: float = 1.015
    """Against it, for each second of speech beyond what its words take."""
    loud_overhang: float = 1.359
    """The same for the seconds in which the voice was loud."""
    unsaid: float = 1.82
    """Against it, for each second (up to 2) that a clear free reading takes longer to say."""
    hurried: float = 4.96
    """Against it, for each second by which the voice was too short for its words."""
    word: float = 0.894
    """For a command of a single word, whose few tokens can say no more for it."""
    softer: float = 0.7
    """Against it, for each dB beyond 3 by which the voice was softer than the one before: it is another's."""
    expectation: float = 0.6
    """How much of the model's own expectation is taken away."""
    near: float = 0.6
    """Nats within which two seats of one command are as likely: then it asks."""
    near_unclear: float = 1.6
    """As many more where the free reading is unclear: in noise a small lead is luck."""
    thresholds: Mapping[Care, float] = field(
        default_factory=lambda: {"query": 0.4, "answer": 0.35, "plain": 0.45, "word": 0.45, "grave": 0.6}
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


@dataclass(frozen=True, slots=True)
class _Said:
    """One way to have said a command, and how many tokens that took."""

    score: float
    total: float
    text: str
    tokens: int


def decide(
    found: Found,
    free_text: str,
    said: Callable[[tuple[int, ...]], tuple[str, Hashable] | None],
    sounded: Sounded,
    care: Callable[[Hashable, str], Care],
    alike: Callable[[Hashable, Hashable], bool],
    settings: ScoreSettings,
) -> Decision:
    """Decide what was said.

    Args:
        found: the readings.
        free_text: the free one as a text.
        said: from tokens to text and meaning, ``None`` if they mean nothing.
        sounded: how long and how loud it was.
        care: what a mistake about a command would cost.
        alike: whether two commands differ only in their seat or number.
        settings: the weights.
    """
    groups: dict[Hashable, list[_Said]] = {}
    for reading in found.readings:
        meaning = said(reading.tokens)
        if meaning is not None:
            score = reading.total - settings.expectation * reading.prior
            groups.setdefault(meaning[1], []).append(_Said(score, reading.total, meaning[0], len(reading.tokens)))
    summed = {key: _sum([reading.score for reading in readings]) for key, readings in groups.items()}
    candidates = []
    for key, readings in groups.items():
        score, total = summed[key], _sum([reading.total for reading in readings])
        best = max(readings, key=lambda reading: reading.score)
        apart = score - max((summed[other] for other in groups if not alike(key, other)), default=-np.inf)
        stake = care(key, best.text)
        confidence = _confidence(score, total, apart, found.free, free_text, best, stake, sounded, settings)
        candidates.append(Candidate(best.text, key, score, total, confidence))
    candidates.sort(key=lambda candidate: candidate.score, reverse=True)
    if not candidates:
        return Decision(None, (), ())
    first = candidates[0]
    if first.confidence < settings.thresholds[care(first.key, first.text)]:
        return Decision(None, (), tuple(candidates))
    near = settings.near + settings.near_unclear * (1.0 - _clear(found.free))
    others = tuple(
        other for other in candidates[1:3] if first.score - other.score < near and alike(first.key, other.key)
    )
    return Decision(first, others[:1], tuple(candidates))


def expected_seconds(text: str) -> float:
    """How long it takes to say a text at most in ordinary speech: by its vowels, digits as words."""
    return 0.5 + 0.26 * _vowels(text)


def shortest_seconds(text: str) -> float:
    """How long the loud part of a text takes at least, however quickly one speaks."""
    return 0.13 * _vowels(text)


def _vowels(text: str) -> int:
    """Vowels when a text is said; a digit counts for two."""
    return sum(letter in _VOWELS for letter in text.lower()) + 2 * sum(letter.isdecimal() for letter in text)


def _confidence(
    score: float,
    total: float,
    apart: float,
    free: Reading,
    free_text: str,
    best: _Said,
    stake: Care,
    sounded: Sounded,
    settings: ScoreSettings,
) -> float:
    takes = expected_seconds(best.text)
    clear = _clear(free)
    logit = (
        settings.bias
        + settings.evidence * min(score, 10.0)
        - settings.doubt * max(0.0, -score)
        + settings.word * (stake == "word")
        + settings.token * total / (best.tokens + 1)
        - settings.below_free * clear * min(max(0.0, free.total - total), 12.0)
        + settings.apart * min(apart, 5.0)
        - settings.overhang * max(0.0, sounded.seconds - takes)
        - settings.loud_overhang * max(0.0, sounded.loud - 0.75 * takes)
        - settings.unsaid * clear * min(max(0.0, expected_seconds(free_text) - takes), 2.0)
        - settings.hurried * max(0.0, shortest_seconds(best.text) - sounded.loud)
        - settings.softer * max(0.0, sounded.softer - 3.0)
    )
    return _logistic(logit)


def _clear(free: Reading) -> float:
    """How clear the sound was, 0 to 1: a free reading that the model is itself unsure of was made of noise."""
    return _logistic(8.0 * (free.total / max(1, len(free.tokens)) + 0.75))


def _logistic(value: float) -> float:
    return float(1.0 / (1.0 + np.exp(-np.clip(value, -30, 30))))


def _sum(logarithms: list[float]) -> float:
    top = max(logarithms)
    return top + float(np.log(sum(np.exp(value - top) for value in logarithms)))
