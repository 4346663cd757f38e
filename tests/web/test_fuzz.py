"""Whatever is sent to whatever address: never a crash, never a secret, never a stalled game."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.web.stage import Stage, conducted, home, hosted
from voicehost.hosting.inputs import Pressed
from voicehost.rules.commands import COMMANDS, AskDay
from voicehost.web.acts import VERBS
from voicehost.web.pages import PAGES

PATHS = [
    *PAGES,
    *("/time", "/join.svg", "/static/base.css", "/static/none"),
    *("/api/enter", "/api/join", "/api/claim", "/api/leave", "/api/act", "/api/me", "/api/secret"),
    *("/api/host", "/api/host/secret", "/api/host/push", "/api/host/setting", "/api/host/codes"),
]

junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
seats = st.integers(-1, 22) | junk
requests = st.fixed_dictionaries(
    {},
    optional={
        "door": st.sampled_from(["host", "join", "screen", "seat", ""]) | junk,
        "key": junk,
        "seat": seats,
        "name": st.text(max_size=60) | junk,
        "pin": st.text("0123456789", max_size=6) | junk,
        "verb": st.sampled_from([*VERBS, "join"]) | junk,
        "number": seats,
        "command": st.sampled_from(sorted(COMMANDS)) | junk,
        "slots": st.dictionaries(
            st.sampled_from(["seat", "seats", "count", "winner", "role", "shooter", "target", "seconds", "reason"]),
            seats | st.lists(st.integers(0, 21), max_size=22) | st.sampled_from(["city", "don"]),
            max_size=3,
        )
        | junk,
        "down": junk,
        "votes_by": st.sampled_from(["phone", "voice"]) | junk,
    },
)
bodies = requests.map(lambda data: json.dumps(data).encode()) | junk.map(lambda data: json.dumps(data).encode())
raw = bodies | st.binary(max_size=200) | st.just(b"[" * 3000) | st.just(b'{"seat": 1e999}')

moments = st.sampled_from([(), ("начинаем игру",), ("начинаем игру", "дальше"), ("начинаем игру", "дальше", 60.0)])
calls = st.lists(st.tuples(st.sampled_from(["GET", "POST"]), st.sampled_from(PATHS), raw), min_size=1, max_size=12)


@pytest.mark.parametrize("mode", ["home", "hosted"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(moments=moments, calls=calls, passes=st.sets(st.sampled_from(["host", "join", "screen", "seat"])))
def test_no_request_harms(mode: str, moments: tuple[Any, ...], calls: list[Any], passes: set[str]) -> None:
    asyncio.run(_play(mode, moments, calls, passes))


async def _play(mode: str, moments: tuple[Any, ...], calls: list[Any], passes: set[str]) -> None:
    stage = Stage(home(seed=3, names=()) if mode == "home" else hosted(dealing="random", seed=3))
    secrets = [stage.keys.host, stage.keys.screen]
    async with conducted(stage) as stage, stage.client("10.0.0.4") as client:
        await stage.do(*moments)
        for door in passes - {"seat"}:
            stage.let_in(client, door)
        if "seat" in passes:
            token, _ = stage.keys.take(2)
            client.cookies.set("voicehost-seat", token)
        for method, path, body in calls:
            headers = {"content-type": "application/json"}
            response = await client.request(method, path, content=body if method == "POST" else None, headers=headers)
            assert response.status_code < 500, (method, path, body)
            assert not any(secret in response.text for secret in secrets)
            assert "Traceback" not in response.text
            if not passes & {"host", "seat"} and path not in {"/api/join", "/api/claim"}:
                assert '"role"' not in response.text
        alive = asyncio.ensure_future(stage.room.ask(Pressed(AskDay(), "ask-day")))
        assert await asyncio.wait_for(alive, 3) in {"", "not-now", "game-over"}, "the game still answers"
