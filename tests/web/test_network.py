"""Where the pages listen, which names they answer to, what is printed."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from tests.web.stage import Stage, hosted, served
from voicehost.errors import UserError
from voicehost.web import network
from voicehost.web import server as server_module
from voicehost.web.network import Hosts, Place, addresses, listen, read_place
from voicehost.web.server import PatientProtocol


@pytest.fixture(autouse=True)
def lan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "lan_address", lambda: "192.168.1.5")


@pytest.mark.parametrize(
    ("text", "home", "hosts", "port"),
    [
        (None, False, ("127.0.0.1",), None),
        ("", False, ("127.0.0.1",), None),
        ("", True, ("127.0.0.1", "192.168.1.5"), None),
        (None, True, ("127.0.0.1", "192.168.1.5"), None),
        (":9000", False, ("127.0.0.1",), 9000),
        ("9000", True, ("127.0.0.1", "192.168.1.5"), 9000),
        ("0.0.0.0:80", False, ("0.0.0.0",), 80),
        ("192.168.1.9", True, ("192.168.1.9",), None),
        ("[::1]:9000", False, ("::1",), 9000),
        ("::1", False, ("::1",), None),
        ("club.local:8000", False, ("club.local",), 8000),
    ],
)
def test_where_to_listen(text: str | None, home: bool, hosts: tuple[str, ...], port: int | None) -> None:
    assert read_place(text, home=home) == Place(hosts, port)


def test_a_computer_without_a_network_serves_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "lan_address", lambda: None)
    assert read_place(None, home=True) == Place(("127.0.0.1",), None)


@pytest.mark.parametrize("text", ["host:port", ":99999", "a b:1", "http://x", "[::1", "[::1]x", "user@host"])
def test_what_is_no_address_is_told(text: str) -> None:
    with pytest.raises(UserError) as error:
        read_place(text, home=False)
    assert error.value.key == "web.bad-address"
    assert error.value.status == 2


def test_a_taken_port_is_told_and_the_usual_one_steps_aside(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(UserError) as error:
            listen(Place(("127.0.0.1",), port))
        assert (error.value.key, error.value.params) == ("web.port-taken", {"port": port})
        monkeypatch.setattr(network, "DEFAULT_PORT", port)
        sockets = listen(Place(("127.0.0.1",), None))
        assert sockets[0].getsockname()[1] != port
        sockets[0].close()


@pytest.mark.parametrize("host", ["203.0.113.7", "no-such-host.invalid"])
def test_an_address_that_is_not_ours_is_told(host: str) -> None:
    with pytest.raises(UserError) as error:
        listen(Place((host,), 0))
    assert error.value.key == "web.not-our-address"


def test_which_names_are_answered() -> None:
    here = Hosts(["127.0.0.1"], 8765)
    assert here("127.0.0.1:8765")
    assert here("localhost:8765")
    assert not here("192.168.1.5:8765")
    assert not here(f"{socket.gethostname()}.local:8765")
    assert not here("voicehost.local:8765")
    home = Hosts(["127.0.0.1", "192.168.1.5"], 8765, ["voicehost.local"])
    for name in ("192.168.1.5", "voicehost.local", f"{socket.gethostname().partition('.')[0]}.local", "localhost"):
        assert home(f"{name}:8765"), name
    assert not home("192.168.1.6:8765")
    assert not home("evil.local:8765")
    wide = Hosts(["0.0.0.0"], 80)
    assert wide("192.168.1.5:80")
    assert wide("192.168.1.5")
    assert not wide("0.0.0.0.evil.example:80")


def test_addresses_for_phones_come_first() -> None:
    place = Place(("127.0.0.1", "192.168.1.5"), None)
    assert addresses(place, 8765, secure=False) == ("http://192.168.1.5:8765", "http://127.0.0.1:8765")
    assert addresses(Place(("0.0.0.0",), None), 80, secure=True) == ("https://192.168.1.5:80",)
    assert addresses(Place(("::1",), None), 80, secure=False) == ("http://[::1]:80",)


async def test_whoever_connects_and_never_asks_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicehost.web.server.FIRST_REQUEST_SECONDS", 0.2)
    async with served(Stage(hosted())) as address:
        host, port = address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"GET / HT")
        assert await asyncio.wait_for(reader.read(), 5) == b""
        writer.close()


async def test_an_address_with_too_many_connections_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicehost.web.server.CONNECTIONS_PER_ADDRESS", 2)
    monkeypatch.setattr("voicehost.web.server.is_loopback", lambda address: False)
    async with served(Stage(hosted())) as address:
        host, port = address.removeprefix("http://").split(":")
        open_ones = [await asyncio.open_connection(host, int(port)) for _ in range(3)]
        assert await asyncio.wait_for(open_ones[2][0].read(), 5) == b""
        for _, writer in open_ones:
            writer.close()
    assert issubclass(PatientProtocol, asyncio.Protocol)


async def test_a_request_with_huge_headers_is_refused() -> None:
    async with served(Stage(hosted())) as address:
        host, port = address.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"GET / HTTP/1.1\r\nhost: x\r\nx: " + b"a" * 100_000)
        answer = await asyncio.wait_for(reader.read(), 5)
        assert answer.startswith(b"HTTP/1.1 400") or answer == b""
        writer.close()


async def test_a_page_that_takes_nothing_is_cut_off_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicehost.web.pages.SEND_SECONDS", 0.3)
    stage = Stage(hosted())
    async with served(stage) as address:
        host, port = address.removeprefix("http://").split(":")
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        sock.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(sock, (host, int(port)))
        await loop.sock_sendall(sock, f"GET /stream/table HTTP/1.1\r\nhost: {host}:{port}\r\n\r\n".encode())
        for _ in range(100):
            await asyncio.sleep(0.01)
            if stage.hub.table.viewers:
                break
        await stage.do("начинаем игру", "дальше")
        for i in range(3000):
            stage.hub.house.lines = [{"n": i, "text": "x" * 4000}]
            stage.hub.flush()
            await asyncio.sleep(0)
            if not stage.hub.table.viewers:
                break
        for _ in range(200):
            if not stage.hub.table.viewers and not stage.room.limits.streams:
                break
            await asyncio.sleep(0.02)
        assert stage.hub.table.viewers == set()
        assert stage.room.limits.streams == {}
        assert server_module._open == {}, "the connection is dropped, not kept for what was never read"
        await stage.do("спасибо")
        sock.close()


async def test_pages_over_tls(tmp_path: Path) -> None:
    import shutil
    import ssl
    import subprocess

    import httpx

    from voicehost.web.app import build_app
    from voicehost.web.server import WebServer

    if shutil.which("openssl") is None:
        pytest.skip("openssl not found (apt install openssl)")
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", *subject]
    subprocess.run([*make, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    stage = Stage(hosted())
    stage.room.secure = True
    sockets = listen(Place(("127.0.0.1",), 0))
    port = sockets[0].getsockname()[1]
    app = build_app(stage.room, Hosts(["127.0.0.1"], port))
    server = WebServer(app, sockets, certificate=str(certificate), key=str(key))
    await server.start()
    try:
        trust = ssl.create_default_context(cafile=str(certificate))
        base = f"https://127.0.0.1:{port}"
        async with httpx.AsyncClient(verify=trust, headers={"origin": base}) as client:
            assert (await client.get(f"{base}/")).status_code == 200
            entered = await client.post(f"{base}/api/enter", json={"door": "host", "key": stage.keys.host})
            assert "Secure" in entered.headers["set-cookie"]
    finally:
        await server.stop()
