"""Phones: taking a seat, PINs, second devices, the host's device, presence, secrets on demand."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest

from tests.web.stage import Stage, conducted, home, hosted
from tests.web.wire import Wire, settle
from voicehost.hosting.inputs import Phone
from voicehost.rules.game import Step
from voicehost.web.hub import Viewer
from voicehost.web.state import SECRET_BYTES, padded


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with conducted(Stage(home(names=(), seed=5))) as stage:
        yield stage


def guest(stage: Stage, address: str = "10.0.0.2") -> httpx.AsyncClient:
    client = stage.client(address)
    stage.let_in(client, "join")
    return client


async def join(client: httpx.AsyncClient, seat: object, name: object) -> tuple[int, dict[str, object]]:
    response = await client.post("/api/join", json={"seat": seat, "name": name})
    return response.status_code, response.json()


async def test_a_player_sits_down_and_the_table_sees_it(stage: Stage) -> None:
    async with guest(stage) as phone:
        status, answer = await join(phone, 4, "  Аня   Петрова ")
        assert status == 200
        assert answer["seat"] == 4
        assert stage.game.names[3] == "Аня Петрова"
        assert stage.hub.house.joined == {4}
        secret = (await phone.get("/api/secret")).json()
        assert secret["pin"] == answer["pin"]
        assert secret["role"] is None


@pytest.mark.parametrize(
    ("seat", "name", "error"),
    [
        (0, "Аня", "bad-request"),
        (11, "Аня", "bad-request"),
        (True, "Аня", "bad-request"),
        ("4", "Аня", "bad-request"),
        (4, "", "bad-request"),
        (4, "   ", "bad-request"),
        (4, "А\nБ", "bad-request"),
        (4, "А" * 60, "bad-request"),
        (4, {"a": 1}, "bad-request"),
        (2, "Вера", "seat-taken"),
        (4, "БОРИС", "name-taken"),
    ],
)
async def test_what_is_wrong_with_a_seat_is_told(stage: Stage, seat: object, name: object, error: str) -> None:
    async with guest(stage) as first, guest(stage) as second:
        await join(first, 2, "Борис")
        status, answer = await join(second, seat, name)
        assert status in {400, 409}
        assert answer == {"error": error}


async def test_one_phone_has_one_seat(stage: Stage) -> None:
    async with guest(stage) as phone:
        await join(phone, 2, "Борис")
        assert await join(phone, 3, "Вера") == (409, {"error": "already-seated"})
        assert (await phone.post("/api/leave", json={})).status_code == 200
        assert stage.game.names[1] == ""
        assert (await join(phone, 3, "Борис"))[0] == 200


async def test_after_the_start_no_seat_is_taken_or_left(stage: Stage) -> None:
    async with guest(stage) as phone, guest(stage) as late:
        await join(phone, 1, "Аня")
        await stage.do("начинаем игру", "дальше")
        assert stage.game.step is not Step.LOBBY
        assert await join(late, 2, "Борис") == (409, {"error": "too-late"})
        assert (await phone.post("/api/leave", json={})).status_code == 409


async def test_a_second_phone_puts_the_first_out_and_says_so(stage: Stage) -> None:
    async with guest(stage) as first, guest(stage, "10.0.0.3") as second:
        _, answer = await join(first, 4, "Аня")
        cookie = f"voicehost-seat={first.cookies['voicehost-seat']}"
        wire = Wire(stage.app, "/stream/seat", lambda: 0.0, cookie)
        await settle()
        assert b"event: state" in wire.body
        response = await second.post("/api/claim", json={"seat": 4, "pin": answer["pin"]})
        assert response.status_code == 200
        await settle(40)
        assert wire.body.endswith(b"event: gone\ndata: {}\n\n")
        assert wire.task.done()
        assert (await first.get("/api/secret")).status_code == 403
        assert (await second.get("/api/secret")).json()["seat"] == 4


async def test_the_hosts_device_acts_beside_a_phone_that_may_come_back(stage: Stage) -> None:
    async with guest(stage) as phone, stage.client() as device:
        _, answer = await join(phone, 4, "Аня")
        stage.let_in(device, "host")
        assert (await device.post("/api/claim", json={"seat": 4, "pin": answer["pin"]})).status_code == 200
        assert (await device.get("/api/me")).json() == {"join": True, "host": True, "seat": 4, "helper": True}
        assert (await device.get("/api/secret")).json()["helper"] is True
        assert (await phone.get("/api/secret")).json()["helper"] is False
        await stage.do("начинаем игру")
        assert (await device.post("/api/leave", json={})).status_code == 200
        assert (await device.get("/api/secret")).status_code == 403
        assert (await phone.get("/api/secret")).status_code == 200


async def test_a_wrong_pin_and_an_empty_seat_look_alike(stage: Stage) -> None:
    async with guest(stage) as phone, guest(stage) as thief:
        _, answer = await join(phone, 4, "Аня")
        wrong = "1234" if answer["pin"] != "1234" else "4321"
        for seat, pin in ((4, wrong), (5, wrong)):
            response = await thief.post("/api/claim", json={"seat": seat, "pin": pin})
            assert (response.status_code, response.json()) == (403, {"error": "closed"})


async def test_cards_are_drawn_by_phone_and_seen_by_their_owner_alone(stage: Stage) -> None:
    phones = [guest(stage) for _ in range(10)]
    for seat, phone in enumerate(phones, 1):
        await join(phone, seat, f"Игрок {seat}")
    await stage.do("начинаем игру")
    wrong = await phones[4].post("/api/act", json={"verb": "choose", "number": 1})
    assert wrong.json() == {"reason": "not-your-turn"}
    for seat, phone in enumerate(phones, 1):
        assert stage.hub.table._state is not None
        assert stage.hub.table._state["cards"] == 11 - seat
        assert (await phone.post("/api/act", json={"verb": "choose", "number": 1})).json() == {"reason": ""}
        secret = (await phone.get("/api/secret")).json()
        assert (secret["drawn"], secret["kept"], secret["role"]) == (True, False, stage.game.cards[seat - 1])
        assert (await phone.post("/api/act", json={"verb": "confirm"})).json() == {"reason": ""}
    assert stage.game.step is Step.CONTRACT
    assert [(await phone.get("/api/secret")).json()["role"] for phone in phones] == list(stage.game.cards)
    assert len({len((await phone.get("/api/secret")).content) for phone in phones}) == 1
    for phone in phones:
        await phone.aclose()


@pytest.mark.parametrize(
    "body", [{}, {"verb": "join", "number": 1}, {"verb": "choose"}, {"verb": "choose", "number": 99}]
)
async def test_what_no_phone_does_is_refused(stage: Stage, body: dict[str, object]) -> None:
    async with stage.seated(3) as phone:
        assert (await phone.post("/api/act", json=body)).status_code == 400
    assert stage.inputs.empty()


async def test_a_hand_by_phone_and_a_hand_aloud(stage: Stage) -> None:
    stage = Stage(home(seed=5))
    async with conducted(stage), stage.seated(3) as phone, stage.client() as device:
        stage.let_in(device, "host")
        await stage.do("начинаем игру", "дальше", 60.0)
        await stage.do("выставляю номер два", "спасибо", "выставляю номер три", *["спасибо"] * 9)
        assert stage.game.step is Step.VOTE
        assert (await device.post("/api/host/setting", json={"votes_by": "voice"})).status_code == 200
        assert (await phone.post("/api/act", json={"verb": "vote"})).json() == {"reason": "not-now"}
        await stage.do(30.0)
        assert stage.game.step is Step.VOTE, "nobody counts phones when hands are told aloud"
        await device.post("/api/host/setting", json={"votes_by": "phone"})
        assert (await phone.post("/api/act", json={"verb": "vote"})).json() == {"reason": ""}
        assert (await phone.get("/api/secret")).json()["raised"] is True
        assert (await phone.post("/api/act", json={"verb": "vote"})).json() == {"reason": "already-voted"}


async def test_a_lost_phone_is_told_by_day_and_never_at_night(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicehost.web.room.GONE_SECONDS", 0.0)
    stage = Stage(home(seed=5))
    token, _ = stage.keys.take(4)
    wire = Wire(stage.app, "/stream/seat", lambda: 0.0, f"voicehost-seat={token}")
    await settle()
    assert stage.hub.house.absent == ()
    await stage.do("начинаем игру", "дальше")
    assert stage.game.step is Step.CONTRACT
    await wire.close()
    stage.hub.flush()
    number = stage.hub.table.number
    stage.hub.flush()
    assert (stage.hub.house.absent, stage.hub.table.number) == ((), number)
    await stage.do(60.0)
    await settle()
    assert stage.game.step is Step.SPEECH
    assert stage.hub.house.absent == (4,)


async def test_a_phone_that_was_away_catches_up_by_number() -> None:
    stage = Stage(home(seed=5))
    token, _ = stage.keys.take(4)
    cookie = f"voicehost-seat={token}"
    first = Wire(stage.app, "/stream/seat", lambda: 0.0, cookie)
    await settle()
    last_id = first.body.rpartition(b"id: ")[2].partition(b"\n")[0].decode()
    await first.close()
    same = Wire(stage.app, "/stream/seat", lambda: 0.0, cookie, last_id)
    await settle()
    assert b"event: state" not in same.body, "nothing has changed"
    await same.close()
    await stage.do("начинаем игру", "дальше", 60.0)
    behind = Wire(stage.app, "/stream/seat", lambda: 0.0, cookie, last_id)
    other_start = Wire(stage.app, "/stream/seat", lambda: 0.0, cookie, "ffffffff-3")
    await settle()
    for wire in (behind, other_start):
        assert wire.body.count(b"event: state") == 1
        assert b'"step":"speech"' in wire.body
        await wire.close()


async def test_a_slow_page_gets_the_newest_state_and_no_queue() -> None:
    stage = Stage(home(seed=5))
    channel = stage.hub.table
    frames = channel.follow(Viewer())
    first = await anext(frames)
    await stage.do("начинаем игру", "дальше", 60.0, "спасибо", "спасибо")
    second = await anext(frames)
    assert first != second
    assert second == channel.frame
    await frames.aclose()


async def test_at_night_every_tap_is_answered_alike_and_no_refusal_is_shown() -> None:
    stage = Stage(home(seed=5))
    async with conducted(stage):
        await stage.do("начинаем игру", "дальше", 60.0, *["спасибо"] * 10)
        assert stage.game.step is Step.HUNT
        stage.messages.clear()
        answers = set()
        for seat in range(1, 11):
            async with stage.seated(seat) as phone:
                for body in ({"verb": "tap"}, {"verb": "choose", "number": 3}, {"verb": "done"}):
                    response = await phone.post("/api/act", json=body)
                    answers.add((response.status_code, response.content))
        await settle(30)
        assert answers == {(200, b'{"reason":""}')}
        assert not [message for message in stage.messages if message["type"] == "refused"]
        shots = {shooter for shooter, _ in stage.game.shots}
        assert shots == {seat for seat in stage.game.seats if stage.game.black(seat)}


async def test_a_typed_line_still_tells_its_refusal() -> None:
    stage = Stage(home(seed=5))
    await stage.do("начинаем игру", "дальше", 60.0, *["спасибо"] * 10, 20.0)
    assert stage.game.step is Step.DON_CHECK
    stage.messages.clear()
    other = next(seat for seat in stage.game.seats if seat != stage.game.don)
    await stage.do(Phone(other, "choose", "3"))
    assert [message["reason"] for message in stage.messages if message["type"] == "refused"] == ["not-don"]


async def test_checks_are_answered_on_ones_own_phone_only() -> None:
    stage = Stage(home(seed=5))
    async with conducted(stage):
        await stage.do("начинаем игру", "дальше", 60.0, *["спасибо"] * 10, 20.0)
        game = stage.game
        assert game.step is Step.DON_CHECK
        assert game.don is not None
        assert game.sheriff is not None
        for seat in game.seats:
            async with stage.seated(seat) as phone:
                await phone.post("/api/act", json={"verb": "choose", "number": game.sheriff})
                await settle(20)
                response = await phone.get("/api/secret")
                assert len(response.content) == SECRET_BYTES
                latest = response.json()["latest"]
                assert latest == ({"night": 1, "seat": game.sheriff, "answer": "sheriff"} if seat == game.don else None)


async def test_a_secret_that_does_not_fit_is_an_error_not_a_leak() -> None:
    assert len(padded({"a": "я"})) == len(padded({})) == SECRET_BYTES
    with pytest.raises(ValueError, match="does not fit"):
        padded({"a": "x" * SECRET_BYTES})


async def test_hosted_games_have_no_phones() -> None:
    stage = Stage(hosted())
    async with guest(stage) as phone:
        assert (await join(phone, 1, "Аня"))[0] == 400


async def test_a_seat_whose_taker_never_got_the_answer_can_be_taken_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with guest(stage) as lost, guest(stage) as second, guest(stage) as third:
        await join(lost, 4, "Аня")
        assert await join(second, 4, "Аня") == (409, {"error": "seat-taken"}), "his page may still be on its way"
        monkeypatch.setattr("voicehost.web.room.NEVER_CAME_SECONDS", -1.0)
        stage.room.look_around()
        assert stage.hub.house.joined == frozenset()
        assert (await join(second, 4, "Аня"))[0] == 200
        assert (await lost.get("/api/secret")).status_code == 403
        assert (await second.get("/api/me")).json()["seat"] == 4
        stage.room.look_around()
        assert stage.hub.house.joined == {4}
        assert await join(third, 4, "Вера") == (409, {"error": "seat-taken"}), "whoever came keeps his seat"


async def test_once_cards_are_dealt_no_seat_is_taken_again() -> None:
    stage = Stage(home(seed=5))
    stage.keys.take(4)
    stage.room.expected[4] = -1e9
    assert stage.room.is_free(4)
    await stage.do("начинаем игру")
    assert stage.game.step is Step.DEAL
    async with guest(stage) as phone:
        assert await join(phone, 4, "Вера") == (409, {"error": "seat-taken"})
