"""Takes pictures of every page. By hand: ``python tests/web/pictures.py FOLDER``; look at each; KEPT go to the docs."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from playwright.async_api import async_playwright

from tests.web.players import ARGS, CHROMIUM, PHONE, open_page
from tests.web.stage import NAMES, HurriedClock, Stage, home, hosted, served
from voicehost.hosting.inputs import Input, Phone, Said

FOLDER = Path(__file__).parents[2] / "voicehost" / "docs" / "pictures"
KEPT = (
    *("table-lobby", "table-day", "table-night", "table-vote", "table-end", "table-twenty", "overlay"),
    *("remote-day", "remote-night", "phone-card", "phone-wait", "phone-vote", "phone-check"),
)
"""Pictures that the docs show; the others are only to be looked at."""

TELEVISION = {"width": 1920, "height": 1080}


def make_small(path: Path) -> None:
    """Give a picture a palette of its own, so that it stays small; needs ffmpeg."""
    small = path.with_suffix(".small.png")
    palette = "split[a][b];[a]palettegen=max_colors=96:stats_mode=full[p];[b][p]paletteuse=dither=none"
    command = ["ffmpeg", "-y", "-loglevel", "error", "-i", str(path), "-vf", palette, str(small)]
    subprocess.run(command, check=True)
    small.replace(path)


class Studio:
    """One game and the pages that look at it."""

    def __init__(self, browser: Any, stage: Stage, address: str, folder: Path) -> None:
        self.browser = browser
        self.stage = stage
        self.address = address
        self.folder = folder

    async def table(self, scheme: str, path: str = "/", size: dict[str, int] = TELEVISION) -> Any:
        """Open a table at half its size, so that the picture stays small."""
        scale = 0.5 if size is TELEVISION else 1
        options = {"viewport": size, "color_scheme": scheme, "device_scale_factor": scale}
        return await open_page(self.browser, self.address + path, [], **options)

    async def phone(self, seat: int, scheme: str = "light") -> Any:
        """Open a player's phone."""
        token, _ = self.stage.keys.take(seat)
        page = await open_page(self.browser, f"{self.address}/join", [], viewport=PHONE, color_scheme=scheme)
        await page.context.add_cookies([{"name": "voicehost-seat", "value": token, "url": self.address}])
        await page.goto(f"{self.address}/seat")
        return page

    async def say(self, *items: Input | str) -> None:
        """Let the game go on."""
        for item in items:
            self.stage.inputs.put_nowait(Said(item) if isinstance(item, str) else item)
        await asyncio.sleep(0.4)

    async def pass_time(self) -> None:
        """Let the running timer end."""
        self.stage.course.clock.skip(self.stage.course.keeper.left + 0.01)  # type: ignore[attr-defined]
        await asyncio.sleep(0.5)

    async def take(self, **pages: Any) -> None:
        """Take pictures once everything stands still."""
        await asyncio.sleep(2.6)
        for name, page in pages.items():
            path = self.folder / f"{name.replace('_', '-')}.png"
            await page.screenshot(path=path)
            make_small(path)


async def at_home(browser: Any, folder: Path) -> None:
    """A game without a host, from the lobby to the end."""
    stage = Stage(home(seed=3), HurriedClock())
    async with served(stage) as address:
        stage.room.addresses = ("http://192.168.1.5:8765",)
        studio = Studio(browser, stage, address, folder)
        light, dark = await studio.table("light"), await studio.table("dark")
        small = await studio.table("light", size={"width": 390, "height": 844})
        overlay = await studio.table("dark", "/overlay")
        first, second = await studio.phone(1), await studio.phone(2, "dark")
        remote = await open_page(browser, f"{address}/host#{stage.keys.host}", [], viewport=PHONE, color_scheme="light")
        stage.hub.stir()
        await studio.take(table_lobby=dark, lobby_light=light, phone_lobby=first, remote_home=remote)
        await studio.say("начинаем игру")
        await studio.take(phone_deal=first)
        await studio.say(Phone(1, "choose", "4"))
        await first.reload()
        await first.wait_for_selector(".hold")
        await first.locator(".hold").first.dispatch_event("pointerdown")
        await studio.take(phone_card=first)
        await first.locator(".hold").first.dispatch_event("pointerup")
        await studio.say(Phone(1, "confirm"), "дальше")
        await studio.take(table_night=dark, night_light=light, phone_night=second)
        await studio.pass_time()
        await studio.say("выставляю номер семь", "фол игроку три", "фол игроку три", "фол игроку девять")
        await studio.take(table_day=light, day_dark=dark, table_small=small, overlay=overlay)
        await studio.take(phone_wait=second)
        await studio.say("спасибо", "выставляю номер пять")
        await studio.take(phone_speech=second)
        await studio.say("спасибо", "выставляю номер один", *["спасибо"] * 8)
        await studio.take(phone_vote=first, vote_first=dark)
        await studio.say(*(Phone(seat, "vote") for seat in (1, 2, 3, 4, 6)))
        await asyncio.sleep(6.5)
        await studio.take(table_vote=dark)
        await asyncio.sleep(6.5)
        await studio.take(last_word=dark)
        while not stage.game.is_night:
            await studio.pass_time()
        for _ in range(stage.game.players):
            stage.course.clock.skip(1.0)  # type: ignore[attr-defined]
            await asyncio.sleep(0.05)
            for seat in stage.game.alive:
                if stage.game.black(seat) and stage.course.keeper.tick == 9:
                    stage.inputs.put_nowait(Phone(seat, "tap"))
        await studio.take(hunt=dark)
        while "check" not in stage.game.step:
            await studio.pass_time()
        await studio.take(phone_check=second)
        while stage.game.is_night:
            await studio.pass_time()
        await studio.take(morning=light)
        await studio.say("победа мафии")
        await studio.take(table_end=dark, end_light=light, phone_end=first)


async def with_a_host(browser: Any, folder: Path) -> None:
    """A game with a host: his remote by day and by night."""
    stage = Stage(hosted("fsm", dealing="random", seed=3), HurriedClock())
    async with served(stage) as address:
        studio = Studio(browser, stage, address, folder)
        remote = await open_page(browser, f"{address}/host#{stage.keys.host}", [], viewport=PHONE, color_scheme="dark")
        await studio.say("начинаем игру", *["дальше"] * 4, "выставляю номер семь", "фол игроку три")
        await studio.take(remote_day=remote)
        await studio.say("удалить игрока номер девять")
        await studio.take(remote_ask=remote)
        await studio.say("нет", *["спасибо"] * 10)
        await studio.take(remote_night=remote)
        await remote.locator(".hold").first.scroll_into_view_if_needed()
        await remote.locator(".hold").first.dispatch_event("pointerdown")
        await studio.take(remote_roles=remote)


async def twenty(browser: Any, folder: Path) -> None:
    """The largest table."""
    names = [*NAMES, *(f"{name} М." for name in NAMES)]
    stage = Stage(home("classic", names=names, seed=3), HurriedClock())
    async with served(stage) as address:
        studio = Studio(browser, stage, address, folder)
        table = await studio.table("dark")
        await studio.say("начинаем игру", "дальше", "дальше")
        while stage.game.step != "speech":
            await studio.pass_time()
        await studio.say("выставляю номер семь", "фол игроку три")
        await table.reload()
        await studio.take(table_twenty=table)


async def main() -> None:
    """Take all pictures."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    async with async_playwright() as engine:
        browser = await engine.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        for part in (at_home, with_a_host, twenty):
            await part(browser, folder)
        await browser.close()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in KEPT:
        shutil.copy(folder / f"{name}.png", FOLDER)


if __name__ == "__main__":
    asyncio.run(main())
