"""From events to cues: which line is spoken, with which numbers. The words are the phrase pack's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from voicehost.rules import events as ev
from voicehost.rules.fold import THIRD_FOUL, fold
from voicehost.rules.game import Game, Step
from voicehost.rules.history import History


@dataclass(frozen=True, slots=True)
class Cue:
    """One line to say: a phrase of ``announcements.toml`` and its numbers."""

    phrase: str
    params: dict[str, Any] = field(default_factory=dict)


def cue(phrase: str, **params: Any) -> Cue:
    """Return a cue."""
    return Cue(phrase, params)


def script(game: Game, events: Sequence[ev.Event]) -> list[tuple[ev.Event, list[Cue]]]:
    """Return each event with the lines that follow it. ``game`` is the state before the first."""
    lines = []
    asleep: set[Step] = set()
    for i, event in enumerate(events):
        after = fold(game, event)
        following = events[i + 1] if i + 1 < len(events) else None
        before = []
        if isinstance(event, _AFTER_SLEEP) and game.is_night and game.step not in asleep:
            asleep.add(game.step)
            before = list(_falling_asleep(game))
        lines.append((event, [*before, *_cues(game, event, after, following)]))
        game = after
    return lines


OF_THE_CLOCK = frozenset({"paused", "resumed", "time-added"})
"""Lines that nobody means by «повтори»."""


def last_cues(history: History) -> list[Cue]:
    """Return the lines of the latest command that had any."""
    for group in reversed(history.groups):
        events = [event for _, event in group.events]
        if said := [
            line for _, cues in script(group.before, events) for line in cues if line.phrase not in OF_THE_CLOCK
        ]:
            return said
    return []


_AFTER_SLEEP = (ev.StepBegan, ev.DayBroke, ev.DepartureAnnounced)
"""Events before which whoever is awake at night goes to sleep."""


def _falling_asleep(game: Game) -> Iterator[Cue]:
    match game.step:
        case Step.HUNT:
            yield cue("hunt-ends")
            if game.missed and game.rules.miss_told_at_night:
                yield cue("miss-at-night")
        case Step.DON_CHECK:
            yield cue("don-sleeps")
        case Step.SHERIFF_CHECK:
            yield cue("sheriff-sleeps")
        case Step.BEST_MOVE if not game.settled:
            yield cue("best-move-none")


def _cues(game: Game, event: ev.Event, after: Game, following: ev.Event | None) -> Iterator[Cue]:
    match event:
        case ev.GameStarted():
            yield cue("greeting")
            if game.choose_cards:
                yield cue("deal-begins-home")
            elif game.hosted:
                yield cue("deal-begins")
        case ev.StepBegan(step=step, seat=seat):
            if not isinstance(following, ev.CardTaken):  # a card dealt without its player
                yield from _step(after, Step(step), seat)
        case ev.NightFell(number=0):
            yield cue("night-zero")
            yield cue("mafia-meets", seconds=after.seconds) if after.seconds else cue("mafia-meets-untimed")
        case ev.NightFell(number=number):
            if _lift_not_held(game):
                yield cue("lift-not-held")
            yield cue("night-falls", number=number)
        case ev.MafiaMet():
            yield cue("mafia-sleeps-zero")
        case ev.DonMet():
            yield cue("don-sleeps-zero")
        case ev.SheriffMet():
            yield cue("sheriff-sleeps-zero")
        case ev.FreeSeating():
            yield cue("free-seating", seconds=after.seconds)
        case ev.DayBroke(number=number):
            yield from _morning(game, number)
        case ev.DepartureAnnounced(seats=seats):
            if game.is_night:
                yield cue("departed", seats=seats)
        case ev.SpeechBegan(seat=seat, seconds=seconds):
            phrase = "nominate-only" if after.step is Step.NOMINATE_ONLY else "speech"
            yield cue(phrase, seat=seat, seconds=seconds)
        case ev.ShootoutSpeechBegan(seat=seat, seconds=seconds):
            yield cue("shootout-speech", seat=seat, seconds=seconds)
        case ev.LastWordBegan(seat=seat, seconds=seconds):
            yield cue("last-word", seat=seat, seconds=seconds)
        case ev.SpeechEnded(how="time") | ev.ShootoutSpeechEnded(how="time") | ev.LastWordEnded(how="time"):
            yield cue("time-over")
        case ev.SeatNominated(seat=seat):
            yield cue("nomination-accepted", seat=seat)
        case ev.NominationWithdrawn(seat=seat):
            yield cue("nomination-withdrawn", seat=seat)
        case ev.HuntBegan():
            yield cue("hunt-begins" if game.hosted else "hunt-begins-home")
        case ev.BestMoveNamed(seats=seats):
            yield cue("best-move-heard", seats=seats)
        case ev.Paused():
            yield cue("paused")
        case ev.Resumed():
            if following is None:  # otherwise the step it stopped is over
                yield cue("resumed")
        case ev.TimeAdded(seconds=seconds):
            yield cue("time-added", seconds=seconds)
        case ev.GameEnded(winner=winner, reason=reason):
            yield from _end(winner, reason)
        case _:
            yield from _vote(game, event, after, following)
            yield from _discipline(game, event)


def _step(after: Game, step: Step, seat: int | None) -> Iterator[Cue]:
    match step:
        case Step.DEAL:
            yield cue("deal-seat", seat=seat)
        case Step.MEETING_DON:
            yield cue("don-meets")
        case Step.MEETING_SHERIFF:
            yield cue("sheriff-meets")
        case Step.DON_CHECK:
            yield cue("don-wakes" if after.hosted else "don-wakes-home")
        case Step.SHERIFF_CHECK:
            yield cue("sheriff-wakes" if after.hosted else "sheriff-wakes-home")
        case Step.BEST_MOVE:
            yield cue("best-move-asked", seat=seat, seconds=after.seconds)
        case Step.MORNING_QUESTION:
            yield cue("morning-question")


def _morning(game: Game, number: int) -> Iterator[Cue]:
    seats = game.unannounced
    if number == 1:
        yield cue("morning-first")
        if seats:
            yield cue("departed", seats=seats)
    elif not seats:
        yield cue("morning-quiet", number=number)
    elif len(seats) == 1:
        yield cue("morning-killed", seat=seats[0], number=number)
        if seats[0] not in dict(game.leaving):  # removed as well, so that there is no last word
            yield cue("departed", seats=seats)
    else:
        yield cue("morning-killed-and-left", seats=seats, number=number)


def _lift_not_held(game: Game) -> bool:
    ballot = game.ballot
    return ballot is not None and bool(ballot.tied) and game.step is Step.VOTE and ballot.candidate is None


def _vote(game: Game, event: ev.Event, after: Game, following: ev.Event | None) -> Iterator[Cue]:
    match event:
        case ev.NoVote(reason="none-nominated"):
            yield cue("no-vote-none")
        case ev.NoVote():
            if not isinstance(following, ev.SeatLeft):
                yield cue("no-vote-alone", seat=game.nominees[0])
        case ev.VoteOpened(candidates=candidates, round=number):
            again = game.ballot is not None and game.ballot.round == number
            if again:
                yield cue("restarted")
            if number == 1:
                yield cue("vote-opens", seats=candidates)
                yield cue("vote-order")
            elif not again:
                yield cue("revote", seats=candidates)
            if len(candidates) > 1:
                yield cue("candidate", seat=candidates[0])
        case ev.VotesCast(candidate=candidate, count=count):
            ballot = after.ballot
            assert ballot is not None
            if ballot.candidate is None:
                yield cue("rest-to-last", seat=candidate, count=count)
                return
            yield cue("votes-counted", seat=candidate, count=count)
            if not isinstance(following, ev.VotesCast):
                yield cue("candidate", seat=ballot.candidate)
        case ev.VoteCancelled(reason=reason):
            yield cue("vote-cancelled" if reason == "removal" else "four-at-table")
        case ev.Tie(candidates=candidates):
            if isinstance(following, ev.ShootoutSpeechBegan | ev.VoteCancelled):
                yield cue("tie", seats=candidates)
        case ev.LiftAsked(candidates=candidates):
            yield cue("lift-question", seats=candidates)
        case ev.LiftCounted(count=count, needed=needed):
            seats = tuple(seat for seat in (game.ballot.tied if game.ballot else ()) if seat in game.alive)
            if count >= needed:
                yield cue("lift-passed", seats=seats, count=count, needed=needed)
            else:
                yield cue("lift-failed", count=count, needed=needed)


def _discipline(game: Game, event: ev.Event) -> Iterator[Cue]:
    rules = game.rules
    match event:
        case ev.FoulGiven(quiet=True) | ev.TechnicalFoulGiven(quiet=True):
            return  # at night the exit of a player is told when it gives nothing away
        case ev.FoulGiven(seat=seat, count=count):
            if rules.foul_limit and count >= rules.foul_limit:
                yield cue("foul-fourth", seat=seat)
            elif rules.third_foul == "nominate-only" and count == THIRD_FOUL:
                yield cue("foul-third", seat=seat)
            else:
                yield cue("foul", seat=seat, count=count)
        case ev.FoulRemoved(seat=seat, count=count):
            yield cue("foul-removed", seat=seat, count=count)
        case ev.TechnicalFoulGiven(seat=seat, count=count):
            yield cue("technical-foul", seat=seat, count=count)
        case ev.SeatLeft(seat=seat, cause=cause, quiet=False):
            phrases = {
                "voted": "voted-out",
                "alone-nominated": "alone-leaves",
                "removed": "removed",
                "technical-fouls": "technical-foul-removes",
                "team-defeat": "team-defeat",
            }
            if cause in phrases:
                yield cue(phrases[cause], seat=seat)


def _end(winner: str, reason: str) -> Iterator[Cue]:
    reasons = {
        "three-misses": "reason-three-misses",
        "no-losses": "reason-no-losses",
        "outside-hint": "outside-hint",
    }
    if reason in reasons:
        yield cue(reasons[reason])
    ends = {"city": "win-city", "mafia": "win-mafia", "draw": "win-draw"}
    yield cue(ends.get(winner, "game-stopped"))
