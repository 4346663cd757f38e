"""A player's phone in a real browser: secrets while they are held, a lost line, a second device, a blind finger."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.web.players import PHONE, Player, open_page, until
from tests.web.stage import NAMES, HurriedClock, Stage, home, served
from tests.web.test_browser import quick_rules
from voicehost.hosting.clock import RealClock
from voicehost.rules.game import Step

pytestmark = pytest.mark.slow


async def test_a_phone_that_loses_the_network_at_night_comes_back_dark_or_to_the_day(browser: Any) -> None:
    stage = Stage(home(quick_rules(), names=NAMES, seed=4), HurriedClock())
    problems: list[str] = []
    async with served(stage) as address:
        page = await open_page(browser, f"{address}/join#{stage.keys.join}", problems, viewport=PHONE)
        player = Player(3, NAMES[2], page)
        await player.join()
        await stage.do("начинаем игру", "дальше")
        await page.wait_for_selector(".dark-touch")
        await page.context.set_offline(True)
        await asyncio.sleep(0.3)
        assert await page.locator("#offline").is_hidden(), "nothing lights up in the dark"
        await until(lambda: stage.game.step is Step.SPEECH)
        await page.context.set_offline(False)
        await page.wait_for_selector(".me-phase >> text=День 1", timeout=15000)


async def test_held_secrets_vanish_when_the_page_is_left(browser: Any) -> None:
    stage = Stage(home(seed=4), RealClock())
    async with served(stage) as address:
        page = await open_page(browser, f"{address}/join#{stage.keys.join}", [], viewport=PHONE)
        player = Player(3, NAMES[2], page)
        await player.join()
        button = page.locator(".hold")
        await button.focus()
        await page.keyboard.down("Space")
        await page.wait_for_selector(".pin")
        await page.keyboard.up("Space")
        await page.wait_for_selector(".pin", state="detached")
        await page.keyboard.down("Enter")
        await page.wait_for_selector(".pin")
        await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        await page.wait_for_selector(".pin", state="detached")


async def test_the_pin_is_under_the_card_while_it_is_held(browser: Any) -> None:
    stage = Stage(home(quick_rules(), names=NAMES, seed=4), HurriedClock())
    async with served(stage) as address:
        page = await open_page(browser, f"{address}/join#{stage.keys.join}", [], viewport=PHONE)
        await Player(3, NAMES[2], page).join()
        await stage.do("начинаем игру", "дальше")
        await until(lambda: stage.game.step is Step.SPEECH)
        pin = stage.keys.places[3].pin
        button = page.locator("footer .hold")
        await button.dispatch_event("pointerdown", {"isPrimary": True})
        await page.wait_for_selector(f"footer .secret >> text=PIN места: {pin}")
        await button.dispatch_event("pointerup")
        await page.wait_for_selector("footer .secret p", state="detached")
        assert pin not in await page.inner_text("body")


async def test_the_back_button_is_harmless(browser: Any) -> None:
    stage = Stage(home(seed=4), RealClock())
    async with served(stage) as address:
        page = await open_page(browser, f"{address}/join#{stage.keys.join}", [], viewport=PHONE)
        await Player(3, NAMES[2], page).join()
        await page.click("body")
        await page.go_back()
        await asyncio.sleep(0.3)
        assert page.url.endswith("/seat")
        assert await page.locator(".me-number").count() == 1


async def test_a_second_device_and_the_hosts_device(browser: Any) -> None:
    stage = Stage(home(seed=4), RealClock())
    async with served(stage) as address:
        first = await open_page(browser, f"{address}/join#{stage.keys.join}", [], viewport=PHONE)
        await Player(3, NAMES[2], first).join()
        pin = stage.keys.places[3].pin
        second = await open_page(browser, f"{address}/join#{stage.keys.join}", [], viewport=PHONE)
        await second.click('[data-seat="3"]')
        await second.fill("#pin", pin)
        await second.click("#sit")
        await second.wait_for_selector(".me-number")
        await first.wait_for_selector("text=на другом телефоне")
        remote = await open_page(browser, f"{address}/host#{stage.keys.host}", [], viewport=PHONE)
        await remote.click("text=Потерялся телефон")
        await remote.fill("#lost-pin", pin)
        await remote.click("#home form button")
        await remote.wait_for_selector(".me-number")
        assert await second.locator(".me-number").count() == 1


async def test_reduced_motion_and_no_scrolling_in_the_dark(browser: Any) -> None:
    stage = Stage(home(seed=4), RealClock())
    async with served(stage) as address:
        page = await open_page(
            browser, f"{address}/join#{stage.keys.join}", [], viewport=PHONE, reduced_motion="reduce"
        )
        await Player(3, NAMES[2], page).join()
        await stage.do("начинаем игру", "дальше")
        await page.wait_for_selector(".dark-touch")
        area = "getComputedStyle(document.getElementById('dark'))"
        style = [
            await page.evaluate(f"{area}.{name}") for name in ("touchAction", "overscrollBehaviorY", "backgroundColor")
        ]
        box = await page.locator("#dark").bounding_box()
        assert box is not None
        style += [box["width"], box["height"], await page.evaluate("getComputedStyle(document.body).overflow")]
        assert style == ["none", "none", "rgb(0, 0, 0)", PHONE["width"], PHONE["height"], "hidden"]
        table = await open_page(browser, address + "/", [], reduced_motion="reduce")
        await table.wait_for_selector(".seat")
        assert await table.evaluate("getComputedStyle(document.querySelector('.stars')).animationName") == "none"


async def test_a_name_is_text_never_markup(browser: Any) -> None:
    stage = Stage(home(names=(), seed=4), RealClock())
    problems: list[str] = []
    async with served(stage) as address:
        page = await open_page(browser, f"{address}/join#{stage.keys.join}", problems, viewport=PHONE)
        await Player(3, "<img src=x onerror=a>", page).join()
        table = await open_page(browser, address + "/", problems)
        await table.wait_for_selector("text=<img src=x onerror=a>")
        assert await table.locator(".seat img").count() == 0
        assert problems == []
