"""One foul heard twice: an echo of the room, or two microphones, must not cost a player two."""

from __future__ import annotations

from dataclasses import dataclass

from voicehost.hosting.inputs import Said
from voicehost.rules.commands import Command, Foul, TechnicalFoul

SECONDS = 1.5
"""Within which the same foul, begun again after the end of the first, is the first; two at once are «два фола»."""


@dataclass(slots=True)
class Echo:
    """Remembers the latest spoken command if it was a foul."""

    command: Command | None = None
    ended: float = 0.0

    def is_heard(self, said: Said, command: Command, now: float) -> bool:
        """Tell whether an utterance that is handled ``now`` only repeats the foul just given.

        Only sound can: it tells how long it was, and so when it began. What is typed is meant.
        """
        utterance = said.utterance
        if not said.spoken or utterance is None or command != self.command:
            return False
        return bool(now - (utterance.ended - utterance.began) - self.ended <= SECONDS)

    def note(self, said: Said, command: Command, now: float) -> None:
        """Remember a command that was carried out."""
        self.command = command if said.spoken and isinstance(command, Foul | TechnicalFoul) else None
        self.ended = now
