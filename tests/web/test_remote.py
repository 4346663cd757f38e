"""The host's remote: the same commands as by voice, what it shows and what it hides."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator

import httpx
import pytest

from tests.web.stage import Stage, conducted, home, hosted
from tests.web.wire import settle
from voicehost.hosting.trigger import Trigger, TriggerKind
from voicehost.rules import commands as cmd
from voicehost.rules.game import Step
from voicehost.rules.legal import legal
from voicehost.rules.view import HOST, TABLE, view
from voicehost.web.remote import command_of, wording
from voicehost.web.state import PUBLIC_AT_NIGHT, SECRET_BYTES, host_legal

ROLES = "don,mafia,mafia,sheriff,city,city,city,city,city,city"


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with conducted(Stage(hosted(dealing=ROLES))) as stage:
        yield stage


@pytest.fixture
async def remote(stage: Stage) -> AsyncIterator[httpx.AsyncClient]:
    async with stage.client() as client:
        stage.let_in(client, "host")
        yield client


async def give(remote: httpx.AsyncClient, command: str, **slots: object) -> str:
    response = await remote.post("/api/host", json={"command": command, "slots": slots})
    return str(response.json().get("reason", response.status_code))


async def test_a_whole_round_by_buttons(stage: Stage, remote: httpx.AsyncClient) -> None:
    assert await give(remote, "start-game") == ""
    assert await give(remote, "next") == ""
    assert stage.game.step is Step.SPEECH
    assert await give(remote, "nominate", seat=5) == ""
    assert await give(remote, "nominate", seat=5) == "already-nominated-by-you"
    assert await give(remote, "foul", seat=3, count=1) == ""
    assert stage.game.fouls[2] == 1
    assert await give(remote, "end-speech") == ""
    assert await give(remote, "nominate", seat=6) == ""
    for _ in range(9):
        await give(remote, "end-speech")
    assert stage.game.step is Step.VOTE
    assert await give(remote, "votes", count=10) == ""
    assert stage.game.step is Step.LAST_WORD
    assert await give(remote, "undo") == ""
    assert stage.game.step is Step.VOTE


async def test_a_button_is_heard_like_a_voice(stage: Stage, remote: httpx.AsyncClient) -> None:
    await give(remote, "start-game")
    heard = [message for message in stage.messages if message["type"] == "heard"]
    assert heard == [{"type": "heard", "text": "start-game", "command": "start-game", "slots": {}}]
    assert wording(cmd.Shot(7)) == "shot 7"
    assert wording(cmd.Shot(None)) == "shot"
    assert wording(cmd.Votes(seats=(1, 3))) == "votes 1 3"


async def test_the_night_is_entered_without_a_word(stage: Stage, remote: httpx.AsyncClient) -> None:
    await stage.do("начинаем игру", "дальше", *["дальше"] * 10)
    assert stage.game.step is Step.HUNT
    stage.messages.clear()
    assert await give(remote, "shot", seat=9) == ""
    await settle()
    said = [message["text"] for message in stage.messages if message["type"] == "say"]
    assert not any("девят" in text for text in said)
    assert await give(remote, "don-check", seat=4) == ""
    assert await give(remote, "sheriff-check", seat=1) == ""
    secret = (await remote.get("/api/host/secret")).json()
    assert [(c["by"], c["seat"], c["answer"]) for c in secret["checks"]] == [
        ("don", 4, "sheriff"),
        ("sheriff", 1, "black"),
    ]
    assert secret["roles"]["1"] == "don"


async def test_what_needs_a_confirmation_asks_on_the_page(stage: Stage, remote: httpx.AsyncClient) -> None:
    await stage.do("начинаем игру", "дальше")
    assert await give(remote, "remove-player", seat=5) == ""
    assert stage.hub.host._state is not None
    assert stage.hub.host._state["pending"] == {"command": "remove-player", "slots": {"seat": 5}}
    assert await give(remote, "confirm") == ""
    assert 5 not in stage.game.alive


async def test_the_remote_shows_no_role_until_it_is_asked(stage: Stage) -> None:
    await stage.do("начинаем игру", "дальше", *["дальше"] * 10)
    await settle()
    frame = stage.hub.host.frame.decode()
    assert '"roles"' not in frame
    assert '"don"' not in frame
    assert '"sheriff"' not in frame


async def test_every_step_offers_what_is_legal(stage: Stage) -> None:
    await stage.do("начинаем игру", "дальше", "выставляю номер три")
    assert host_legal(stage.game).keys() == legal(stage.game).keys()
    assert all(item["seats"] == list(legal(stage.game)[name].seats) for name, item in host_legal(stage.game).items())


async def test_push_to_talk(stage: Stage, remote: httpx.AsyncClient) -> None:
    stage.conductor.trigger = Trigger(TriggerKind.PUSH)
    assert stage.conductor.trigger.take("пауза") is None
    await remote.post("/api/host/push", json={"down": True})
    assert stage.conductor.trigger.take("пауза") == "пауза"
    held = time.monotonic()
    await remote.post("/api/host/push", json={"down": False})
    assert stage.conductor.trigger.take("пауза", held) == "пауза", "what was begun while it was held counts"
    assert stage.conductor.trigger.take("пауза") is None


async def test_a_button_whose_phone_is_gone_is_let_go(
    stage: Stage, remote: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("voicehost.web.remote.HELD_SECONDS", 0.01)
    stage.conductor.trigger = Trigger(TriggerKind.PUSH)
    await remote.post("/api/host/push", json={"down": True})
    await asyncio.sleep(0.1)
    assert stage.conductor.trigger.pushed is False


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"command": "nothing"},
        {"command": "elapse"},
        {"command": "take-card", "slots": {"seat": 1, "card": 1}},
        {"command": "nominate"},
        {"command": "nominate", "slots": {"seat": 0}},
        {"command": "nominate", "slots": {"seat": 21}},
        {"command": "nominate", "slots": {"seat": "5"}},
        {"command": "nominate", "slots": {"seat": True}},
        {"command": "nominate", "slots": {"seat": None}},
        {"command": "nominate", "slots": []},
        {"command": "votes", "slots": {"seats": "1,2"}},
        {"command": "votes", "slots": {"seats": [1] * 21}},
        {"command": "votes", "slots": {"seats": [1, "x"]}},
        {"command": "declare-winner", "slots": {"winner": "don"}},
        {"command": "declare-winner", "slots": {"winner": []}},
        {"command": "next", "slots": {"seat": 1}},
        {"command": "remove-player", "slots": {"seat": 1, "reason": "x"}},
        {"command": ["next"]},
    ],
)
async def test_no_other_request_becomes_a_command(remote: httpx.AsyncClient, data: dict[str, object]) -> None:
    assert command_of(data) is None
    assert (await remote.post("/api/host", json=data)).status_code == 400


async def test_without_a_host_the_device_on_the_table_shows_no_secret_and_may_little_at_night() -> None:
    stage = Stage(home(seed=5))
    async with conducted(stage), stage.client() as device:
        stage.let_in(device, "host")
        await stage.do("начинаем игру", "дальше")
        assert stage.game.step is Step.CONTRACT
        assert set(host_legal(stage.game)) <= set(PUBLIC_AT_NIGHT)
        for command in ("undo", "redo", "next", "ask-alive"):
            assert await give(device, command) == "not-now"
        assert await give(device, "pause") == ""
        assert await give(device, "resume") == ""
        response = await device.get("/api/host/secret")
        assert response.json() == {"roles": None, "checks": [], "pad": response.json()["pad"]}
        assert len(response.content) == SECRET_BYTES
        assert stage.hub.host._state is not None
        hidden = set(view(stage.game, HOST)) - set(view(stage.game, TABLE))
        assert not hidden & set(stage.hub.host._state)


async def test_players_codes_are_for_the_host(stage: Stage, remote: httpx.AsyncClient) -> None:
    assert (await remote.get("/api/host/codes")).json()["key"] == "", "a hosted game has no players' phones"
    at_home = Stage(home(names=()))
    async with at_home.client() as device:
        at_home.let_in(device, "host")
        assert (await device.get("/api/host/codes")).json()["key"] == at_home.keys.join
