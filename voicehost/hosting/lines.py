"""The spoken lines of a game: shown, queued to the speaker, remembered for «повтори»."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from voicehost.hosting import messages
from voicehost.hosting.ports import PunctualSpeaker, Speaker, Tell
from voicehost.hosting.script import OF_THE_CLOCK, Cue
from voicehost.hosting.words import Words
from voicehost.language.styles import FREE
from voicehost.rules.game import Game, Step

URGENT = frozenset({"foul", "foul-third", "foul-fourth", "removed", "paused"})
"""Lines that go before waiting ones."""

GONGS = frozenset(
    {
        "night-zero",
        "night-falls",
        "morning-first",
        "morning-quiet",
        "morning-killed",
        "morning-killed-and-left",
        "win-city",
        "win-mafia",
        "win-draw",
        "game-stopped",
    }
)
"""Lines before which the gong sounds."""


class Lines:
    """Says cues one after another and knows when they have been heard."""

    def __init__(self, words: Words, tell: Tell, speaker: Speaker) -> None:
        """Take the words from ``words``, show them with ``tell``, let ``speaker`` speak."""
        self._words = words
        self._tell = tell
        self._speaker = speaker
        self._punctual = speaker if isinstance(speaker, PunctualSpeaker) else None
        self._last: list[tuple[str, str]] = []
        self._worded: list[tuple[Cue, str]] = []
        self._sounding: asyncio.Future[None] | None = None
        self._waiting: object = None
        self._moment: float | None = None

    def say(self, cues: Sequence[Cue]) -> None:
        """Show and speak lines; one that the rule set leaves out is skipped."""
        for spoken in cues:
            line = self._words.line(spoken)
            self._worded.append((spoken, line))
            if line:
                self._speak(spoken.phrase, line)
        del self._worded[:-100]

    def remember(self, cues: Sequence[Cue]) -> None:
        """Keep the lines of the game's latest turn, in the words in which they were said, for ``repeat``."""
        lines = {id(spoken): line for spoken, line in self._worded}
        kept = [spoken for spoken in cues if spoken.phrase not in OF_THE_CLOCK]
        said = [(spoken.phrase, line) for spoken in kept if (line := lines.get(id(spoken), ""))]
        self._last = said or self._last
        self._worded.clear()

    def take_up(self, cues: Sequence[Cue]) -> None:
        """Remember lines that were said before the program was started again."""
        self._last = [(spoken.phrase, line) for spoken in cues if (line := self._words.line(spoken))]

    def repeat(self) -> None:
        """Say the latest lines again."""
        for phrase, line in self._last:
            self._speak(phrase, line)

    def skip(self) -> None:
        """End what is being said, but for official formulas; what ended counts as heard."""
        if self._punctual is not None:
            self._punctual.skip()

    def _speak(self, phrase: str, line: str) -> None:
        self._tell(messages.say(phrase, line))
        more: dict[str, Any] = {}
        if self._punctual is not None:
            if phrase in GONGS:
                self.signal("gong")
            more = {"at": self._moment, "firm": phrase not in FREE}
            self._moment = None
        heard = self._speaker.say(line, urgent=phrase in URGENT, **more)
        if heard is not None:
            self._sounding = heard

    # --- sound in its time

    @property
    def lead(self) -> float:
        """How many seconds before its moment a line must be given; 0 when the speaker cannot keep a moment."""
        return self._punctual.lead if self._punctual is not None else 0.0

    def length(self, spoken: Cue) -> float:
        """How many seconds a line takes, 0 when that is not known."""
        line = self._words.line(spoken)
        return self._punctual.length(line) if self._punctual is not None and line else 0.0

    @contextmanager
    def at(self, moment: float | None) -> Iterator[None]:
        """Let the first line said inside begin to be heard at a moment."""
        self._moment = moment if self._punctual is not None else None
        try:
            yield
        finally:
            self._moment = None

    def signal(self, name: str) -> None:
        """Let a signal sound where the speaker has any."""
        if self._punctual is not None:
            heard = self._punctual.signal(name, self._moment)
            self._moment = None
            if heard is not None:
                self._sounding = heard

    def prepare(self, lines: Sequence[str]) -> None:
        """Let the speaker make lines ready that must come at once."""
        if self._punctual is not None:
            self._punctual.prepare(lines)

    def set_scene(self, game: Game) -> None:
        """Let music play at night and between games."""
        if self._punctual is not None:
            self._punctual.music(plays=game.is_night or game.step in {Step.LOBBY, Step.OVER})

    # --- waiting

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
