"""The referee: (game, command) → the events that follow, or a refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from voicehost.rules import commands as cmd
from voicehost.rules import day, discipline, night
from voicehost.rules import events as ev
from voicehost.rules.draft import Draft
from voicehost.rules.game import CHECKS, NIGHT_ZERO, SPEAKING, Game, Step
from voicehost.rules.legal import legal
from voicehost.rules.phones import phone_refusal
from voicehost.rules.refusals import Refusal, refusal

Decision = tuple[ev.Event, ...] | Refusal
"""What the referee answers; an empty tuple means that nothing changes."""


def decide(game: Game, command: cmd.Command, by: int | None = None) -> Decision:
    """Return the events that ``command`` leads to, with all that follows by itself, or why it is refused.

    ``by`` is the seat whose phone gives the command (home mode); None = spoken, typed, or the clock.
    Questions, undo, redo, «подтверждаю» and a new game are not the referee's: they give no events here.
    """
    refused = _refusal(game, command, by)
    if refused is not None:
        return refused
    handler = _HANDLERS.get(type(command))
    if handler is None:
        return ()
    draft = Draft(game)
    handler(draft, command)
    return tuple(draft.events)


def settles_early(game: Game) -> bool:
    """Tell whether the step's fact is recorded and only its set time keeps the game from going on."""
    return game.settled and game.step in {Step.HUNT, *CHECKS, Step.BEST_MOVE}


def _refusal(game: Game, command: cmd.Command, by: int | None) -> Refusal | None:
    if by is not None:
        return phone_refusal(game, command, by)
    match command:
        case cmd.Elapse():
            return None if game.seconds and game.step is not Step.OVER else Refusal("not-now")
        case cmd.Proceed():
            return None if settles_early(game) else Refusal("not-now")
        case cmd.TakeSeat(seat=seat):
            return None if game.step is Step.LOBBY and seat in game.seats else Refusal("not-now")
        case cmd.TakeCard() | cmd.KeepCard():
            return Refusal("not-your-turn")
    return refusal(game, command, legal(game))


# --- the course of the game


def _start(draft: Draft, _: cmd.StartGame) -> None:
    draft.add(ev.GameStarted())
    night.deal(draft)


def _next(draft: Draft, command: cmd.Next | cmd.Elapse | cmd.Proceed) -> None:
    """End the step: the host goes on, its time is up, or its fact is known."""
    game = draft.game
    passed = isinstance(command, cmd.Next)
    if passed and game.paused:
        draft.add(ev.Resumed())
    if game.step in SPEAKING:
        day.end_floor(draft, "next" if passed else "time")
    elif game.step in NIGHT_ZERO:
        night.end_meeting(draft)
    elif game.step is Step.HUNT:
        night.end_hunt(draft, passed=passed)
    elif game.step in CHECKS:
        night.end_check(draft)
    else:
        _NEXT_WITHOUT_TIMER[game.step](draft)


def _next_deal(draft: Draft) -> None:
    if draft.game.choose_cards:
        night.deal_rest(draft)
    else:
        draft.add(ev.RolesDealt())
        night.begin_night_zero(draft)


def _next_morning_question(draft: Draft) -> None:
    night.shoot(draft, None)
    night.end_night(draft)


_NEXT_WITHOUT_TIMER: dict[Step, Callable[[Draft], None]] = {
    Step.DEAL: _next_deal,
    Step.VOTE: lambda draft: day.count_votes(draft, 0, ()),
    Step.LIFT: lambda draft: day.count_lift(draft, 0),
    Step.BEST_MOVE: night.end_night,
    Step.MORNING_QUESTION: _next_morning_question,
}


def _end_speech(draft: Draft, _: cmd.EndSpeech) -> None:
    if draft.game.paused:
        draft.add(ev.Resumed())
    day.end_floor(draft, "said")


def _declare_winner(draft: Draft, command: cmd.DeclareWinner) -> None:
    discipline.close_floor(draft)
    draft.add(ev.GameEnded(command.winner, "declared"))


def _end_game(draft: Draft, _: cmd.EndGame) -> None:
    discipline.close_floor(draft)
    draft.add(ev.GameEnded(*(draft.game.decided or ("none", "ended"))))


def _set_role(draft: Draft, command: cmd.SetRole) -> None:
    draft.add(ev.RoleSet(command.seat, command.role))
    if draft.game.step is Step.LOBBY:
        return
    night.judge_if_all_have_shot(draft)
    if draft.game.step is not Step.HUNT or draft.game.hit is None:
        draft.test_win()
    if draft.game.decided is not None and not draft.game.leaving:
        discipline.close_floor(draft)
        draft.end_if_decided()


# --- the day


def _nominate(draft: Draft, command: cmd.Nominate) -> None:
    speaker = draft.game.seat
    assert speaker is not None
    for by, seat in draft.game.nominations:
        if by == speaker:  # only where the last nomination counts
            draft.add(ev.NominationWithdrawn(by, seat))
    draft.add(ev.SeatNominated(speaker, command.seat))


def _withdraw(draft: Draft, command: cmd.Withdraw) -> None:
    assert draft.game.seat is not None
    draft.add(ev.NominationWithdrawn(draft.game.seat, command.seat))


def _votes(draft: Draft, command: cmd.Votes) -> None:
    seats = None if command.seats is None else tuple(sorted(command.seats))
    count = len(seats) if seats is not None else command.count or 0
    if draft.game.step is Step.LIFT:
        day.count_lift(draft, count)
    else:
        day.count_votes(draft, count, () if count == 0 else seats)


# --- the night


def _shot(draft: Draft, command: cmd.Shot) -> None:
    night.shoot(draft, command.seat)
    if draft.game.step is Step.MORNING_QUESTION:
        night.end_night(draft)


def _shooter(draft: Draft, command: cmd.Shooter) -> None:
    draft.add(ev.ShooterShot(command.shooter, command.target))
    night.judge_if_all_have_shot(draft)


# --- time


def _add_time(draft: Draft, command: cmd.AddTime) -> None:
    draft.add(ev.TimeAdded(command.seconds))


def _take_card(draft: Draft, command: cmd.TakeCard) -> None:
    draft.add(ev.CardTaken(command.seat, night.cards_left(draft.game)[command.card - 1]))


_HANDLERS: dict[type[cmd.Command], Callable[[Draft, Any], None]] = {
    cmd.StartGame: _start,
    cmd.Next: _next,
    cmd.Elapse: _next,
    cmd.Proceed: _next,
    cmd.EndSpeech: _end_speech,
    cmd.DeclareWinner: _declare_winner,
    cmd.EndGame: _end_game,
    cmd.SetRole: _set_role,
    cmd.Nominate: _nominate,
    cmd.Withdraw: _withdraw,
    cmd.Votes: _votes,
    cmd.Foul: lambda draft, c: discipline.give_foul(draft, c.seat, c.count),
    cmd.RemoveFoul: lambda draft, c: draft.add(ev.FoulRemoved(c.seat, draft.game.fouls[c.seat - 1] - 1)),
    cmd.TechnicalFoul: lambda draft, c: discipline.give_technical_foul(draft, c.seat),
    cmd.RemovePlayer: lambda draft, c: discipline.expel(draft, c.seat, "removed"),
    cmd.TeamDefeat: lambda draft, c: discipline.defeat_team(draft, c.seat),
    cmd.Shot: _shot,
    cmd.Shooter: _shooter,
    cmd.DonCheck: lambda draft, c: night.check_as_don(draft, c.seat),
    cmd.SheriffCheck: lambda draft, c: night.check_as_sheriff(draft, c.seat),
    cmd.BestMove: lambda draft, c: draft.add(ev.BestMoveNamed(draft.game.seat or 0, c.seats)),
    cmd.Pause: lambda draft, _: draft.add(ev.Paused()),
    cmd.Resume: lambda draft, _: draft.add(ev.Resumed()),
    cmd.AddTime: _add_time,
    cmd.TakeSeat: lambda draft, c: draft.add(ev.SeatTaken(c.seat, c.player)),
    cmd.TakeCard: _take_card,
    cmd.KeepCard: lambda draft, c: night.keep_card(draft, c.seat),
}
