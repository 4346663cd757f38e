"""Lines from a keyboard, and the journal as a game's memory."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from tests.cli.helpers import Call
from voicehost.cli.calling import PushKey, unheard_call
from voicehost.cli.lines import keyboard
from voicehost.cli.memory import JournalMemory
from voicehost.hosting.inputs import Input, Nothing, Said, Skip, Wait
from voicehost.hosting.push import Push
from voicehost.hosting.trigger import Trigger, TriggerKind
from voicehost.record.entries import Entry
from voicehost.record.journal import Journal
from voicehost.rules.events import GameStarted, RolesDealt


@pytest.fixture
def keys() -> Iterator[PipeInput]:
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        yield pipe


async def typed(keys: PipeInput, text: str, count: int) -> list[Input | None]:
    """What so many inputs are, when a text is typed."""
    got: asyncio.Queue[Input | None] = asyncio.Queue()
    async with keyboard(got.put_nowait, lambda: "день 1"):
        keys.send_text(text)
        return [await asyncio.wait_for(got.get(), 20) for _ in range(count)]


async def test_each_line_is_an_input(keys: PipeInput) -> None:
    assert await typed(keys, "дальше\r\r/wait 5\r", 3) == [Said("дальше"), Nothing(), Wait(5.0)]


async def test_ctrl_d_ends_the_input(keys: PipeInput) -> None:
    assert await typed(keys, "дальше\r\x04", 2) == [Said("дальше"), None]


async def test_ctrl_c_stops_the_program(keys: PipeInput) -> None:
    with pytest.raises(KeyboardInterrupt):
        await typed(keys, "даль\x03", 1)


async def test_escape_skips_what_is_being_said(keys: PipeInput) -> None:
    assert await typed(keys, "\x1b", 1) == [Skip()]


async def test_a_very_long_line_is_cut(keys: PipeInput) -> None:
    [line] = await typed(keys, "ф" * 10_050 + "\r", 1)
    assert line == Said("ф" * 10_000)


def entry(first: int, *, events: bool = True) -> Entry:
    happened = ((first, GameStarted()), (first + 1, RolesDealt())) if events else ()
    return Entry("host", "start-game", {}, "начинаем", happened, 1.0, 0.0)


def test_a_game_begins_with_its_first_event() -> None:
    with Journal.in_memory() as journal:
        memory = JournalMemory(journal, {"rules": "sport"})
        memory.append(entry(1, events=False))
        assert journal.games() == []
        memory.append(entry(1))
        memory.append(entry(3, events=False))
        [record] = journal.games()
        assert (record.id, record.entries, record.last_seq) == (memory.game, 2, 2)
        assert record.setup == {"rules": "sport"}


def test_the_next_game_is_another_and_frees_the_first() -> None:
    with Journal.in_memory() as journal:
        memory = JournalMemory(journal, {"first_seq": 1})
        memory.append(entry(1))
        first = memory.game
        memory.begin({"first_seq": 3})
        assert memory.game is None
        memory.append(entry(3))
        assert memory.game != first
        assert {record.setup["first_seq"] for record in journal.games()} == {1, 3}
        assert first is not None
        journal.delete(first)  # nobody holds it any more


def test_a_game_that_is_resumed_goes_on_in_its_own_place() -> None:
    with Journal.in_memory() as journal:
        memory = JournalMemory(journal, {})
        memory.append(entry(1))
        again = JournalMemory(journal, {}, memory.game)
        again.append(entry(3))
        [record] = journal.games()
        assert record.last_seq == 4


async def struck(keys: PipeInput, text: str, name: str, count: int) -> tuple[list[Input | None], int]:
    """What so many inputs are, and how often the key was struck meanwhile."""

    class Counted(Push):
        strikes = 0

        def strike(self) -> None:
            self.strikes += 1

    push = Counted()
    got: asyncio.Queue[Input | None] = asyncio.Queue()
    async with keyboard(got.put_nowait, lambda: "день 1", PushKey(name, push)):
        keys.send_text(text)
        return [await asyncio.wait_for(got.get(), 20) for _ in range(count)], push.strikes


@pytest.mark.parametrize(
    ("name", "text", "lines", "strikes"),
    [
        ("space", " фол третьему\r  дальше\r", [Said("фол третьему"), Said("дальше")], 3),
        ("space", "фол третьему\rдальше\r", [Said("фол третьему"), Said("дальше")], 0),
        ("enter", "\rпауза\r\rдальше\r", [Said("пауза"), Said("дальше")], 2),
        ("f2", "пау\x1bOQза\r", [Said("пауза")], 1),
        ("ё", "ёещё\r", [Said("ещё")], 1),
    ],
)
async def test_the_key_counts_only_where_it_types_nothing(
    keys: PipeInput, name: str, text: str, lines: list[Input], strikes: int
) -> None:
    assert await struck(keys, text, name, len(lines)) == (lines, strikes)


def test_the_status_line_says_whether_it_listens() -> None:
    key = PushKey("space", Push())
    assert "пробел" in key.status()
    key.push.strike()
    assert key.status() == "● СЛУШАЮ"


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--push-key", "ctrl"], "ctrl"),
        (["--push-key", "/"], "/"),
        (["--push-key", "f13"], "f13"),
        (["--wake-word", " , "], "--wake-word"),
        (["--wake-word", "раз два три четыре пять"], "пять"),
    ],
)
def test_keys_and_wake_words_that_are_none(call: Call, options: list[str], word: str) -> None:
    done = call("play", "--input", "text", "--voice", "none", *options)
    assert done.status == 2
    assert word in done.err
    assert len(done.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "warned"), [(("алло",), True), (("ведущий",), False), (("алло", "судья"), False), (("эй алло",), True)]
)
def test_a_wake_word_that_the_model_cannot_hear_is_told(words: tuple[str, ...], warned: bool) -> None:
    class Recogniser:
        model = "small"

        def unknown(self, phrase: str) -> list[str]:
            return [word for word in phrase.split() if word == "алло"]

    called = Trigger(TriggerKind.WAKE, wake_words=words)
    assert (unheard_call(called, Recogniser()) is not None) is warned
    assert unheard_call(Trigger(wake_words=words), Recogniser()) is None
    assert unheard_call(called, None) is None
