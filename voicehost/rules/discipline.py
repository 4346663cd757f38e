"""Fouls, removals and defeats of a team, and what they do to the step that is running."""

from __future__ import annotations

from voicehost.rules import events as ev
from voicehost.rules.day import break_day, end_floor, fall_night, fixed_now, next_last_word, restart_round
from voicehost.rules.draft import Draft
from voicehost.rules.game import CHECKS, SPEAKING, Game, Step
from voicehost.rules.night import judge_if_all_have_shot
from voicehost.rules.outcome import against

TOLD_LATER = frozenset({Step.MEETING_DON, Step.MEETING_SHERIFF, Step.HUNT, *CHECKS})
"""Steps in which telling of a removal at once would give a role away (committee's comments; edge cases 29, 30)."""


def give_foul(draft: Draft, seat: int, count: int) -> None:
    """Give fouls for one act; the last of the rule set's limit removes the player (FSM 6.5)."""
    limit = draft.game.rules.foul_limit
    total = draft.game.fouls[seat - 1] + count
    removes = 0 < limit <= total
    draft.add(ev.FoulGiven(seat, limit if removes else total, quiet=removes and draft.game.step in TOLD_LATER))
    if removes:
        expel(draft, seat, "fouls")


def give_technical_foul(draft: Draft, seat: int) -> None:
    """Give a technical foul; where the rule set has a limit, the last one removes."""
    limit = draft.game.rules.technical_foul_limit
    total = draft.game.technical[seat - 1] + 1
    removes = 0 < limit <= total
    draft.add(ev.TechnicalFoulGiven(seat, total, quiet=removes and draft.game.step in TOLD_LATER))
    if removes:
        expel(draft, seat, "technical-fouls")


def expel(draft: Draft, seat: int, cause: str) -> None:
    """Take a player out of the game at once, without a last word, and settle what it does to the vote."""
    game = draft.game
    if seat not in game.alive:
        _forfeit_last_word(draft, seat)
        return
    _charge_vote(draft, seat)
    draft.add(ev.SeatLeft(seat, cause, quiet=game.step in TOLD_LATER))
    draft.test_win()
    _go_on_without(draft, seat)


def _forfeit_last_word(draft: Draft, seat: int) -> None:
    game = draft.game
    if game.step is Step.LAST_WORD and game.seat == seat:
        end_floor(draft, "out")
        return
    if game.step in TOLD_LATER:  # to the table it looks like any removal: this one is the night's victim
        if game.rules.vote_after_removal != "held":
            draft.add(ev.NothingSecret())
        draft.add(ev.NothingSecret(ev.SeatLeft.name))
    draft.add(ev.LastWordForfeited(seat))
    if game.step is Step.BEST_MOVE and game.seat == seat:
        break_day(draft)


def fated(game: Game) -> int | None:
    """Return the candidate who leaves whatever hands are still to come, if the running vote has one."""
    if game.step is not Step.VOTE or game.ballot is None:
        return None
    return game.ballot.leader(len(game.alive))


def _charge_vote(draft: Draft, seat: int) -> None:
    """FSM 7.1: the nearest vote is lost while its result is open; 7.2: the next day's once it is fixed."""
    game, rule = draft.game, draft.game.rules.vote_after_removal
    if rule == "held" or seat == fated(game):
        return
    if game.is_night:
        lost_next = True
    elif not fixed_now(game):
        lost_next = False
    elif rule == "not-held-or-next":
        lost_next = not _is_only_candidate(game, seat)
        if not lost_next:
            return
    else:
        return
    lost_already = game.next_vote_lost if lost_next else game.vote_lost
    draft.add(ev.NothingSecret() if lost_already else ev.VoteLost(lost_next))


def _is_only_candidate(game: Game, seat: int) -> bool:
    return game.step in {Step.SPEECH, Step.NOMINATE_ONLY} and [s for _, s in game.nominations] == [seat]


def _go_on_without(draft: Draft, seat: int) -> None:
    game = draft.game
    if game.decided is not None and not game.leaving:
        close_floor(draft, seat)
        draft.end_if_decided()
    elif game.step in {Step.SPEECH, Step.NOMINATE_ONLY}:
        if game.seat == seat:
            end_floor(draft, "out")
    elif game.step in {Step.VOTE, Step.LIFT, Step.SHOOTOUT_SPEECH}:
        _go_on_with_vote(draft, seat)
    else:
        judge_if_all_have_shot(draft)


def _go_on_with_vote(draft: Draft, seat: int) -> None:
    game = draft.game
    if game.vote_lost:
        close_floor(draft, seat)
        draft.add(ev.VoteCancelled("removal"))
        fall_night(draft)
    elif game.step is Step.VOTE and game.fixed and not _struck_off(game, seat):
        leader = fated(game)
        if leader is not None and leader in game.alive:
            draft.add(ev.SeatLeft(leader, "voted"))
            draft.test_win()
        next_last_word(draft)
    elif game.step is Step.SHOOTOUT_SPEECH:
        if game.seat == seat:
            end_floor(draft, "out")
    else:
        restart_round(draft, seat)


def _struck_off(game: Game, seat: int) -> bool:
    """Tell whether the round starts again because a candidate is gone, whatever the hands were."""
    assert game.ballot is not None
    return game.rules.vote_after_removal == "held" and seat in game.ballot.candidates


def close_floor(draft: Draft, seat: int | None = None) -> None:
    """End the running speech because the game or the vote ends; ``seat`` is the one that had to leave."""
    speaker, step = draft.game.seat, draft.game.step
    if speaker is None or step not in SPEAKING:
        return
    how = "out" if speaker == seat else "next"
    ended = {Step.SHOOTOUT_SPEECH: ev.ShootoutSpeechEnded, Step.LAST_WORD: ev.LastWordEnded}
    draft.add(ended.get(step, ev.SpeechEnded)(speaker, how))


def defeat_team(draft: Draft, seat: int) -> None:
    """The seat's team loses at once (FSM 6.8); from a seat that is out it is a hint from outside."""
    game = draft.game
    inside = seat in game.present
    outcome = against(game, seat, "team-defeat" if inside else "outside-hint")
    close_floor(draft, seat)
    if seat in game.alive:
        draft.add(ev.SeatLeft(seat, "team-defeat"))
    draft.add(ev.GameEnded(*outcome))
