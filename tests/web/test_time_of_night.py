"""How long a touch keeps the server busy must not tell whose it was: at night each costs one write to the disk."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.web.stage import Forgetful, Stage, home
from voicehost.hosting.inputs import Asked, Phone
from voicehost.record.entries import Entry
from voicehost.rules.game import Step


class Counting(Forgetful):
    """A memory that counts what is written."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def append(self, entry: Entry) -> None:
        self.entries.append(entry)


async def writes(stage: Stage, memory: Counting, verb: str, word: Callable[[int], str] = lambda seat: "") -> list[int]:
    """Let every seat act by its phone; tell how many writes each act was."""
    counts = []
    for seat in stage.game.seats:
        before = len(memory.entries)
        await stage.do(Asked(Phone(seat, verb, word(seat)), lambda: None))
        counts.append(len(memory.entries) - before)
    return counts


@pytest.fixture
async def night() -> tuple[Stage, Counting]:
    stage = Stage(home(seed=5))
    memory = Counting()
    stage.course._memory = memory
    await stage.do("начинаем игру", "дальше", 60.0, *["спасибо"] * 10)
    assert stage.game.step is Step.HUNT
    return stage, memory


async def test_every_touch_of_the_hunt_is_one_write(night: tuple[Stage, Counting]) -> None:
    stage, memory = night
    assert await writes(stage, memory, "tap") == [1] * 10
    assert {shooter for shooter, _ in stage.game.shots} == {s for s in stage.game.seats if stage.game.black(s)}
    assert await writes(stage, memory, "tap") == [1] * 10, "the second touch as well"


async def test_every_number_of_a_check_is_one_write(night: tuple[Stage, Counting]) -> None:
    stage, memory = night
    for step in (Step.DON_CHECK, Step.SHERIFF_CHECK):
        while stage.game.step is not step:
            await stage.do(1.0)
        assert await writes(stage, memory, "choose", lambda seat: str(seat % 10 + 1)) == [1] * 10
        assert stage.game.step is step


async def test_a_touch_in_vain_is_no_line_of_the_game(night: tuple[Stage, Counting]) -> None:
    stage, memory = night
    stage.messages.clear()
    red = next(seat for seat in stage.game.seats if not stage.game.black(seat))
    await stage.do(Asked(Phone(red, "tap", ""), lambda: None))
    assert [message["type"] for message in stage.messages] == ["ready"]
    assert memory.entries[-1].events == ()
