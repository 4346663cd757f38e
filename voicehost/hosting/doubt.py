"""«Седьмой или восьмой?»: the program asks back when a recogniser could not tell two seats apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from voicehost.hosting.words import Words
from voicehost.rules.commands import Command


@dataclass(slots=True)
class Doubt:
    """The readings among which the host is asked to choose; none most of the time."""

    choices: dict[int, Command] = field(default_factory=dict)
    """What each seat would mean."""

    def between(self, command: Command, others: Sequence[Command]) -> tuple[int, ...]:
        """Begin a doubt; return the seats to choose from, none when the readings differ in more than the seat."""
        found: dict[int, Command] = {}
        for reading in (command, *others):
            slots = reading.slots()
            seat = slots.get("seat")
            alike = reading.name == command.name and {**slots, "seat": None} == {**command.slots(), "seat": None}
            if not alike or not isinstance(seat, int):
                return ()
            found.setdefault(seat, reading)
        self.choices = found
        return tuple(sorted(found))

    def forget(self) -> None:
        """Doubt no longer."""
        self.choices = {}

    def answer(self, text: str, words: Words) -> Command | None:
        """Return the reading that a bare seat number chooses, or None."""
        if not self.choices:
            return None
        seat = words.seat(text)
        return self.choices.get(seat) if seat is not None else None

    def phrases(self, words: Words) -> list[str]:
        """Return what may be said in answer."""
        return [phrase for seat in self.choices for phrase in words.seat_names(seat)]
