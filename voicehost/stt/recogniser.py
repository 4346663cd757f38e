"""What every recogniser does: it is told what may be said, is fed sound, and returns finished utterances.

A recogniser never decides what an utterance means. It may return words outside the phrases, with ``UNKNOWN`` where
it heard no word it knows; whoever parses the text takes it whole or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, runtime_checkable

SAMPLE_RATE = 16_000
"""Samples a second of what is fed."""

UNKNOWN = "[unk]"
"""Stands in a text for speech that is none of the phrases' words; no text that holds it is a command."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing that may have been said, for the log only.

    Attributes:
        text: the words.
        score: a natural logarithm, the higher the likelier; comparable only within one utterance.
        confidence: 0 to 1; ``None``: not known.
    """

    text: str
    score: float
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Utterance:
    """Something that was said, from silence to silence.

    Attributes:
        text: words in lower case, ``UNKNOWN`` among them where no word fits.
        began: seconds of the sound fed since the stream began.
        ended: the end of the last sound of speech.
        endpoint: how much had been fed when the utterance was taken as finished.
        confidence: 0 to 1, for the log only: recognisers are as sure of wrong words. ``None``: not known.
        alternatives: other readings about as likely, the likeliest first. If one of them is a command as well, but
            another one, nobody can tell which was said: better ask than guess.
        candidates: whatever was thought of, believed or not, the likeliest first.
        sound: what was listened to, its lead-in included, as 16-bit mono samples; only from a recogniser that was
            told to keep it.
    """

    text: str
    began: float
    ended: float
    endpoint: float
    confidence: float | None = None
    alternatives: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    sound: bytes | None = field(default=None, repr=False)


@runtime_checkable
class Grammar(Protocol):
    """What may be said, as a recogniser can walk it word by word.

    ``expect`` passes any such object on unread: a recogniser takes from it what it needs and works without it when
    it gets none. The one thing that helps every recogniser is to know when nothing more can come.
    """

    def ends(self, text: str) -> bool | None:
        """Say how far a text is a command.

        Returns:
            ``True``: a whole command, and no longer one begins with it. ``False``: a whole command that may still
            go on («четыре» голоса). ``None``: not a whole command.
        """


class Recogniser(Protocol):
    """A recogniser for one stream of sound.

    ``feed``, ``finish`` and ``close`` may be called from any one thread at a time and are serialised;
    ``expect`` may be called from another at any moment and never waits for them.
    """

    @property
    def name(self) -> str:
        """The kind: ``vosk``, ``whisper`` or ``both``."""

    @property
    def model(self) -> str:
        """The name of the model, or names joined by ``+``."""

    @property
    def sample_rate(self) -> int:
        """Samples a second of what is fed: 16000."""

    def expect(self, phrases: Sequence[str], grammar: object | None = None) -> None:
        """Hear only what is said now; takes effect at the next utterance.

        Args:
            phrases: covers what may be said: every word, and every pair of neighbouring words, occurs in one of
                them. None at all: listen to nothing, sound passes by.
            grammar: the same exactly, as an object that the recogniser may know how to walk (see ``Grammar``; a
                decoder constrained to word sequences needs the automaton of them). Others ignore it.
        """

    def feed(self, pcm: bytes) -> list[Utterance]:
        """Take 16-bit mono samples and return the utterances that were finished in them."""

    def finish(self) -> list[Utterance]:
        """End the stream: return what is left. The next ``feed`` begins a new one at 0 seconds."""

    def close(self) -> None:
        """Let the model go; the recogniser is of no use afterwards. May be called twice."""


RecogniserFactory: TypeAlias = Callable[[], Recogniser]
"""Loads a recogniser; raises ``UserError`` when its model or library is missing."""
