"""A phone that lies on the table stays awake: by a lock where the browser has one, else by a silent film."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.players import PHONE, open_page, seen
from tests.web.stage import NAMES, Stage, home, served
from voicehost.hosting.clock import RealClock

pytestmark = pytest.mark.slow

LOCK = """
window.locks = 0;
Object.defineProperty(navigator, "wakeLock", { value: {
  request: async () => { window.locks += 1; return { released: false }; },
} });
"""
REFUSED = """
Object.defineProperty(navigator, "wakeLock", { value: { request: async () => { throw new Error("low battery"); } } });
"""
NONE = "delete Navigator.prototype.wakeLock;"
NO_FILM = "HTMLMediaElement.prototype.play = async () => { throw new Error('not allowed'); };"

PLAYS = "(() => { const film = document.querySelector('.film'); return Boolean(film && !film.paused); })()"


async def touched(browser: Any, stage: Stage, address: str, script: str) -> Any:
    """Open a phone in a browser that is so, and touch it."""
    page = await open_page(browser, "about:blank", [], viewport=PHONE)
    await page.add_init_script(script)
    token = stage.keys.take(3)[0]
    await page.context.add_cookies([{"name": "voicehost-seat", "value": token, "url": address}])
    await page.goto(f"{address}/seat")
    await page.wait_for_selector(".me-number")
    assert await page.locator("#awake").is_hidden(), "nothing is said before it is known"
    await page.click(".me-number")
    return page


async def test_a_lock_is_enough(browser: Any) -> None:
    stage = Stage(home(names=NAMES, seed=4), RealClock())
    async with served(stage) as address:
        page = await touched(browser, stage, address, LOCK)
        await seen(page, "window.locks === 1")
        assert await page.locator(".film").count() == 0
        assert await page.locator("#awake").is_hidden()


@pytest.mark.parametrize("script", [NONE, REFUSED])
async def test_without_a_lock_a_film_plays(browser: Any, script: str) -> None:
    stage = Stage(home(names=NAMES, seed=4), RealClock())
    async with served(stage) as address:
        page = await touched(browser, stage, address, script)
        await seen(page, PLAYS)
        assert await page.evaluate("document.querySelector('.film').loop")
        assert await page.locator("#awake").is_hidden()


async def test_where_neither_works_the_setting_is_named(browser: Any) -> None:
    stage = Stage(home(names=NAMES, seed=4), RealClock())
    async with served(stage) as address:
        page = await touched(browser, stage, address, NONE + NO_FILM)
        await page.wait_for_selector("#awake:not([hidden])")
        assert "автоблокировку" in await page.inner_text("#awake")
