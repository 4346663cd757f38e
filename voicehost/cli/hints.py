"""Tells a recogniser what may be said now, whenever that has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from voicehost.hosting.conductor import Conductor
    from voicehost.rules.legal import Legal
    from voicehost.stt.recogniser import Recogniser


class Hints:
    """Keeps a recogniser told of what may be said."""

    def __init__(self, recogniser: Recogniser) -> None:
        """Tell ``recogniser``."""
        self._recogniser = recogniser
        self._told: tuple[Legal, list[str]] | None = None

    def expect(self, conductor: Conductor) -> None:
        """Tell it, if something has changed."""
        from voicehost.hosting.hearing import Expectation
        from voicehost.rules.legal import legal

        words = conductor.course.words
        now = legal(conductor.course.game)
        beside, calls = conductor.beside(), conductor.trigger.calls
        if (now, beside) != self._told:
            self._told = now, beside
            expectation = Expectation(words.pack, now, beside=beside, calls=calls)
            self._recogniser.expect(expectation.phrases, expectation)
