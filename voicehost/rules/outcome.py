"""Who has won, and when it is decided."""

from __future__ import annotations

from voicehost.rules.game import Game

Outcome = tuple[str, str]
"""(winner, reason) as in the event ``game-ended``."""


def by_numbers(game: Game) -> Outcome | None:
    """Return the winner by head count, after all exits that happen together are applied (FSM 1.4).

    None while the game goes on, or when the black seats are not all known.
    """
    if not game.blacks_known:
        return None
    blacks = sum(game.black(seat) is True for seat in game.alive)
    if not blacks:
        return ("city", "black-gone")
    return ("mafia", "parity") if blacks >= len(game.alive) - blacks else None


def by_nights(game: Game) -> Outcome | None:
    """Return the winner by a row of nights, tested when a day breaks (FSM 7.7; the club text's three misses)."""
    rules = game.rules
    if rules.misses_city_wins and game.misses >= rules.misses_city_wins:
        return ("city", "three-misses")
    if rules.quiet_nights_draw and game.quiet_nights >= rules.quiet_nights_draw:
        return ("draw", "no-losses")
    return None


def against(game: Game, seat: int, reason: str) -> Outcome:
    """Return the defeat of the team of a seat whose colour is known (FSM 6.8)."""
    return ("city" if game.black(seat) else "mafia", reason)
