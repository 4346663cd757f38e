"""Edge cases 71–80: what can go wrong around the game, in the program that hosts it."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from itertools import pairwise

import pytest

from tests.games import prelude
from tests.games.runner import played
from tests.games.transcript import paths
from tests.hosting.live import LiveGame, SlowSpeaker, play
from tests.hosting.punctual import LoopSpeaker
from tests.hosting.typed import TypedGame
from voicehost.hosting.clock import VirtualClock
from voicehost.hosting.hearing import Ear
from voicehost.hosting.inputs import Said
from voicehost.hosting.resume import replay
from voicehost.hosting.timekeeper import Timekeeper
from voicehost.hosting.trigger import Trigger, TriggerKind
from voicehost.language.commands import parse
from voicehost.language.pack import load_pack
from voicehost.rules.commands import Command
from voicehost.rules.game import Mode
from voicehost.rules.legal import fits, legal

START = [(0.0, "начинаем игру"), (20.0, "дальше")]
"""To the first speech by the sport rules; with a silent speaker it begins at 20."""


def typed(beginning: str, rules: str = "sport", mode: Mode = Mode.HOSTED) -> TypedGame:
    game = TypedGame(rules, mode=mode).open()
    for step in prelude.steps(beginning):
        for command in prelude.commands(step, lambda: game.game):
            if isinstance(command, Command):
                game.conductor.command(command, "")
            else:
                game.say(command)
    return game


# --- 71. A foul while a timer runs must not stop or restart it


@pytest.mark.parametrize(
    "fouls", [["фол второму"], ["фол первому"] * 3, ["технический фол второму", "минус фол второму"]]
)
def test_71_fouls_do_not_touch_the_clock(fouls: list[str]) -> None:
    script = [(35.0 + i, foul) for i, foul in enumerate(fouls)]
    game = play([*START, *script], 90.0, SlowSpeaker(0.0))
    told = [(told.message["state"], round(told.at, 3)) for told in game.of("timer", name="speech", seat=1)]
    assert told == [("started", 20.0), ("warning", 70.0), ("elapsed", 80.0)]


def test_71_not_even_the_fourth_foul_of_another() -> None:
    game = play([*START, (35.0, "три фола второму"), (36.0, "фол второму")], 90.0)
    assert game.when("timer", name="speech", seat=1, state="elapsed") == [80.0]


def test_71_a_technical_pause_is_a_command_of_its_own() -> None:
    game = play([*START, (35.0, "пауза"), (36.0, "фол второму"), (50.0, "продолжить")], 110.0)
    assert game.when("timer", name="speech", seat=1, state="elapsed") == [95.0]


# --- 72. The next cue waits for the last one


def test_72_a_burst_of_lines_is_heard_one_after_another() -> None:
    speaker = SlowSpeaker(3.0)
    burst = [(20.0, "дальше"), (20.1, "фол третьему"), (20.2, "кто жив"), (20.3, "спасибо"), (20.4, "фол пятому")]
    game = play([START[0], *burst], 120.0, speaker)
    assert all(after.began >= before.ended for before, after in pairwise(speaker.heard))
    assert sorted(line.text for line in speaker.heard) == sorted(told.message["text"] for told in game.of("say"))


def test_72_a_timer_that_would_run_out_meanwhile_waits_for_its_line() -> None:
    """Ten seconds to nominate, and an announcement of twenty before them."""
    talk = [(21.0, "три фола второму"), (22.0, "спасибо")]
    game = play([*START, *talk], 300.0, SlowSpeaker(20.0))
    [start] = game.when("timer", name="nominate-only", state="started")
    assert game.when("timer", name="nominate-only", state="elapsed") == [start + 10]


# --- 73. «Десять секунд» takes time itself


def test_73_the_words_are_over_when_ten_seconds_are_left() -> None:
    speaker = LoopSpeaker()
    game = play(START, 120.0, speaker)
    [start] = game.when("timer", name="speech", seat=1, state="started")
    [(_, ended)] = speaker.times("Десять секунд.")[:1]
    assert ended == pytest.approx(start + 50, abs=0.001)


def test_73_they_do_not_move_the_end() -> None:
    game = play(START, 120.0, SlowSpeaker(4.0))
    [start] = game.when("timer", name="speech", seat=1, state="started")
    assert game.when("timer", name="speech", seat=1, state="elapsed") == [start + 60]


# --- 74. Digits and «№» are dropped by some voices: numbers are words


def test_74_no_spoken_line_has_a_digit() -> None:
    told = [message["text"] for path in paths() for message in played(path).messages if message["type"] == "say"]
    assert len(told) > 1000
    assert [text for text in told if re.search(r"[\d№#]", text)] == []


# --- 75. A closed grammar hears its own phrases in any talk


@pytest.mark.parametrize(
    "talk",
    [
        "я думаю что удалить игрока номер пять было бы правильно",
        "ну какой же он мирный он чёрный",
        "фол",
        "третьему",
        "убит",
        "дон проверяет",
        "выставляю",
        "голосуют",
        "за пятого голосуют",
        "спасибо что выслушали меня внимательно",
        "да",
    ],
)
def test_75_part_of_a_command_is_none_and_talk_with_a_command_in_it_is_none(talk: str) -> None:
    game = typed("start; nominate 2")
    assert [told["type"] for told in game.say(Said(talk, spoken=True))] == ["unrecognised", "ready"]


@pytest.mark.parametrize("dangerous", ["удалить игрока номер пять", "победа мафии", "закончить игру"])
def test_75_what_cannot_be_mended_is_asked_about(dangerous: str) -> None:
    game = typed("start")
    told = game.say(Said(dangerous, spoken=True))
    assert [message["type"] for message in told] == ["heard", "ask", "say", "ready"]
    assert told[-1]["pending"] is not None
    assert len(game.game.alive) == 10


def test_75_a_phrase_of_another_step_is_refused_aloud() -> None:
    game = typed("start")
    told = game.say(Said("убит пятый", spoken=True))
    assert [message["type"] for message in told] == ["refused", "say", "ready"]


# --- 76. «Два два» becomes «два»: three different numbers, read back


def test_76_a_best_move_needs_three_numbers_and_is_read_back() -> None:
    game = typed("start; quiet; убит девятый; дальше; дальше", "fsm")
    assert game.say("лучший ход два пять")[0]["reason"] == "not-enough-numbers"
    assert game.say("лучший ход два два пять")[0]["reason"] == "repeated-number"
    said = [message["text"] for message in game.say("лучший ход два пять восемь") if message["type"] == "say"]
    assert said[0] == "Принято: два, пять и восемь."


# --- 77. The speaker says command words in his speech


@pytest.mark.parametrize(
    "talk", ["я бы выставил пятого", "выставлю пятого", "выставлял пятого", "кого выставить", "не выставляю пятого"]
)
def test_77_only_the_present_tense_nominates(talk: str) -> None:
    game = typed("start")
    assert game.say(Said(talk, spoken=True))[0]["type"] == "unrecognised"
    assert game.game.nominations == ()


def test_77_with_a_wake_word_a_speech_means_nothing() -> None:
    script = [(30.0, Said("выставляю номер пять", spoken=True)), (31.0, Said("спасибо", spoken=True))]
    script += [(32.0, Said("ведущий спасибо", spoken=True))]
    game = play([*START, *script], 40.0, trigger=Trigger(TriggerKind.WAKE))
    assert game.when("event", name="seat-nominated") == []
    assert game.when("event", name="speech-ended") == [32.0]


def test_77_with_a_key_only_what_is_said_while_it_is_held_counts() -> None:
    trigger = Trigger(TriggerKind.PUSH)
    game = LiveGame(trigger=trigger)
    assert game.conductor.trigger.take("спасибо") is None
    trigger.push.press()
    assert game.conductor.trigger.take("спасибо") == "спасибо"


# --- 78. The device hears itself


@dataclass(frozen=True, slots=True)
class Block:
    began: float
    seconds: float = 1.0
    pcm: bytes = b"sound"

    @property
    def arrived(self) -> float:
        return 100 + self.began + self.seconds


@dataclass(frozen=True, slots=True)
class Utterance:
    text: str
    began: float
    ended: float


@dataclass(slots=True)
class Source:
    blocks: list[Block]
    ended: bool = False

    def read(self) -> Block | None:
        if not self.blocks:
            self.ended = True
            return None
        return self.blocks.pop(0)


@dataclass(slots=True)
class Recogniser:
    """Says of each block what it was told to."""

    found: list[list[Utterance]]
    fed: list[bytes] = field(default_factory=list)

    def expect(self, phrases: object, grammar: object | None = None) -> None: ...

    def feed(self, pcm: bytes) -> list[Utterance]:
        self.fed.append(pcm)
        return self.found.pop(0)

    def finish(self) -> list[Utterance]:
        return []


class Speaking:
    """The program sounds from 101 to 102 on the clock."""

    def pass_through(self, pcm: bytes, arrived: float) -> bytes:
        return b"" if 101 < arrived <= 102 else pcm

    def overlaps(self, began: float, ended: float) -> bool:
        return began < 102 and ended > 101


def test_78_what_is_heard_while_the_program_speaks_is_its_own() -> None:
    """It sounds from 101 to 102 on the clock, which is second 1 to 2 of the sound."""
    found = [
        [Utterance("до", 0.1, 0.9)],
        [Utterance("Игрок номер один, одна минута", 1.0, 1.9)],
        [Utterance("после", 2.1, 2.8)],
    ]
    taken: list[str] = []
    done: list[object] = []
    recogniser = Recogniser(found)
    ear = Ear(
        Source([Block(float(second)) for second in range(3)]),
        recogniser,
        lambda utterance: taken.append(utterance.text),
        own_voice=Speaking(),
        on_end=done.append,
    )
    ear.start()
    ear._thread.join(10)
    assert taken == ["до", "после"]
    assert done == [None]
    assert [bool(pcm) for pcm in recogniser.fed] == [True, False, True]


@pytest.mark.parametrize("rules", ["sport", "professional", "classic", "club", "fsm"])
def test_78_even_so_no_announcement_is_a_command_that_counts(rules: str) -> None:
    """Whatever the loudspeaker says would be refused or unknown if the microphone took it."""
    pack = load_pack("ru")
    game = typed("", rules)
    lines = [
        "начинаем игру",
        *["дальше"] * 4,
        "выставляю номер два",
        "спасибо",
        "выставляю номер пять",
        *["спасибо"] * 9,
    ]
    lines += ["фол третьему", "пять", "спасибо", "спасибо", "пять", "шесть", "спасибо", "спасибо", *["дальше"] * 3]
    taken = []
    for line in lines:
        for message in game.say(line):
            if message["type"] != "say":
                continue
            now = legal(game.game)
            heard = parse(pack, message["text"], now)
            allowed = None if heard is None else now.get(heard.command.name)
            if heard is not None and allowed is not None and fits(allowed, heard.command):
                taken.append((message["text"], heard.command))
    assert taken == []


# --- 79. A restart in the middle


def test_79_a_restart_keeps_step_speaker_fouls_nominees_and_time_and_stands() -> None:
    game = typed("start; nominate 2 5; фол третьему; until 4; /wait 17")
    history, timer = replay(game.setup, game.entries)
    again = TypedGame(setup=game.setup, history=history).open(timer)
    ready = again.ready
    assert (ready["step"], ready["seat"], ready["day"]) == ("speech", 4, 1)
    assert (ready["paused"], ready["timer"]) == (True, {"name": "speech", "left": 43})
    assert again.game.fouls[2] == 1
    assert again.game.nominees == (2, 5)
    names = [message["name"] for message in again.say("продолжить", "/wait end") if message["type"] == "event"]
    assert names == ["resumed", "speech-ended", "speech-began"]


def test_79_a_restart_in_the_hunt_goes_on_with_the_number() -> None:
    game = typed("start; quiet; /wait 7")
    assert game.ready["called"] == 4
    history, timer = replay(game.setup, game.entries)
    again = TypedGame(setup=game.setup, history=history).open(timer)
    assert again.ready["called"] == 4
    said = [message["text"] for message in again.say("продолжить", "/wait 2") if message["type"] == "say"]
    assert said[-1] == "Пять."


# --- 80. Timers by deadline, not by ticks


def test_80_a_machine_that_sleeps_ends_the_speech_on_time() -> None:
    clock = VirtualClock()
    keeper = Timekeeper(clock)
    keeper.start("speech", 60, 3)
    asyncio.run(clock.sleep_until(3600, asyncio.Event()))
    assert (keeper.left, keeper.take()) == (0, "elapsed")


def test_80_many_small_waits_are_one_long_one() -> None:
    game = typed("start")
    game.say(*["/wait 0.1"] * 599)
    assert game.ready["seat"] == 1
    game.say("/wait 0.1")
    assert game.ready["seat"] == 2
    assert game.ready["timer"] == {"name": "speech", "left": 60}


def test_80_one_long_wait_passes_many_timers_exactly() -> None:
    game = typed("start")
    game.say("/wait 150")
    assert game.ready["seat"] == 3
    assert game.ready["timer"] == {"name": "speech", "left": 30}
