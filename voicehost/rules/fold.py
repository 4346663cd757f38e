"""fold(game, event) → game: the only place where state changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from voicehost.rules import events as ev
from voicehost.rules.ballot import Ballot
from voicehost.rules.game import BY_VOTE, Exit, Game, Mode, Step

HOME_CONTRACT_SECONDS = 60
"""Where a rule set leaves the contract without a clock, a game with no host needs one (source 000: a minute)."""

THIRD_FOUL = 3
"""The foul that costs a minute (FSM 6.4)."""

HAS_LAST_WORD = BY_VOTE | {"shot"}
"""Exits after which a player may still speak (FSM 4.4.13, 4.5.4); removed ones may not (6.5)."""


def fold(game: Game, event: ev.Event) -> Game:
    """Return the game after ``event``."""
    return _FOLDS[type(event)](game, event)


def fold_all(game: Game, events: Iterable[ev.Event]) -> Game:
    """Return the game after all ``events``."""
    for event in events:
        game = fold(game, event)
    return game


def silenced_allowance(game: Game) -> tuple[Step, int]:
    """Return the step and seconds of a player who has lost his minute, at a table as large as it is now.

    At three or four seats the federation leaves him half a minute (FSM 7.6); otherwise he may only nominate.
    """
    short = game.rules.third_foul_small_table_seconds
    if short and len(game.alive) <= 4:
        return Step.SPEECH, short
    return Step.NOMINATE_ONLY, game.rules.nominate_only_seconds


def step_seconds(game: Game, step: Step) -> int:
    """Return the set time of a step that no speech event opens, in seconds; 0 = no timer."""
    rules = game.rules
    if step is Step.CONTRACT and not rules.contract_seconds and game.mode is Mode.HOME:
        return HOME_CONTRACT_SECONDS
    return {
        Step.CONTRACT: rules.contract_seconds,
        Step.MEETING_DON: rules.meeting_don_seconds,
        Step.MEETING_SHERIFF: rules.meeting_sheriff_seconds,
        Step.FREE_SEATING: rules.free_seating_seconds,
        Step.HUNT: rules.hunt_number_seconds * game.players,
        Step.DON_CHECK: rules.check_seconds,
        Step.SHERIFF_CHECK: rules.check_seconds,
        Step.BEST_MOVE: rules.best_move_seconds,
    }.get(step, 0)


def _begin(game: Game, step: Step, seat: int | None = None, seconds: int | None = None, **changes: Any) -> Game:
    return replace(
        game,
        step=step,
        serial=game.serial + 1,
        seat=seat,
        seconds=step_seconds(game, step) if seconds is None else seconds,
        settled=False,
        **changes,
    )


def _at(values: tuple[Any, ...], seat: int, value: Any) -> tuple[Any, ...]:
    return (*values[: seat - 1], value, *values[seat:])


def _game_started(game: Game, _: ev.GameStarted) -> Game:
    return _begin(game, Step.DEAL)


def _roles_dealt(game: Game, event: ev.RolesDealt) -> Game:
    return replace(game, roles=event.roles or game.roles)


def _role_set(game: Game, event: ev.RoleSet) -> Game:
    return replace(game, roles=_at(game.roles, event.seat, event.role))


def _night_fell(game: Game, event: ev.NightFell) -> Game:
    night = replace(
        game,
        night=event.number,
        is_night=True,
        fixed=True,
        ballot=None,
        nominations=(),
        shots=(),
        hit=None,
        missed=False,
        night_exits=0,
        vote_lost_tonight=False,
    )
    return _begin(night, Step.CONTRACT) if event.number == 0 else night


def _day_broke(game: Game, event: ev.DayBroke) -> Game:
    quiet = game.quiet_nights + 1 if event.number > 1 and not game.night_exits else 0
    return replace(
        game,
        day=event.number,
        is_night=False,
        spoken=(),
        nominations=(),
        ballot=None,
        fixed=False,
        vote_lost=game.next_vote_lost,
        next_vote_lost=False,
        quiet_nights=quiet,
    )


def _speech_began(game: Game, event: ev.SpeechBegan) -> Game:
    step = silenced_allowance(game)[0] if event.seat in game.silenced else Step.SPEECH
    return _begin(
        game,
        step,
        event.seat,
        event.seconds,
        silenced=game.silenced - {event.seat},
        spoken=(*game.spoken, event.seat),
        opener=game.opener if game.spoken else event.seat,
    )


def _shootout_speech_began(game: Game, event: ev.ShootoutSpeechBegan) -> Game:
    ballot = game.ballot or Ballot((event.seat,))
    ballot = replace(ballot, defended=(*ballot.defended, event.seat))
    return _begin(game, Step.SHOOTOUT_SPEECH, event.seat, event.seconds, ballot=ballot)


def _last_word_began(game: Game, event: ev.LastWordBegan) -> Game:
    return _begin(game, Step.LAST_WORD, event.seat, event.seconds)


def _floor_given_back(game: Game, _: ev.Event) -> Game:
    return replace(game, seat=None)


def _last_word_ended(game: Game, event: ev.LastWordEnded | ev.LastWordForfeited) -> Game:
    seat = None if isinstance(event, ev.LastWordEnded) else game.seat
    return replace(game, seat=seat, leaving=tuple(item for item in game.leaving if item[0] != event.seat))


def _seat_nominated(game: Game, event: ev.SeatNominated) -> Game:
    return replace(game, nominations=(*game.nominations, (event.by, event.seat)))


def _nomination_withdrawn(game: Game, event: ev.NominationWithdrawn) -> Game:
    kept = tuple(item for item in game.nominations if item != (event.by, event.seat))
    return replace(game, nominations=kept)


def _no_vote(game: Game, _: ev.NoVote) -> Game:
    # The vote that is missing anyway is the one a removal has cost (committee's comment to FSM 7.1).
    return replace(game, fixed=True, vote_lost=False, ballot=None)


def _vote_cancelled(game: Game, _: ev.VoteCancelled) -> Game:
    return replace(game, fixed=True, vote_lost=False, ballot=None)


def _vote_opened(game: Game, event: ev.VoteOpened) -> Game:
    tied = game.ballot.tied if game.ballot else ()
    return _begin(game, Step.VOTE, ballot=Ballot(event.candidates, event.round, tied=tied), fixed=False)


def _votes_cast(game: Game, event: ev.VotesCast) -> Game:
    assert game.ballot is not None
    cast = (*game.ballot.cast, (event.candidate, event.count, event.seats))
    ballot = replace(game.ballot, cast=cast)
    return replace(game, ballot=ballot, fixed=ballot.leader(len(game.alive)) is not None)


def _tie(game: Game, event: ev.Tie) -> Game:
    assert game.ballot is not None
    return replace(game, ballot=replace(game.ballot, tied=event.candidates, defended=()))


def _lift_asked(game: Game, event: ev.LiftAsked) -> Game:
    assert game.ballot is not None
    return _begin(game, Step.LIFT, ballot=replace(game.ballot, tied=event.candidates))


def _lift_counted(game: Game, _: ev.LiftCounted) -> Game:
    return replace(game, fixed=True)


def _foul_given(game: Game, event: ev.FoulGiven) -> Game:
    third = game.fouls[event.seat - 1] < THIRD_FOUL <= event.count
    costs = third and game.rules.third_foul == "nominate-only" and event.seat in game.alive
    silenced = game.silenced | {event.seat} if costs else game.silenced
    return replace(game, fouls=_at(game.fouls, event.seat, event.count), silenced=silenced)


def _foul_removed(game: Game, event: ev.FoulRemoved) -> Game:
    silenced = game.silenced - {event.seat} if event.count < THIRD_FOUL else game.silenced
    return replace(game, fouls=_at(game.fouls, event.seat, event.count), silenced=silenced)


def _technical_foul_given(game: Game, event: ev.TechnicalFoulGiven) -> Game:
    return replace(game, technical=_at(game.technical, event.seat, event.count))


def _seat_left(game: Game, event: ev.SeatLeft) -> Game:
    seat, cause = event.seat, event.cause
    return replace(
        game,
        alive=tuple(s for s in game.alive if s != seat),
        exits=(*game.exits, Exit(seat, cause, game.day, game.night, game.is_night)),
        unannounced=(*game.unannounced, seat) if event.quiet else game.unannounced,
        leaving=(*game.leaving, (seat, cause)) if cause in HAS_LAST_WORD else game.leaving,
        silenced=game.silenced - {seat},
        night_exits=game.night_exits + game.is_night,
        quiet_nights=0,
    )


def _vote_loss(game: Game, event: ev.VoteLost) -> Game:
    if not event.next_day:
        return replace(game, vote_lost=True)
    return replace(game, next_vote_lost=True, vote_lost_tonight=game.is_night)


def _vote_kept(game: Game, _: ev.VoteKept) -> Game:
    return replace(game, next_vote_lost=False, vote_lost_tonight=False)


def _departure_announced(game: Game, event: ev.DepartureAnnounced) -> Game:
    return replace(game, unannounced=tuple(seat for seat in game.unannounced if seat not in event.seats))


def _shooter_shot(game: Game, event: ev.ShooterShot) -> Game:
    return replace(game, shots=(*game.shots, (event.shooter, event.target)))


def _seat_shot(game: Game, event: ev.SeatShot) -> Game:
    return replace(game, hit=event.seat, misses=0, settled=True)


def _shot_missed(game: Game, _: ev.ShotMissed) -> Game:
    return replace(game, missed=True, misses=game.misses + 1, settled=True)


def _don_checked(game: Game, event: ev.DonChecked) -> Game:
    answer = {True: "sheriff", False: "not-sheriff", None: "unknown"}[event.sheriff]
    return replace(game, settled=True, checks=(*game.checks, (game.night, "don", event.seat, answer)))


def _sheriff_checked(game: Game, event: ev.SheriffChecked) -> Game:
    answer = event.answer or "unknown"
    return replace(game, settled=True, checks=(*game.checks, (game.night, "sheriff", event.seat, answer)))


def _best_move(game: Game, event: ev.BestMoveNamed) -> Game:
    return replace(game, best_move=event.seats, settled=True)


def _outcome_decided(game: Game, event: ev.OutcomeDecided) -> Game:
    return replace(game, decided=(event.winner, event.reason))


def _game_ended(game: Game, event: ev.GameEnded) -> Game:
    result = (event.winner, event.reason)
    return _begin(game, Step.OVER, decided=result, result=result, unannounced=(), leaving=(), paused=False)


def _seat_taken(game: Game, event: ev.SeatTaken) -> Game:
    return replace(game, names=_at(game.names, event.seat, event.player))


def _card_taken(game: Game, event: ev.CardTaken) -> Game:
    roles = _at(game.roles, event.seat, game.cards[event.card])
    return replace(game, taken=(*game.taken, (event.seat, event.card)), roles=roles)


def _card_kept(game: Game, event: ev.CardKept) -> Game:
    return replace(game, kept=game.kept | {event.seat})


def _unchanged(game: Game, _: ev.Event) -> Game:
    return game


_FOLDS: dict[type[ev.Event], Callable[[Game, Any], Game]] = {
    ev.GameStarted: _game_started,
    ev.RolesDealt: _roles_dealt,
    ev.RoleSet: _role_set,
    ev.NightFell: _night_fell,
    ev.MafiaMet: _unchanged,
    ev.DonMet: _unchanged,
    ev.SheriffMet: _unchanged,
    ev.FreeSeating: lambda game, _: _begin(game, Step.FREE_SEATING),
    ev.DayBroke: _day_broke,
    ev.GameEnded: _game_ended,
    ev.SpeechBegan: _speech_began,
    ev.SpeechEnded: _floor_given_back,
    ev.ShootoutSpeechBegan: _shootout_speech_began,
    ev.ShootoutSpeechEnded: _floor_given_back,
    ev.LastWordBegan: _last_word_began,
    ev.LastWordEnded: _last_word_ended,
    ev.LastWordForfeited: _last_word_ended,
    ev.SeatNominated: _seat_nominated,
    ev.NominationWithdrawn: _nomination_withdrawn,
    ev.NoVote: _no_vote,
    ev.VoteOpened: _vote_opened,
    ev.VotesCast: _votes_cast,
    ev.VoteCancelled: _vote_cancelled,
    ev.Tie: _tie,
    ev.LiftAsked: _lift_asked,
    ev.LiftCounted: _lift_counted,
    ev.FoulGiven: _foul_given,
    ev.FoulRemoved: _foul_removed,
    ev.TechnicalFoulGiven: _technical_foul_given,
    ev.SeatLeft: _seat_left,
    ev.VoteLost: _vote_loss,
    ev.VoteKept: _vote_kept,
    ev.DepartureAnnounced: _departure_announced,
    ev.HuntBegan: lambda game, _: _begin(game, Step.HUNT),
    ev.ShooterShot: _shooter_shot,
    ev.ShotMissed: _shot_missed,
    ev.SeatShot: _seat_shot,
    ev.DonChecked: _don_checked,
    ev.SheriffChecked: _sheriff_checked,
    ev.BestMoveNamed: _best_move,
    ev.OutcomeDecided: _outcome_decided,
    ev.NothingSecret: _unchanged,
    ev.Paused: lambda game, _: replace(game, paused=True),
    ev.Resumed: lambda game, _: replace(game, paused=False),
    ev.TimeAdded: _unchanged,
    ev.StepBegan: lambda game, event: _begin(game, Step(event.step), event.seat),
    ev.SeatTaken: _seat_taken,
    ev.CardTaken: _card_taken,
    ev.CardKept: _card_kept,
}
