"""What a page audit would look at, in a real browser, on every page and in every phase of a game."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.web.players import PHONE, open_page, seen, until
from tests.web.stage import NAMES, HurriedClock, Stage, home, hosted, served
from voicehost.hosting.inputs import Phone
from voicehost.rules.game import Step

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
AUDIT, NAMELESS, CONTRAST = (
    (HERE / f"{name}.js").read_text(encoding="utf-8") for name in ("audit", "nameless", "contrast")
)

SHIFTS = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
"""Adds up how much of the page has jumped under the reader's eyes."""

MOST_SHIFT = 0.1
FINGER = 44
"""CSS pixels that a finger hits."""
TELEVISION = {"width": 1920, "height": 1080}
MOST_BYTES = 150_000


class Auditor:
    """All pages of one game, looked at again in every phase."""

    def __init__(self, browser: Any, address: str, scheme: str) -> None:
        self.browser = browser
        self.address = address
        self.scheme = scheme
        self.pages: dict[str, Any] = {}
        self.problems: list[str] = []
        self.strangers: list[str] = []

    async def open(self, name: str, path: str, size: dict[str, int], cookie: str = "") -> None:
        options: dict[str, Any] = {"viewport": size, "color_scheme": self.scheme, "reduced_motion": "reduce"}
        page = await open_page(self.browser, "about:blank", self.problems, **options)
        page.on("request", lambda request: self._note(request.url))
        await page.add_init_script(SHIFTS)
        if cookie:
            await page.context.add_cookies([{"name": "voicehost-seat", "value": cookie, "url": self.address}])
        await page.goto(self.address + path)
        self.pages[name] = page

    def _note(self, url: str) -> None:
        if not url.startswith(self.address + "/"):
            self.strangers.append(url)

    async def look(self, phase: str) -> list[str]:
        """Return what is wrong now."""
        found = []
        for name, page in self.pages.items():
            least = FINGER if page.viewport_size == PHONE else 0
            for finding in await page.evaluate(AUDIT, least):
                found.append(f"{phase}, {name}: {finding}")
            for script in (NAMELESS, CONTRAST):
                for finding in await page.evaluate(script):
                    found.append(f"{phase}, {name}: {finding}")
        return found

    async def shifts(self, *names: str) -> list[str]:
        """Return which pages have jumped too much so far."""
        found = {name: await self.pages[name].evaluate("window.shifted") for name in names or self.pages}
        return [f"{name} has jumped by {shift:.3f}" for name, shift in found.items() if shift > MOST_SHIFT]

    async def end(self) -> list[str]:
        """Return what was wrong on the way."""
        # The start of a game gives the remote its buttons; that they stay put from then on is tested elsewhere.
        names = [name for name in self.pages if name != "remote"]
        return [*self.problems, *self.strangers, *await self.shifts(*names)]


async def shown(auditor: Auditor, stage: Stage) -> None:
    """Wait until every page shows the newest state, and for one more frame."""
    stage.hub.flush()
    for page in auditor.pages.values():
        await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    await asyncio.sleep(0.4)


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_pages_of_a_game_without_a_host(browser: Any, scheme: str) -> None:
    stage = Stage(home(names=NAMES, seed=4), HurriedClock())
    clock = stage.course.clock
    assert isinstance(clock, HurriedClock)
    found: list[str] = []
    async with served(stage) as address:
        auditor = Auditor(browser, address, scheme)
        await auditor.open("table", "/", TELEVISION)
        await auditor.open("remote", f"/host#{stage.keys.host}", PHONE)
        await auditor.open("join", f"/join#{stage.keys.join}", PHONE)
        await auditor.open("speaker", "/seat", PHONE, stage.keys.take(1)[0])
        await auditor.open("listener", "/seat", PHONE, stage.keys.take(2)[0])
        await seen(auditor.pages["join"], "document.querySelectorAll('[data-seat]').length === 10")

        async def look(phase: str) -> None:
            await shown(auditor, stage)
            found.extend(await auditor.look(phase))

        async def pass_time(step: Step) -> None:
            for _ in range(200):
                if stage.game.step is step:
                    return
                clock.skip(stage.course.keeper.left + 0.01)
                await asyncio.sleep(0.03)
            raise AssertionError(f"still {stage.game.step}")

        await look("lobby")
        found += await auditor.shifts()
        await stage.do("начинаем игру")
        await look("deal")
        await stage.do(Phone(1, "choose", "4"))
        await auditor.pages["speaker"].reload()
        await auditor.pages["speaker"].locator(".hold").dispatch_event("pointerdown", {"isPrimary": True})
        await auditor.pages["speaker"].wait_for_selector(".role-card")
        await look("card")
        await auditor.pages["speaker"].locator(".hold").dispatch_event("pointerup")
        await stage.do(Phone(1, "confirm"), "дальше")
        await look("night")
        await pass_time(Step.SPEECH)
        await stage.do("фол игроку три")
        await look("speech")
        await stage.do("выставляю номер семь", "спасибо", "выставляю номер пять", *["спасибо"] * 9)
        assert stage.game.step is Step.VOTE
        await look("vote")
        await stage.do(*(Phone(seat, "vote") for seat in range(1, 8)))
        await look("voted")
        await pass_time(Step.LAST_WORD)
        await look("last word")
        await pass_time(Step.HUNT)
        await look("hunt")
        await pass_time(Step.DON_CHECK)
        await look("check")
        await pass_time(Step.SPEECH)
        await look("morning")
        await stage.do("победа мафии")
        await until(lambda: stage.game.step is Step.OVER)
        await look("end")
        found += await auditor.end()
    assert not found, "\n".join(found)


async def test_pages_of_a_game_with_a_host(browser: Any) -> None:
    stage = Stage(hosted("fsm", dealing="random", seed=3), HurriedClock())
    found: list[str] = []
    script = {
        "lobby": [],
        "day": ["начинаем игру", *["дальше"] * 4, "выставляю номер семь", "фол игроку три"],
        "question": ["удалить игрока номер девять"],
        "night": ["нет", *["спасибо"] * 10],
    }
    async with served(stage) as address:
        auditor = Auditor(browser, address, "dark")
        await auditor.open("remote", f"/host#{stage.keys.host}", PHONE)
        await auditor.open("overlay", "/overlay", TELEVISION)
        for phase, lines in script.items():
            await stage.do(*lines)
            await shown(auditor, stage)
            found += await auditor.look(phase)
            found += await auditor.shifts() if phase == "lobby" else []
        await auditor.pages["remote"].locator(".hold").first.dispatch_event("pointerdown", {"isPrimary": True})
        await auditor.pages["remote"].wait_for_selector(".secret li")
        found += await auditor.look("roles held")
        found += await auditor.end()
    assert not found, "\n".join(found)


async def test_every_page_is_light(browser: Any) -> None:
    """All that a page loads by itself, with its headers' share left out, as it goes over the wire."""
    stage = Stage(home(names=NAMES, seed=4), HurriedClock())
    token = stage.keys.take(1)[0]
    weights: dict[str, int] = {}
    async with served(stage) as address:
        for path in ("/", "/overlay", f"/host#{stage.keys.host}", f"/join#{stage.keys.join}", "/seat"):
            auditor = Auditor(browser, address, "light")
            await auditor.open("page", path, TELEVISION, token if path == "/seat" else "")
            page = auditor.pages["page"]
            await seen(page, "document.querySelector('.seat, [data-seat], .host-seats button, .me-number') !== null")
            resources = await page.evaluate(
                "JSON.stringify([...performance.getEntriesByType('resource'), "
                "...performance.getEntriesByType('navigation')].map((e) => [e.name, e.decodedBodySize]))"
            )
            weights[path.partition("#")[0]] = sum(size for url, size in json.loads(resources) if "/stream/" not in url)
            await page.context.close()
    print("\n".join(f"{path}: {size} bytes" for path, size in weights.items()))
    assert all(8_000 < size < MOST_BYTES for size in weights.values()), weights


async def test_static_files_are_kept_while_they_are_the_same() -> None:
    stage = Stage(hosted())
    async with stage.client() as client:
        page = (await client.get("/")).text
        address = page.partition('src="/static/table.js')[2].partition('"')[0]
        kept = await client.get(f"/static/table.js{address}")
        other = await client.get("/static/dom.js")
        again = await client.get("/static/dom.js", headers={"if-none-match": other.headers["etag"]})
        stale = await client.get("/static/dom.js", headers={"if-none-match": '"older"'})
        shell = await client.get("/")
    assert kept.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert other.headers["cache-control"] == "no-cache"
    assert (again.status_code, again.content) == (304, b"")
    assert stale.status_code == 200
    assert shell.headers["cache-control"] == "no-store"
