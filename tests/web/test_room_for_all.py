"""Twenty players with long names: nothing sticks out, nothing covers anything, and five metres away it can be read."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.web.players import PHONE, open_page
from tests.web.stage import HurriedClock, Stage, home, hosted, served
from voicehost.hosting.inputs import Phone
from voicehost.rules.game import Step

pytestmark = pytest.mark.slow

OVERLAP, AUDIT = ((Path(__file__).parent / f"{name}.js").read_text(encoding="utf-8") for name in ("overlap", "audit"))

TELEVISION = {"width": 1920, "height": 1080}
SMALL_TELEVISION = {"width": 1280, "height": 720}
TABLET = {"width": 1024, "height": 768}

ONE_WORD = ("Ярополк", "Святослав", "Мстислава", "Доброслав", "Елизавета", "Всеволод", "Аполлинария", "Пантелеймон")
TWO_WORDS = (
    "Анна-Мария",
    "Вера Львовна",
    "Константин",
    "Жан-Пьер",
    "Дина",
    "Глеб Егорович",
    "Илья",
    "Зоя",
    "Лев",
    "Ян",
)
TAIL = "Белозёрскаяцветковаю"
LONG = tuple(f"{name}{TAIL}"[:20] for name in ONE_WORD) + tuple(f"{name} {TAIL}"[:20] for name in TWO_WORDS)
NAMES = (*LONG, "Щ" * 20, "Катя")

INCH_PIXELS = 1080 / (55 * 9 / (16**2 + 9**2) ** 0.5)
"""Pixels of an inch on a television of 55 inches."""
METRES = 5.0
ARC_MINUTES = 8.5
"""Height of a capital letter that good eyes read without effort; five is the limit of sight."""
CAPITAL = 0.72
"""Height of a capital letter to the size of its type."""

SIZES = """() => [...document.querySelectorAll("#table *")].flatMap((element) => {
  const text = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!text || element.offsetParent === null || element.closest(".badge")) return [];
  return [[parseFloat(getComputedStyle(element).fontSize), element.textContent.trim()]];
})"""


def far_enough(pixels: float) -> bool:
    """Tell whether type of so many pixels is read from the other end of the room."""
    inches = pixels * CAPITAL / INCH_PIXELS
    return inches * 0.0254 / METRES * 3437.7 >= ARC_MINUTES


def test_names_are_long() -> None:
    assert len(set(NAMES)) == 20
    assert sum(len(name) == 20 for name in NAMES) >= 18


async def test_twenty_long_names_on_every_page(browser: Any) -> None:
    stage = Stage(home("classic", names=NAMES, seed=3), HurriedClock())
    clock = stage.course.clock
    assert isinstance(clock, HurriedClock)
    found: list[str] = []
    async with served(stage) as address:
        tokens = [stage.keys.take(seat)[0] for seat in range(1, 21)]
        pages: dict[str, Any] = {}
        for name, path, size in (
            ("television", "/", TELEVISION),
            ("small television", "/", SMALL_TELEVISION),
            ("tablet", "/", TABLET),
            ("table on a phone", "/", PHONE),
            ("overlay", "/overlay", TELEVISION),
            ("remote", f"/host#{stage.keys.host}", PHONE),
            ("join", f"/join#{stage.keys.join}", PHONE),
            ("speaker", "/seat", PHONE),
            ("listener", "/seat", PHONE),
        ):
            page = await open_page(browser, "about:blank", [], viewport=size, reduced_motion="reduce")
            if path == "/seat":
                token = tokens[0] if name == "speaker" else tokens[18]
                await page.context.add_cookies([{"name": "voicehost-seat", "value": token, "url": address}])
            await page.goto(address + path)
            pages[name] = page

        async def look(phase: str) -> None:
            stage.hub.flush()
            await asyncio.sleep(0.8)
            for name, page in pages.items():
                on_screen = name in {"television", "small television", "tablet", "overlay"}
                wrong = await page.evaluate(OVERLAP, on_screen)
                wrong += await page.evaluate(AUDIT, 44 if page.viewport_size == PHONE else 0)
                found.extend(f"{phase}, {name}: {what}" for what in wrong)
            small = [text for size, text in await pages["television"].evaluate(SIZES) if not far_enough(size)]
            found.extend(f"{phase}: too small from five metres: {text}" for text in small)

        async def pass_time(step: Step) -> None:
            for _ in range(300):
                if stage.game.step is step:
                    return
                clock.skip(min(max(stage.course.keeper.left, 2.0) + 0.01, 5.0))
                await asyncio.sleep(0.03)
            raise AssertionError(f"still {stage.game.step}")

        await look("lobby")
        await stage.do("начинаем игру")
        await look("deal")
        await stage.do(*["дальше"] * 2)
        await pass_time(Step.SPEECH)
        for seat in range(1, 21):
            await stage.do(Phone(seat, "nominate", str(21 - seat)), *["фол игроку три"] * (seat < 4))
            if seat in {1, 4, 8, 10}:
                await look(f"speech {seat}")
            if seat == 20:
                await look("all nominated")
            await stage.do("спасибо")
        assert stage.game.step is Step.VOTE
        await look("vote")
        await stage.do(*(Phone(seat, "vote") for seat in range(1, 21)))
        await pass_time(Step.LAST_WORD)
        await look("last word")
        await pass_time(Step.HUNT)
        await look("hunt")
        await pass_time(Step.DON_CHECK)
        await look("check")
        await pass_time(Step.SPEECH)
        await look("second day")
        await stage.do("победа мафии")
        await look("end")
    assert not found, "\n".join(dict.fromkeys(found))


@pytest.mark.parametrize("language", ["ru", "bg", "en"])
async def test_ten_players_in_every_language(browser: Any, language: str) -> None:
    stage = Stage(hosted("fsm", names=NAMES[:10], dealing="random", seed=3), HurriedClock())
    found: list[str] = []
    script = {
        "lobby": [],
        "night zero": ["начинаем игру"],
        "day": [*["дальше"] * 4, "выставляю номер семь", "фол игроку три", "спасибо", "выставляю номер пять"],
        "question": ["удалить игрока номер девять"],
        "vote": ["нет", *["спасибо"] * 9],
        "counted": ["пять голосов"],
        "shootout": ["пять голосов"],
        "lift": [*["спасибо"] * 2, "пять голосов", "пять голосов", *["спасибо"] * 2, "пять голосов", "пять голосов"],
    }
    async with served(stage) as address:
        pages = {
            "television": await open_page(browser, f"{address}/?lang={language}", [], viewport=TELEVISION),
            "overlay": await open_page(browser, f"{address}/overlay?lang={language}", [], viewport=TELEVISION),
            "remote": await open_page(
                browser, f"{address}/host?lang={language}#{stage.keys.host}", [], viewport={"width": 360, "height": 740}
            ),
        }
        for page in pages.values():
            await page.emulate_media(reduced_motion="reduce")
        for phase, lines in script.items():
            await stage.do(*lines)
            await asyncio.sleep(0.6)
            for name, page in pages.items():
                wrong = await page.evaluate(OVERLAP, name != "remote")
                wrong += await page.evaluate(AUDIT, 44 if name == "remote" else 0)
                found.extend(f"{phase}, {name}: {what}" for what in wrong)
    assert not found, "\n".join(dict.fromkeys(found))
