"""First paint and weight of each page. By hand: ``python tests/web/bench_pages.py``."""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from playwright.async_api import async_playwright

from tests.web.players import ARGS, CHROMIUM, PHONE, open_page, seen
from tests.web.stage import NAMES, Stage, home, served
from voicehost.hosting.clock import RealClock

TELEVISION = {"width": 1920, "height": 1080}
LOADS = 5

PAINT = """JSON.stringify({
  paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? null,
  bytes: [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")]
    .filter((entry) => !entry.name.includes("/stream/")).reduce((sum, entry) => sum + entry.decodedBodySize, 0),
})"""


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
        await browser.close()
    print(f"load after: {os.getloadavg()[0]:.2f}")


if __name__ == "__main__":
    asyncio.run(main())
