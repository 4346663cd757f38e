"""Ten phones, a table and a remote in a real browser play a whole home game by taps, to the end."""

from __future__ import annotations

import asyncio
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.components import REPOSITORY
from tests.web.players import PHONE, Player, open_page, seen, until
from tests.web.stage import NAMES, HurriedClock, Stage, home, hosted, served
from voicehost.hosting.clock import RealClock
from voicehost.rules.commands import COMMANDS
from voicehost.rules.game import SPEAKING, Step
from voicehost.rules.legal import legal
from voicehost.rules.ruleset import load

pytestmark = pytest.mark.slow

PICTURES = REPOSITORY / "voicehost" / "docs" / "pictures"


def quick_rules() -> Any:
    """The sport rules with short times: people who tap need no minute."""
    return replace(
        load("sport"),
        contract_seconds=3,
        hunt_number_seconds=20,
        check_seconds=60,
    )


class Game:
    """A whole game played by its ten people."""

    def __init__(self, stage: Stage, players: list[Player]) -> None:
        self.stage = stage
        self.players = {player.seat: player for player in players}

    @property
    def step(self) -> Step:
        return self.stage.game.step

    async def hurry(self, past: Any) -> None:
        """Put the clock forward until something is over."""
        keeper = self.stage.course.keeper
        while not past():
            self.stage.course.clock.skip(keeper.tick_left if self.step is Step.HUNT else keeper.left)
            await asyncio.sleep(0.05)

    async def deal(self) -> None:
        for seat, player in self.players.items():
            await until(lambda seat=seat: self.step is Step.DEAL and self.stage.game.seat == seat)
            await player.page.wait_for_selector(".card-back")
            await player.draw(1)
        await until(lambda: self.step is not Step.DEAL)
        assert [player.role for player in self.players.values()] == [
            self.stage.game.role(s) for s in self.stage.game.seats
        ]

    async def day(self, victim: int, other: int) -> None:
        """Everyone speaks; the first two put ``victim`` and ``other`` up; all vote for ``victim``."""
        put_up = [victim, other]
        while self.step in {Step.SPEECH, Step.NOMINATE_ONLY}:
            serial, speaker = self.stage.game.serial, self.stage.game.seat
            assert speaker is not None
            page = self.players[speaker].page
            await page.wait_for_selector(".primary")
            if put_up:
                seat = put_up.pop(0)
                await page.click(f'.pad [data-focus="n{seat}"]')
                await until(lambda seat=seat: seat in self.stage.game.nominees)
            await page.click('[data-focus="done"]')
            await until(lambda serial=serial: self.stage.game.serial != serial)
        while self.step is Step.VOTE:
            ballot = self.stage.game.ballot
            assert ballot is not None
            if ballot.candidate == victim:
                voters = [self.players[seat].page for seat in self.stage.game.alive]
                hands = (page.click('[data-focus="vote"]', timeout=5000) for page in voters)
                await asyncio.gather(*hands, return_exceptions=True)  # who is late has not voted
            await until(lambda: self.step is not Step.VOTE)

    async def last_words(self) -> None:
        while self.step in SPEAKING and self.step is Step.LAST_WORD:
            serial, seat = self.stage.game.serial, self.stage.game.seat
            assert seat is not None
            await self.players[seat].page.click('[data-focus="done"]')
            await until(lambda serial=serial: self.stage.game.serial != serial)

    async def night(self, target: int) -> dict[int, str]:
        """Every black touches while ``target`` is called, the reds at other times; then both checks."""
        game = self.stage.game
        await until(lambda: self.step is Step.HUNT and self.stage.course.keeper.tick is not None)
        for player in self.players.values():
            await player.page.wait_for_selector(".dark-touch")
        screens = {await player.dark() for player in self.players.values()}
        assert len(screens) == 1, "every phone has the same dark screen"
        blacks = [seat for seat in game.alive if game.black(seat)]
        for number in range(1, target):
            await self.hurry(lambda number=number: self.stage.course.keeper.tick != number)
        await asyncio.gather(*(self.players[seat].touch() for seat in blacks))
        await until(lambda: {shot[0] for shot in self.stage.game.shots} >= set(blacks))
        noisy = [seat for seat in game.seats if seat not in blacks][:3]
        await asyncio.gather(*(self.players[seat].touch() for seat in noisy))
        answers = {}
        while self.step is Step.HUNT:
            number = self.stage.course.keeper.tick
            await self.hurry(lambda number=number: self.stage.course.keeper.tick != number)
        for step, leader in ((Step.DON_CHECK, game.don), (Step.SHERIFF_CHECK, game.sheriff)):
            await until(lambda step=step: self.step is step)
            for player in self.players.values():
                await player.page.wait_for_selector(".dark-pad")
            screens = {await player.dark() for player in self.players.values()}
            assert len(screens) == 1
            assert leader is not None
            bystander = next(seat for seat in game.seats if seat != leader)
            wanted = game.sheriff if step is Step.DON_CHECK else game.don
            assert wanted is not None
            if leader in game.alive:
                answers[leader] = await self.players[leader].check(wanted)
            assert await self.players[bystander].check(wanted) == "—"
            await self.hurry(lambda step=step: self.step is not step)
        await until(lambda: self.step not in {Step.DON_CHECK, Step.SHERIFF_CHECK})
        return answers


async def test_a_whole_game_without_a_host(browser: Any) -> None:
    stage = Stage(home(quick_rules(), names=()), HurriedClock())
    problems: list[str] = []
    async with served(stage) as address:
        table = await open_page(browser, address + "/", problems, viewport={"width": 1280, "height": 720})
        remote = await open_page(browser, f"{address}/host#{stage.keys.host}", problems, viewport=PHONE)
        assert "#" not in remote.url
        players = []
        for seat, name in enumerate(NAMES, 1):
            page = await open_page(
                browser, f"{address}/join#{stage.keys.join}", problems, viewport=PHONE, has_touch=True
            )
            assert "#" not in page.url
            player = Player(seat, name, page)
            await player.join()
            players.append(player)
        game = Game(stage, players)
        await seen(table, "document.querySelectorAll('.seat').length === 10")
        await remote.click('[data-focus="start-game"]')
        await game.deal()
        await until(lambda: game.step is Step.CONTRACT)
        await players[0].page.wait_for_selector(".dark-touch")
        assert await table.evaluate("document.body.classList.contains('is-night')")
        rounds = 0
        while game.step is not Step.OVER:
            await until(lambda: game.step in {Step.SPEECH, Step.OVER})
            if game.step is Step.OVER:
                break
            alive = stage.game.alive
            reds = [seat for seat in alive if not stage.game.black(seat) and seat != stage.game.sheriff]
            await game.day(victim=reds[0], other=reds[1])
            await game.last_words()
            await until(lambda: game.step in {Step.HUNT, Step.OVER})
            if game.step is Step.OVER:
                break
            target = next(seat for seat in reversed(stage.game.alive) if not stage.game.black(seat))
            answers = await game.night(target)
            assert target not in stage.game.alive
            if rounds == 0:
                assert answers[stage.game.don] == f"{stage.game.sheriff}: шериф"
                assert answers[stage.game.sheriff] == f"{stage.game.don}: чёрный"
                await reload_in_the_night_and_day(stage, players[0])
            await game.last_words()
            rounds += 1
        assert stage.game.result == ("mafia", "parity")
        for page in (table, *(player.page for player in players)):
            await seen(page, "document.body.textContent.includes('Победа мафии')")
        roles = await table.eval_on_selector_all(".seat", "seats => seats.map(s => s.dataset.role)")
        assert roles == [player.role for player in players]
        await remote.wait_for_selector('[data-focus="play-again"]')
    assert not [problem for problem in problems if "ERR_" not in problem]


async def reload_in_the_night_and_day(stage: Stage, player: Player) -> None:
    """A page that was reloaded is where it was, still the same seat."""
    await player.page.reload()
    await player.page.wait_for_selector(".me-number", state="attached")
    assert await player.peek() == player.role


async def test_the_remote_by_keyboard_alone(browser: Any) -> None:
    stage = Stage(hosted(dealing="random", seed=2), RealClock())
    async with served(stage) as address:
        page = await open_page(browser, f"{address}/host#{stage.keys.host}", [], viewport=PHONE)
        await page.wait_for_selector('[data-focus="start-game"]')
        for _ in range(6):
            await page.keyboard.press("Tab")
            if await page.evaluate("document.activeElement.dataset.focus") == "start-game":
                break
        await page.keyboard.press("Enter")
        await until(lambda: stage.game.step is Step.CONTRACT)
        await stage.do("дальше")
        await page.wait_for_selector('[data-focus="s5"]:not([disabled])')
        await page.focus('[data-focus="s5"]')
        await page.keyboard.press("Enter")
        await until(lambda: stage.game.nominees == (5,))
        await stage.do("удалить игрока номер семь")
        await page.wait_for_selector("[role=alertdialog]")
        assert await page.evaluate("document.activeElement.dataset.focus") == "deny", "a stray Enter removes nobody"
        await page.keyboard.press("Enter")
        await until(lambda: stage.course.pending is None)
        assert 7 in stage.game.alive


SHOWN = "() => [...new Set([...document.querySelectorAll('[data-command]')].map((e) => e.dataset.command))].sort()"


async def test_the_remote_has_a_button_for_all_that_may_be_said(browser: Any) -> None:
    stage = Stage(hosted("fsm"), RealClock())
    async with served(stage) as address:
        page = await open_page(browser, f"{address}/host#{stage.keys.host}", [], viewport=PHONE)
        script = ["", "начинаем игру", *["дальше"] * 5, "выставляю номер два", "фол игроку три", "отмена"]
        script += [
            "удалить игрока номер девять",
            "нет",
            *["спасибо"] * 10,
            "дальше",
            "убит седьмой",
            "дальше",
            "дальше",
        ]
        script += ["дальше", "победа города", "играем ещё раз"]
        seen: set[str] = set()
        for line in script:
            if line:
                await stage.do(line)
            allowed = sorted(legal(stage.game))
            await until(lambda allowed=allowed: shows(page, allowed), 10)
            seen |= set(allowed)
        spoken = {name for name, kind in COMMANDS.items() if kind.spoken}
        rare = {"withdraw", "votes", "don-check", "sheriff-check", "team-defeat", "best-move"}
        assert spoken - seen <= rare


async def shows(page: Any, allowed: list[str]) -> bool:
    return bool(await page.evaluate(SHOWN) == allowed)


NAMELESS = (Path(__file__).parent / "nameless.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", ["/", "/host", "/join", "/overlay"])
@pytest.mark.parametrize("language", ["ru", "bg", "en"])
async def test_everything_has_a_name_for_a_screen_reader(browser: Any, path: str, language: str) -> None:
    stage = Stage(home(seed=4), RealClock())
    keys = {"/host": f"#{stage.keys.host}", "/join": f"#{stage.keys.join}"}
    async with served(stage) as address:
        await stage.do("начинаем игру", "дальше") if path != "/join" else None
        page = await open_page(browser, f"{address}{path}?lang={language}{keys.get(path, '')}", [], viewport=PHONE)
        await seen(page, "document.querySelectorAll('.seat, [data-seat], .host-seats button').length >= 10")
        assert await page.evaluate(NAMELESS) == []
        assert await page.evaluate("document.querySelectorAll('main').length") == 1
        assert await page.evaluate("document.documentElement.lang") == language
        body = await page.inner_text("body")
        assert "{" not in body


CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/host"])
async def test_text_can_be_read(browser: Any, path: str, scheme: str) -> None:
    stage = Stage(home(seed=4), RealClock())
    async with served(stage) as address:
        await stage.do("начинаем игру", "дальше", 0.0)
        stage.course.keeper._timer.left = 0.0  # type: ignore[union-attr]
        stage.course.stirred.set()
        await until(lambda: stage.game.step is Step.SPEECH)
        await stage.do("выставляю номер два", "фол игроку три")
        key = f"#{stage.keys.host}" if path == "/host" else ""
        size = PHONE if path == "/host" else {"width": 1920, "height": 1080}
        page = await open_page(browser, address + path + key, [], viewport=size, color_scheme=scheme)
        await page.wait_for_selector("text=День 1")
        await asyncio.sleep(0.8)
        assert await page.evaluate(CONTRAST) == []


async def test_pages_are_light(browser: Any) -> None:
    stage = Stage(home(seed=4), RealClock())
    keys = {"/host": f"#{stage.keys.host}", "/join": f"#{stage.keys.join}"}
    async with served(stage) as address:
        for path in ("/", "/overlay", "/host", "/join"):
            context = await browser.new_context()
            page = await context.new_page()
            sizes: list[int] = []
            strangers: list[str] = []

            async def count(response: Any, sizes: list[int] = sizes, strangers: list[str] = strangers) -> None:
                if not response.url.startswith(address):
                    strangers.append(response.url)
                if "/stream/" not in response.url:
                    sizes.append(len(await response.body()))

            page.on("response", lambda response: asyncio.ensure_future(count(response)))
            await page.goto(address + path + keys.get(path, ""))
            await seen(page, "document.querySelectorAll('.seat, [data-seat], .host-seats button').length >= 10")
            await asyncio.sleep(0.2)
            assert not strangers
            assert 10_000 < sum(sizes) < 150_000, path
            await context.close()


async def test_behind_the_overlay_the_video_is_seen(browser: Any) -> None:
    stage = Stage(hosted(), RealClock())
    async with served(stage) as address:
        page = await open_page(browser, address + "/overlay", [], color_scheme="dark")
        await page.wait_for_selector(".seat")
        picture = await page.screenshot(omit_background=True)
    assert picture[25] == 6, "a picture with transparency"
    start = picture.index(b"IDAT")
    length = int.from_bytes(picture[start - 4 : start], "big")
    rows = zlib.decompressobj().decompress(picture[start + 4 : start + 4 + length], 64)
    assert rows[1:5][3] == 0, "the corner is transparent"


async def test_the_clock_of_a_page_is_the_games(browser: Any) -> None:
    stage = Stage(hosted(), RealClock())
    async with served(stage) as address:
        await stage.do("начинаем игру", "дальше")
        page = await open_page(browser, address + "/", [])
        await page.wait_for_selector("body.has-timer")
        for _ in range(3):
            await asyncio.sleep(0.4)
            shown = int(await page.inner_text("#digits"))
            assert abs(shown - stage.course.keeper.left) < 1.5


def test_pictures_are_small() -> None:
    pictures = sorted(PICTURES.glob("*.png"))
    assert pictures
    assert all(path.stat().st_size <= 80_000 for path in pictures)
