"""Where the pages can be reached: addresses of this computer, the names it answers to, its name on the network."""

from __future__ import annotations

import contextlib
import importlib.util
import ipaddress
import socket
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from voicehost.errors import UserError

DEFAULT_PORT = 8765
PORTS_TRIED = 20
LOOPBACK = "127.0.0.1"
LOCAL_NAME = "voicehost.local"

_ELSEWHERE = ("10.255.255.255", "192.168.255.255", "172.31.255.255")
"""Addresses of private networks; connecting a datagram socket to one sends nothing and tells our own address."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where to listen. ``port`` None = the usual one, or the next that is free."""

    hosts: tuple[str, ...]
    port: int | None


def lan_address() -> str | None:
    """Return this computer's address on the local network, or None when it has none."""
    for target in _ELSEWHERE:
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))
            address = str(probe.getsockname()[0])
            if not ipaddress.ip_address(address).is_loopback and address != "0.0.0.0":
                return address
    return None


def read_place(text: str | None, *, home: bool) -> Place:
    """Return where ``--web`` says to listen: HOST:PORT, HOST, :PORT, PORT or nothing.

    With nothing it is this computer alone, and with no host of the game the local network too.

    Raises:
        UserError: that is no address.
    """
    text = (text or "").strip()
    host, port = _split(text)
    if host:
        return Place((host,), port)
    address = lan_address() if home else None
    return Place((LOOPBACK, address) if address else (LOOPBACK,), port)


def _split(text: str) -> tuple[str, int | None]:
    if not text:
        return "", None
    if text.startswith("["):
        host, closing, rest = text[1:].partition("]")
        if not closing or (rest and not rest.startswith(":")):
            raise UserError("web.bad-address", status=2, text=text)
        word = rest[1:]
    elif text.isdigit():
        host, word = "", text
    elif text.count(":") > 1:
        host, word = text, ""
    else:
        host, _, word = text.partition(":")
    if word and not (word.isascii() and word.isdigit() and int(word) < 65536):
        raise UserError("web.bad-address", status=2, text=text)
    if any(char.isspace() or char in "/@" for char in host):
        raise UserError("web.bad-address", status=2, text=text)
    return host, int(word) if word else None


def listen(place: Place) -> list[socket.socket]:
    """Open the sockets of a place, all with one port.

    Raises:
        UserError: the address is not this computer's, or the port is taken.
    """
    ports = [place.port] if place.port is not None else [*range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED), 0]
    for port in ports:
        opened: list[socket.socket] = []
        try:
            for host in place.hosts:
                opened.append(_bind(host, opened[0].getsockname()[1] if opened else port))
        except OSError as error:
            for sock in opened:
                sock.close()
            if isinstance(error, socket.gaierror) or error.errno in _NOT_OURS:
                raise UserError("web.not-our-address", host=", ".join(place.hosts)) from error
            continue
        return opened
    raise UserError("web.port-taken", port=place.port)


_NOT_OURS = {99, 49, 10049}
"""errno EADDRNOTAVAIL on Linux, macOS and Windows."""


def _bind(host: str, port: int) -> socket.socket:
    family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.listen(512)
        sock.setblocking(False)
    except BaseException:
        sock.close()
        raise
    return sock


class Hosts:
    """The names this server answers to: a page of another site that a DNS trick sends here names none of them."""

    def __init__(self, hosts: Iterable[str], port: int, extra: Iterable[str] = ()) -> None:
        """Answer to ``hosts`` and to ``extra`` names, with ``port``."""
        names = {"localhost", LOOPBACK, "::1"}
        wide = {"0.0.0.0", "::"}
        given = list(hosts)
        names |= {host.lower() for host in given if host not in wide}
        if wide & set(given):
            names |= set(_own_addresses())
        if any(not _loopback(host) for host in given):
            names |= {f"{socket.gethostname().partition('.')[0].lower()}.local", *(name.lower() for name in extra)}
        self._known = {f"[{name}]:{port}" if ":" in name else f"{name}:{port}" for name in names}
        if port in {80, 443}:
            self._known |= {known.rpartition(":")[0] for known in set(self._known)}

    def __call__(self, header: str) -> bool:
        """Tell whether a Host header is one of ours."""
        return header.lower() in self._known


def _loopback(host: str) -> bool:
    if host == "localhost":
        return True
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


def _own_addresses() -> Iterator[str]:
    with contextlib.suppress(OSError):
        yield from socket.gethostbyname_ex(socket.gethostname())[2]
    if (address := lan_address()) is not None:
        yield address


def addresses(place: Place, port: int, *, secure: bool) -> tuple[str, ...]:
    """Return the addresses to print, the one for phones first."""
    scheme = "https" if secure else "http"
    hosts = [lan_address() or LOOPBACK if host in {"0.0.0.0", "::"} else host for host in place.hosts]
    hosts.sort(key=_loopback)
    return tuple(f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}" for host in dict.fromkeys(hosts))


class LocalName:
    """Makes the pages reachable as ``voicehost.local`` where the zeroconf package is installed."""

    def __init__(self, address: str, port: int, name: str = LOCAL_NAME) -> None:
        """Announce ``address`` under ``name``; without the package do nothing."""
        self.name: str | None = name if importlib.util.find_spec("zeroconf") else None
        self._address = address
        self._port = port
        self._zeroconf: Any = None
        self._info: Any = None
        self._news: Any = None

    async def announce(self) -> None:
        """Tell the network. ``name`` is None afterwards when another computer has it or nobody can be told."""
        if self.name is None:
            return
        try:
            from zeroconf import ServiceInfo
            from zeroconf.asyncio import AsyncZeroconf

            self._info = ServiceInfo(
                "_http._tcp.local.",
                f"{self.name.removesuffix('.local')}._http._tcp.local.",
                addresses=[socket.inet_aton(self._address)],
                port=self._port,
                server=f"{self.name}.",
            )
            self._zeroconf = AsyncZeroconf(interfaces=[self._address])
            # Waits until the network has had time to object; the news itself goes out beside the game.
            self._news = await self._zeroconf.async_register_service(self._info)
        except Exception:  # a network without multicast, a name that is taken: the address does without
            self.name = None
            await self._close()

    async def withdraw(self) -> None:
        """Tell the network that the name is gone."""
        if self._zeroconf is not None:
            with contextlib.suppress(Exception):
                await (await self._zeroconf.async_unregister_service(self._info))
            await self._close()

    async def _close(self) -> None:
        if self._zeroconf is not None:
            with contextlib.suppress(Exception):
                await self._zeroconf.async_close()
            self._zeroconf = None
