"""With no host, taking something back must not show who acted at night."""

from __future__ import annotations

import pytest

from tests.hosting.typed import TypedGame
from voicehost.rules.game import Mode


def night(*, don_acts: bool) -> list[str]:
    """Return the lines of a home game to the second morning."""
    lines = ["начинаем игру", "/wait end", *["дальше"] * 10]
    for number in range(1, 11):
        lines += [f"/seat {seat} tap" for seat in (1, 2, 3) if number == 7] + ["/wait end"]
    lines += ["/seat 1 choose 4"] if don_acts else []
    return [*lines, "/wait end", "/wait end"]


@pytest.mark.parametrize("don_acts", [True, False])
def test_undo_by_day_leads_to_the_same_step_whoever_acted_at_night(don_acts: bool) -> None:
    """The last thing that can be taken back is the last public one."""
    game = TypedGame(mode=Mode.HOME).open()
    game.say(*night(don_acts=don_acts))
    assert game.ready["step"] == "last-word"
    game.say("отмена")
    assert (game.ready["step"], game.ready["seat"]) == ("speech", 10)
