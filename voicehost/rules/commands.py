"""What may be said to the referee: one frozen class a command.

The class attribute ``name`` is the command's public name, the fields are its slots. Commands of the
last section are never spoken: the clock and the players' phones give them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Command:
    """The base of all commands."""

    name: ClassVar[str] = ""
    spoken: ClassVar[bool] = True
    """Whether people say it; phones and the clock give the others."""
    query: ClassVar[bool] = False
    """Whether it only asks or steers the program itself, so that no event follows."""

    def slots(self) -> dict[str, Any]:
        """Return the slots as plain JSON values; an optional slot that was not said is left out."""
        values: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if value is None and field.default is not MISSING:
                continue
            values[field.name] = list(value) if isinstance(value, tuple) else value
        return values


# --- the course of the game


@dataclass(frozen=True, slots=True)
class StartGame(Command):
    """Leave the lobby: deal, then the first night."""

    name: ClassVar[str] = "start-game"


@dataclass(frozen=True, slots=True)
class Next(Command):
    """End the present step early; where the step waits for facts it means «none»."""

    name: ClassVar[str] = "next"


@dataclass(frozen=True, slots=True)
class EndSpeech(Command):
    """The speaker has finished («спасибо», «пас»)."""

    name: ClassVar[str] = "end-speech"


@dataclass(frozen=True, slots=True)
class DeclareWinner(Command):
    """The host names the winner, as he does when the program does not know the roles."""

    name: ClassVar[str] = "declare-winner"
    winner: str
    """``city``, ``mafia`` or ``draw``."""


@dataclass(frozen=True, slots=True)
class EndGame(Command):
    """Stop an unfinished game; nobody wins, unless it is decided and only last words are left."""

    name: ClassVar[str] = "end-game"


@dataclass(frozen=True, slots=True)
class PlayAgain(Command):
    """A new game with the same people at the same seats."""

    name: ClassVar[str] = "play-again"


@dataclass(frozen=True, slots=True)
class SetRole(Command):
    """The host tells the program whose role is what."""

    name: ClassVar[str] = "set-role"
    seat: int
    role: str
    """``city``, ``sheriff``, ``mafia`` or ``don``."""


# --- the day


@dataclass(frozen=True, slots=True)
class Nominate(Command):
    """The speaker puts a seat up for the vote (present tense only, FSM 4.4.2)."""

    name: ClassVar[str] = "nominate"
    seat: int


@dataclass(frozen=True, slots=True)
class Withdraw(Command):
    """The speaker takes his nomination back, where the rule set allows it."""

    name: ClassVar[str] = "withdraw"
    seat: int


@dataclass(frozen=True, slots=True)
class Votes(Command):
    """Hands for the present candidate, or for the lift: how many, or whose."""

    name: ClassVar[str] = "votes"
    count: int | None = None
    seats: tuple[int, ...] | None = None


# --- discipline


@dataclass(frozen=True, slots=True)
class Foul(Command):
    """One foul, or several for one act."""

    name: ClassVar[str] = "foul"
    seat: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class RemoveFoul(Command):
    """Take one foul back."""

    name: ClassVar[str] = "remove-foul"
    seat: int


@dataclass(frozen=True, slots=True)
class TechnicalFoul(Command):
    """A technical foul, counted apart."""

    name: ClassVar[str] = "technical-foul"
    seat: int


@dataclass(frozen=True, slots=True)
class RemovePlayer(Command):
    """Remove a player at once; no last word."""

    name: ClassVar[str] = "remove-player"
    seat: int
    reason: str | None = None
    """A removal reason of the rule set, or None when it was not named."""


@dataclass(frozen=True, slots=True)
class TeamDefeat(Command):
    """The seat's team loses: an offence of a living player, or a hint from one who is out."""

    name: ClassVar[str] = "team-defeat"
    seat: int


# --- the night


@dataclass(frozen=True, slots=True)
class Shot(Command):
    """Whom the mafia hit; None is a miss."""

    name: ClassVar[str] = "shot"
    seat: int | None


@dataclass(frozen=True, slots=True)
class Shooter(Command):
    """One black player's shot."""

    name: ClassVar[str] = "shooter"
    shooter: int
    target: int


@dataclass(frozen=True, slots=True)
class DonCheck(Command):
    """The Don asks whether a seat is the Sheriff."""

    name: ClassVar[str] = "don-check"
    seat: int


@dataclass(frozen=True, slots=True)
class SheriffCheck(Command):
    """The Sheriff asks for a seat's colour."""

    name: ClassVar[str] = "sheriff-check"
    seat: int


@dataclass(frozen=True, slots=True)
class BestMove(Command):
    """The first victim names three seats he takes for black."""

    name: ClassVar[str] = "best-move"
    seats: tuple[int, ...]


# --- time


@dataclass(frozen=True, slots=True)
class Pause(Command):
    """Stop the running timer."""

    name: ClassVar[str] = "pause"


@dataclass(frozen=True, slots=True)
class Resume(Command):
    """Let the timer run on."""

    name: ClassVar[str] = "resume"


@dataclass(frozen=True, slots=True)
class AddTime(Command):
    """Lengthen the running timer."""

    name: ClassVar[str] = "add-time"
    seconds: int


# --- history


@dataclass(frozen=True, slots=True)
class Undo(Command):
    """Take back the last command and all that followed it by itself."""

    name: ClassVar[str] = "undo"


@dataclass(frozen=True, slots=True)
class Redo(Command):
    """Put back what the last undo took."""

    name: ClassVar[str] = "redo"


@dataclass(frozen=True, slots=True)
class Confirm(Command):
    """Yes to the program's question."""

    name: ClassVar[str] = "confirm"


@dataclass(frozen=True, slots=True)
class Deny(Command):
    """No to the program's question."""

    name: ClassVar[str] = "deny"


# --- questions to the program; no event follows


@dataclass(frozen=True, slots=True)
class Repeat(Command):
    """Say the last announcement again."""

    name: ClassVar[str] = "repeat"
    query: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class AskNominees(Command):
    """Who is nominated?"""

    name: ClassVar[str] = "ask-nominees"
    query: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class AskTime(Command):
    """How much time is left?"""

    name: ClassVar[str] = "ask-time"
    query: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class AskFouls(Command):
    """How many fouls has the seat?"""

    name: ClassVar[str] = "ask-fouls"
    query: ClassVar[bool] = True
    seat: int


@dataclass(frozen=True, slots=True)
class AskAlive(Command):
    """Who is in the game?"""

    name: ClassVar[str] = "ask-alive"
    query: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class AskDay(Command):
    """Which day or night is it?"""

    name: ClassVar[str] = "ask-day"
    query: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class AskHelp(Command):
    """What may be said now?"""

    name: ClassVar[str] = "ask-help"
    query: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Listen(Command):
    """Take spoken commands again."""

    name: ClassVar[str] = "listen"
    query: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class StopListening(Command):
    """Take no spoken command but «слушай»."""

    name: ClassVar[str] = "stop-listening"
    query: ClassVar[bool] = True


# --- never spoken: the clock and the players' phones


@dataclass(frozen=True, slots=True)
class Elapse(Command):
    """The timer of the present step has run out."""

    name: ClassVar[str] = "elapse"
    spoken: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Proceed(Command):
    """A step whose fact is recorded may end before its time."""

    name: ClassVar[str] = "proceed"
    spoken: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class TakeCard(Command):
    """A player picks the card with that number of those that remain, from 1 (source 000)."""

    name: ClassVar[str] = "take-card"
    spoken: ClassVar[bool] = False
    seat: int
    card: int


@dataclass(frozen=True, slots=True)
class KeepCard(Command):
    """A player has seen his card; the next one takes his."""

    name: ClassVar[str] = "keep-card"
    spoken: ClassVar[bool] = False
    seat: int


@dataclass(frozen=True, slots=True)
class TakeSeat(Command):
    """A player sits down."""

    name: ClassVar[str] = "take-seat"
    spoken: ClassVar[bool] = False
    seat: int
    player: str


COMMANDS: dict[str, type[Command]] = {cls.name: cls for cls in Command.__subclasses__()}
"""Every command class by its public name."""


def command_from(name: str, slots: Mapping[str, Any]) -> Command:
    """Build the command ``name`` from JSON slots.

    Raises:
        KeyError: there is no such command.
        TypeError: the slots are not the command's.
    """
    return COMMANDS[name](**{key: tuple(v) if isinstance(v, list) else v for key, v in slots.items()})
