"""The words of one game: its language and its rule set's manner."""

from __future__ import annotations

from voicehost.hosting.script import Cue
from voicehost.language.announcements import announce
from voicehost.language.commands import covering_phrases, parse
from voicehost.language.messages import message
from voicehost.language.pack import Pack
from voicehost.rules.commands import Command
from voicehost.rules.legal import ALWAYS, Legal

UNHELPFUL = frozenset({*ALWAYS, "ask-fouls", "confirm", "deny"})
"""Commands that the spoken help leaves out: they may always be said."""


class Words:
    """Turns cues into lines and lines into commands."""

    def __init__(self, pack: Pack, manner: str) -> None:
        """Speak the pack's language in the manner of a rule set."""
        self.pack = pack
        self.manner = manner

    def line(self, cue: Cue) -> str:
        """Return the words of a cue; "" when the manner says nothing there."""
        return announce(self.pack, self.manner, cue.phrase, **cue.params)

    def parse(self, text: str, legal: Legal) -> Command | None:
        """Return the command an utterance is, or None."""
        heard = parse(self.pack, text, legal)
        return None if heard is None else heard.command

    def message(self, key: str, **params: object) -> str:
        """Return an interface sentence."""
        return message(self.pack, key, **params)

    def help(self, legal: Legal) -> str:
        """Return one wording of each command that may be said now and that is not a mere question."""
        examples = (
            covering_phrases(self.pack, {name: allowed})[:1] for name, allowed in legal.items() if name not in UNHELPFUL
        )
        return ", ".join(example for found in examples for example in found)
