"""Wires the pages to a game: starts the server beside the conductor and tells the addresses."""

from __future__ import annotations

import io
import os
import ssl
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from voicehost.cli.texts import interface
from voicehost.errors import UserError
from voicehost.hosting.inputs import Input
from voicehost.hosting.ports import Tell
from voicehost.rules.game import Mode

if TYPE_CHECKING:
    from voicehost.cli.play import Options
    from voicehost.hosting.conductor import Conductor
    from voicehost.hosting.setup import Setup
    from voicehost.web.network import LocalName
    from voicehost.web.room import Room

INSTALL = 'pip install "voicehost[web]"'
CERTIFICATE, CERTIFICATE_KEY = "VOICEHOST_TLS_CERT", "VOICEHOST_TLS_KEY"
"""Environment variables that name a user's own certificate and its key."""

KEYS_FILE = "pages.json"


class NoPages:
    """The game without pages."""

    def watch(self, show: Tell) -> Tell:
        """Return what takes the lines of the game."""
        return show

    def lost_sound(self, count: int) -> None:
        """Show nowhere that sound has been lost so often."""

    async def start(self, conductor: Conductor, game_id: Callable[[], str | None]) -> None:
        """Serve nothing."""

    async def stop(self) -> None:
        """Nothing is served."""


class Pages(NoPages):
    """The table, the remote and the phones of one game."""

    def __init__(self, options: Options, setup: Setup, put: Callable[[Input], None], resumed: str | None) -> None:
        """Listen where the options say.

        Raises:
            UserError: there one cannot listen, or the certificate cannot be used.
        """
        from voicehost.record.journal import default_path
        from voicehost.web.app import build_app
        from voicehost.web.hub import Hub
        from voicehost.web.keys import Keyring
        from voicehost.web.network import Hosts, LocalName, addresses, listen, read_place
        from voicehost.web.room import Room
        from voicehost.web.server import WebServer

        home = setup.mode is Mode.HOME
        place = read_place(options.web, home=home)
        sockets = listen(place)
        try:
            port = int(sockets[0].getsockname()[1])
            certificate = os.environ.get(CERTIFICATE) or None
            found = addresses(place, port, secure=certificate is not None)
            outside = found[0].rpartition(":")[0].partition("//")[2]
            self._name = LocalName(outside, port) if _is_lan(outside) else None
            named = self._name.name if self._name else None
            keyring = Keyring((options.journal or default_path()).parent / KEYS_FILE)
            self.hub = Hub()
            self.room: Room = Room(
                self.hub,
                keyring.load(resumed),
                put,
                keyring=keyring,
                secure=certificate is not None,
                addresses=(*found, *((f"{found[0].partition('//')[0]}//{named}:{port}",) if named else ())),
            )
            app = build_app(self.room, Hosts(place.hosts, port, [named] if named else []))
            self._server = WebServer(app, sockets, certificate=certificate, key=os.environ.get(CERTIFICATE_KEY) or None)
        except (OSError, ssl.SSLError) as error:
            for sock in sockets:
                sock.close()
            raise UserError("web.bad-certificate", problem=error) from error

    def watch(self, show: Tell) -> Tell:
        """Let the pages see each line after it was shown."""

        def both(message: dict[str, Any]) -> None:
            show(message)
            self.hub.tell(message)

        return both

    def lost_sound(self, count: int) -> None:
        """Show at the table that sound has been lost so often."""
        self.hub.house.lost_sound = count
        self.hub.stir()

    async def start(self, conductor: Conductor, game_id: Callable[[], str | None]) -> None:
        """Serve the pages of ``conductor`` and say where they are."""
        self.room.game_id = game_id
        self.hub.attach(conductor)
        await self._server.start()
        if self._name is not None:
            await self._announce(self._name)
        tell_addresses(self.room)

    async def _announce(self, name: LocalName) -> None:
        """Announce the name; an address by a name that is another computer's is not told."""
        told = name.name
        await name.announce()
        if name.name is None:
            self.room.addresses = tuple(address for address in self.room.addresses if f"//{told}:" not in address)

    async def stop(self) -> None:
        """Keep the keys, end the streams and close the port."""
        self.room.save()
        self.hub.close()
        if self._name is not None:
            await self._name.withdraw()
        await self._server.stop()


def open_pages(
    options: Options, setup: Setup, put: Callable[[Input], None], *, virtual: bool, resumed: str | None = None
) -> NoPages:
    """Return the pages that the options ask for.

    With a host they are off unless asked for; without one they are on while the clock is real.

    Raises:
        UserError: the pages were asked for and cannot be had.
    """
    home = setup.mode is Mode.HOME
    if options.web is None and (not home or virtual):
        return NoPages()
    try:
        import jinja2  # noqa: F401
        import segno  # noqa: F401
        import sse_starlette  # noqa: F401
        import starlette  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        _note(interface("web.missing", command=INSTALL))
        return NoPages()
    return Pages(options, setup, put, resumed)


def tell_addresses(room: Room) -> None:
    """Print where the pages are, with codes for phones, on standard error."""
    from voicehost.web.limits import is_loopback
    from voicehost.web.pages import join_address

    base = room.addresses[0]
    local = next((address for address in room.addresses if "127.0.0.1" in address), base)
    outside = not is_loopback(base.rpartition(":")[0].partition("//")[2])
    _note(interface("web.table", address=f"{local}/"))
    if outside:
        _note(interface("web.screen", address=f"{base}/#{room.keys.screen}"))
    host = f"{base}/host#{room.keys.host}"
    _note(interface("web.host", address=host))
    if room.home:
        join = join_address(base, room.keys.join)
        _note(interface("web.join", address=join, code=room.keys.join))
        for address in room.addresses[1:]:
            if address != local:
                _note(interface("web.also", address=f"{address}/join"))
        if not outside:
            _note(interface("web.no-network"))
        _note(_picture(join))
    elif outside:
        _note(_picture(host))


def _picture(address: str) -> str:
    import segno

    out = io.StringIO()
    segno.make(address, error="l").terminal(out, compact=True, border=2)
    return out.getvalue()


def _is_lan(host: str) -> bool:
    from voicehost.web.limits import is_loopback

    return host.replace(".", "").isdigit() and not is_loopback(host)


def _note(text: str) -> None:
    click.echo(text, err=True)
