"""The pages themselves, their static files, their streams, and the join code as a picture."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from voicehost.rules.game import Step
from voicehost.web.guard import client
from voicehost.web.hub import Channel, Viewer
from voicehost.web.keys import HOST
from voicehost.web.labels import choose, labels
from voicehost.web.room import Room, closed

PING_SECONDS = 10
"""How often a stream tells the time: it keeps the page's clock right and shows that the line is alive."""

SEND_SECONDS = 15
"""A page that does not take a frame for so long is cut off; it comes back by itself."""

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".mp4": "video/mp4",
    ".webm": "video/webm",
    ".webmanifest": "application/manifest+json",
}

PAGES = {"/": "table", "/overlay": "overlay", "/host": "host", "/join": "join", "/seat": "seat"}
PERSONAL = frozenset({"join", "seat"})


@dataclass(frozen=True, slots=True)
class Static:
    """A file of the pages, in memory: no path of a request ever reaches the disk."""

    body: bytes
    media_type: str
    tag: str


@cache
def static_files() -> dict[str, Static]:
    """Return the static files by name."""
    found = {}
    for file in files("voicehost.web").joinpath("static").iterdir():
        suffix = "." + file.name.rpartition(".")[2]
        if suffix in TYPES:
            body = file.read_bytes()
            found[file.name] = Static(body, TYPES[suffix], '"' + hashlib.sha256(body).hexdigest()[:20] + '"')
    return found


@cache
def _templates() -> Environment:
    loader = PackageLoader("voicehost.web", "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


@cache
def _version() -> str:
    tags = "".join(file.tag for _, file in sorted(static_files().items()))
    return hashlib.sha256(tags.encode()).hexdigest()[:12]


class Pages:
    """The endpoints that only show."""

    def __init__(self, room: Room) -> None:
        """Show ``room``."""
        self._room = room

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            *(Route(path, self.page, methods=["GET"]) for path in PAGES),
            Route("/static/{name}", self.static, methods=["GET"]),
            Route("/join.svg", self.code, methods=["GET"]),
            Route("/time", self.time, methods=["GET"]),
            Route("/stream/table", self.table_stream, methods=["GET"]),
            Route("/stream/seat", self.seat_stream, methods=["GET"]),
            Route("/stream/host", self.host_stream, methods=["GET"]),
        ]

    async def page(self, request: Request) -> Response:
        """Return a page: a shell that holds no secret; what it shows comes by its stream."""
        name = PAGES[request.url.path]
        accepted = request.headers.get("accept-language", "")[:200]
        game_language = self._room.hub.course.setup.language
        language = choose(request.query_params.get("lang"), accepted, game_language, personal=name in PERSONAL)
        words = labels(language, self._room.hub.course.setup.rules.manner)
        theme = request.query_params.get("theme", "")
        game = self._room.hub.course.game
        night = (self._room.hub.eyes_shut or game.is_night) and game.step is not Step.OVER
        body = (
            _templates()
            .get_template(f"{name}.html")
            .render(
                page=name,
                language=language,
                theme=theme if theme in {"light", "dark"} else "auto",
                t=words,
                dark=night and name == "seat",  # a page that is loaded again at night lights up for no moment
                labels=json.dumps(dict(words), ensure_ascii=False),
                version=_version(),
                code=name == "table" and self._room.home and self._room.may_show_code(request),
                key=self._room.keys.join if self._room.may_show_code(request) else "",
                address=self._room.addresses[0] if self._room.addresses else "",
            )
        )
        return HTMLResponse(body)

    async def static(self, request: Request) -> Response:
        """Return a static file."""
        file = static_files().get(request.path_params["name"])
        if file is None:
            return PlainTextResponse("not found", 404)
        cached = "public, max-age=31536000, immutable" if request.query_params.get("v") == _version() else "no-cache"
        headers = {"etag": file.tag, "cache-control": cached}
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        return _ranged(request, file, headers)

    async def code(self, request: Request) -> Response:
        """Return the QR code by which players join, where it may be shown."""
        room = self._room
        if not room.home or not room.may_show_code(request) or not room.addresses:
            return closed()
        import segno

        picture = io.BytesIO()
        code = segno.make(join_address(room.addresses[0], room.keys.join), error="m")
        code.save(picture, kind="svg", border=2, dark="#10131c", light="#ffffff", xmldecl=False, omitsize=True)
        return Response(picture.getvalue(), media_type="image/svg+xml")

    async def time(self, request: Request) -> Response:
        """Tell the game clock, in milliseconds."""
        return JSONResponse({"now": self._room.hub.now})

    # --- streams

    async def table_stream(self, request: Request) -> Response:
        """Stream what everyone may see."""
        return self._stream(request, self._room.hub.table, Viewer())

    async def seat_stream(self, request: Request) -> Response:
        """Stream to a phone what everyone may see: its secrets it fetches."""
        own = self._room.seat_of(request)
        if own is None:
            return closed()
        return self._stream(request, self._room.hub.table, Viewer(), own[0])

    async def host_stream(self, request: Request) -> Response:
        """Stream to the host's remote."""
        if not self._room.passed(request, HOST):
            return closed()
        return self._stream(request, self._room.hub.host, Viewer())

    def _stream(self, request: Request, channel: Channel, viewer: Viewer, seat: int | None = None) -> Response:
        room, address = self._room, client(request.scope)
        if not room.limits.open_stream(address):
            return PlainTextResponse("too many streams", 503, {"retry-after": "5"})
        last_id = request.headers.get("last-event-id") or request.query_params.get("after")

        async def frames() -> AsyncIterator[bytes]:
            yield f"retry: 1000\nevent: time\ndata: {room.hub.now}\n\n".encode()
            async for frame in channel.follow(viewer, last_id):
                yield frame

        def begin() -> None:
            if seat is not None:
                room.arrive(seat, viewer)

        def end() -> None:
            room.limits.close_stream(address)
            if seat is not None:
                room.depart(seat, viewer)

        def tick() -> ServerSentEvent:
            return ServerSentEvent(event="time", data=str(room.hub.now))

        return Stream(frames(), tick, begin, end)


class Stream(EventSourceResponse):
    """A stream that tells when it begins and, however that comes about, when it ends."""

    def __init__(
        self,
        frames: AsyncIterator[bytes],
        tick: Callable[[], ServerSentEvent],
        begin: Callable[[], None],
        end: Callable[[], None],
    ) -> None:
        """Send ``frames``, and ``tick`` now and then."""
        super().__init__(frames, ping=PING_SECONDS, send_timeout=SEND_SECONDS, sep="\n", ping_message_factory=tick)
        self._begin = begin
        self._end = end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Stream until the page or the program goes."""
        try:
            self._begin()
            await super().__call__(scope, receive, send)
        except* TimeoutError:
            # Too slow. What it has not taken would keep the connection open for ever, so it is dropped at once.
            scope.get("state", {}).get("abort", lambda: None)()
        finally:
            self._end()


def join_address(base: str, key: str) -> str:
    """Return the address in the QR code: the key follows «#», which no browser ever sends or logs."""
    return f"{base}/join#{key}"


def _ranged(request: Request, file: Static, headers: dict[str, str]) -> Response:
    """Return the file, or the part of it that a media element asks for."""
    span = request.headers.get("range", "")
    start, _, end = span.removeprefix("bytes=").partition("-")
    if not span.startswith("bytes=") or not start.isdigit() or len(start) > 9 or int(start) >= len(file.body):
        return Response(file.body, media_type=file.media_type, headers=headers)
    last = min(int(end), len(file.body) - 1) if end.isdigit() and len(end) < 10 else len(file.body) - 1
    headers |= {"content-range": f"bytes {start}-{last}/{len(file.body)}", "accept-ranges": "bytes"}
    return Response(file.body[int(start) : last + 1], 206, headers, file.media_type)
