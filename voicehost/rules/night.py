"""The course of a night: the night of meeting, the hunt, the checks, the best move."""

from __future__ import annotations

from voicehost.rules import events as ev
from voicehost.rules.day import break_day
from voicehost.rules.draft import Draft
from voicehost.rules.game import BY_VOTE, NIGHT_ZERO, Game, Step
from voicehost.rules.roles import deal as dealt


def deal(draft: Draft) -> None:
    """Give out the cards the program knows, or wait: for the players' picks, or for the host's word."""
    game = draft.game
    if game.choose_cards:
        draft.add(ev.StepBegan(Step.DEAL, 1))
    elif game.cards:
        pinned = {seat: role for seat, role in zip(game.seats, game.roles, strict=True) if role is not None}
        draft.add(ev.RolesDealt(dealt(game.cards, pinned)))
        begin_night_zero(draft)
    elif all(game.role(seat) is not None for seat in game.seats):  # named in the lobby
        draft.add(ev.RolesDealt())
        begin_night_zero(draft)


def keep_card(draft: Draft, seat: int) -> None:
    """A player has looked at his card: the next one picks; after the last one night falls."""
    draft.add(ev.CardKept(seat))
    if seat < draft.game.players:
        draft.add(ev.StepBegan(Step.DEAL, seat + 1))
    else:
        draft.add(ev.RolesDealt())
        begin_night_zero(draft)


def cards_left(game: Game) -> list[int]:
    """Return the indices of the cards that can still be drawn."""
    gone = {index for _, index in game.taken}
    return [index for index in range(len(game.cards)) if index not in gone]


def deal_rest(draft: Draft) -> None:
    """Deal on without the players: each who has not picked gets the first card that remains."""
    for seat in draft.game.seats:
        if seat in draft.game.kept:
            continue
        if seat not in dict(draft.game.taken):
            draft.add(ev.CardTaken(seat, cards_left(draft.game)[0]))
        keep_card(draft, seat)


def begin_night_zero(draft: Draft) -> None:
    """Let the first night fall, the night of meeting."""
    draft.add(ev.NightFell(0))


def end_meeting(draft: Draft) -> None:
    """End one step of night zero and begin the next one the rule set has; then day one."""
    game = draft.game
    met = {Step.CONTRACT: ev.MafiaMet, Step.MEETING_DON: ev.DonMet, Step.MEETING_SHERIFF: ev.SheriffMet}
    if game.step in met:
        draft.add(met[game.step]())
    lengths = {
        Step.MEETING_DON: game.rules.meeting_don_seconds,
        Step.MEETING_SHERIFF: game.rules.meeting_sheriff_seconds,
        Step.FREE_SEATING: game.rules.free_seating_seconds,
    }
    later = NIGHT_ZERO[NIGHT_ZERO.index(game.step) + 1 :]
    following = next((step for step in later if lengths[step]), None)
    if following not in {Step.MEETING_DON, Step.MEETING_SHERIFF}:
        announce_removed(draft)  # aloud only when the leaders sleep
    if following is None:
        break_day(draft)
    elif following is Step.FREE_SEATING:
        draft.add(ev.FreeSeating())
    else:
        draft.add(ev.StepBegan(following))


# --- the hunt


def shoot(draft: Draft, seat: int | None) -> None:
    """Record whom the mafia hit. A seat that was empty when the hunt began is a miss (edge case 53).

    What it decides is tested when the hunt is over: one removed in it leaves at the same time (edge case 66).
    """
    game = draft.game
    removed_now = seat is not None and removed_tonight(game, seat)
    kept = False
    if seat is None or not (seat in game.alive or removed_now):
        draft.add(ev.ShotMissed())
    else:
        draft.add(ev.SeatShot(seat))
        if removed_now:  # FSM 7.1: the victim's removal costs no vote
            kept = game.vote_lost_tonight and [s for s in game.seats if removed_tonight(game, s)] == [seat]
            draft.add(ev.NothingSecret(ev.SeatLeft.name))
        else:
            draft.add(ev.SeatLeft(seat, "shot", quiet=True))
    draft.add(ev.VoteKept() if kept else ev.NothingSecret())


def removed_tonight(game: Game, seat: int) -> bool:
    """Tell whether the seat left in this night otherwise than by the shot."""
    exit_ = game.left_by(seat)
    return exit_ is not None and exit_.at_night and exit_.night == game.night and exit_.cause != "shot"


def all_have_shot(game: Game) -> bool:
    """Tell whether every living black has a recorded shot; unknown roles count by the cards that may be alive."""
    shooters = {shooter for shooter, _ in game.shots if shooter in game.alive}
    if game.blacks_known:
        return {seat for seat in game.alive if game.black(seat)} <= shooters
    return len(shooters) >= game.blacks


def judge_shots(draft: Draft) -> None:
    """Turn single shots into a hit or a miss: every living black once, all on one number (source 000; FSM 4.5.4)."""
    game = draft.game
    shots = [(s, target) for s, target in game.shots if s in game.alive and game.black(s) is not False]
    targets = {target for _, target in shots}
    once = len({shooter for shooter, _ in shots}) == len(shots)
    unanimous = once and len(targets) == 1 and all_have_shot(game)
    shoot(draft, targets.pop() if unanimous else None)


def judge_if_all_have_shot(draft: Draft) -> None:
    """Settle the hunt once the last shot is told.

    With no host the numbers are called to the end, since a second touch may still spoil the shot.
    """
    game = draft.game
    if game.hosted and game.step is Step.HUNT and game.shots and not game.settled and all_have_shot(game):
        judge_shots(draft)


def end_hunt(draft: Draft, *, passed: bool) -> None:
    """The numbers are called, or the host goes on (``passed``): settle what is not told, wake the Don.

    In a hosted game that was told nothing the shot stays open till the morning question.
    """
    game = draft.game
    if game.hit is None and not game.missed:
        if passed:
            shoot(draft, None)
        elif not game.hosted or (game.shots and game.blacks_known):
            judge_shots(draft)
    draft.test_win()
    announce_removed(draft)
    draft.add(ev.StepBegan(Step.DON_CHECK))


def announce_removed(draft: Draft) -> None:
    """Tell aloud who was removed this night; a victim of the shot waits for the morning (committee's comments)."""
    seats = tuple(seat for seat in draft.game.unannounced if seat != draft.game.hit)
    if seats:
        draft.add(ev.DepartureAnnounced(seats))


# --- the checks


def check_as_don(draft: Draft, seat: int) -> None:
    """Answer the Don: is this seat the Sheriff?"""
    game = draft.game
    role = game.role(seat)
    answer = seat == game.sheriff if game.sheriff is not None else None if role is None else False
    draft.add(ev.DonChecked(seat, answer))


def check_as_sheriff(draft: Draft, seat: int) -> None:
    """Answer the Sheriff: the seat's colour, and by some rule sets whether it is the Don (edge case 59)."""
    game = draft.game
    black = game.black(seat)
    answer = None if black is None else "black" if black else "red"
    if black and game.rules.sheriff_answer == "colour-and-don" and seat == game.don:
        answer = "black-don"
    draft.add(ev.SheriffChecked(seat, answer))


def end_check(draft: Draft) -> None:
    """The Don sleeps and the Sheriff wakes; the Sheriff sleeps and what is still open is asked."""
    if draft.game.step is Step.DON_CHECK:
        draft.add(ev.StepBegan(Step.SHERIFF_CHECK))
        return
    announce_removed(draft)
    if draft.game.hit is None and not draft.game.missed:
        draft.add(ev.StepBegan(Step.MORNING_QUESTION))
    else:
        end_night(draft)


def best_move_due(game: Game) -> bool:
    """Tell whether tonight's victim may name three (FSM 4.5.9, 7.10)."""
    others = [exit_ for exit_ in game.exits if exit_.seat != game.hit]
    lost = sum(exit_.cause in BY_VOTE for exit_ in others) if game.rules.best_move_counts == "voted" else len(others)
    return (
        game.rules.best_move_seconds > 0
        and game.night == 1
        and game.hit is not None
        and any(seat == game.hit for seat, _ in game.leaving)
        and not (game.rules.best_move_lost_after and lost >= game.rules.best_move_lost_after)
    )


def end_night(draft: Draft) -> None:
    """Ask for the best move if it is due; then morning."""
    draft.test_win()
    if best_move_due(draft.game) and draft.game.step is not Step.BEST_MOVE:
        draft.add(ev.StepBegan(Step.BEST_MOVE, draft.game.hit))
    else:
        break_day(draft)
