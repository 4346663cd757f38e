"""What a player's phone does, as a command for the referee (home mode)."""

from __future__ import annotations

from dataclasses import dataclass, field

from voicehost.hosting.inputs import Phone
from voicehost.hosting.setup import name_problem
from voicehost.rules import commands as cmd
from voicehost.rules.game import Game, Step

VERB_COMMANDS = {
    "join": "take-seat",
    "choose": "take-card",
    "confirm": "keep-card",
    "tap": "shooter",
    "nominate": "nominate",
    "vote": "votes",
    "done": "end-speech",
}
"""The command that each verb stands for, for a refusal that does not depend on the step."""

BEST_MOVE_NUMBERS = 3


def unfit_name(game: Game, phone: Phone) -> str | None:
    """Return the message that says what is wrong with the name of one who sits down; no name = he gets up."""
    if phone.verb != "join" or not phone.word:
        return None
    others = [name for seat, name in zip(game.seats, game.names, strict=True) if seat != phone.seat]
    return name_problem(phone.word, others)


@dataclass(slots=True)
class Phones:
    """Turns taps into commands; holds the numbers of a best move until there are three."""

    picked: list[int] = field(default_factory=list)
    serial: int = -1

    def command(self, game: Game, phone: Phone, called: int | None) -> cmd.Command | None:
        """Return the command, or None when the tap completes none. ``called`` is the number called in the hunt."""
        seat = phone.seat
        match phone.verb:
            case "join":
                return cmd.TakeSeat(seat, phone.word)
            case "choose":
                return self._choose(game, seat, int(phone.word))
            case "confirm":
                return cmd.KeepCard(seat) if game.step is Step.DEAL else None
            case "tap":
                return None if called is None else cmd.Shooter(seat, called)
            case "nominate":
                return cmd.Nominate(int(phone.word))
        return cmd.EndSpeech()

    def _choose(self, game: Game, seat: int, number: int) -> cmd.Command | None:
        match game.step:
            case Step.SHERIFF_CHECK:
                return cmd.SheriffCheck(number)
            case Step.BEST_MOVE if game.seat == seat:
                if self.serial != game.serial:
                    self.serial, self.picked = game.serial, []
                if number not in self.picked:
                    self.picked.append(number)
                if len(self.picked) < BEST_MOVE_NUMBERS:
                    return None
                named, self.picked = tuple(self.picked), []
                return cmd.BestMove(named)
            case Step.DON_CHECK:
                return cmd.DonCheck(number)
            case Step.BEST_MOVE:
                return cmd.BestMove((number,))
        return cmd.TakeCard(seat, number)
