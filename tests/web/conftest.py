"""The pages need the ``web`` extra."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
import pytest_asyncio

pytest.importorskip("starlette", reason="the web extra is not installed")
pytest.importorskip("sse_starlette", reason="the web extra is not installed")
pytest.importorskip("jinja2", reason="the web extra is not installed")
pytest.importorskip("uvicorn", reason="the web extra is not installed")
pytest.importorskip("segno", reason="the web extra is not installed")
pytest.importorskip("httpx", reason="httpx is not installed")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let all tests in a browser share one event loop, which the browser lives in."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Callable[[], Awaitable[Any]]]:
    """What gives Debian's Chromium: it is started once, and again only after a crash."""
    engines = pytest.importorskip("playwright.async_api", reason="playwright is not installed")
    from tests.web.players import ARGS, CHROMIUM

    if shutil.which(CHROMIUM) is None:
        pytest.skip(f"{CHROMIUM} not found (apt install chromium)")

    started: list[Any] = []
    async with engines.async_playwright() as engine:

        async def running() -> Any:
            if not started or not started[-1].is_connected():
                started.append(await engine.chromium.launch(executable_path=CHROMIUM, args=ARGS))
            return started[-1]

        yield running
        for one in started:
            await one.close()


@pytest_asyncio.fixture(loop_scope="session")
async def browser(chromium: Callable[[], Awaitable[Any]]) -> AsyncIterator[Any]:
    """Chromium; what a test opens in it is closed after the test."""
    found = await chromium()
    yield found
    for context in found.contexts:
        await context.close()
