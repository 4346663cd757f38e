"""Which commands wait for «подтверждаю», and with what question."""

from __future__ import annotations

from voicehost.rules import commands as cmd

CONFIRMED = {
    cmd.RemovePlayer: "confirm-removal",
    cmd.TeamDefeat: "confirm-team-defeat",
}
"""Commands that need «подтверждаю», with the question."""

CONFIRMED_IF_SPOKEN = {
    cmd.EndGame: "confirm-end-game",
    cmd.DeclareWinner: "confirm-winner-{winner}",
}
"""Commands that end the game and that a recogniser might mishear."""


def question_before(command: cmd.Command, *, spoken: bool) -> str | None:
    """Return the id of the question that comes before a command is carried out, or None."""
    question = CONFIRMED.get(type(command))
    if question is None and spoken:
        question = CONFIRMED_IF_SPOKEN.get(type(command))
    return None if question is None else question.format_map(command.slots())
