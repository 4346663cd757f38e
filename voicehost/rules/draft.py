"""A decision being written: events are folded as they are added, so that the next one sees their effect."""

from __future__ import annotations

from dataclasses import dataclass, field

from voicehost.rules.events import DepartureAnnounced, Event, GameEnded, NothingSecret, OutcomeDecided
from voicehost.rules.fold import fold
from voicehost.rules.game import Game, Step
from voicehost.rules.outcome import by_numbers


@dataclass(slots=True)
class Draft:
    """The game so far and the events that led to it."""

    game: Game
    events: list[Event] = field(default_factory=list)

    def add(self, event: Event) -> None:
        """Add one event and fold it in."""
        self.game = fold(self.game, event)
        self.events.append(event)

    def test_win(self) -> None:
        """Record the deciding moment, if it is this one. It takes a number either way."""
        outcome = by_numbers(self.game) if self.game.decided is None else None
        self.add(NothingSecret() if outcome is None else OutcomeDecided(*outcome))

    def end_if_decided(self) -> bool:
        """End a decided game in which nobody has a last word any more; tell whether the game is over."""
        if self.game.step is not Step.OVER and self.game.decided is not None and not self.game.leaving:
            if self.game.unannounced:
                self.add(DepartureAnnounced(self.game.unannounced))
            self.add(GameEnded(*self.game.decided))
        return self.game.step is Step.OVER
