"""Games that were really played, replayed under the federation's rules to their exits and their winner."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import Any

import pytest

from tests.rules.recorded import FOLDER, Replay, read
from voicehost.rules.view import view

GAMES = sorted(path.stem for path in FOLDER.glob("*.json") if not path.stem.startswith("peer_"))

WINNER = {"red": "city", "black": "mafia"}


def together(exits: list[dict[str, Any]]) -> list[tuple[str, set[tuple[int, str]]]]:
    """Exits moment by moment: those of one lift stand in the sources by seat, not in order of nomination."""
    moments = groupby(exits, key=itemgetter("when"))
    return [(when, {(exit_["seat"], exit_["how"]) for exit_ in group}) for when, group in moments]


@pytest.mark.parametrize("name", [name for name in GAMES if read(name)["winner"] is not None])
def test_recorded_game(name: str) -> None:
    data = read(name)
    replay = Replay(data, "fsm")
    table = replay.play()
    assert together(replay.exits) == together(data["exits"])
    assert table.winner == WINNER[data["winner"]]


@pytest.mark.parametrize("rules", ["professional", "virtual"])
@pytest.mark.parametrize("name", ["mr_4842", "mr_4870", "polemica_270561"])
def test_recorded_game_by_other_rules(name: str, rules: str) -> None:
    """Where nobody was removed and no tie stood at four, other rule sets that open the day alike agree."""
    data = read(name)
    data["log"] = [entry for entry in data["log"] if "best_move" not in entry]
    replay = Replay(data, rules)
    assert replay.play().winner == WINNER[data["winner"]]
    assert together(replay.exits) == together(data["exits"])


def test_a_game_that_was_stored_unfinished() -> None:
    """The second night's shot is told, but its morning is not in the source: the table knows one exit."""
    data = read("polemica_328635")
    table = Replay(data, "fsm").play()
    seats = view(table.game, "table")["seats"]
    assert [seat["seat"] for seat in seats if not seat["alive"]] == [exit_["seat"] for exit_ in data["exits"]]
    assert (table.game.hit, table.winner) == (10, None)


def test_all_games_are_there() -> None:
    assert len(GAMES) == 9
    for name in GAMES:
        assert read(name)["source"]
