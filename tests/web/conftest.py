"""The pages need the ``web`` extra."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the web extra is not installed")
pytest.importorskip("sse_starlette", reason="the web extra is not installed")
pytest.importorskip("jinja2", reason="the web extra is not installed")
pytest.importorskip("uvicorn", reason="the web extra is not installed")
pytest.importorskip("segno", reason="the web extra is not installed")
pytest.importorskip("httpx", reason="httpx is not installed")


@pytest.fixture
async def browser() -> AsyncIterator[Any]:
    """Debian's Chromium."""
    engines = pytest.importorskip("playwright.async_api", reason="playwright is not installed")
    from tests.web.players import ARGS, CHROMIUM

    if shutil.which(CHROMIUM) is None:
        pytest.skip(f"{CHROMIUM} not found (apt install chromium)")

    async with engines.async_playwright() as engine:
        chromium = await engine.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield chromium
        await chromium.close()
