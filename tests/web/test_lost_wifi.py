"""A phone that loses the wifi at night: the game goes on by rule, the phone catches up, and nobody else can tell."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest

from tests.web.players import PHONE, Player, open_page, seen, until
from tests.web.stage import NAMES, HurriedClock, Stage, home, served
from tests.web.two_deals import Evening, Plan, deck
from tests.web.wire import Wire, settle
from voicehost.rules.game import Step

pytestmark = pytest.mark.slow

NIGHT = Plan(nominees=(2, 3, 4), voted=3, shot=None)


@pytest.fixture
def presence_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone counts as gone the moment its stream ends, so that nothing hides behind the usual five seconds."""
    monkeypatch.setattr("voicehost.web.room.GONE_SECONDS", 0.0)
    monkeypatch.setattr("voicehost.web.pages.PING_SECONDS", 3600)


class Night:
    """A night of an evening played byte for byte, in which one phone may lose its stream for thirty seconds."""

    def __init__(self, cards: list[str], *, lost: int | None, since: Step) -> None:
        self.evening = Evening("sport", 10, cards, secret_seed=5)
        self.lost, self.since = lost, since
        self.back: Wire | None = None
        self.last_id = ""
        self.away = 0.0

    async def play(self) -> None:
        evening = self.evening
        await evening.open()
        await evening.begin()
        await evening.day(NIGHT)
        while evening.stage.game.is_night:
            game = evening.stage.game
            if self.lost and game.step is self.since and not self.last_id:
                await self.lose()
            if game.step in {Step.DON_CHECK, Step.SHERIFF_CHECK}:
                leader = game.don if game.step is Step.DON_CHECK else game.sheriff
                if leader != self.lost or self.back:
                    await evening.night_act(leader or 0, "choose", 1)
            await evening.wait(2.0)
            self.away += 2.0 if self.last_id and not self.back else 0.0
            if self.away >= 30.0 and self.back is None:
                await self.come_back()
        if self.last_id and self.back is None:
            await self.come_back()

    async def lose(self) -> None:
        assert self.lost
        wire = self.evening.streams.pop(f"seat {self.lost}")
        self.last_id = wire.body.rpartition(b"id: ")[2].partition(b"\n")[0].decode()
        await wire.close()
        self.evening.stage.hub.flush()
        await settle()

    async def come_back(self) -> None:
        stage, phone = self.evening.stage, self.evening.phones[self.lost or 0]
        cookie = f"voicehost-seat={phone.cookies['voicehost-seat']}"
        self.back = Wire(stage.app, "/stream/seat", stage.course.clock.now, cookie, self.last_id)
        await settle()


def dark(wire: Wire) -> list[tuple[float, bytes]]:
    """What came while eyes were shut, and when; by day the table is told whose phone is missing."""
    return [(moment, chunk) for moment, chunk in wire.chunks if b'"eyes":"shut"' in chunk]


@pytest.mark.usefixtures("presence_at_once")
@pytest.mark.parametrize(
    ("role", "since"),
    [("city", Step.HUNT), ("don", Step.HUNT), ("don", Step.DON_CHECK), ("sheriff", Step.SHERIFF_CHECK)],
)
async def test_nobody_can_tell_that_a_phone_was_lost_at_night(role: str, since: Step) -> None:
    cards = deck("sport", 10, 3)
    plain = Night(cards, lost=None, since=since)
    await plain.play()
    lost = plain.evening.stage.game.roles.index(role) + 1
    broken = Night(cards, lost=lost, since=since)
    await broken.play()
    try:
        assert broken.evening.stage.game.roles == plain.evening.stage.game.roles
        assert broken.last_id, "the phone was lost"
        assert broken.away >= 30.0 or since is not Step.HUNT
        for name, wire in broken.evening.streams.items():
            assert dark(wire) == dark(plain.evening.streams[name]), name
        assert len(dark(broken.evening.streams["table"])) > 12
        assert broken.evening.stage.game.step is plain.evening.stage.game.step
        assert broken.back is not None
        table = broken.evening.streams["table"].body
        frames = broken.back.body.split(b"\n\n")
        states = [frame for frame in frames if b"event: state" in frame]
        assert states, "it catches up"
        assert all(frame in table for frame in states), "with frames that everyone has had"
        assert broken.last_id.encode() not in broken.back.body, "and not with what it knew already"
    finally:
        for night in (plain, broken):
            await night.evening.close()


class Wifi:
    """A relay between one phone and the server that can be lost: in silence, or with every connection broken."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._there = asyncio.Event()
        self._there.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def open(self) -> str:
        self._server = await asyncio.start_server(self._relay, "127.0.0.1", 0)
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._there.wait()
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._port)
        ends = {writer, there_writer}
        self._writers |= ends
        await asyncio.gather(self._pump(reader, there_writer), self._pump(there_reader, writer))
        self._writers -= ends

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                await self._there.wait()
                writer.write(data)
                await writer.drain()
        writer.close()

    def lose(self, *, broken: bool) -> None:
        """Let nothing through any more."""
        self._there.clear()
        if broken:
            for writer in self._writers:
                writer.transport.abort()

    def find(self) -> None:
        """Let everything through again, also what has waited."""
        self._there.set()

    def close(self) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()


async def phone_of(browser: Any, stage: Stage, address: str, seat: int) -> Player:
    token, _ = stage.keys.take(seat)
    page = await open_page(browser, f"{address}/join", [], viewport=PHONE)
    await page.context.add_cookies([{"name": "voicehost-seat", "value": token, "url": address}])
    await page.goto(f"{address}/seat")
    return Player(seat, NAMES[seat - 1], page)


async def pass_time(stage: Stage, seconds: float) -> None:
    """Let game time pass in steps so small that no number of the hunt is jumped over."""
    clock = stage.course.clock
    assert isinstance(clock, HurriedClock)
    for _ in range(round(seconds)):
        clock.skip(1.0)
        await asyncio.sleep(0.03)


async def until_step(stage: Stage, step: Step) -> None:
    for _ in range(200):
        if stage.game.step is step:
            return
        await pass_time(stage, 1)
    raise AssertionError(f"still {stage.game.step}")


LONG = pytest.mark.long


@pytest.mark.parametrize(
    ("role", "step", "broken", "away"),
    [
        ("city", Step.HUNT, True, 1.0),
        ("don", Step.DON_CHECK, False, 1.0),
        pytest.param("city", Step.HUNT, False, 30.0, marks=LONG),
        pytest.param("don", Step.DON_CHECK, True, 30.0, marks=LONG),
        pytest.param("sheriff", Step.SHERIFF_CHECK, False, 30.0, marks=LONG),
    ],
)
async def test_the_night_goes_on_without_a_phone_and_takes_it_back(
    browser: Any, monkeypatch: pytest.MonkeyPatch, role: str, step: Step, broken: bool, away: float
) -> None:
    """``away`` is real time for the browser; the game's own clock is put forward by thirty seconds in any case."""
    monkeypatch.setattr("tests.web.stage.Hosts", lambda names, port: lambda host: host.startswith("127.0.0.1:"))
    stage = Stage(home("sport", names=NAMES, seed=4), HurriedClock())
    async with served(stage) as address:
        wifi = Wifi(int(address.rpartition(":")[2]))
        relayed = await wifi.open()
        await stage.do("начинаем игру", "дальше")
        seat = stage.game.roles.index(role) + 1
        lost = await phone_of(browser, stage, relayed, seat)
        other = await phone_of(browser, stage, address, seat % 10 + 1)
        await until_step(stage, Step.SPEECH)
        await stage.do(*["спасибо"] * 10)
        await until_step(stage, step)
        for player in (lost, other):
            await player.page.wait_for_selector(".dark-touch" if step is Step.HUNT else ".dark-pad")

        wifi.lose(broken=broken)
        await lost.page.context.set_offline(True)
        if broken:
            await seen(lost.page, "document.documentElement.dataset.online === 'no'")
            await until(lambda: not stage.room.phones[seat])
        if step is Step.HUNT:
            await lost.touch()  # lost with the line, and never sent again
        assert await lost.page.locator("#offline").is_hidden(), "nothing lights up in the dark"
        assert await lost.dark() == await other.dark(), "it stays as dark as the others"
        # In thirty real seconds the night may go on of itself.
        inputs = len(stage.messages)
        await asyncio.sleep(away)
        await pass_time(stage, 30)
        assert stage.game.step is not step, "nobody is waited for"
        assert len(stage.messages) > inputs
        assert stage.hub.house.absent == () or not stage.hub.eyes_shut, "at night nobody is told"

        wifi.find()
        await lost.page.context.set_offline(False)
        await until(lambda: bool(stage.room.phones[seat]))
        await until_step(stage, Step.SPEECH)
        for player in (lost, other):
            await player.page.wait_for_selector(".me-phase >> text=День 2", timeout=30_000)
        assert await lost.peek() == role
        assert seat not in {shooter for shooter, _ in stage.game.shots}
        wifi.close()
