"""Nothing on the remote moves under a finger, and a short break of the line frightens nobody."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from tests.web.players import PHONE, Player, open_page, until
from tests.web.stage import NAMES, HurriedClock, Stage, home, hosted, served
from tests.web.test_page_quality import SHIFTS
from voicehost.hosting.clock import RealClock
from voicehost.hosting.inputs import Phone
from voicehost.rules.game import Step

pytestmark = pytest.mark.slow

MOST_SHIFT = 0.02
"""Of a whole day; what a page audit calls good is below 0.1."""

PLACES = """() => JSON.stringify(Object.fromEntries(
  [...document.querySelectorAll("#actions button, #seats button, #tools button")].map((button) => {
    const box = button.getBoundingClientRect();
    const part = button.closest("section").id;
    const own = button.closest(".pad") ? button.dataset.focus : [...button.parentElement.children].indexOf(button);
    const name = `${part} ${button.closest(".pad") ? "" : "row "}${own}`;
    return [name, [box.left, scrollY + box.top, box.width, box.height].map(Math.round)];
  }),
))"""
"""Where each button lies: a seat's by its number, any other by its place in the row."""

DAY = (
    "выставляю номер семь", "фол игроку три", "отзываю номер семь", "выставляю номер семь", "снять фол игроку три",
    "пауза", "продолжить", "спасибо", "выставляю номер пять", "отмена", "вернуть", "удалить игрока номер девять", "нет",
    *["спасибо"] * 9,
)  # fmt: skip
VOTE_AND_NIGHT = (
    "пять голосов", "пять голосов", "спасибо", "спасибо", "семь голосов", "дальше", "спасибо", "дальше", "убит третий",
    "дальше", "дон проверяет четвёртого", "дальше", "шериф проверяет первого", "дальше", "дальше", "спасибо", "дальше",
)  # fmt: skip


class Watch:
    """Remembers where every button of the remote has been seen."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.places: dict[str, set[tuple[int, ...]]] = {}

    async def look(self) -> None:
        for name, box in json.loads(await self.page.evaluate(PLACES)).items():
            self.places.setdefault(name, set()).add(tuple(box))

    @property
    def moved(self) -> dict[str, set[tuple[int, ...]]]:
        return {name: boxes for name, boxes in self.places.items() if len(boxes) > 1}


async def remote_of(browser: Any, stage: Stage, address: str) -> Any:
    page = await open_page(browser, "about:blank", [], viewport=PHONE, reduced_motion="reduce")
    await page.add_init_script(SHIFTS)
    await page.goto(f"{address}/host#{stage.keys.host}")
    await page.wait_for_selector('[data-focus="start-game"]')
    return page


@pytest.mark.parametrize("rules", ["fsm", "classic"])
async def test_no_button_moves_from_the_deal_to_the_second_day(browser: Any, rules: str) -> None:
    stage = Stage(hosted(rules, dealing="random", seed=3), RealClock())
    steps = set()
    async with served(stage) as address:
        page = await remote_of(browser, stage, address)
        await page.click('[data-focus="start-game"]')
        await until(lambda: stage.game.step is not Step.LOBBY)
        await page.wait_for_selector("#tools button")
        await page.evaluate("window.shifted = 0")
        watch = Watch(page)
        for line in (*["дальше"] * 4, *DAY, *VOTE_AND_NIGHT):
            await stage.do(line)
            steps.add(stage.game.step)
            await asyncio.sleep(0.12)
            await watch.look()
        shifted = await page.evaluate("window.shifted")
        question = await page.evaluate("getComputedStyle(document.getElementById('question')).position")
    assert len(watch.places) >= 2 + 5 + 10 + 6
    assert not watch.moved
    assert shifted <= MOST_SHIFT
    assert question == "fixed"
    assert steps >= {Step.SPEECH, Step.VOTE, Step.HUNT, Step.LAST_WORD}


async def test_pages_of_a_day_without_a_host_do_not_jump(browser: Any) -> None:
    stage = Stage(home("fsm", names=NAMES, seed=4), HurriedClock())
    clock = stage.course.clock
    assert isinstance(clock, HurriedClock)
    async with served(stage) as address:
        remote = await remote_of(browser, stage, address)
        pages = {"remote": remote}
        for name, path, seat in (("table", "/", 0), ("speaker", "/seat", 1), ("listener", "/seat", 9)):
            page = await open_page(
                browser, "about:blank", [], viewport=PHONE if seat else None, reduced_motion="reduce"
            )
            await page.add_init_script(SHIFTS)
            if seat:
                token = stage.keys.take(seat)[0]
                await page.context.add_cookies([{"name": "voicehost-seat", "value": token, "url": address}])
            await page.goto(address + path)
            pages[name] = page
        await stage.do("начинаем игру", *["дальше"] * 12)
        for _ in range(200):
            if stage.game.step is Step.SPEECH:
                break
            clock.skip(stage.course.keeper.left + 0.01)
            await asyncio.sleep(0.03)
        await asyncio.sleep(0.6)
        for page in pages.values():
            await page.evaluate("window.shifted = 0")
        watch = Watch(remote)
        for seat in range(1, 11):
            await stage.do(Phone(seat, "nominate", str(11 - seat)), "фол игроку три" if seat < 3 else "повторить")
            await asyncio.sleep(0.15)
            await watch.look()
            await stage.do(Phone(seat, "done"))
            await asyncio.sleep(0.15)
            await watch.look()
        assert stage.game.step is Step.VOTE
        shifts = {name: await page.evaluate("window.shifted") for name, page in pages.items()}
    print(shifts)
    assert not watch.moved
    assert max(shifts.values()) <= MOST_SHIFT, shifts


AT_ONCE = """() => new MutationObserver((_, watcher) => {
  watcher.disconnect();
  const tap = new MouseEvent("click", { detail: 1, bubbles: true });
  requestAnimationFrame(() => document.querySelector('[data-focus="end-speech"]').dispatchEvent(tap));
}).observe(document.getElementById("main"), { childList: true, characterData: true, subtree: true })"""


async def test_a_tap_that_was_for_the_step_before_does_nothing(browser: Any) -> None:
    stage = Stage(hosted(dealing="random", seed=2), RealClock())
    async with served(stage) as address:
        page = await remote_of(browser, stage, address)
        await stage.do("начинаем игру", "дальше")
        await page.wait_for_selector('[data-focus="end-speech"]:not([disabled])')
        await page.evaluate(AT_ONCE)
        await stage.do("спасибо")
        await page.wait_for_selector("#problem-line >> text=Шаг уже сменился")
        assert stage.game.seat == 2, "the second speaker keeps his minute"
        await asyncio.sleep(0.5)
        await page.click('[data-focus="end-speech"]')
        await until(lambda: stage.game.seat == 3)
        await page.wait_for_selector("#problem-line:empty", state="attached")


async def test_a_question_is_not_answered_by_a_finger_on_its_way(browser: Any) -> None:
    stage = Stage(hosted(dealing="random", seed=2), RealClock())
    at_once = AT_ONCE.replace('"end-speech"', '"confirm"').replace('"main"', '"question"')
    async with served(stage) as address:
        page = await remote_of(browser, stage, address)
        await stage.do("начинаем игру", "дальше")
        await page.wait_for_selector('[data-focus="end-speech"]:not([disabled])')
        await page.evaluate(at_once)
        await stage.do("удалить игрока номер семь")
        await page.wait_for_selector("[role=alertdialog]")
        await asyncio.sleep(0.6)
        assert 7 in stage.game.alive
        assert stage.course.pending is not None
        await page.click('[data-focus="confirm"]')
        await until(lambda: 7 not in stage.game.alive)


BANNERS = """new MutationObserver(() => {
  const banner = document.getElementById("offline");
  if (banner && !banner.hidden) console.error(`banner on ${location.pathname}`);
}).observe(document, { subtree: true, attributes: true, childList: true });"""


async def test_a_short_break_of_the_line_is_not_told_a_long_one_is(browser: Any) -> None:
    stage = Stage(home(names=(), seed=4), RealClock())
    problems: list[str] = []
    async with served(stage) as address:
        page = await open_page(browser, "about:blank", problems, viewport=PHONE)
        await page.add_init_script(BANNERS)
        await page.goto(f"{address}/join#{stage.keys.join}")
        await Player(3, "Вера", page).join()
        streams = stage.hub.table
        streams.close()
        await asyncio.sleep(0.1)
        streams.closed = False
        await until(lambda: bool(streams.viewers))
        await asyncio.sleep(0.3)
        assert not [problem for problem in problems if "banner" in problem]
        await page.context.set_offline(True)
        streams.close()
        await page.wait_for_selector("#offline:not([hidden])")
        assert await page.inner_text("#offline") == "Нет связи с ведущим компьютером. Соединяюсь снова…"
        streams.closed = False
        await page.context.set_offline(False)
        await page.wait_for_selector("#offline", state="hidden")
