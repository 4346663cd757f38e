"""A web server on this machine that misbehaves in the ways that real ones do."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Manners:
    """What the server gives and how; tests change it."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.cut_after: list[int] = []
        """For each of the next answers: how many bytes before the connection breaks."""
        self.ignore_range = False
        self.lie_about_size = 0
        """Added to the Content-Length."""
        self.no_length = False
        self.statuses: list[int] = []
        """For each of the next answers: an error status (0: none)."""
        self.redirects: dict[str, str] = {}
        self.wait = 0.0
        self.wrong_range = False
        self.ranges: list[str | None] = []
        """The Range header of every request so far."""


class _Handler(BaseHTTPRequestHandler):
    manners: Manners

    def do_GET(self) -> None:
        manners = self.manners
        wanted = self.headers.get("Range")
        manners.ranges.append(wanted)
        time.sleep(manners.wait)
        status = manners.statuses.pop(0) if manners.statuses else 0
        if status:
            self.send_error(status)
            return
        if self.path in manners.redirects:
            self.send_response(302)
            self.send_header("Location", manners.redirects[self.path])
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if self.path not in manners.files:
            self.send_error(404)
            return
        body = manners.files[self.path]
        first = 0
        if wanted and not manners.ignore_range:
            first = int(wanted.removeprefix("bytes=").removesuffix("-"))
            self.send_response(206)
            told = first + 1 if manners.wrong_range else first
            self.send_header("Content-Range", f"bytes {told}-{len(body) - 1}/{len(body)}")
        else:
            self.send_response(200)
        body = body[first:]
        if not manners.no_length:
            self.send_header("Content-Length", str(len(body) + manners.lie_about_size))
        self.end_headers()
        if manners.cut_after:
            body = body[: manners.cut_after.pop(0)]
        self.wfile.write(body)
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is what these tests are about."""


@contextmanager
def serving(manners: Manners) -> Iterator[str]:
    """Serve until the block ends; gives the base address."""
    handler = type("Handler", (_Handler,), {"manners": manners})
    server = _Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
