"""The name on the network, with the real library: told over loopback, found, asked for, taken back."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.components import require
from voicehost.web.network import LOCAL_NAME, LocalName

NAME = f"voicehost-{os.getpid()}.local"
"""Games of other tests may have the usual name at the same time."""
LABEL = NAME.removesuffix(".local")

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("local name")]
"""One at a time: they take the same name on the same network."""

LOOPBACK = "127.0.0.1"
SERVICE = "_http._tcp.local."


@pytest.fixture
async def phone() -> AsyncIterator[Any]:
    """Another program on the network that asks for names."""
    require("zeroconf")
    from zeroconf.asyncio import AsyncZeroconf

    try:
        asker = AsyncZeroconf(interfaces=[LOOPBACK])
    except OSError as error:
        pytest.skip(f"no multicast over loopback here: {error}")
    yield asker.zeroconf
    await asker.async_close()


async def resolved(phone: Any, seconds: float = 3.0) -> list[str]:
    """What an ordinary question for the name's address is answered."""
    from zeroconf import AddressResolverIPv4

    question = AddressResolverIPv4(f"{NAME}.")
    await question.async_request(phone, seconds * 1000)
    return list(question.parsed_addresses())


@contextlib.asynccontextmanager
async def browsing(phone: Any) -> AsyncIterator[asyncio.Queue[tuple[str, str]]]:
    """Everything of our kind that comes and goes."""
    from zeroconf.asyncio import AsyncServiceBrowser

    news: asyncio.Queue[tuple[str, str]] = asyncio.Queue()

    def note(zeroconf: Any, service_type: str, name: str, state_change: Any) -> None:
        news.put_nowait((name.removesuffix(f".{SERVICE}"), state_change.name))

    browser = AsyncServiceBrowser(phone, [SERVICE], handlers=[note])
    yield news
    await browser.async_cancel()


async def heard(news: asyncio.Queue[tuple[str, str]], wanted: tuple[str, str]) -> None:
    async with asyncio.timeout(20):
        while await news.get() != wanted:
            pass


async def test_the_pages_are_found_by_name_until_they_close(phone: Any) -> None:
    name = LocalName(LOOPBACK, 8765, NAME)
    async with browsing(phone) as news:
        await name.announce()
        try:
            assert name.name == NAME
            await heard(news, (LABEL, "Added"))
            info = await phone.async_get_service_info(SERVICE, f"{LABEL}.{SERVICE}", 3000)
            assert (info.server, info.port) == (f"{NAME}.", 8765)
            assert await resolved(phone) == [LOOPBACK]
        finally:
            await name.withdraw()
        await heard(news, (LABEL, "Removed"))
    phone.cache.cache.clear()
    assert await resolved(phone, 0.5) == []


async def test_a_name_that_another_computer_has_is_left_to_it(phone: Any) -> None:
    first, second = LocalName(LOOPBACK, 8765, NAME), LocalName(LOOPBACK, 8766, NAME)
    await first.announce()
    try:
        await second.announce()
        assert (first.name, second.name) == (NAME, None)
        await second.withdraw()
        info = await phone.async_get_service_info(SERVICE, f"{LABEL}.{SERVICE}", 3000)
        assert info.port == 8765
    finally:
        await first.withdraw()


async def test_an_address_nobody_can_be_told_on_costs_only_the_name() -> None:
    require("zeroconf")
    for address in ("203.0.113.7", "::1"):
        name = LocalName(address, 8765)
        await name.announce()
        await name.withdraw()
        assert name.name is None


def test_the_usual_name() -> None:
    require("zeroconf")
    assert LocalName(LOOPBACK, 8765).name == LOCAL_NAME == "voicehost.local"


async def test_without_the_package_there_is_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    name = LocalName("192.168.1.5", 8765)
    await name.announce()
    await name.withdraw()
    assert name.name is None
