"""Two recognisers on the same sound: what both hear is believed, what they hear differently is asked about.

Whisper is the one to believe: Vosk mostly hears nothing where the room is loud. So a command that Whisper alone hears
is taken, unless it is a single word that it is not very sure of; one that Vosk alone hears is taken only if Whisper
thought of it too. What belongs together is told by time, never by order: each may cut speech where the other does not.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, Protocol, runtime_checkable

from voicehost.stt.recogniser import SAMPLE_RATE, UNKNOWN, Recogniser, Utterance

Meaning = Callable[[str], Hashable | None]
"""What a text means, or ``None``; equal meanings are one command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BothSettings:
    """How two recognisers are brought together. Chosen by measurement (see the page on hearing)."""

    alone_word: float = 0.9
    """How sure the first must be of a command of one word that the second does not hear."""
    patience: float = 0.75
    """Seconds after the end of an utterance that the other recogniser is waited for."""
    slack: float = 0.2
    """Seconds by which two utterances may miss each other and still be one."""


_MEMORY = 60.0
"""Seconds for which stretches that were decided on are remembered."""


@runtime_checkable
class _Walkable(Protocol):
    def automaton(self, *, digits: bool = False) -> Any: ...


class BothRecogniser:
    """A recogniser (see ``stt.recogniser.Recogniser``) over two others."""

    name = "both"
    sample_rate = SAMPLE_RATE

    def __init__(self, first: Recogniser, second: Recogniser, settings: BothSettings | None = None) -> None:
        """Listen with both; ``first`` is believed more and must give confidences and candidates."""
        self._pair = (first, second)
        self.model = f"{first.model}+{second.model}"
        self._settings = settings or BothSettings()
        self._meaning: Meaning = lambda text: None
        self._waiting: tuple[list[Utterance], list[Utterance]] = ([], [])
        self._settled: list[tuple[float, float]] = []
        """Stretches of sound in which the first has heard something: what comes late from the second is no news."""
        self._fed = 0
        self._lock = Lock()

    def expect(self, phrases: Sequence[str], grammar: object | None = None) -> None:
        """Hear only what is said now; takes effect at the next utterance."""
        for recogniser in self._pair:
            recogniser.expect(phrases, grammar)
        self._meaning = _meaning(phrases, grammar)

    def feed(self, pcm: bytes) -> list[Utterance]:
        """Take 16-bit mono samples and return the utterances that were finished in them."""
        with self._lock:
            # The one that is quick goes first, so that it can be compared with at once.
            self._waiting[1].extend(self._pair[1].feed(pcm))
            self._waiting[0].extend(self._pair[0].feed(pcm))
            self._fed += len(pcm)
            return self._decide(self._fed / 2 / SAMPLE_RATE - self._settings.patience)

    def finish(self) -> list[Utterance]:
        """End the stream: return what is left. The next ``feed`` begins a new one at 0 seconds."""
        with self._lock:
            self._waiting[1].extend(self._pair[1].finish())
            self._waiting[0].extend(self._pair[0].finish())
            last = self._decide(float("inf"))
            self._settled.clear()
            self._fed = 0
            return last

    def close(self) -> None:
        """Let both models go. May be called twice."""
        for recogniser in self._pair:
            recogniser.close()

    def _decide(self, waited: float) -> list[Utterance]:
        """Decide on utterances that both gave, and on those that one gave and that ended before ``waited``."""
        now, decided = self._fed / 2 / SAMPLE_RATE, []
        while True:
            first, second = self._next(waited)
            if first is None and second is None:
                break
            if first is not None:
                self._waiting[0].remove(first)
            if second is not None:
                self._waiting[1].remove(second)
            found = self._settle(first, second, now)
            if found is not None:
                decided.append(found)
        self._settled = [stretch for stretch in self._settled if stretch[1] > now - _MEMORY]
        return decided

    def _next(self, waited: float) -> tuple[Utterance | None, Utterance | None]:
        """The next utterances to decide on; none: nothing is ready."""
        for mine in self._waiting[0]:
            partner = self._partner(mine, self._waiting[1])
            if partner is not None or mine.ended <= waited:
                return mine, partner
        return None, next((other for other in self._waiting[1] if other.ended <= waited), None)

    def _partner(self, utterance: Utterance, others: Iterable[Utterance]) -> Utterance | None:
        """The one of the others that has most of its time in common with this one, if any has."""
        nearest = max(others, key=lambda other: _common(utterance, other), default=None)
        near = nearest is not None and _common(utterance, nearest) > -self._settings.slack
        return nearest if near else None

    def _settle(self, first: Utterance | None, second: Utterance | None, now: float) -> Utterance | None:
        """Decide on one or two utterances; ``None``: the first recogniser has already spoken for this stretch."""
        if first is not None:
            self._settled.append((first.began, first.ended))
        elif second is not None and any(
            min(second.ended, ended) - max(second.began, began) > -self._settings.slack
            for began, ended in self._settled
        ):
            return None
        given = [utterance for utterance in (first, second) if utterance is not None]
        text, others = self._agreed(first, second)
        return replace(
            given[0],
            text=text,
            alternatives=others,
            endpoint=now,
            candidates=tuple(candidate for utterance in given for candidate in utterance.candidates),
            sound=max((u.sound for u in given if u.sound is not None), key=len, default=None),
        )

    def _agreed(self, first: Utterance | None, second: Utterance | None) -> tuple[str, tuple[str, ...]]:
        """The words to believe, and the other readings between which one must ask."""
        one = self._readings(first)
        two = self._readings(second)
        heard = next(iter(two), None)
        if not one:
            if first is None or second is None or len(two) != 1:
                return _nothing(first, second), ()
            thought = {self._meaning(candidate.text) for candidate in first.candidates}
            return (second.text, ()) if heard in thought else (UNKNOWN, ())
        assert first is not None
        if heard is None:
            word = len(first.text.split()) == 1
            sure = not word or (first.confidence or 0.0) >= self._settings.alone_word
            return (first.text, first.alternatives) if sure else (UNKNOWN, ())
        if heard in one and len(two) == 1:
            return one[heard], ()
        meant = next(iter(one))
        if meant in two and len(one) == 1:
            return first.text, ()
        # Different commands, or both in doubt: whoever takes the utterance asks which it was.
        return first.text, tuple(text for meaning, text in {**two, **one}.items() if meaning != meant)

    def _readings(self, utterance: Utterance | None) -> dict[Hashable, str]:
        """What an utterance may mean, each with its words, the likeliest first; nothing if its text is no command."""
        if utterance is None or self._meaning(utterance.text) is None:
            return {}
        known: dict[Hashable, str] = {}
        for text in (utterance.text, *utterance.alternatives):
            meaning = self._meaning(text)
            if meaning is not None:
                known.setdefault(meaning, text)
        return known


def _meaning(phrases: Iterable[str], grammar: object | None) -> Meaning:
    """What texts mean: as the grammar says, or without one each phrase itself."""
    known = frozenset(phrases)
    if not known:
        return lambda text: None
    if not isinstance(grammar, _Walkable):
        return lambda text: text if text in known else None
    words = grammar.automaton(digits=True)

    def meaning(text: str) -> Hashable | None:
        heard = None if UNKNOWN in text else words.heard([text])
        found: Hashable = None if heard is None else heard.command
        return found

    return meaning


def _nothing(first: Utterance | None, second: Utterance | None) -> str:
    """The words of what is no command: talk, unless both heard the same."""
    if first is not None and second is not None and first.text == second.text:
        return first.text
    return UNKNOWN


def _common(first: Utterance, second: Utterance) -> float:
    """Seconds that two utterances have in common; negative: how far they are apart."""
    return min(first.ended, second.ended) - max(first.began, second.began)
