"""When spoken words count: always, after a wake word, or while a key is held."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from voicehost.language.normal import tokens


class TriggerKind(StrEnum):
    """How the host calls the program."""

    OPEN = "open"
    WAKE = "wake"
    PUSH = "push"


@dataclass(slots=True)
class Trigger:
    """Decides whether an utterance is meant for the program."""

    kind: TriggerKind = TriggerKind.OPEN
    wake_words: tuple[str, ...] = ("ведущий", "водещ")
    pushed: bool = False
    """Whether the key is held, or was when the utterance began."""
    listening: bool = True
    """Whether «не слушай» has not been said."""

    def take(self, text: str) -> str | None:
        """Return the words meant for the program, or None when none are."""
        match self.kind:
            case TriggerKind.PUSH:
                return text if self.pushed else None
            case TriggerKind.WAKE:
                words = tokens(text)
                called = bool(words) and words[0] in {w for word in self.wake_words for w in tokens(word)}
                return " ".join(words[1:]) if called else None
        return text
