"""The words of one game: its language and its rule set's manner."""

from __future__ import annotations

import difflib
from collections.abc import Callable

from voicehost.hosting.script import Cue
from voicehost.language.announcements import announce
from voicehost.language.commands import covering_phrases, parse
from voicehost.language.messages import message
from voicehost.language.normal import normalise
from voicehost.language.pack import Pack
from voicehost.language.styles import Style
from voicehost.rules.commands import Command
from voicehost.rules.legal import ALWAYS, Legal

UNHELPFUL = frozenset({*ALWAYS, "ask-fouls", "confirm", "deny"})
"""Commands that the spoken help leaves out: they may always be said."""


LONGEST_TYPO = 60
"""Characters of a line that may be a mistyped command; a longer one is talk."""

NEAR = 0.8
"""How alike a line and a phrase must be, 1 = the same."""


class Words:
    """Turns cues into lines and lines into commands."""

    def __init__(self, pack: Pack, manner: str, style: Style | None = None) -> None:
        """Speak the pack's language in the manner of a rule set; ``style`` has other words for free lines."""
        self.pack = pack
        self.manner = manner
        self._style = style
        self._name_of: Callable[[int], str | None] = lambda seat: None

    def call_by(self, name_of: Callable[[int], str | None]) -> None:
        """Let players be called by name where the style does so; ``name_of`` knows a seat's name, or None."""
        self._name_of = name_of

    def line(self, cue: Cue) -> str:
        """Return the words of a cue; "" when the manner says nothing there. A style may vary them each time."""
        if self._style is not None:
            line = self._style.line(self.pack, self.manner, cue.phrase, cue.params, self._name(cue))
            if line is not None:
                return line
        return announce(self.pack, self.manner, cue.phrase, **cue.params)

    def lines(self, cue: Cue) -> list[str]:
        """Return every wording that ``line`` may give for a cue."""
        if self._style is not None:
            lines = self._style.all_lines(self.pack, self.manner, cue.phrase, cue.params, self._name(cue))
            if lines:
                return lines
        line = announce(self.pack, self.manner, cue.phrase, **cue.params)
        return [line] if line else []

    def _name(self, cue: Cue) -> str | None:
        seat = cue.params.get("seat")
        return self._name_of(seat) if isinstance(seat, int) else None

    def plain(self, cue: Cue) -> str:
        """Return the words of a cue in no rule set's manner, for the screen: never silence."""
        return announce(self.pack, "", cue.phrase, **cue.params)

    def parse(self, text: str, legal: Legal) -> Command | None:
        """Return the command an utterance is, or None. One for a seat that no table has is a command too."""
        heard = parse(self.pack, text, legal) or parse(self.pack, text, legal, beyond=True)
        return None if heard is None else heard.command

    def nearest(self, text: str, legal: Legal) -> str | None:
        """Return the phrase, allowed now, that a mistyped line was probably meant to be; None when nothing is near."""
        said = normalise(text)
        if not 4 <= len(said) <= LONGEST_TYPO:
            return None
        phrases = {normalise(phrase): phrase for phrase in covering_phrases(self.pack, legal)}
        near = difflib.get_close_matches(said, phrases, n=1, cutoff=NEAR)
        return phrases[near[0]] if near else None

    def seat_names(self, seat: int) -> list[str]:
        """Return how a seat is named alone: «семь», «седьмой», «седьмого»."""
        forms = ("cardinal.nominative", "ordinal.nominative", "ordinal.accusative")
        return list(dict.fromkeys(self.pack.numerals.spell(seat, form) for form in forms))

    def seat(self, text: str) -> int | None:
        """Return the seat that a text names alone, digits included; None when it is more or less than that."""
        said = normalise(text)
        return next((s for s in range(1, 21) if said in {str(s), *map(normalise, self.seat_names(s))}), None)

    def stop_words(self) -> list[str]:
        """Return the words that end what is being said, where the microphone hears the host meanwhile."""
        return [word.strip() for word in self.message("hosting.stop-words").split(",")]

    def means_stop(self, text: str) -> bool:
        """Tell whether a text is one of the ``stop_words``."""
        return normalise(text) in map(normalise, self.stop_words())

    def message(self, key: str, **params: object) -> str:
        """Return an interface sentence."""
        return message(self.pack, key, **params)

    def help(self, legal: Legal) -> str:
        """Return one wording of each command that may be said now and that is not a mere question."""
        examples = (
            covering_phrases(self.pack, {name: allowed})[:1] for name, allowed in legal.items() if name not in UNHELPFUL
        )
        return ", ".join(example for found in examples for example in found)
