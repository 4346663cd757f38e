"""What a player's phone may do in a game with no host."""

from __future__ import annotations

from voicehost.rules import commands as cmd
from voicehost.rules.game import Game, Step
from voicehost.rules.legal import fits, legal
from voicehost.rules.refusals import Refusal, refusal

SPOKEN_BY_THE_SPEAKER = (cmd.Nominate, cmd.Withdraw, cmd.EndSpeech, cmd.BestMove)


def phone_refusal(game: Game, command: cmd.Command, by: int) -> Refusal | None:
    """Return why the phone of seat ``by`` may not do this now, or None when it may."""
    reason = _reason(game, command, by)
    return None if reason is None else Refusal(reason)


def _reason(game: Game, command: cmd.Command, by: int) -> str | None:
    if by not in game.seats:
        return "no-such-seat"
    if game.hosted:
        return "not-now"
    actor = command.shooter if isinstance(command, cmd.Shooter) else by
    if isinstance(command, cmd.TakeSeat | cmd.TakeCard | cmd.KeepCard):
        actor = command.seat
    if actor != by:
        return "not-your-turn"
    match command:
        case cmd.TakeSeat():
            return None if game.step is Step.LOBBY else "not-now"
        case cmd.TakeCard() | cmd.KeepCard():
            return _card(game, command)
        case cmd.Shooter():
            return _touch(game, command)
        case cmd.DonCheck(seat=seat):
            return _check(game, Step.DON_CHECK, game.don == by, "not-don", by, seat)
        case cmd.SheriffCheck(seat=seat):
            return _check(game, Step.SHERIFF_CHECK, game.sheriff == by, "not-sheriff", by, seat)
    if isinstance(command, SPOKEN_BY_THE_SPEAKER):
        allowed = legal(game).get(command.name)
        if game.seat != by and allowed is not None:
            return "not-your-turn"
        if allowed is not None and fits(allowed, command):
            return None
        refused = refusal(game, command, legal(game))
        return refused.reason if refused else None
    return "not-now"


def _card(game: Game, command: cmd.TakeCard | cmd.KeepCard) -> str | None:
    if game.step is not Step.DEAL or not game.choose_cards:
        return "not-now"
    if game.seat != command.seat:
        return "not-your-turn"
    drawn = command.seat in dict(game.taken)
    if isinstance(command, cmd.KeepCard):
        return None if drawn else "not-now"
    if drawn:
        return "not-now"
    return None if 1 <= command.card <= game.players - len(game.taken) else "not-a-candidate"


def _touch(game: Game, command: cmd.Shooter) -> str | None:
    if game.step is not Step.HUNT or game.settled:
        return "not-now"
    if command.target not in game.seats:
        return "no-such-seat"
    if command.shooter not in game.alive:
        return "seat-out"
    return None if game.black(command.shooter) else "not-black"


def _check(game: Game, step: Step, leads: bool, reason: str, by: int, seat: int) -> str | None:
    if game.step is not step or game.settled:
        return "not-now"
    if not leads:
        return reason
    if seat not in game.seats:
        return "no-such-seat"
    return None if game.acts_tonight(by) else "seat-out"
