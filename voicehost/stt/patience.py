"""What the words heard so far are worth: a whole command or not, and so how long to wait in silence for more.

A whole command that nothing can follow is taken at once, as quickly as people answer each other; whatever may go
on («четыре» голоса, «голосуют первый» и третий) gets longer, and what is no command yet the longest, because people
stop to think in the middle of one. Only speech that is no command pays for that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from voicehost.stt.recogniser import Grammar


@dataclass(frozen=True, slots=True, kw_only=True)
class PatienceSettings:
    """Seconds of silence that end an utterance."""

    finished: float = 0.3
    """After a whole command that nothing can follow."""
    open: float = 0.5
    """After a whole command that may go on."""
    other: float = 0.7
    """After anything else."""
    longest: float = 15.0
    """An utterance of this length is cut: endless talk costs memory."""
    outdated: float = 4.0
    """One that still goes on so long after the phrases have changed is cut, so that the new ones come into force."""


class Patience:
    """Tells how long to wait after a text, for one set of phrases."""

    def __init__(
        self, phrases: Iterable[str] = (), grammar: object | None = None, settings: PatienceSettings | None = None
    ) -> None:
        self.settings = settings or PatienceSettings()
        self._grammar = grammar if isinstance(grammar, Grammar) else None
        self._phrases = frozenset(phrases)
        self._beginnings = frozenset(_beginnings(self._phrases)) if self._grammar is None else frozenset()

    def after(self, text: str) -> float:
        """Seconds of silence after ``text`` that end the utterance."""
        ends = self._ends(text)
        if ends is None:
            return self.settings.other
        return self.settings.finished if ends else self.settings.open

    def whole(self, text: str) -> bool:
        """Whether a text is a whole command."""
        return self._ends(text) is not None

    def _ends(self, text: str) -> bool | None:
        if self._grammar is not None:
            return self._grammar.ends(text)
        return text not in self._beginnings if text in self._phrases else None


def _beginnings(phrases: Iterable[str]) -> Iterator[str]:
    """Every phrase without its last words."""
    for phrase in phrases:
        words = phrase.split()
        for length in range(1, len(words)):
            yield " ".join(words[:length])
