"""A game with a microphone: typed lines count while a large model is loaded, and the host is told what is wrong."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic, sleep

import pytest

from tests.hosting.typed import ROLES
from tests.stt.test_loading import Loading
from voicehost.audio.pcm import Block
from voicehost.audio.stream import DeviceEvent
from voicehost.cli.listening import Listening
from voicehost.cli.memory import JournalMemory
from voicehost.cli.mouth import Mouth
from voicehost.cli.pages import Pages
from voicehost.errors import UserError
from voicehost.hosting.clock import RealClock
from voicehost.hosting.conductor import Conductor
from voicehost.hosting.course import Course
from voicehost.hosting.inputs import Input, Quit, read_line
from voicehost.hosting.messages import Message
from voicehost.hosting.ports import SilentSpeaker
from voicehost.hosting.setup import make_setup
from voicehost.hosting.words import Words
from voicehost.language.pack import load_pack
from voicehost.record.journal import Journal
from voicehost.rules.ruleset import shipped
from voicehost.web.hub import Hub


class Microphone:
    """Gives a second of silence a hundred times a second."""

    name = "Desk"
    ended = False

    def __init__(self) -> None:
        self.overflows = 0
        self.given = 0
        self.closed = False

    def read(self, timeout: float | None = None) -> Block:
        sleep(0.01)
        self.given += 1
        return Block(bytes(32_000), self.given - 1.0, monotonic())

    def close(self) -> None:
        self.closed = True


class Evening:
    """A game that is conducted in the background."""

    def __init__(self, loading: Loading, *, required: bool = False) -> None:
        self.told: list[Message] = []
        self.inputs: asyncio.Queue[Input | None] = asyncio.Queue()
        self.microphone = Microphone()
        self.sound = Listening(
            Mouth(SilentSpeaker()), self.microphone, loading.loading, self.inputs.put_nowait, required=required
        )
        setup = make_setup(shipped("sport"), dealing=ROLES)
        course = Course(
            setup,
            words=Words(load_pack("ru"), setup.rules.manner),
            clock=RealClock(),
            tell=self.told.append,
            memory=JournalMemory(Journal.in_memory(now=lambda: 0.0), setup.to_mapping()),
            speaker=self.sound.speaker,
        )
        self.conductor = Conductor(course)
        self.conductor.open(None)
        self.sound.start(self.conductor)
        self.conducted = asyncio.ensure_future(self.sound.conduct(self.conductor, self.inputs))

    async def until(self, wanted: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not wanted():
                await asyncio.sleep(0.005)

    def heard(self) -> list[str]:
        return [message["command"] for message in self.told if message["type"] == "heard"]

    async def leave(self) -> None:
        self.inputs.put_nowait(Quit())
        await self.conducted
        self.sound.close()
        assert self.microphone.closed


async def test_typed_lines_count_while_the_model_is_loaded(capsys: pytest.CaptureFixture[str]) -> None:
    loading = Loading()
    evening = Evening(loading)
    evening.inputs.put_nowait(read_line("начинаем игру"))
    await evening.until(lambda: evening.heard() == ["start-game"])
    assert loading.loading.loading
    assert "загружается" in evening.sound.status()
    told = capsys.readouterr().err
    assert "Загружается модель large" in told
    assert "Слушаю" not in told
    loading.done()
    await evening.until(lambda: len(evening.heard()) > 1)  # and now it hears «дальше»
    assert set(evening.heard()[1:]) == {"next"}
    assert "Слушаю микрофон «Desk», распознаёт slow (large)" in capsys.readouterr().err
    assert evening.sound.status() == ""
    await evening.leave()


async def test_a_game_that_is_left_while_the_model_is_loaded_waits_for_nothing() -> None:
    loading = Loading()
    evening = Evening(loading)
    await evening.leave()
    assert loading.loading.loading
    loading.done()


async def test_a_model_that_is_broken_leaves_typed_lines(capsys: pytest.CaptureFixture[str]) -> None:
    loading = Loading(UserError("models.broken", file="model.bin", detail="-"))
    evening = Evening(loading)
    loading.done()
    await evening.until(lambda: not evening.sound.hears)
    told = capsys.readouterr().err
    assert "с клавиатуры" in told
    assert "model.bin" in told
    evening.inputs.put_nowait(read_line("начинаем игру"))
    await evening.until(lambda: evening.heard() == ["start-game"])
    evening.sound.no_more_lines(evening.inputs.put_nowait)
    await evening.conducted
    evening.sound.close()


async def test_without_lines_and_without_a_model_the_game_is_over() -> None:
    loading = Loading(UserError("models.broken", file="model.bin", detail="-"))
    evening = Evening(loading)
    evening.sound.no_more_lines(evening.inputs.put_nowait)
    await asyncio.sleep(0.05)
    assert not evening.conducted.done()
    loading.done()
    await asyncio.wait_for(evening.conducted, 20)
    evening.sound.close()


async def test_who_asked_for_the_microphone_is_told_why_he_cannot_have_it() -> None:
    loading = Loading(UserError("models.broken", file="model.bin", detail="-"))
    evening = Evening(loading, required=True)
    loading.done()
    with pytest.raises(UserError):
        await asyncio.wait_for(evening.conducted, 20)
    evening.sound.close()


@pytest.mark.parametrize(("what", "words"), [("dumb", "ни звука"), ("silent", "одна тишина")])
async def test_a_microphone_that_gives_nothing_is_told(
    what: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    loading = Loading()
    evening = Evening(loading)
    capsys.readouterr()
    evening.sound.device_changed(DeviceEvent(what, "microphone", "Desk"))  # type: ignore[arg-type]
    told = capsys.readouterr().err
    assert words in told
    assert len(told.strip().splitlines()) == 1
    await evening.leave()
    loading.done()


async def test_lost_sound_is_told_to_the_host_and_shown_to_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    loading = Loading()
    evening = Evening(loading)
    hub = Hub()
    hub.attach(evening.conductor)
    pages = Pages.__new__(Pages)
    pages.hub = hub
    evening.sound.on_lost_sound = pages.lost_sound
    before = hub.table.number
    capsys.readouterr()
    for evening.microphone.overflows in (1, 7):
        evening.sound.device_changed(DeviceEvent("overflow", "microphone", "Desk"))
    await evening.until(lambda: b'"lost_sound":7' in hub.table.frame and b'"lost_sound":7' in hub.host.frame)
    assert hub.table.number > before
    told = capsys.readouterr().err.strip().splitlines()
    assert [line.split("раз: ")[1][0] for line in told] == ["1", "7"]
    assert evening.heard() == []
    await evening.leave()
    loading.done()
