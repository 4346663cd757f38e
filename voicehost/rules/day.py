"""The course of a day: morning, speeches, the vote with its shootouts and the lift, last words."""

from __future__ import annotations

from voicehost.rules import events as ev
from voicehost.rules.draft import Draft
from voicehost.rules.fold import silenced_allowance
from voicehost.rules.game import Game, Step
from voicehost.rules.outcome import by_nights

FEW = 4
"""A table at which some rule sets treat a tie differently."""


def break_day(draft: Draft) -> None:
    """Begin the next day: tell who left, give the victim his last word, open the speeches."""
    draft.add(ev.DayBroke(draft.game.day + 1))
    if draft.game.unannounced:
        draft.add(ev.DepartureAnnounced(draft.game.unannounced))
    next_last_word(draft)


def opener(game: Game) -> int:
    """Return the seat that opens the day that has broken: the first living one from where the rule set starts.

    ``rotate``: after the seat that really opened the previous day (FSM 4.3.2); ``day-number``: the day's number.
    """
    start = game.day if game.rules.opener == "day-number" or game.opener is None else game.opener + 1
    return next(seat for seat in _round(game, start) if seat in game.alive)


def _round(game: Game, start: int) -> list[int]:
    return [(start - 1 + i) % game.players + 1 for i in range(game.players)]


def next_speech(draft: Draft) -> None:
    """Give the floor to the next living seat that has not spoken today; after the last one comes the vote."""
    game = draft.game
    if not game.alive:
        fall_night(draft)
        return
    start = game.spoken[-1] + 1 if game.spoken else opener(game)
    seat = next((s for s in _round(game, start) if s in game.alive and s not in game.spoken), None)
    if seat is None:
        open_vote(draft)
        return
    seconds = silenced_allowance(game)[1] if seat in game.silenced else game.rules.speech_seconds
    draft.add(ev.SpeechBegan(seat, seconds))


def end_floor(draft: Draft, how: str) -> None:
    """End the running speech, of whatever kind, and go on."""
    game, seat = draft.game, draft.game.seat
    assert seat is not None
    match game.step:
        case Step.SHOOTOUT_SPEECH:
            draft.add(ev.ShootoutSpeechEnded(seat, how))
            next_shootout_speech(draft)
        case Step.LAST_WORD:
            draft.add(ev.LastWordEnded(seat, how))
            next_last_word(draft)
        case _:
            draft.add(ev.SpeechEnded(seat, how))
            next_speech(draft)


def fixed_now(game: Game) -> bool:
    """Tell whether a removal at this moment can no longer change this day's vote (committee's comments to FSM 7.2)."""
    if game.fixed or game.is_night:
        return True
    # The last speaker of a later day has named the only candidate: nothing can change the result any more.
    last = game.step in {Step.SPEECH, Step.NOMINATE_ONLY} and set(game.alive) <= set(game.spoken)
    alone = last and game.day > 1 and [by for by, _ in game.nominations] == [game.seat]
    return alone and game.rules.withdrawal == "forbidden"


# --- the vote


def open_vote(draft: Draft) -> None:
    """Hold the day's vote, or say why there is none."""
    game = draft.game
    named = len(game.nominations)
    missing = not named or (named == 1 and game.day == 1 and game.rules.alone_on_day_one == "no-vote")
    if game.vote_lost and not missing:
        draft.add(ev.VoteCancelled("removal"))
        fall_night(draft)
    else:
        _open_round(draft, game.nominees, 1)


def _open_round(draft: Draft, candidates: tuple[int, ...], number: int) -> None:
    game = draft.game
    if not candidates:
        draft.add(ev.NoVote("none-nominated"))
        fall_night(draft)
        return
    if len(candidates) == 1:  # also when a removal has left one of several (edge case 28)
        rule = game.rules.alone_on_day_one if game.day == 1 else game.rules.alone_later
        if rule != "vote":
            draft.add(ev.NoVote("alone-on-day-one" if game.day == 1 else "alone-nominated"))
            if rule == "leaves":
                draft.add(ev.SeatLeft(candidates[0], "alone-nominated"))
                draft.test_win()
                next_last_word(draft)
            else:
                fall_night(draft)
            return
    draft.add(ev.VoteOpened(candidates, number))
    _count_last(draft)


def count_votes(draft: Draft, count: int, seats: tuple[int, ...] | None) -> None:
    """Count hands for the present candidate; the last one's follow by subtraction (edge case 39)."""
    ballot = draft.game.ballot
    assert ballot is not None
    assert ballot.candidate is not None
    draft.add(ev.VotesCast(ballot.candidate, count, seats))
    _count_last(draft)


def _count_last(draft: Draft) -> None:
    game, ballot = draft.game, draft.game.ballot
    assert ballot is not None
    if len(ballot.cast) == len(ballot.candidates) - 1:
        rest = tuple(seat for seat in game.alive if seat not in ballot.voted) if ballot.all_known else None
        assert ballot.candidate is not None
        draft.add(ev.VotesCast(ballot.candidate, len(game.alive) - ballot.hands_used, rest))
    if draft.game.ballot is not None and draft.game.ballot.candidate is None:
        _settle(draft)


def _settle(draft: Draft) -> None:
    ballot = draft.game.ballot
    assert ballot is not None
    most = max(count for _, count, _ in ballot.cast)
    leaders = draft.game.in_order([seat for seat, count, _ in ballot.cast if count == most])
    if len(leaders) == 1:
        draft.add(ev.SeatLeft(leaders[0], "voted"))
        draft.test_win()
        next_last_word(draft)
        return
    draft.add(ev.Tie(leaders))
    rules, living = draft.game.rules, len(draft.game.alive)
    if living == FEW and rules.tie_at_four == "night":
        draft.add(ev.VoteCancelled("four-at-table"))
        fall_night(draft)
    elif ballot.round > 1 and set(leaders) == set(ballot.candidates):
        _ask_lift(draft, leaders)
    else:
        next_shootout_speech(draft)


def next_shootout_speech(draft: Draft) -> None:
    """Let the next tied candidate speak; after the last one the tied are voted on again."""
    game, ballot = draft.game, draft.game.ballot
    assert ballot is not None
    tied = tuple(seat for seat in ballot.tied if seat in game.alive)
    seat = next((s for s in tied if s not in ballot.defended), None)
    if seat is not None:
        draft.add(ev.ShootoutSpeechBegan(seat, game.rules.shootout_seconds))
    elif len(game.alive) == FEW and game.rules.tie_at_four == "no-revote":
        draft.add(ev.VoteCancelled("four-at-table"))
        fall_night(draft)
    else:
        order = tied if game.rules.revote_order == "nomination" else tied[::-1]
        _open_round(draft, order, ballot.round + 1)


def _ask_lift(draft: Draft, tied: tuple[int, ...]) -> None:
    game = draft.game
    whole_table = len(tied) == len(game.alive)
    three_of_nine = len(tied) == 3 and len(game.alive) == 9 and not game.rules.lift_three_of_nine
    if whole_table or three_of_nine or game.rules.repeated_tie == "stay":
        fall_night(draft)  # FSM 7.8: the whole table is never lifted
    else:
        draft.add(ev.LiftAsked(tied))


def count_lift(draft: Draft, count: int) -> None:
    """Lift all tied candidates if more than half of the living are for it (FSM 4.4.12.3)."""
    ballot, living = draft.game.ballot, len(draft.game.alive)
    assert ballot is not None
    needed = living // 2 + 1
    draft.add(ev.LiftCounted(count, needed))
    if count < needed:
        fall_night(draft)
        return
    for seat in ballot.tied:
        if seat in draft.game.alive:
            draft.add(ev.SeatLeft(seat, "lifted"))
    draft.test_win()
    next_last_word(draft)


def restart_round(draft: Draft, gone: int) -> None:
    """After a removal that does not cost the vote, strike the seat off and begin the running round again."""
    game, ballot = draft.game, draft.game.ballot
    assert ballot is not None
    if game.step is Step.LIFT:
        tied = tuple(seat for seat in ballot.tied if seat != gone)
        _ask_lift(draft, tied) if tied else fall_night(draft)
    else:
        _open_round(draft, tuple(seat for seat in ballot.candidates if seat != gone), ballot.round)


# --- last words and the end of the day


def next_last_word(draft: Draft) -> None:
    """Give the next one who leaves his last word, then go on with the day or fall into the night."""
    game = draft.game
    while draft.game.leaving:
        seat, cause = draft.game.leaving[0]
        seconds = game.rules.last_word_shot_seconds if cause == "shot" else game.rules.last_word_voted_seconds
        if seconds:
            draft.add(ev.LastWordBegan(seat, seconds))
            return
        draft.add(ev.LastWordForfeited(seat))
    if draft.end_if_decided():
        return
    if draft.game.spoken:
        fall_night(draft)
        return
    if (outcome := by_nights(draft.game)) is not None:
        draft.add(ev.GameEnded(*outcome))
        return
    next_speech(draft)


def fall_night(draft: Draft) -> None:
    """End the day and send the mafia out to hunt."""
    if not draft.end_if_decided():
        draft.add(ev.NightFell(draft.game.day))
        draft.add(ev.HuntBegan())
