"""Hands raised on the phones for the candidate being counted, in a game with no host."""

from __future__ import annotations

from dataclasses import dataclass, field

from voicehost.rules.commands import Votes
from voicehost.rules.game import Game, Step

WINDOW_SECONDS = {True: 2.0, False: 6.0}
"""How long after the question hands may rise: with a host (FSM 4.4.5: about a second and a half), by phone."""


@dataclass(slots=True)
class Hands:
    """The hands of one candidate, or of the lift."""

    raised: set[int] = field(default_factory=set)

    def raise_one(self, game: Game, seat: int) -> str:
        """Take one hand; return the reason of a refusal, or ""."""
        if game.hosted or game.step not in {Step.VOTE, Step.LIFT}:
            return "not-now"
        if seat not in game.seats:
            return "no-such-seat"
        if seat not in game.alive:
            return "seat-out"
        voted = game.ballot.voted if game.ballot and game.step is Step.VOTE else frozenset()
        if seat in self.raised or seat in voted:
            return "already-voted"
        self.raised.add(seat)
        return ""

    def everyone(self, game: Game) -> bool:
        """Tell whether nobody is left who could raise a hand."""
        return len(self.raised) >= game.hands_left

    def command(self) -> Votes:
        """Return the hands as a command."""
        return Votes(seats=tuple(sorted(self.raised)))
