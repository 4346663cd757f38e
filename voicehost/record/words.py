"""The sheet of the evening put into words: a title, a head, a table of players, and what each day and night brought.

Every format that people read is made from this; none adds a fact of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Protocol

from voicehost.record.sheet import Period, Seat, Sheet, Time

NONE = "—"


class Say(Protocol):
    """Gives the sentence of a message key, such as ``record.winner-city``, in the reader's language."""

    def __call__(self, key: str, /, **params: object) -> str:
        """Return the sentence with its braces filled."""
        ...


@dataclass(frozen=True, slots=True)
class Page:
    """A protocol in words. ``head`` and the lines of ``parts`` are (label, value); ``parts`` are (title, lines)."""

    title: str
    head: tuple[tuple[str, str], ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    parts: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    empty: str


def page_of(sheet: Sheet, say: Say, zone: tzinfo | None = None) -> Page:
    """Put a sheet into words; times are of ``zone``, by default the zone of this machine."""
    columns = ["seat", "player", "role", "fouls", "technical-fouls", "exit"]
    rows = [_row(seat, say) for seat in sheet.seats]
    # A column that is empty for everybody is left out: roles before the end, technical fouls mostly.
    for index in (4, 2):
        if all(row[index] == NONE for row in rows):
            del columns[index]
            for row in rows:
                del row[index]
    return Page(
        title=f"{say('record.title')} {sheet.game}".strip(),
        head=tuple(_head(sheet, say, zone)),
        columns=tuple(say(f"record.{column}") for column in columns),
        rows=tuple(map(tuple, rows)),
        parts=tuple((when(period.time, say, title=True), tuple(_lines(period, say))) for period in sheet.periods),
        empty=say("record.nothing"),
    )


def outcome(sheet: Sheet, say: Say) -> str:
    """Return who has won and why, or that the game is not finished."""
    if sheet.winner is None:
        return say("record.unfinished")
    return f"{say(f'record.winner-{sheet.winner}')} ({say(f'record.reason-{sheet.reason}')})"


def when(time: Time, say: Say, *, title: bool = False) -> str:
    """Return «день 2» or «ночь 2», as a title with a capital letter."""
    kind = "night" if time.night else "day"
    return say(f"record.{kind}" if title else f"record.in-{kind}", number=time.number)


def answer_to_don(sheriff: bool | None, say: Say) -> str:
    """Return the answer to the Don's check in words."""
    kind = {True: "sheriff", False: "not-sheriff", None: "unknown"}[sheriff]
    return say(f"record.answer-{kind}")


def answer_to_sheriff(answer: str | None, say: Say) -> str:
    """Return the answer to the Sheriff's check in words."""
    return say(f"record.answer-{answer or 'unknown'}")


def numbers(seats: tuple[int, ...]) -> str:
    """Return seats as «2, 5, 8»."""
    return ", ".join(map(str, seats))


def clock_time(moment: float, zone: tzinfo | None) -> str:
    """Return a unix time as date and time, of this machine's zone when ``zone`` is None."""
    return datetime.fromtimestamp(moment).astimezone(zone).strftime("%d.%m.%Y %H:%M")


def _head(sheet: Sheet, say: Say, zone: tzinfo | None) -> Iterator[tuple[str, str]]:
    if sheet.began is not None:
        yield say("record.date"), clock_time(sheet.began, zone)
    if sheet.rules:
        yield say("record.rules"), sheet.rules
    if sheet.mode:
        yield say("record.mode"), say(f"record.mode-{sheet.mode}")
    yield say("record.result"), outcome(sheet, say)


def _row(seat: Seat, say: Say) -> list[str]:
    left = NONE if seat.left is None else f"{when(seat.left[0], say)}, {say(f'record.cause-{seat.left[1]}')}"
    return [
        str(seat.number),
        seat.name or NONE,
        say(f"record.role-{seat.role}") if seat.role else NONE,
        str(seat.fouls or NONE),
        str(seat.technical_fouls or NONE),
        left,
    ]


def _lines(period: Period, say: Say) -> Iterator[tuple[str, str]]:
    """Yield what a day or night brought, in the order in which an evening goes."""
    if period.nominations:
        pairs = (say("record.nomination", by=by, seat=seat) for by, seat in period.nominations)
        yield say("record.nominations"), ", ".join(pairs)
    for seat, total, technical in period.fouls:
        yield say("record.technical-foul" if technical else "record.foul"), f"{seat} ({total})"
    if period.no_vote:
        yield say("record.no-vote"), say(f"record.no-vote-{period.no_vote}")
    for turn in period.rounds:
        label = say("record.vote") if turn.number == 1 else say("record.round", number=turn.number)
        votes = [
            f"{candidate} {NONE} {count}" + (f" ({numbers(seats)})" if seats else "")
            for candidate, count, seats in turn.votes
        ]
        yield label, "; ".join(votes) or numbers(turn.candidates)
        if turn.tie:
            yield say("record.tie"), numbers(turn.tie)
    if period.lift:
        yield say("record.lift"), say("record.lift-votes", count=period.lift[0], needed=period.lift[1])
    if period.cancelled:
        yield say("record.vote-cancelled"), say(f"record.vote-cancelled-{period.cancelled}")
    if period.shots:
        pairs = (say("record.nomination", by=by, seat=seat) for by, seat in period.shots)
        yield say("record.shot"), ", ".join(pairs)
    if period.killed is not None:
        yield say("record.killed"), str(period.killed)
    if period.missed:
        yield say("record.missed"), NONE
    if period.don_check:
        yield say("record.don-check"), f"{period.don_check[0]} {NONE} {answer_to_don(period.don_check[1], say)}"
    if period.sheriff_check:
        seat, answer = period.sheriff_check
        yield say("record.sheriff-check"), f"{seat} {NONE} {answer_to_sheriff(answer, say)}"
    if period.best_move:
        yield say("record.best-move"), f"{period.best_move[0]}: {numbers(period.best_move[1])}"
    if period.left:
        yield say("record.left"), ", ".join(f"{seat} ({say(f'record.cause-{cause}')})" for seat, cause in period.left)
