"""Who gets through the door: hosts, origins, sizes, numbers; and what every answer carries."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.web.stage import HOST, ORIGIN, Stage, conducted, home, hosted
from tests.web.wire import Wire, settle
from voicehost.web.guard import LARGEST_BODY
from voicehost.web.keys import Keyring, Keys, keys_from, same
from voicehost.web.limits import STREAMS_PER_ADDRESS, Limits
from voicehost.web.pages import PAGES, static_files

GETS = [
    *PAGES,
    "/time",
    "/join.svg",
    "/api/me",
    "/api/secret",
    "/api/host/secret",
    "/api/host/codes",
    "/static/base.css",
]
POSTS = ["/api/enter", "/api/join", "/api/claim", "/api/leave", "/api/act"]
HOST_POSTS = ["/api/host", "/api/host/push", "/api/host/setting"]


@pytest.fixture
async def stage() -> Stage:
    return Stage(home(names=()))


@pytest.fixture
async def browser(stage: Stage) -> AsyncIterator[httpx.AsyncClient]:
    async with stage.client() as client:
        yield client


@pytest.mark.parametrize("host", ["evil.example:8765", "127.0.0.1", "127.0.0.1:80", "", "127.0.0.1:8765.evil.example"])
@pytest.mark.parametrize("path", ["/", "/api/secret", "/static/base.css"])
async def test_a_foreign_host_name_is_refused(browser: httpx.AsyncClient, host: str, path: str) -> None:
    response = await browser.get(path, headers={"host": host})
    assert response.status_code == 421
    assert "Мафия" not in response.text


@pytest.mark.parametrize("host", [HOST, "localhost:8765", "LOCALHOST:8765", "[::1]:8765"])
async def test_our_own_names_are_answered(browser: httpx.AsyncClient, host: str) -> None:
    assert (await browser.get("/", headers={"host": host})).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "https://127.0.0.1:8765", "http://127.0.0.1:1"])
@pytest.mark.parametrize("path", [*POSTS, *HOST_POSTS])
async def test_a_post_of_another_site_is_refused(stage: Stage, path: str, origin: str) -> None:
    async with stage.client() as browser:
        stage.let_in(browser, "host")
        stage.let_in(browser, "join")
        headers = {"origin": origin, "content-type": "application/json"}
        response = await browser.post(path, content=b"{}", headers=headers)
    assert response.status_code == 403
    assert response.text == "foreign origin"


async def test_a_post_without_origin_is_refused(stage: Stage) -> None:
    transport = httpx.ASGITransport(app=stage.app)
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as browser:
        assert (await browser.post("/api/enter", json={})).status_code == 403


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
async def test_a_form_of_another_site_cannot_pass_for_json(browser: httpx.AsyncClient, kind: str) -> None:
    response = await browser.post("/api/enter", content=b"{}", headers={"content-type": kind})
    assert response.status_code == 415


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_another_site_reads_no_stream(browser: httpx.AsyncClient, site: str) -> None:
    headers = {"sec-fetch-site": site, "sec-fetch-mode": "cors"}
    assert (await browser.get("/stream/table", headers=headers)).status_code == 403
    assert (await browser.get("/", headers={**headers, "sec-fetch-mode": "navigate"})).status_code == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
async def test_other_methods_are_refused(browser: httpx.AsyncClient, method: str) -> None:
    assert (await browser.request(method, "/api/act")).status_code == 405


async def test_a_large_body_is_refused(stage: Stage, browser: httpx.AsyncClient) -> None:
    stage.let_in(browser, "host")
    headers = {"content-type": "application/json"}
    fits = b'{"command": "undo"}'.ljust(LARGEST_BODY)
    assert (await browser.post("/api/host", content=fits + b" ", headers=headers)).status_code == 413

    async def endless() -> AsyncIterator[bytes]:
        for _ in range(100):
            yield b" " * 1000

    response = await browser.post("/api/host", content=endless(), headers=headers)
    assert response.status_code == 413


async def test_a_body_that_does_not_come_is_given_up(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicehost.web.guard.BODY_SECONDS", 0.05)
    sent = []

    async def never() -> dict[str, object]:
        await asyncio.sleep(60)
        return {}

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "scheme": "http",
        "path": "/api/enter",
        "raw_path": b"/api/enter",
        "query_string": b"",
        "headers": [
            (b"host", HOST.encode()),
            (b"origin", ORIGIN.encode()),
            (b"content-type", b"application/json"),
            (b"content-length", b"10"),
        ],
        "client": ("10.0.0.9", 1),
    }
    await stage.app(scope, never, send)
    assert sent[0]["status"] == 408


async def test_websockets_are_closed(stage: Stage) -> None:
    sent = []

    async def receive() -> dict[str, object]:
        return {"type": "websocket.connect"}

    async def send(message: dict[str, object]) -> None:
        sent.append(message)

    await stage.app({"type": "websocket", "path": "/", "headers": [], "client": None}, receive, send)
    assert sent == [{"type": "websocket.close", "code": 1008}]


@pytest.mark.parametrize("path", [*GETS, "/nowhere", "/static/nothing", "/static/..%2fapp.py"])
async def test_every_answer_carries_the_headers(browser: httpx.AsyncClient, path: str) -> None:
    response = await browser.get(path)
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert "*" not in policy
    assert "http" not in policy
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["x-frame-options"] == "DENY"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in response.headers
    if not path.startswith("/static/base"):
        assert response.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", ["ru", "bg", "en"])
async def test_pages_have_nothing_inline_and_nothing_from_elsewhere(
    browser: httpx.AsyncClient, path: str, language: str
) -> None:
    page = (await browser.get(path, params={"lang": language})).text
    assert f'<html lang="{language}"' in page
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)
    assert not re.search(r"(src|href)=\"(?!/)", page)
    assert not re.search(r"(src|href)=\"//", page)


def test_scripts_and_styles_load_nothing_from_elsewhere() -> None:
    for name, file in static_files().items():
        if name.endswith((".js", ".css")):
            text = file.body.decode()
            assert not re.search(r"https?://|[\"'(]//", text), name
            assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)


@pytest.mark.parametrize("name", ["../app.py", "..%2Fapp.py", "%2e%2e/labels.py", "base.css/../../app.py", "labels.py"])
async def test_no_file_but_the_static_ones_is_served(browser: httpx.AsyncClient, name: str) -> None:
    response = await browser.get(f"/static/{name}")
    assert response.status_code == 404
    assert "import" not in response.text


# --- keys and cookies


async def test_keys_are_unguessable_and_differ() -> None:
    keys = [Keys() for _ in range(200)]
    for name in ("host", "screen"):
        values = {getattr(k, name) for k in keys}
        assert len(values) == 200
        assert min(map(len, values)) >= 22
    joins = {k.join for k in keys}
    assert len(joins) == 200
    assert all(re.fullmatch(r"[2-9a-hjkmnp-z]{5}-[2-9a-hjkmnp-z]{5}", key) for key in joins)


def test_secrets_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []

    def watched(given: str, wanted: str) -> bool:
        compared.append(given)
        return same(given, wanted)

    monkeypatch.setattr("voicehost.web.keys.same", watched)
    keys = Keys()
    first, _ = keys.take(3)
    keys.take(5)
    keys.open("host", "wrong")
    keys.open("nowhere", "wrong")
    keys.passed("join", None)
    keys.claim(3, "none", helper=False)
    keys.claim(9, "none", helper=False)
    assert len(compared) == 5, "a wrong door and an empty seat take as long as a wrong key"
    keys.seat_of(first)
    assert len(compared) == 7, "every place is looked at, also after the right one"
    source = inspect.getsource(same)
    assert "hmac.compare_digest" in source
    assert same("я", "я")
    assert not same("я", "ж")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"door": "host"},
        {"door": "host", "key": ""},
        {"door": "host", "key": "wrong"},
        {"door": "seat", "key": ""},
        {"door": None, "key": None},
        {"door": "", "key": ""},
        {"door": ["host"], "key": {"a": 1}},
    ],
)
async def test_a_wrong_key_tells_nothing(stage: Stage, body: object) -> None:
    async with stage.client() as browser:
        response = await browser.post("/api/enter", json=body)
    assert (response.status_code, response.json()) == (403, {"error": "closed"})
    assert "set-cookie" not in response.headers


async def test_a_right_key_gives_a_careful_cookie(stage: Stage, browser: httpx.AsyncClient) -> None:
    for door, key in (
        ("host", stage.keys.host),
        ("join", f" {stage.keys.join.upper()} "),
        ("screen", stage.keys.screen),
    ):
        response = await browser.post("/api/enter", json={"door": door, "key": key})
        assert response.status_code == 200
        cookie = response.headers["set-cookie"]
        assert key not in cookie
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert "Path=/" in cookie
        assert "Domain" not in cookie


async def test_over_tls_cookies_are_secure_and_bound_to_the_host(stage: Stage) -> None:
    stage.room.secure = True
    transport = httpx.ASGITransport(app=stage.app)
    async with httpx.AsyncClient(transport=transport, base_url=f"https://{HOST}") as browser:
        headers = {"origin": f"https://{HOST}"}
        body = {"door": "host", "key": stage.keys.host}
        cookie = (await browser.post("/api/enter", json=body, headers=headers)).headers["set-cookie"]
    assert cookie.startswith("__Host-voicehost-host=")
    assert "Secure" in cookie


async def test_many_tries_are_slowed_even_with_the_right_key_at_last(stage: Stage) -> None:
    async with stage.client("10.0.0.7") as guest, stage.client("10.0.0.8") as other:
        answers = [
            (await guest.post("/api/enter", json={"door": "join", "key": f"k{i}"})).status_code for i in range(9)
        ]
        assert answers[:6] == [403] * 6
        assert answers[6:] == [429] * 3
        late = await guest.post("/api/enter", json={"door": "join", "key": stage.keys.join})
        assert late.status_code == 429
        assert int(late.headers["retry-after"]) >= 1
        assert (await other.post("/api/enter", json={"door": "join", "key": stage.keys.join})).status_code == 200


async def test_pins_are_slowed_by_seat_whoever_tries(stage: Stage) -> None:
    stage.keys.take(4)
    pin = stage.keys.places[4].pin
    wrong = "0000" if pin != "0000" else "1111"
    codes = []
    for i in range(6):
        async with stage.client(f"10.0.1.{i}") as guest:
            stage.let_in(guest, "join")
            codes.append((await guest.post("/api/claim", json={"seat": 4, "pin": wrong})).status_code)
    assert codes == [403] * 4 + [429] * 2
    async with stage.client() as owner:
        stage.let_in(owner, "join")
        assert (await owner.post("/api/claim", json={"seat": 4, "pin": pin})).status_code == 429


async def test_requests_are_limited_by_address() -> None:
    now = 0.0
    limits = Limits(lambda: now)
    stage = Stage(home(names=()), limits=limits)
    async with stage.client("10.0.0.5") as guest, stage.client("10.0.0.6") as other:
        codes = [(await guest.get("/time")).status_code for _ in range(170)]
        assert codes.count(200) == 150
        assert codes[-1] == 429
        assert (await other.get("/time")).status_code == 200
        now = 1.0
        assert (await guest.get("/time")).status_code == 200


async def test_streams_are_limited_by_address(stage: Stage) -> None:
    limits = stage.room.limits
    assert all(limits.open_stream("10.0.0.5") for _ in range(STREAMS_PER_ADDRESS))
    async with stage.client("10.0.0.5") as guest:
        assert (await guest.get("/stream/table")).status_code == 503
    assert limits.open_stream("10.0.0.6")
    limits.close_stream("10.0.0.5")
    assert limits.open_stream("10.0.0.5")


async def test_a_stream_that_ends_is_counted_out(stage: Stage) -> None:
    wires = [Wire(stage.app, "/stream/table", lambda: 0.0) for _ in range(3)]
    await settle()
    assert stage.room.limits.streams == {"127.0.0.1": 3}
    for wire in wires:
        await wire.close()
    assert stage.room.limits.streams == {}
    assert stage.hub.table.viewers == set()


# --- who may do what


@pytest.mark.parametrize("path", ["/api/secret", "/api/host/secret", "/api/host/codes", "/stream/seat", "/stream/host"])
@pytest.mark.parametrize("door", [None, "join", "screen"])
async def test_secrets_need_the_right_pass(stage: Stage, path: str, door: str | None) -> None:
    async with stage.client("10.0.0.9") as guest:
        if door:
            stage.let_in(guest, door)
        guest.cookies.set("voicehost-seat", "guess")
        response = await guest.get(path)
        assert (response.status_code, response.json()) == (403, {"error": "closed"})


@pytest.mark.parametrize("path", [*HOST_POSTS, "/api/act", "/api/leave"])
async def test_acts_need_the_right_pass(stage: Stage, path: str) -> None:
    async with stage.client("10.0.0.9") as guest:
        stage.let_in(guest, "join")
        stage.let_in(guest, "screen")
        body = {"command": "start-game", "down": True, "votes_by": "voice", "verb": "tap"}
        assert (await guest.post(path, json=body)).status_code == 403
    assert stage.inputs.empty()


async def test_a_seat_is_no_host_and_acts_for_no_other(stage: Stage) -> None:
    async with stage.seated(3) as phone:
        assert (await phone.get("/api/host/secret")).status_code == 403
        assert (await phone.post("/api/host", json={"command": "start-game"})).status_code == 403
        assert (await phone.get("/api/secret")).json()["seat"] == 3
        assert (await phone.get("/api/me")).json() == {"join": False, "host": False, "seat": 3, "helper": False}


async def test_the_join_code_is_not_shown_to_a_guest_on_the_network(stage: Stage) -> None:
    async with stage.client("10.0.0.9") as guest, stage.client("127.0.0.1") as here:
        assert (await guest.get("/join.svg")).status_code == 403
        page = (await guest.get("/")).text
        assert stage.keys.join not in page
        assert 'id="code"' not in page
        assert (await here.get("/join.svg")).headers["content-type"] == "image/svg+xml"
        assert stage.keys.join in (await here.get("/")).text
        await guest.post("/api/enter", json={"door": "screen", "key": stage.keys.screen})
        assert (await guest.get("/join.svg")).status_code == 200


async def test_no_page_shows_a_key_or_a_role(stage: Stage) -> None:
    async with conducted(stage), stage.client("10.0.0.9") as guest, stage.seated(2) as phone:
        for client in (guest, phone):
            for path in PAGES:
                page = (await client.get(path)).text
                for secret in (stage.keys.host, stage.keys.screen, stage.keys.join, *stage.keys.passes.values()):
                    assert secret not in page


async def test_in_hosted_mode_phones_have_no_say() -> None:
    stage = Stage(hosted(dealing="random", seed=1))
    async with conducted(stage), stage.client() as guest:
        stage.let_in(guest, "join")
        assert (await guest.post("/api/join", json={"seat": 1, "name": "Гость"})).status_code == 400
        assert (await guest.get("/join.svg")).status_code == 403


# --- keys across a restart


def test_keys_come_back_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "pages.json"
    keys = Keys()
    token, pin = keys.take(6)
    Keyring(path).save("G1", keys)
    assert path.stat().st_mode & 0o077 == 0
    text = path.read_text(encoding="utf-8")
    assert token not in text
    again = Keyring(path).load("G1")
    assert again == keys
    assert again.seat_of(token) == (6, False)
    assert again.claim(6, pin, helper=False)
    assert Keyring(path).load("G2") != keys
    for broken in ("", "[]", "{", '{"G1": 5}', '{"G1": {"places": 7}}'):
        path.write_text(broken, encoding="utf-8")
        assert Keyring(path).load("G1").host != keys.host
    for i in range(9):
        Keyring(path).save(f"H{i}", Keys())
    assert Keyring(path).load("H0") != Keyring(path).load("H0"), "only the latest games are kept"
    assert keys_from(keys.to_mapping()) == keys
