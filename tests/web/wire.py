"""Reads what the application sends, byte for byte, without a browser or a network."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from tests.web.stage import HOST, ORIGIN


class Wire:
    """One open stream: every chunk with the moment of its arrival."""

    def __init__(self, app: Any, path: str, now: Callable[[], float], cookie: str = "", last_id: str = "") -> None:
        self.chunks: list[tuple[float, bytes]] = []
        self.status = 0
        self.headers: dict[str, str] = {}
        self._gone = asyncio.Event()
        self._asked = False
        headers = [(b"host", HOST.encode()), (b"origin", ORIGIN.encode())]
        if cookie:
            headers.append((b"cookie", cookie.encode()))
        if last_id:
            headers.append((b"last-event-id", last_id.encode()))
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": headers,
            "client": ("127.0.0.1", 50000),
            "server": ("127.0.0.1", 8765),
        }

        async def receive() -> dict[str, Any]:
            if not self._asked:
                self._asked = True
                return {"type": "http.request", "body": b"", "more_body": False}
            await self._gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: dict[str, Any]) -> None:
            if message["type"] == "http.response.start":
                self.status = message["status"]
                self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
            elif message.get("body"):
                self.chunks.append((now(), message["body"]))

        self.task = asyncio.ensure_future(app(scope, receive, send))

    @property
    def body(self) -> bytes:
        return b"".join(chunk for _, chunk in self.chunks)

    async def close(self) -> None:
        self._gone.set()
        await asyncio.wait([self.task], timeout=2)
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


async def settle(rounds: int = 12) -> None:
    """Let everything that is ready run."""
    for _ in range(rounds):
        await asyncio.sleep(0)
