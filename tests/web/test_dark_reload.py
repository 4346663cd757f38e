"""A phone that is loaded again while eyes are shut: dark from its first frame, still counted, and it tells nothing."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.web.players import PHONE, Player, open_page, until
from tests.web.stage import NAMES, HurriedClock, Stage, home, served
from tests.web.test_browser import quick_rules
from voicehost.rules.game import Step

pytestmark = pytest.mark.slow

FRAMES = """
window.lit = [];
const look = () => {
  const body = document.body;
  if (body) {
    const colour = getComputedStyle(body).backgroundColor;
    const words = document.getElementById("phone")?.innerText.trim() ?? "";
    if (colour !== "rgb(0, 0, 0)" || words) window.lit.push(`${colour} ${words}`);
  }
  if (performance.now() < 4000) requestAnimationFrame(look);
};
look();
"""
"""Notes every frame in which the page was anything but black and empty."""


class Night:
    """A game at its first hunt, with the phone of a black player and of a red one."""

    def __init__(self, stage: Stage, address: str) -> None:
        self.stage = stage
        self.address = address
        self.clock = stage.course.clock
        self.asked: dict[int, list[str]] = {}

    async def phone(self, browser: Any, seat: int) -> Player:
        page = await open_page(browser, "about:blank", [], viewport=PHONE, color_scheme="light")
        token = self.stage.keys.take(seat)[0]
        await page.context.add_cookies([{"name": "voicehost-seat", "value": token, "url": self.address}])
        await page.goto(f"{self.address}/seat")
        return Player(seat, NAMES[seat - 1], page)

    async def until(self, step: Step) -> None:
        for _ in range(400):
            if self.stage.game.step is step:
                return
            self.clock.skip(min(self.stage.course.keeper.left + 0.01, 5.0))  # type: ignore[attr-defined]
            await asyncio.sleep(0.02)
        raise AssertionError(f"still {self.stage.game.step}")

    async def reload(self, player: Player) -> list[str]:
        """Load the page again; return what it asked the server for, with the size of each answer."""
        found: list[str] = []
        page = player.page

        async def note(response: Any) -> None:
            path = response.url.partition(self.address)[2].partition("?")[0]
            if path.startswith(("/stream/", "/static/")):  # endless, or from what the browser has kept
                found.append(path)
                return
            found.append(f"{response.request.method} {path} {response.status} {len(await response.body())}")

        page.on("response", note)
        await page.add_init_script(FRAMES)
        await page.reload()
        await page.wait_for_selector(".dark button")
        await asyncio.sleep(0.5)
        page.remove_listener("response", note)
        return sorted(set(found))


async def test_reloaded_in_the_hunt(browser: Any) -> None:
    stage = Stage(home(quick_rules(), names=NAMES, seed=5), HurriedClock())
    async with served(stage) as address:
        night = Night(stage, address)
        await stage.do("начинаем игру", "дальше")
        black = next(seat for seat in range(1, 10) if stage.game.black(seat))
        red = next(seat for seat in range(1, 10) if not stage.game.black(seat) and seat != stage.game.sheriff)
        phones = [await night.phone(browser, seat) for seat in (black, red)]
        await night.until(Step.SPEECH)
        await stage.do(*["спасибо"] * 10)
        await night.until(Step.HUNT)
        asked = [await night.reload(player) for player in phones]
        assert stage.game.step is Step.HUNT, "the night lasted"
        assert [await player.page.evaluate("window.lit") for player in phones] == [[], []]
        assert asked[0] == asked[1], "both asked for the same and got as much"
        assert len({await player.dark() for player in phones}) == 1
        whole = {
            await player.page.evaluate("document.body.outerHTML.replace(/data-version=.*?>/, '')") for player in phones
        }
        assert len(whole) == 1, "no byte of the page differs"
        assert await phones[0].page.evaluate("document.body.innerText.trim()") == ""
        target = stage.course.keeper.tick
        for player in phones:
            await player.touch()
        await until(lambda: bool(stage.game.shots))
        await asyncio.sleep(0.3)
        assert [(shooter, number) for shooter, number in stage.game.shots] == [(black, target)]
        await phones[0].page.reload()
        await phones[0].page.wait_for_selector(".dark-touch")
        assert len(stage.game.shots) == 1, "loading the page is no touch"


async def test_reloaded_in_a_check_keeps_its_answer_hidden(browser: Any) -> None:
    stage = Stage(home(quick_rules(), names=NAMES, seed=5), HurriedClock())
    async with served(stage) as address:
        night = Night(stage, address)
        await stage.do("начинаем игру", "дальше")
        don, sheriff = stage.game.don, stage.game.sheriff
        assert don is not None
        assert sheriff is not None
        other = next(seat for seat in range(1, 10) if seat not in {don, sheriff})
        leader, bystander = await night.phone(browser, don), await night.phone(browser, other)
        await night.until(Step.SPEECH)
        await stage.do(*["спасибо"] * 10)
        await night.until(Step.DON_CHECK)
        for player in (leader, bystander):
            await player.page.wait_for_selector(".dark-pad")
        assert await leader.check(sheriff) == f"{sheriff}: шериф"
        asked = [await night.reload(player) for player in (leader, bystander)]
        assert stage.game.step is Step.DON_CHECK
        assert asked[0] == asked[1]
        assert [await player.page.evaluate("window.lit") for player in (leader, bystander)] == [[], []]
        assert f"{sheriff}: шериф" not in await leader.page.inner_text("body")
        assert len({await player.dark() for player in (leader, bystander)}) == 1
        hold = leader.page.locator(".dark-hold")
        await hold.dispatch_event("pointerdown", {"isPrimary": True})
        await leader.page.wait_for_selector(f".dark-answer >> text={sheriff}: шериф")
        await hold.dispatch_event("pointerup")
        assert await leader.page.inner_text(".dark-answer") == ""
