"""The spoken lines of a game: shown, queued to the speaker, remembered for «повтори»."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from voicehost.hosting import messages
from voicehost.hosting.ports import Speaker, Tell
from voicehost.hosting.script import Cue
from voicehost.hosting.words import Words

URGENT = frozenset({"foul", "foul-third", "foul-fourth", "removed", "paused"})
"""Lines that go before waiting ones."""


class Lines:
    """Says cues one after another and knows when they have been heard."""

    def __init__(self, words: Words, tell: Tell, speaker: Speaker) -> None:
        """Take the words from ``words``, show them with ``tell``, let ``speaker`` speak."""
        self._words = words
        self._tell = tell
        self._speaker = speaker
        self._last: list[tuple[str, str]] = []
        self._sounding: asyncio.Future[None] | None = None
        self._waiting: object = None

    def say(self, cues: Sequence[Cue]) -> None:
        """Show and speak lines; one that the rule set leaves out is skipped."""
        for spoken in cues:
            line = self._words.line(spoken)
            if line:
                self._speak(spoken.phrase, line)

    def remember(self, cues: Sequence[Cue]) -> None:
        """Keep the lines of the game's latest turn for ``repeat``."""
        said = [(spoken.phrase, line) for spoken in cues if (line := self._words.line(spoken))]
        self._last = said or self._last

    def repeat(self) -> None:
        """Say the latest lines again."""
        for phrase, line in self._last:
            self._speak(phrase, line)

    def _speak(self, phrase: str, line: str) -> None:
        self._tell(messages.say(phrase, line))
        heard = self._speaker.say(line, urgent=phrase in URGENT)
        if heard is not None:
            self._sounding = heard

    def when_said(self, then: Callable[[], None]) -> None:
        """Call ``then`` when all lines so far have been heard, unless something newer is waited for by then."""
        token = self._waiting = object()
        sounding = self._sounding
        if sounding is None or sounding.done():
            then()
            return

        def heard(_: asyncio.Future[None]) -> None:
            if self._waiting is token:
                then()

        sounding.add_done_callback(heard)

    def forget(self) -> None:
        """Wait for nothing any more."""
        self._waiting = None

    async def heard(self) -> None:
        """Return when all lines have been heard."""
        while self._sounding is not None and not self._sounding.done():
            await asyncio.wait([self._sounding])
