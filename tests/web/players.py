"""Ten people with phones in a real browser: they look at their pages and tap what the game asks of them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

ARGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
]
CHROMIUM = "/usr/bin/chromium"

PHONE = {"width": 390, "height": 844}


async def open_page(browser: Browser, address: str, problems: list[str], **options: Any) -> Page:
    """Open a page in a browser profile of its own; what it complains of goes to ``problems``."""
    context = await browser.new_context(locale="ru-RU", **options)
    context.set_default_timeout(15_000)
    page = await context.new_page()
    page.on("console", lambda message: problems.append(message.text) if message.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    await page.goto(address)
    return page


async def until(check: Callable[[], Awaitable[bool]] | Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait until something is so."""
    for _ in range(int(seconds / 0.05)):
        found = check()
        if found if isinstance(found, bool) else await found:
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"not within {seconds} s: {check}")


async def seen(page: Page, expression: str, seconds: float = 30.0) -> None:
    """Wait until an expression holds in the page; the page's own policy forbids Playwright's way of waiting."""

    async def holds() -> bool:
        return bool(await page.evaluate(expression))

    await until(holds, seconds)


class Player:
    """One player at his phone."""

    def __init__(self, seat: int, name: str, page: Page) -> None:
        self.seat = seat
        self.name = name
        self.page = page
        self.role = ""

    async def join(self) -> None:
        """Take the seat; the key came by the code."""
        page = self.page
        await page.fill("#name", self.name)
        await page.click(f'[data-seat="{self.seat}"]')
        await page.click("#sit")
        await page.wait_for_selector(".me-number")

    async def draw(self, card: int) -> None:
        """Take a card, look at it while holding, keep it."""
        page = self.page
        await page.click(f".card-back:nth-child({card})")
        await page.wait_for_selector(".hold")
        self.role = await self.peek()
        await page.click(".primary")

    async def peek(self) -> str:
        """Hold the button: the role; let go: nothing of it is left in the page."""
        page = self.page
        button = page.locator(".hold").first
        await button.dispatch_event("pointerdown", {"isPrimary": True})
        card = page.locator(".secret .role-card")
        await card.wait_for()
        role = await card.get_attribute("data-role")
        await button.dispatch_event("pointerup")
        await card.wait_for(state="detached")
        return role or ""

    async def touch(self) -> None:
        """Touch the dark screen somewhere."""
        await self.page.locator(".dark-touch").dispatch_event("pointerdown", {"isPrimary": True})

    async def check(self, seat: int) -> str:
        """Tap a dark number, then hold to see the answer."""
        page = self.page
        await page.locator(f'.dark-key[data-focus="n{seat}"]').click()
        await asyncio.sleep(0.1)
        hold = page.locator(".dark-hold")
        await hold.dispatch_event("pointerdown", {"isPrimary": True})
        answer = page.locator(".dark-answer")
        await until(lambda: _filled(answer), 5)
        text = await answer.text_content()
        await hold.dispatch_event("pointerup")
        return text or ""

    async def dark(self) -> str:
        """What the dark screen is made of, so that two phones can be compared."""
        html = await self.page.inner_html("#dark")
        return re.sub(r'aria-pressed="\w+"', "", html)


async def _filled(answer: Any) -> bool:
    return bool(await answer.text_content())
