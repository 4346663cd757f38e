"""When spoken words count: always, after a wake word, or while a key is held."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from voicehost.hosting.push import Push
from voicehost.language.normal import tokens

WAKE_WORDS = ("ведущий", "водещ")
"""What the host calls the program by, if he has not named another word."""


class TriggerKind(StrEnum):
    """How the host calls the program."""

    OPEN = "open"
    WAKE = "wake"
    PUSH = "push"


@dataclass(slots=True)
class Trigger:
    """Decides whether an utterance is meant for the program."""

    kind: TriggerKind = TriggerKind.OPEN
    wake_words: tuple[str, ...] = WAKE_WORDS
    push: Push = field(default_factory=Push)
    """The key, wherever it is: under a finger at the terminal or on the host's page."""
    listening: bool = True
    """Whether «не слушай» has not been said."""

    @property
    def pushed(self) -> bool:
        """Whether the key is held."""
        return self.push.open

    @property
    def calls(self) -> tuple[str, ...]:
        """The words that must come first now, for whoever expects them; none unless a wake word is asked for."""
        called = self.kind is TriggerKind.WAKE
        return tuple(" ".join(words) for words in self._wake() if words) if called else ()

    def take(self, text: str, began: float | None = None) -> str | None:
        """Return the words meant for the program, or None when none are; ``began``: when they began to be said."""
        match self.kind:
            case TriggerKind.PUSH:
                return text if self.push.held_at(began) else None
            case TriggerKind.WAKE:
                said = tokens(text)
                for words in self._wake():
                    if words and said[: len(words)] == words:
                        return " ".join(said[len(words) :])
                return None
        return text

    def _wake(self) -> Iterable[list[str]]:
        return [list(tokens(word)) for word in self.wake_words]
