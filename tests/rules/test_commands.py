"""Commands and events by name, with JSON values."""

from __future__ import annotations

import json
import random

import pytest

from tests.rules.driver import Table
from tests.rules.walk import any_command
from voicehost.rules.commands import COMMANDS, Votes, command_from
from voicehost.rules.events import EVENTS, FoulGiven, SeatLeft, VotesCast, event_from


@pytest.mark.parametrize(
    ("name", "slots"),
    [
        ("foul", {"seat": 3, "count": 1}),
        ("votes", {"count": 4}),
        ("votes", {"seats": [1, 3, 6]}),
        ("shot", {"seat": 7}),
        ("shot", {"seat": None}),
        ("remove-player", {"seat": 5}),
        ("remove-player", {"seat": 5, "reason": "insult"}),
        ("add-time", {"seconds": 10}),
        ("best-move", {"seats": [2, 5, 8]}),
        ("shooter", {"shooter": 2, "target": 7}),
        ("set-role", {"seat": 5, "role": "sheriff"}),
        ("next", {}),
    ],
)
def test_slots_are_the_canonical_ones(name: str, slots: dict[str, object]) -> None:
    command = command_from(name, slots)
    assert command.name == name
    assert command.slots() == slots


def test_every_command_comes_back_from_its_slots() -> None:
    rng, game = random.Random(0), Table("fsm").game
    seen: set[str] = set()
    while len(seen) < len(COMMANDS):
        command = any_command(rng.choice, game)
        seen.add(command.name)
        assert command_from(command.name, json.loads(json.dumps(command.slots()))) == command


def test_an_unknown_command_or_slot() -> None:
    with pytest.raises(KeyError):
        command_from("dance", {})
    with pytest.raises(TypeError):
        command_from("next", {"seat": 3})
    with pytest.raises(KeyError):
        event_from("danced", {})
    with pytest.raises(TypeError):
        event_from("foul-given", {"seat": 3})


def test_names_are_unique_and_public() -> None:
    assert "" not in COMMANDS
    assert "" not in EVENTS
    assert COMMANDS["votes"] is Votes
    assert len({cls.name for cls in EVENTS.values()}) == len(EVENTS)


def test_what_a_listing_shows() -> None:
    assert VotesCast(7, 3).shown() == {"candidate": 7, "count": 3}
    assert VotesCast(7, 2, (1, 2)).shown() == {"candidate": 7, "count": 2, "seats": [1, 2]}
    assert SeatLeft(7, "shot", quiet=True).shown() == {"seat": 7, "cause": "shot"}
    assert SeatLeft(7, "shot", quiet=True).data()["quiet"] is True
    assert FoulGiven(7, 4, quiet=True).shown() == {"seat": 7, "count": 4}
