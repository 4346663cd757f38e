"""The application: pages, streams and acts behind one guard."""

from __future__ import annotations

from collections.abc import Callable

from starlette.applications import Starlette
from starlette.types import ASGIApp

from voicehost.web.acts import Acts
from voicehost.web.guard import Guard
from voicehost.web.pages import Pages
from voicehost.web.remote import Remote
from voicehost.web.room import Room


def build_app(room: Room, hosts: Callable[[str], bool]) -> ASGIApp:
    """Return the pages of ``room`` as an ASGI application; ``hosts`` tells whether a Host header names it."""
    routes = [*Pages(room).routes(), *Acts(room).routes(), *Remote(room).routes()]
    return Guard(Starlette(routes=routes), hosts, room.limits)
