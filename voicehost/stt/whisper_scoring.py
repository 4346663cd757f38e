"""From readings to a decision: which command it was, how sure that is, and whether to ask which of two.

Readings that are the same command («фол третьему», «Фол 3-му») count together. How sure a command is comes from
what the sound says for it beyond what was expected, how much likelier the free reading is and how clear that is
itself (in noise it is a guess, and says little), how far the next command is behind, whether its length suits the
length of the sound, and whether the voice was as near as the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
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

    bias: float = 0.48
    evidence: float = 0.503
    """For each nat (up to 10) that the sound says for a command."""
    doubt: float = 0.232
    """Against it, for each nat that the sound says less for a command than was expected without any."""
    token: float = 1.188
    """For each nat of the likelihood of one token: a long command may lose more than a short one."""
    below_free: float = 0.157
    """Against it, for each nat (up to 12) by which a clear free reading is likelier."""
    apart: float = 0.501
    """For it, for each nat (up to 5) that the next command of another kind is behind."""
    overhang: float = 0.613
    """Against it, for each second of speech beyond what its words take."""
    loud_overhang: float = 1.72
    """The same for the seconds in which the voice was loud."""
    unsaid: float = 1.829
    """Against it, for each second (up to 2) that a clear free reading takes longer to say."""
    hurried: float = 5.847
    """Against it, for each second by which the voice was too short for its words."""
    word: float = 1.713
    """For a command of a single word, whose few tokens can say no more for it."""
    softer: float = 0.8
    """Against it, for each dB beyond 3 by which the voice was softer than the one before: it is another's."""
    expectation: float = 0.6
    """How much of the model's own expectation is taken away."""
    second: float = 1.25
    """How much the second opinion counts beside the first where commands differ only in their seat or number."""
    second_within: float = 8.0
    """Nats within which such commands are judged a second time."""
    near: float = 0.6
    """Nats within which two seats of one command are as likely: then it asks."""
    near_unclear: float = 1.6
    """As many more where the free reading is unclear: in noise a small lead is luck."""
    thresholds: Mapping[Care, float] = field(
        default_factory=lambda: {"query": 0.3, "answer": 0.5, "plain": 0.4, "word": 0.5, "grave": 0.6}
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
    tokens: tuple[int, ...]


SecondOpinion = Callable[[Sequence[tuple[int, ...]]], Sequence[float]]
"""What the sound says for each of some texts, in nats, to one who knows nothing of the moment."""


def decide(
    found: Found,
    free_text: str,
    said: Callable[[tuple[int, ...]], tuple[str, Hashable] | None],
    sounded: Sounded,
    care: Callable[[Hashable, str], Care],
    alike: Callable[[Hashable, Hashable], bool],
    second: SecondOpinion,
    settings: ScoreSettings,
) -> Decision:
    """Decide what was said.

    Knowing what is said at such a moment, Whisper finds the command, but may take the seat from what was written
    there; between seats it is therefore asked again without.

    Args:
        found: the readings.
        free_text: the free one as a text.
        said: from tokens to text and meaning, ``None`` if they mean nothing.
        sounded: how long and how loud it was.
        care: what a mistake about a command would cost.
        alike: whether two commands differ only in their seat or number.
        second: asked when there are such commands.
        settings: the weights.
    """
    groups: dict[Hashable, list[_Said]] = {}
    for reading in found.readings:
        meaning = said(reading.tokens)
        if meaning is not None:
            score = reading.total - settings.expectation * reading.prior
            groups.setdefault(meaning[1], []).append(_Said(score, reading.total, meaning[0], reading.tokens))
    if not groups:
        return Decision(None, (), ())
    summed = {key: _sum([reading.score for reading in readings]) for key, readings in groups.items()}
    weighed = _weighed(groups, summed, alike, second, settings)
    candidates = []
    for key, readings in groups.items():
        score, total = summed[key], _sum([reading.total for reading in readings])
        best = max(readings, key=lambda reading: reading.score)
        apart = score - max((summed[other] for other in groups if not alike(key, other)), default=-np.inf)
        stake = care(key, best.text)
        confidence = _confidence(score, total, apart, found.free, free_text, best, stake, sounded, settings)
        candidates.append(Candidate(best.text, key, score, total, confidence))
    surest = max(candidates, key=lambda candidate: candidate.score)
    candidates.sort(key=lambda candidate: weighed[candidate.key], reverse=True)
    # Which seat it was is another question than whether it was such a command.
    first = candidates[0] = replace(candidates[0], confidence=surest.confidence)
    if first.confidence < settings.thresholds[care(first.key, first.text)]:
        return Decision(None, (), tuple(candidates))
    near = settings.near + settings.near_unclear * (1.0 - _clear(found.free))
    others = tuple(
        other
        for other in candidates[1:3]
        if weighed[first.key] - weighed[other.key] < near and alike(first.key, other.key)
    )
    return Decision(first, others[:1], tuple(candidates))


def _weighed(
    groups: Mapping[Hashable, Sequence[_Said]],
    summed: Mapping[Hashable, float],
    alike: Callable[[Hashable, Hashable], bool],
    second: SecondOpinion,
    settings: ScoreSettings,
) -> dict[Hashable, float]:
    """The scores by which commands are ordered: of those that are like the best, with the second opinion."""
    leader = max(summed, key=summed.__getitem__)
    rivals = [key for key in summed if alike(key, leader) and summed[leader] - summed[key] < settings.second_within]
    weighed = dict(summed)
    if len(rivals) < 2 or not settings.second:
        return weighed
    texts = list(dict.fromkeys(reading.tokens for key in rivals for reading in groups[key]))
    opinions = dict(zip(texts, second(texts), strict=True))
    again = {key: _sum([opinions[text] for text in {reading.tokens for reading in groups[key]}]) for key in rivals}
    mixed = {key: (summed[key] + settings.second * again[key]) / (1.0 + settings.second) for key in rivals}
    # The best keeps its place among all others.
    shift = summed[leader] - max(mixed.values())
    weighed.update({key: score + shift for key, score in mixed.items()})
    return weighed


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
        + settings.token * total / (len(best.tokens) + 1)
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
