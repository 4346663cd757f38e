"""What has happened in a game: one frozen class an event.

State is made only by folding events, so an event holds all that the fold needs. Fields named in ``hidden`` stay in
the journal and are never shown; events of the last section steer the program and are not shown at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Event:
    """The base of all events."""

    name: ClassVar[str] = ""
    hidden: ClassVar[frozenset[str]] = frozenset()
    """Fields that no listing shows."""
    secret: ClassVar[bool] = False
    """Whether the table must not see the data of the event."""
    internal: ClassVar[bool] = False
    """Whether the event is kept out of every listing."""

    def data(self) -> dict[str, Any]:
        """Return all fields as JSON values, for the journal."""
        return {f.name: _plain(getattr(self, f.name)) for f in fields(self)}

    def shown(self) -> dict[str, Any]:
        """Return the fields that the host may see."""
        return {key: value for key, value in self.data().items() if key not in self.hidden}

    @property
    def quiet_now(self) -> bool:
        """Whether the table must not learn of this event's data yet."""
        return self.secret


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


# --- the course of the game


@dataclass(frozen=True, slots=True)
class GameStarted(Event):
    """The lobby is closed."""

    name: ClassVar[str] = "game-started"


@dataclass(frozen=True, slots=True)
class RolesDealt(Event):
    """Every seat has its card; ``roles`` is in seat order, empty when the program does not know them."""

    name: ClassVar[str] = "roles-dealt"
    hidden: ClassVar[frozenset[str]] = frozenset({"roles"})
    secret: ClassVar[bool] = True
    roles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoleSet(Event):
    """The host told one seat's role."""

    name: ClassVar[str] = "role-set"
    hidden: ClassVar[frozenset[str]] = frozenset({"role"})
    secret: ClassVar[bool] = True
    seat: int
    role: str


@dataclass(frozen=True, slots=True)
class NightFell(Event):
    """A night begins; number 0 is the night of meeting, night n comes after day n."""

    name: ClassVar[str] = "night-fell"
    number: int


@dataclass(frozen=True, slots=True)
class MafiaMet(Event):
    """The blacks have met and agreed their order."""

    name: ClassVar[str] = "mafia-met"


@dataclass(frozen=True, slots=True)
class DonMet(Event):
    """The Don has shown himself."""

    name: ClassVar[str] = "don-met"


@dataclass(frozen=True, slots=True)
class SheriffMet(Event):
    """The Sheriff has shown himself."""

    name: ClassVar[str] = "sheriff-met"


@dataclass(frozen=True, slots=True)
class FreeSeating(Event):
    """Heads may be raised, masks stay on (FSM 4.2.3)."""

    name: ClassVar[str] = "free-seating"


@dataclass(frozen=True, slots=True)
class DayBroke(Event):
    """A day begins; the first is 1."""

    name: ClassVar[str] = "day-broke"
    number: int


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    """``winner`` is city, mafia, draw or none."""

    name: ClassVar[str] = "game-ended"
    winner: str
    reason: str


# --- speeches


@dataclass(frozen=True, slots=True)
class SpeechBegan(Event):
    """A day speech, or the short window of a silenced player."""

    name: ClassVar[str] = "speech-began"
    seat: int
    seconds: int


@dataclass(frozen=True, slots=True)
class SpeechEnded(Event):
    """``how``: said, time, next or out."""

    name: ClassVar[str] = "speech-ended"
    seat: int
    how: str


@dataclass(frozen=True, slots=True)
class ShootoutSpeechBegan(Event):
    """A tied candidate defends himself."""

    name: ClassVar[str] = "shootout-speech-began"
    seat: int
    seconds: int


@dataclass(frozen=True, slots=True)
class ShootoutSpeechEnded(Event):
    """``how`` as in SpeechEnded."""

    name: ClassVar[str] = "shootout-speech-ended"
    seat: int
    how: str


@dataclass(frozen=True, slots=True)
class LastWordBegan(Event):
    """One who leaves says farewell."""

    name: ClassVar[str] = "last-word-began"
    seat: int
    seconds: int


@dataclass(frozen=True, slots=True)
class LastWordEnded(Event):
    """``how`` as in SpeechEnded."""

    name: ClassVar[str] = "last-word-ended"
    seat: int
    how: str


# --- nominations and the vote


@dataclass(frozen=True, slots=True)
class SeatNominated(Event):
    """``by`` has put ``seat`` up."""

    name: ClassVar[str] = "seat-nominated"
    by: int
    seat: int


@dataclass(frozen=True, slots=True)
class NominationWithdrawn(Event):
    """``by`` has taken his nomination back."""

    name: ClassVar[str] = "nomination-withdrawn"
    by: int
    seat: int


@dataclass(frozen=True, slots=True)
class NoVote(Event):
    """``reason``: none-nominated, alone-on-day-one or alone-nominated."""

    name: ClassVar[str] = "no-vote"
    reason: str


@dataclass(frozen=True, slots=True)
class VoteOpened(Event):
    """A round of the vote, 1 being the first; candidates in order of nomination."""

    name: ClassVar[str] = "vote-opened"
    candidates: tuple[int, ...]
    round: int


@dataclass(frozen=True, slots=True)
class VotesCast(Event):
    """One candidate's hands are counted; ``seats`` is None when only the number is known."""

    name: ClassVar[str] = "votes-cast"
    candidate: int
    count: int
    seats: tuple[int, ...] | None = None

    def shown(self) -> dict[str, Any]:
        """Leave ``seats`` out when they are not known."""
        data: dict[str, Any] = {"candidate": self.candidate, "count": self.count}
        if self.seats is not None:
            data["seats"] = list(self.seats)
        return data


@dataclass(frozen=True, slots=True)
class VoteCancelled(Event):
    """``reason``: removal or four-at-table."""

    name: ClassVar[str] = "vote-cancelled"
    reason: str


@dataclass(frozen=True, slots=True)
class Tie(Event):
    """Several candidates share the most hands."""

    name: ClassVar[str] = "tie"
    candidates: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LiftAsked(Event):
    """Shall all tied candidates leave?"""

    name: ClassVar[str] = "lift-asked"
    candidates: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LiftCounted(Event):
    """Hands for the lift, and how many it needs."""

    name: ClassVar[str] = "lift-counted"
    count: int
    needed: int


# --- discipline and exits


@dataclass(frozen=True, slots=True)
class FoulGiven(Event):
    """``count`` is the seat's total; ``quiet`` when it removes one of whom the table must not know yet."""

    name: ClassVar[str] = "foul-given"
    hidden: ClassVar[frozenset[str]] = frozenset({"quiet"})
    seat: int
    count: int
    quiet: bool = False

    @property
    def quiet_now(self) -> bool:
        """Whether the table must not learn of this event's data yet."""
        return self.quiet


@dataclass(frozen=True, slots=True)
class FoulRemoved(Event):
    """``count`` is the seat's total."""

    name: ClassVar[str] = "foul-removed"
    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class TechnicalFoulGiven(Event):
    """``count`` is the seat's total; ``quiet`` as in FoulGiven."""

    name: ClassVar[str] = "technical-foul-given"
    hidden: ClassVar[frozenset[str]] = frozenset({"quiet"})
    seat: int
    count: int
    quiet: bool = False

    @property
    def quiet_now(self) -> bool:
        """Whether the table must not learn of this event's data yet."""
        return self.quiet


@dataclass(frozen=True, slots=True)
class SeatLeft(Event):
    """A seat's exit is decided; ``quiet`` while the table must not know."""

    name: ClassVar[str] = "seat-left"
    hidden: ClassVar[frozenset[str]] = frozenset({"quiet"})
    seat: int
    cause: str
    quiet: bool = False

    @property
    def quiet_now(self) -> bool:
        """Whether the table must not learn of this event's data yet."""
        return self.quiet


@dataclass(frozen=True, slots=True)
class DepartureAnnounced(Event):
    """The table is told who left in the night."""

    name: ClassVar[str] = "departure-announced"
    seats: tuple[int, ...]


# --- the night


@dataclass(frozen=True, slots=True)
class HuntBegan(Event):
    """The numbers are about to be called."""

    name: ClassVar[str] = "hunt-began"


@dataclass(frozen=True, slots=True)
class ShooterShot(Event):
    """One black player's shot."""

    name: ClassVar[str] = "shooter-shot"
    secret: ClassVar[bool] = True
    shooter: int
    target: int


@dataclass(frozen=True, slots=True)
class ShotMissed(Event):
    """Nobody is hit this night."""

    name: ClassVar[str] = "shot-missed"
    secret: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class SeatShot(Event):
    """All blacks hit this seat."""

    name: ClassVar[str] = "seat-shot"
    secret: ClassVar[bool] = True
    seat: int


@dataclass(frozen=True, slots=True)
class DonChecked(Event):
    """``sheriff`` is None when the program does not know."""

    name: ClassVar[str] = "don-checked"
    secret: ClassVar[bool] = True
    seat: int
    sheriff: bool | None


@dataclass(frozen=True, slots=True)
class SheriffChecked(Event):
    """``answer``: red, black, black-don, or None when the program does not know."""

    name: ClassVar[str] = "sheriff-checked"
    secret: ClassVar[bool] = True
    seat: int
    answer: str | None


@dataclass(frozen=True, slots=True)
class BestMoveNamed(Event):
    """The first victim's three numbers."""

    name: ClassVar[str] = "best-move"
    by: int
    seats: tuple[int, ...]


# --- time and history


@dataclass(frozen=True, slots=True)
class Paused(Event):
    """The timer stands."""

    name: ClassVar[str] = "paused"


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    """The timer runs on."""

    name: ClassVar[str] = "resumed"


@dataclass(frozen=True, slots=True)
class TimeAdded(Event):
    """The running timer is longer now."""

    name: ClassVar[str] = "time-added"
    seconds: int


@dataclass(frozen=True, slots=True)
class Undone(Event):
    """Nothing after ``to_seq`` is in force any more."""

    name: ClassVar[str] = "undone"
    to_seq: int


@dataclass(frozen=True, slots=True)
class Redone(Event):
    """The events from ``from_seq`` to ``to_seq`` are in force again."""

    name: ClassVar[str] = "redone"
    from_seq: int
    to_seq: int


# --- internal


@dataclass(frozen=True, slots=True)
class OutcomeDecided(Event):
    """The deciding moment (FSM 1.4): nothing later changes the winner; the game ends after the last words."""

    name: ClassVar[str] = "outcome-decided"
    internal: ClassVar[bool] = True
    secret: ClassVar[bool] = True
    winner: str
    reason: str


@dataclass(frozen=True, slots=True)
class NothingSecret(Event):
    """Stands where another internal event might have been, so that no gap in the numbers tells what is secret."""

    name: ClassVar[str] = "nothing-secret"
    internal: ClassVar[bool] = True
    secret: ClassVar[bool] = True
    looks_like: str = ""
    """Name of the event that the table's list shows here; "" = none."""


@dataclass(frozen=True, slots=True)
class VoteLost(Event):
    """A removal costs a vote: this day's, or the coming day's (FSM 7.1, 7.2)."""

    name: ClassVar[str] = "vote-lost"
    internal: ClassVar[bool] = True
    next_day: bool


@dataclass(frozen=True, slots=True)
class VoteKept(Event):
    """The one removed in the shooting was also its victim: the coming vote is held after all (FSM 7.1)."""

    name: ClassVar[str] = "vote-kept"
    internal: ClassVar[bool] = True
    secret: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class LastWordForfeited(Event):
    """One who was to leave with a last word loses it (FSM 6.5)."""

    name: ClassVar[str] = "last-word-forfeited"
    internal: ClassVar[bool] = True
    secret: ClassVar[bool] = True
    seat: int


@dataclass(frozen=True, slots=True)
class SeatTaken(Event):
    """A player sits down."""

    name: ClassVar[str] = "seat-taken"
    internal: ClassVar[bool] = True
    seat: int
    player: str


@dataclass(frozen=True, slots=True)
class CardTaken(Event):
    """A player has drawn his card."""

    name: ClassVar[str] = "card-taken"
    internal: ClassVar[bool] = True
    secret: ClassVar[bool] = True
    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class CardKept(Event):
    """He has seen it."""

    name: ClassVar[str] = "card-kept"
    internal: ClassVar[bool] = True
    seat: int


@dataclass(frozen=True, slots=True)
class StepBegan(Event):
    """A step begins that no other event opens."""

    name: ClassVar[str] = "step-began"
    internal: ClassVar[bool] = True
    step: str
    seat: int | None = None


EVENTS: dict[str, type[Event]] = {cls.name: cls for cls in Event.__subclasses__()}
"""Every event class by its public name."""


def event_from(name: str, data: Mapping[str, Any]) -> Event:
    """Build the event ``name`` from the JSON values that ``Event.data`` gave.

    Raises:
        KeyError: there is no such event.
        TypeError: the fields are not the event's.
    """
    return EVENTS[name](**{key: tuple(v) if isinstance(v, list) else v for key, v in data.items()})
