"""What became of everything that the microphone heard, for hosts who want to see later why a command was missed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from voicehost.rules.commands import Command
from voicehost.rules.game import CHECKS, EYES_SHUT, SPEAKING, Game, Step

What = Literal["heard", "asked", "refused", "unrecognised", "ignored"]
"""Carried out; the program asked back; not allowed; no command; not meant for the program."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of an utterance.

    ``reason`` is the code of a refusal, or why it was not taken: ``two-readings``, ``not-listening``,
    ``no-wake-word``, ``key-up``, ``own-voice``, or with what the program asked back: ``which-seat``, ``confirm``;
    ``echo``: the foul was counted before.
    ``command`` is what was understood, taken or not.
    """

    what: What
    reason: str | None = None
    command: Command | None = None


class Transcript:
    """Is told of everything that is heard; this one forgets it."""

    def stands(self, game: Game) -> None:
        """Note where the game stands, whether anything is heard or not."""

    def keep(self, utterance: Any, before: Game, verdict: Verdict) -> None:
        """Take a recogniser's utterance, the game as it was before it, and what became of it."""


def may_be_kept(game: Game) -> bool:
    """Tell whether what is said at this moment may be written down.

    Where nobody hosts, whoever speaks while cards are looked at or eyes are shut gives himself away by his voice:
    nothing of that is kept at all.
    """
    return game.hosted or not (game.is_night or game.step in EYES_SHUT or game.step in {Step.DEAL, Step.BEST_MOVE})


def situation_of(game: Game) -> str:
    """Return which of the moments of a recordings folder (``rules.situations``) this one is most like."""
    if game.pending is not None or game.paused:
        return "any"
    if game.step in SPEAKING:
        return "speech"
    if game.step in CHECKS:
        return str(game.step)
    named = {Step.VOTE: "vote", Step.LIFT: "lift", Step.HUNT: "night-hunt", Step.BEST_MOVE: "best-move"}
    return named.get(game.step, "lobby" if game.step in {Step.LOBBY, Step.DEAL, Step.OVER} else "any")
