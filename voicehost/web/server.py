"""The web server beside the game, in the same event loop: no thread, no lock, no signal handlers."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections import Counter
from collections.abc import Generator, Sequence
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from voicehost.web.limits import STREAMS, is_loopback

FIRST_REQUEST_SECONDS = 10.0
"""How long a connection may stay without having asked for anything."""

CONNECTIONS_PER_ADDRESS = 48
CONNECTIONS = STREAMS + 200

_open: Counter[str] = Counter()


class PatientProtocol(H11Protocol):
    """HTTP that hangs up on those who connect and never ask, and on addresses with too many connections."""

    _address = ""
    _hurry: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection and wait for its first request."""
        super().connection_made(transport)
        self.app_state = {**self.app_state, "abort": transport.abort}
        self._address = self.client[0] if self.client else ""
        _open[self._address] += 1
        if _open[self._address] > CONNECTIONS_PER_ADDRESS and not is_loopback(self._address):
            transport.close()
            return
        self._hurry = self.loop.call_later(FIRST_REQUEST_SECONDS, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        super().connection_lost(exc)
        _open[self._address] -= 1
        if _open[self._address] <= 0:
            del _open[self._address]
        if self._hurry is not None:
            self._hurry.cancel()

    def _give_up(self) -> None:
        if getattr(self, "cycle", None) is None:
            self.transport.close()


class _Quiet(uvicorn.Server):
    """A server that leaves Ctrl+C to the game."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Capture none."""
        yield


class WebServer:
    """Serves an application on open sockets until it is stopped."""

    def __init__(
        self, app: ASGIApp, sockets: Sequence[socket.socket], *, certificate: str | None = None, key: str | None = None
    ) -> None:
        """Serve ``app``; with ``certificate`` and ``key`` (files) over TLS.

        Raises:
            OSError, ssl.SSLError: certificate or key cannot be used.
        """
        options: dict[str, Any] = {"ssl_certfile": certificate, "ssl_keyfile": key} if certificate else {}
        config = uvicorn.Config(
            app,
            http=PatientProtocol,
            ws="none",
            loop="none",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=CONNECTIONS,
            timeout_keep_alive=20,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=16_384,
            **options,
        )
        config.load()
        self._server = _Quiet(config)
        self._sockets = list(sockets)
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Return when pages are served."""
        self._task = asyncio.ensure_future(self._server.serve(self._sockets))
        while not self._server.started and not self._task.done():
            await asyncio.sleep(0.01)

    async def stop(self) -> None:
        """Hang up and give the port back."""
        self._server.should_exit = True
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
        for sock in self._sockets:
            sock.close()
