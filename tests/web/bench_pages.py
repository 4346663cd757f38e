"""First paint, weight, and how long an event takes to the pixels. By hand: ``python tests/web/bench_pages.py``."""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from playwright.async_api import async_playwright

from tests.web.players import ARGS, CHROMIUM, PHONE, open_page, seen
from tests.web.stage import NAMES, ORIGIN, Stage, home, hosted, served
from voicehost.hosting.clock import RealClock
from voicehost.web.app import build_app
from voicehost.web.network import Hosts

TELEVISION = {"width": 1920, "height": 1080}
LOADS, EVENTS = 5, 40

PAINT = """JSON.stringify({
  paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null,
  bytes: [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")]
    .filter((entry) => !entry.name.includes("/stream/")).reduce((sum, entry) => sum + entry.decodedBodySize, 0),
})"""


WATCH = """(selector) => {
  window.drawn = [];
  const skew = Date.now() - performance.timeOrigin - performance.now();
  const wanted = () => document.querySelector(selector)?.outerHTML ?? "";
  let before = wanted();
  new MutationObserver(() => {
    const now = wanted();
    if (now === before) return;
    before = now;
    requestAnimationFrame(() => {
      const channel = new MessageChannel(); // runs once the frame has been handed to the screen
      channel.port1.onmessage = () => window.drawn.push(performance.timeOrigin + performance.now() + skew);
      channel.port2.postMessage(null);
    });
  }).observe(document.body, { childList: true, subtree: true, attributes: true, characterData: true });
}"""
"""Notes the moment at which each change of an element has been painted, in milliseconds of the machine's clock."""

BARE = """() => {
  const place = document.createElement("p");
  place.id = "bare";
  document.body.replaceChildren(place);
  let number = 0;
  new EventSource("/stream/table").addEventListener("state", () => { place.textContent = ++number; });
}"""
"""The plain way: a page that gets the same messages and writes one number."""


async def press(stage: Stage, taps: list[float]) -> None:
    """Give and take away a foul, and note when."""
    async with stage.client() as remote:
        stage.let_in(remote, "host")
        for i in range(EVENTS):
            taps.append(time.time() * 1000)
            body = {"command": "foul" if i % 2 == 0 else "remove-foul", "slots": {"seat": 3}}
            answer = await remote.post("/api/host", json=body, headers={"origin": ORIGIN})
            assert answer.json() == {"reason": ""}, answer.text
            await asyncio.sleep(0.35)


async def latencies(stage: Stage, pages: dict[str, Any]) -> dict[str, dict[str, list[float]]]:
    """Press a button so many times; tell how long each page took, from the event and from the tap."""
    taps: list[float] = []
    events: list[float] = []
    tell = stage.course.tell

    def noted(message: dict[str, Any]) -> None:
        if len(events) < len(taps):
            events.append(time.time() * 1000)
        tell(message)

    stage.course.tell = noted
    try:
        await press(stage, taps)
    finally:
        stage.course.tell = tell
    assert len(events) == len(taps) == EVENTS
    found: dict[str, dict[str, list[float]]] = {}
    for name, page in pages.items():
        drawn = await page.evaluate("window.drawn")
        ends = [min((at for at in drawn if at > moment), default=float("inf")) for moment in taps]
        found[name] = {
            "event": [end - moment for end, moment in zip(ends, events, strict=True)],
            "tap": [end - moment for end, moment in zip(ends, taps, strict=True)],
        }
    return found


async def watched(browser: Any, address: str, path: str, size: dict[str, int], cookie: str, selector: str) -> Any:
    """Open a page whose element will change with every event."""
    page = await open_page(browser, "about:blank", [], viewport=size)
    if cookie:
        await page.context.add_cookies([{"name": "voicehost-seat", "value": cookie, "url": address}])
    await page.goto(address + path)
    if path == "/time":
        await page.evaluate(BARE)
    await page.wait_for_selector(selector, state="attached")
    await page.evaluate(WATCH, selector)
    return page


async def event_to_pixels(browser: Any) -> None:
    """Show a game on one page after another, each beside a bare one, as each device has its own screen."""
    stage = Stage(hosted(names=NAMES, dealing="random", seed=4), RealClock())
    async with served(stage) as address:
        await stage.do("начинаем игру", "дальше")
        app, token = stage.app, stage.keys.take(9)[0]  # who does not speak so soon
        for name, path, size, selector in (
            ("table", "/", TELEVISION, "[data-seat='3'] .fouls"),
            ("overlay", "/overlay", TELEVISION, "[data-seat='3'] .fouls"),
            ("remote", f"/host#{stage.keys.host}", PHONE, "[data-focus='s3']"),
            ("phone", "/seat", PHONE, "[data-seat='3'] .fouls"),
        ):
            bare = await watched(browser, address, "/time", PHONE, "", "#bare")
            page = await watched(browser, address, path, size, token, selector)
            await asyncio.sleep(1)
            stage.app = build_app(stage.room, Hosts(["127.0.0.1"], 8765))  # what the bench itself taps on
            found = await latencies(stage, {"bare": bare, name: page})
            stage.app = app
            for opened in (bare, page):
                await opened.context.close()
            event, tap = (statistics.quantiles(found[name][kind], n=20) for kind in ("event", "tap"))
            plain = statistics.quantiles(found["bare"]["event"], n=20)
            print(
                f"{name:9} event to pixels: p50 {event[9]:.0f} ms, p95 {event[18]:.0f} ms "
                f"(a bare page beside it: {plain[9]:.0f} and {plain[18]:.0f} ms; ratio {event[9] / plain[9]:.2f}); "
                f"tap to pixels: p50 {tap[9]:.0f} ms, p95 {tap[18]:.0f} ms"
            )


async def paints(browser: Any, address: str, path: str, size: dict[str, int], cookie: str) -> tuple[list[float], int]:
    """Load a page into a new profile, then again and again with what it has kept."""
    page = await open_page(browser, "about:blank", [], viewport=size)
    if cookie:
        await page.context.add_cookies([{"name": "voicehost-seat", "value": cookie, "url": address}])
    found, weight = [], 0
    for _ in range(LOADS + 1):
        await page.goto("about:blank")
        await page.goto(address + path)
        await seen(page, "performance.getEntriesByName('first-contentful-paint').length > 0")
        await asyncio.sleep(0.5)
        measured = json.loads(await page.evaluate(PAINT))
        found.append(measured["paint"])
        weight = max(weight, measured["bytes"])
    await page.context.close()
    return found, weight


async def main() -> None:
    """Measure and print."""
    stage = Stage(home(names=NAMES, seed=4), RealClock())
    print(f"load before: {os.getloadavg()[0]:.2f}")
    async with served(stage) as address, async_playwright() as engine:
        browser = await engine.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        token, _ = stage.keys.take(1)
        pages = (
            ("/", TELEVISION, ""),
            ("/overlay", TELEVISION, ""),
            (f"/host#{stage.keys.host}", PHONE, ""),
            (f"/join#{stage.keys.join}", PHONE, ""),
            ("/seat", PHONE, token),
        )
        for path, size, cookie in pages:
            (cold, *warm), weight = await paints(browser, address, path, size, cookie)
            name = path.partition("#")[0]
            print(
                f"{name:9} first contentful paint: cold {cold:.0f} ms, warm median {statistics.median(warm):.0f} ms, "
                f"worst {max(warm):.0f} ms; {weight / 1000:.1f} kB with everything"
            )
        await event_to_pixels(browser)
        await browser.close()
    print(f"load after: {os.getloadavg()[0]:.2f}")


if __name__ == "__main__":
    asyncio.run(main())
