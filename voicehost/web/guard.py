"""What every request passes before it reaches a page: host, origin, size, number; and what every answer carries."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from voicehost.web.limits import Limits

LARGEST_BODY = 4096
"""Bytes of a request."""
BODY_SECONDS = 10.0
"""How long a body may take to arrive."""

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "media-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    )
)
"""Nothing inline, nothing from elsewhere, no frames."""

HEADERS: Mapping[str, str] = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "cache-control": "no-store",
}
"""Headers of every answer; a page may set its own ``cache-control``."""


class Guard:
    """Lets through what comes from our own pages, in moderation."""

    def __init__(self, app: ASGIApp, hosts: Callable[[str], bool], limits: Limits) -> None:
        """Guard ``app``; ``hosts`` tells whether a Host header names this server."""
        self._app = app
        self._hosts = hosts
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self._refusal(scope)
        if refusal is None and scope["method"] == "POST":
            body = await _body(Headers(scope=scope), receive)
            if isinstance(body, bytes):
                await self._app(scope, _replayed(body, receive), dressed)
                return
            refusal = body
        if refusal is not None:
            await refusal(scope, receive, dressed)
            return
        await self._app(scope, receive, dressed)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        wait = self._limits.request(client(scope))
        if wait:
            return PlainTextResponse("too many requests", 429, {"retry-after": str(wait)})
        host = headers.get("host", "")
        if not self._hosts(host):
            return PlainTextResponse("unknown host", 421)
        if scope["method"] not in {"GET", "HEAD", "POST"}:
            return PlainTextResponse("method not allowed", 405, {"allow": "GET, HEAD, POST"})
        if scope["method"] == "POST":
            if headers.get("origin", "").lower() != f"{scope['scheme']}://{host}".lower():
                return PlainTextResponse("foreign origin", 403)
            if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
                return PlainTextResponse("application/json only", 415)
        site = headers.get("sec-fetch-site", "same-origin")
        if site in {"cross-site", "same-site"} and headers.get("sec-fetch-mode") != "navigate":
            return PlainTextResponse("foreign origin", 403)
        return None


def client(scope: Scope) -> str:
    """Return the address a request comes from."""
    return str(scope["client"][0]) if scope.get("client") else ""


async def _body(headers: Headers, receive: Receive) -> bytes | Response:
    """Return the body, or the refusal of one that is too large, too slow or cut off."""
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()):
        return PlainTextResponse("bad length", 400)
    if len(length) > 9 or int(length) > LARGEST_BODY:
        return PlainTextResponse("too large", 413)
    body = b""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return PlainTextResponse("gone", 400)
                body += bytes(message.get("body", b""))
                if len(body) > LARGEST_BODY:
                    return PlainTextResponse("too large", 413)
                if not message.get("more_body"):
                    return body
    except TimeoutError:
        return PlainTextResponse("too slow", 408)


def _replayed(body: bytes, receive: Receive) -> Receive:
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
