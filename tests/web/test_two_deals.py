"""Two deals that differ only in hidden facts look the same to every screen, byte for byte and moment for moment."""

from __future__ import annotations

import random

import pytest

from tests.web.two_deals import SECRET_BYTES, Evening, Plan, deck
from tests.web.wire import settle
from voicehost.rules.game import Step


@pytest.fixture(autouse=True)
def no_ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ticks tell the time and nothing else; they come by the test machine's own clock."""
    monkeypatch.setattr("voicehost.web.pages.PING_SECONDS", 3600)


def plan(source: random.Random, alive: set[int], rules: str) -> Plan:
    nominees = tuple(source.sample(sorted(alive), 3))
    voted = source.choice(nominees)
    left = sorted(alive - {voted})
    shot = source.choice([*left, None])
    return Plan(nominees, voted, shot)


async def evenings(rules: str, players: int, seed: int) -> tuple[Evening, Evening, dict[str, int], int]:
    """Play both as long as neither is over; tell up to where they may be compared."""
    source = random.Random(seed)
    one = Evening(rules, players, deck(rules, players, seed * 2 + 1), seed * 7 + 1)
    two = Evening(rules, players, deck(rules, players, seed * 2 + 2), seed * 7 + 2)
    for evening in (one, two):
        await evening.open()
        await evening.begin()
    marks, days = one.marks(), 0
    for _ in range(6):
        alive = set(one.stage.game.alive)
        if one.stage.game.alive != two.stage.game.alive or len(alive) < 4:
            break
        today = plan(source, alive, rules)
        for part in ("day", "night"):
            for evening in (one, two):
                if evening.stage.game.step is not Step.OVER:
                    await getattr(evening, part)(today)
            if Step.OVER in (one.stage.game.step, two.stage.game.step):
                return one, two, marks, days
            marks = one.marks()
            days += part == "night"
    return one, two, marks, days


TABLES = [
    ("sport", 10, 0),
    ("sport", 10, 1),
    ("professional", 10, 2),
    ("classic", 7, 3),
    ("classic", 20, 4),
    ("club", 10, 5),
    ("virtual", 10, 6),
    ("fsm", 10, 7),
    ("fsm", 10, 8),
]


@pytest.mark.parametrize(("rules", "players", "seed"), TABLES)
async def test_every_stream_is_the_same(rules: str, players: int, seed: int) -> None:
    one, two, marks, _days = await evenings(rules, players, seed)
    try:
        assert one.stage.game.roles != two.stage.game.roles
        for name, count in marks.items():
            first, second = one.streams[name].chunks[:count], two.streams[name].chunks[:count]
            for a, b in zip(first, second, strict=True):
                assert a == b, name
        assert one.streams["table"].headers == two.streams["table"].headers
        assert {size for evening in (one, two) for size in evening.secret_sizes} == {SECRET_BYTES}
        assert one.answers == two.answers == {(200, b'{"reason":""}')}
        assert marks["table"] > 30
    finally:
        await one.close()
        await two.close()


async def test_all_phones_and_screens_get_the_same_bytes() -> None:
    one, two, _, days = await evenings("sport", 10, 11)
    try:
        table = one.streams["table"].body
        for name, wire in one.streams.items():
            if name != "host":
                assert wire.body == table, name
        assert days >= 1
    finally:
        await one.close()
        await two.close()


async def test_the_comparison_would_notice_a_role() -> None:
    """The property can fail: a view that showed one role would differ."""
    one, two, _, _ = await evenings("sport", 10, 3)
    try:
        for evening in (one, two):
            hub = evening.stage.hub
            hub.house.lines = [{"n": 999, "text": str(evening.stage.game.role(1)) + str(evening.stage.game.role(2))}]
            hub.house.lines[0]["text"] += str(evening.stage.game.roles)
            hub.flush()
            await settle()
        assert one.streams["table"].chunks[-1][1] != two.streams["table"].chunks[-1][1]
    finally:
        await one.close()
        await two.close()
