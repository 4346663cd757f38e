"""The evening in facts: who sat where, who put up whom, who voted, who left when and why. No words yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatchmethod
from typing import Any

from voicehost.rules import events as ev


@dataclass(frozen=True, slots=True)
class Time:
    """A day or a night of the game, by its number."""

    night: bool
    number: int


@dataclass(slots=True)
class Seat:
    """One player. ``role`` is None when it is not known or must not be told yet; ``left`` is (when, cause)."""

    number: int
    name: str = ""
    role: str | None = None
    fouls: int = 0
    technical_fouls: int = 0
    left: tuple[Time, str] | None = None


@dataclass(slots=True)
class Round:
    """One round of a vote; ``votes`` holds (candidate, hands, whose or None)."""

    number: int
    candidates: tuple[int, ...]
    votes: list[tuple[int, int, tuple[int, ...] | None]] = field(default_factory=list)
    tie: tuple[int, ...] = ()


@dataclass(slots=True)
class Period:
    """What was done in one day or night.

    ``nominations`` and ``shots`` are (by, whom); ``fouls`` are (seat, total, technical); ``lift`` is (hands, needed);
    checks are (seat, answer), the answer None when only the host knows it; ``left`` is (seat, cause).
    """

    time: Time
    nominations: list[tuple[int, int]] = field(default_factory=list)
    no_vote: str | None = None
    rounds: list[Round] = field(default_factory=list)
    cancelled: str | None = None
    lift: tuple[int, int] | None = None
    fouls: list[tuple[int, int, bool]] = field(default_factory=list)
    shots: list[tuple[int, int]] = field(default_factory=list)
    killed: int | None = None
    missed: bool = False
    don_check: tuple[int, bool | None] | None = None
    sheriff_check: tuple[int, str | None] | None = None
    best_move: tuple[int, tuple[int, ...]] | None = None
    left: list[tuple[int, str]] = field(default_factory=list)


@dataclass(slots=True)
class Sheet:
    """The whole evening. ``began`` is unix time, ``winner`` is None while the game is not finished.

    ``events`` are (seq, name, data), of an unfinished game without secrets.
    """

    game: str
    began: float | None
    rules: str
    mode: str
    seats: list[Seat]
    periods: list[Period]
    winner: str | None
    reason: str | None
    events: list[tuple[int, str, dict[str, Any]]]

    @property
    def finished(self) -> bool:
        """Whether the game has ended; only then roles, shots and checks are on the sheet."""
        return self.winner is not None


def sheet_of(
    setup: Mapping[str, Any],
    events: Sequence[tuple[int, ev.Event]],
    *,
    game: str = "",
    began: float | None = None,
    secrets: bool = False,
) -> Sheet:
    """Make the sheet of a game from its setup and its events in force.

    Of ``setup`` it reads ``rules`` (a rule set's mapping, or a name), ``players``, ``mode`` and ``names`` (in seat
    order); each may be missing. Nothing that is secret goes on the sheet of an unfinished game, unless
    ``secrets`` asks for it.
    """
    end = next((event for _, event in reversed(events) if isinstance(event, ev.GameEnded)), None)
    open_ = secrets or end is not None
    announced = {seat for _, event in events if isinstance(event, ev.DepartureAnnounced) for seat in event.seats}
    clerk = _Clerk()
    for number, name in enumerate(setup.get("names") or (), start=1):
        clerk.seat(number).name = str(name)
    for number in range(1, int(setup.get("players") or 0) + 1):
        clerk.seat(number)
    for _, event in events:
        if open_ or not _secret(event, announced):
            clerk.note(event)
    rules = setup.get("rules") or ""
    if isinstance(rules, Mapping):
        rules = rules.get("title") or rules.get("name") or ""
    return Sheet(
        game=game,
        began=began,
        rules=str(rules),
        mode=str(setup.get("mode") or ""),
        seats=[clerk.seats[number] for number in sorted(clerk.seats)],
        periods=[period for period in clerk.periods if period != Period(period.time)],
        winner=None if end is None else end.winner,
        reason=None if end is None else end.reason,
        events=list(_listed(events, open_, announced)),
    )


def _listed(
    events: Iterable[tuple[int, ev.Event]], open_: bool, announced: set[int]
) -> Iterator[tuple[int, str, dict[str, Any]]]:
    for seq, event in events:
        if open_:
            yield seq, event.name, event.data()
        elif isinstance(event, ev.NothingSecret):
            if event.looks_like:
                yield seq, event.looks_like, {}
        elif not event.internal:
            yield seq, event.name, {} if _secret(event, announced) else event.shown()


def _secret(event: ev.Event, announced: set[int]) -> bool:
    """Whether the table does not know it: a quiet exit is told in the morning, other secrets at the end."""
    if isinstance(event, ev.SeatLeft):
        return event.quiet and event.seat not in announced
    return event.quiet_now


class _Clerk:
    """Notes one event after another."""

    def __init__(self) -> None:
        self.seats: dict[int, Seat] = {}
        self.periods: list[Period] = []

    def seat(self, number: int) -> Seat:
        return self.seats.setdefault(number, Seat(number))

    @property
    def now(self) -> Period:
        if not self.periods:
            self.periods.append(Period(Time(night=True, number=0)))
        return self.periods[-1]

    @singledispatchmethod
    def note(self, event: ev.Event) -> None:
        """Most events are the course of the game and leave nothing on the sheet."""

    @note.register
    def _(self, event: ev.SeatTaken) -> None:
        self.seat(event.seat).name = event.player

    @note.register
    def _(self, event: ev.RolesDealt) -> None:
        for number, role in enumerate(event.roles, start=1):
            self.seat(number).role = role

    @note.register
    def _(self, event: ev.RoleSet) -> None:
        self.seat(event.seat).role = event.role

    @note.register
    def _(self, event: ev.NightFell) -> None:
        self.periods.append(Period(Time(night=True, number=event.number)))

    @note.register
    def _(self, event: ev.DayBroke) -> None:
        self.periods.append(Period(Time(night=False, number=event.number)))

    @note.register
    def _(self, event: ev.SeatNominated) -> None:
        self.now.nominations.append((event.by, event.seat))

    @note.register
    def _(self, event: ev.NominationWithdrawn) -> None:
        if (event.by, event.seat) in self.now.nominations:
            self.now.nominations.remove((event.by, event.seat))

    @note.register
    def _(self, event: ev.NoVote) -> None:
        self.now.no_vote = event.reason

    @note.register
    def _(self, event: ev.VoteOpened) -> None:
        self.now.rounds.append(Round(event.round, event.candidates))

    @note.register
    def _(self, event: ev.VotesCast) -> None:
        if self.now.rounds:
            self.now.rounds[-1].votes.append((event.candidate, event.count, event.seats))

    @note.register
    def _(self, event: ev.Tie) -> None:
        if self.now.rounds:
            self.now.rounds[-1].tie = event.candidates

    @note.register
    def _(self, event: ev.VoteCancelled) -> None:
        self.now.cancelled = event.reason

    @note.register
    def _(self, event: ev.LiftCounted) -> None:
        self.now.lift = (event.count, event.needed)

    @note.register
    def _(self, event: ev.FoulGiven) -> None:
        self.seat(event.seat).fouls = event.count
        self.now.fouls.append((event.seat, event.count, False))

    @note.register
    def _(self, event: ev.FoulRemoved) -> None:
        self.seat(event.seat).fouls = event.count
        self.now.fouls.append((event.seat, event.count, False))

    @note.register
    def _(self, event: ev.TechnicalFoulGiven) -> None:
        self.seat(event.seat).technical_fouls = event.count
        self.now.fouls.append((event.seat, event.count, True))

    @note.register
    def _(self, event: ev.SeatLeft) -> None:
        self.seat(event.seat).left = (self.now.time, event.cause)
        self.now.left.append((event.seat, event.cause))

    @note.register
    def _(self, event: ev.ShooterShot) -> None:
        self.now.shots.append((event.shooter, event.target))

    @note.register
    def _(self, event: ev.SeatShot) -> None:
        self._hunt().killed = event.seat

    @note.register
    def _(self, event: ev.ShotMissed) -> None:
        self._hunt().missed = True

    @note.register
    def _(self, event: ev.DonChecked) -> None:
        self.now.don_check = (event.seat, event.sheriff)

    @note.register
    def _(self, event: ev.SheriffChecked) -> None:
        self.now.sheriff_check = (event.seat, event.answer)

    @note.register
    def _(self, event: ev.BestMoveNamed) -> None:
        self.now.best_move = (event.by, event.seats)

    def _hunt(self) -> Period:
        """The night whose shot is told, also when it is told after the sun has risen."""
        return next((period for period in reversed(self.periods) if period.time.night), self.now)
