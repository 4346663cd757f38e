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
    *("table-lobby", "table-speech", "table-nominees", "table-vote", "table-shootout", "table-last-word"),
    *("table-night", "table-hunt", "table-morning", "table-end", "table-twenty", "table-small", "overlay"),
    *("remote-home", "remote-day", "remote-ask", "remote-night", "remote-roles"),
    *("phone-join", "phone-draw", "phone-card", "phone-night", "phone-wait", "phone-nominate", "phone-vote"),
    *("phone-check", "phone-best-move", "phone-end"),
)
"""Pictures that the docs show; the others are only to be looked at."""

TELEVISION = {"width": 1920, "height": 1080}


def scheme_of(scheme: str) -> dict[str, str]:
    """Return the options of a light or dark page that stands still at once."""
    return {"color_scheme": scheme, "reduced_motion": "reduce"}


LIGHT, DARK = scheme_of("light"), scheme_of("dark")


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
        options = {"viewport": size, "device_scale_factor": scale, **scheme_of(scheme)}
        return await open_page(self.browser, self.address + path, [], **options)

    async def phone(self, seat: int, scheme: str = "light") -> Any:
        """Open a player's phone."""
        token, _ = self.stage.keys.take(seat)
        page = await open_page(self.browser, f"{self.address}/join", [], viewport=PHONE, **scheme_of(scheme))
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

    async def until(self, step: str, candidate: int | None = None) -> None:
        """Let time pass up to a step, or up to the hands for a candidate."""
        game = self.stage.course
        longest = 5.0 if candidate is None else 1.0  # six seconds for hands must not slip by
        for _ in range(600):
            if game.game.step == step and candidate in {None, game.game.ballot and game.game.ballot.candidate}:
                return
            game.clock.skip(min(game.keeper.left + 0.01, longest))  # type: ignore[attr-defined]
            await asyncio.sleep(0.03)
        raise RuntimeError(f"{game.game.step} instead of {step} {candidate or ''}")

    async def take(self, **pages: Any) -> None:
        """Take pictures once everything stands still, with the clock of each page set anew."""
        for page in pages.values():
            await page.evaluate("dispatchEvent(new Event('online'))")
        await asyncio.sleep(1.0)
        for name, page in pages.items():
            assert await page.locator("#offline").is_hidden(), f"{name} is not connected"
            path = self.folder / f"{name.replace('_', '-')}.png"
            await page.screenshot(path=path)
            make_small(path)


async def at_home(browser: Any, folder: Path) -> None:
    """A game without a host, from the lobby to the end."""
    stage = Stage(home("fsm", seed=3), HurriedClock())
    async with served(stage) as address:
        stage.room.addresses = ("http://192.168.1.5:8765",)
        studio = Studio(browser, stage, address, folder)
        dark, light = await studio.table("dark"), await studio.table("light")
        small = await studio.table("light", size={"width": 390, "height": 844})
        overlay = await studio.table("dark", "/overlay")
        join = await open_page(browser, f"{address}/join#{stage.keys.join}", [], viewport=PHONE, **LIGHT)
        first, second = await studio.phone(1), await studio.phone(2, "dark")
        remote = await open_page(browser, f"{address}/host#{stage.keys.host}", [], viewport=PHONE, **LIGHT)
        stage.hub.stir()
        await join.fill("#name", "Вера")
        await join.click('[data-seat="3"]')
        await studio.take(table_lobby=dark, phone_join=join, remote_home=remote)
        await studio.say("начинаем игру")
        await studio.take(phone_draw=first)
        await studio.say(Phone(1, "choose", "4"))
        await first.reload()
        await first.wait_for_selector(".hold")
        await first.locator(".hold").first.dispatch_event("pointerdown")
        await studio.take(phone_card=first)
        await first.locator(".hold").first.dispatch_event("pointerup")
        await studio.say(Phone(1, "confirm"), "дальше")
        await studio.take(table_night=dark, phone_night=second)
        await studio.until("speech")
        await studio.say("фол игроку три", "фол игроку три", "фол игроку девять", "выставляю номер семь")
        await studio.take(table_speech=light, phone_wait=second)
        await studio.say("спасибо")
        await studio.take(phone_nominate=second)
        await studio.say("выставляю номер пять", "спасибо", "выставляю номер один")
        await studio.take(table_nominees=dark, overlay=overlay, table_small=small)
        await studio.say(*["спасибо"] * 8)
        await studio.take(phone_vote=first)
        await studio.say(*(Phone(seat, "vote") for seat in (1, 2, 3, 4, 6)))
        await studio.until("vote", 5)
        await studio.take(table_vote=dark)
        await studio.say(*(Phone(seat, "vote") for seat in (5, 7, 8, 9, 10)))
        await studio.until("shootout-speech")
        await studio.take(table_shootout=light)
        await studio.until("vote", 7)
        await studio.say(*(Phone(seat, "vote") for seat in range(1, 8)))
        await studio.until("last-word")
        await studio.take(table_last_word=dark)
        await studio.until("hunt")
        stage.course.clock.skip(0.5)  # type: ignore[attr-defined]
        victim = next(seat for seat in stage.game.alive if not stage.game.black(seat) and seat != 1)
        while stage.course.keeper.tick != victim:
            stage.course.clock.skip(0.25)  # type: ignore[attr-defined]
            await asyncio.sleep(0.02)
        await studio.say(*(Phone(seat, "tap") for seat in stage.game.alive if stage.game.black(seat)))
        await dark.screenshot(path=folder / "table-hunt.png")
        make_small(folder / "table-hunt.png")
        await studio.until("don-check")
        await studio.take(phone_check=second)
        await studio.until("best-move")
        page = await studio.phone(victim)
        await page.wait_for_selector(".pad-key")
        await page.click(".pad-key:nth-child(4)")
        await studio.take(phone_best_move=page)
        await studio.until("last-word")
        await studio.take(table_morning=light)
        await studio.say("победа мафии")
        await studio.take(table_end=dark, phone_end=first)


async def with_a_host(browser: Any, folder: Path) -> None:
    """A game with a host: his remote by day and by night."""
    stage = Stage(hosted("fsm", dealing="random", seed=3), HurriedClock())
    async with served(stage) as address:
        studio = Studio(browser, stage, address, folder)
        remote = await open_page(browser, f"{address}/host#{stage.keys.host}", [], viewport=PHONE, **DARK)
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
