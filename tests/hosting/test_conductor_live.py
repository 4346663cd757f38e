"""The conductor on the real clock, beside a voice that takes its time."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.hosting.live import SlowSpeaker, play
from voicehost.hosting.course import SAVED
from voicehost.hosting.inputs import Said
from voicehost.hosting.trigger import Trigger, TriggerKind
from voicehost.rules.game import Mode

LINE = 2.0
"""Seconds that every line takes."""

START = [(0.0, "начинаем игру"), (20.0, "дальше")]
"""To the first speech by the sport rules, by which the first night has only the contract."""

FIRST = 20 + 3 * LINE
"""When the first speech begins to run: «Мафия засыпает», the morning and «Игрок номер один…» have been heard."""


def spoken(speaker: SlowSpeaker, text: str) -> list[tuple[float, float]]:
    """When a line that holds ``text`` was heard."""
    return [(round(line.began, 3), round(line.ended, 3)) for line in speaker.heard if text in line.text]


def test_lines_never_overlap_and_timers_start_when_the_line_is_over() -> None:
    speaker = SlowSpeaker(LINE)
    game = play([*START, (30.0, "выставляю номер пять"), (40.0, "спасибо")], 60.0, speaker)
    for before, after in pairwise(speaker.heard):
        assert after.began >= before.ended
    assert [line.text for line in speaker.heard] == [told.message["text"] for told in game.of("say")]
    for seat, word in ((1, "номер один, одна минута"), (2, "номер два, одна минута")):
        [(_, ended)] = spoken(speaker, word)
        assert game.when("timer", name="speech", state="started", seat=seat) == [ended]


def test_every_line_gets_one_ready_and_every_elapse_one_with_its_cause() -> None:
    script = [*START, (30.0, ""), (31.0, "болтовня"), (32.0, "/wait soon"), (33.0, "/view table"), (34.0, "пять")]
    game = play(script, 160.0, SlowSpeaker(LINE))
    answers = [told for told in game.of("ready") if "cause" not in told.message]
    assert [told.inputs for told in answers] == [0, *range(1, len(script) + 1)]
    elapsed = game.when("timer", state="elapsed")
    assert elapsed == [FIRST + 60, FIRST + 60 + 2 * LINE + 60]
    assert game.when("ready", cause="timer") == elapsed


def test_what_elapses_inside_a_wait_has_no_ready_of_its_own() -> None:
    game = play([*START, (30.0, "/wait 100")], 140.0, SlowSpeaker(LINE))
    assert len(game.when("timer", state="elapsed", name="speech")) == 1
    assert game.when("ready", cause="timer") == []
    last = game.of("ready")[-1]
    assert (round(last.at, 3), last.inputs) == (130.0, len(START) + 1)


def test_waiting_for_the_end_waits_for_the_line_first() -> None:
    game = play([*START, (21.0, "/wait end")], 100.0, SlowSpeaker(LINE))
    assert game.when("timer", state="elapsed", name="speech", seat=1) == [FIRST + 60]
    [answer] = [told for told in game.of("ready") if told.inputs == len(START) + 1]
    assert round(answer.at, 3) == FIRST + 60


def test_an_urgent_line_goes_before_those_that_wait() -> None:
    speaker = SlowSpeaker(LINE)
    play([*START, (20.5, "фол третьему"), (20.6, "фол пятому")], 40.0, speaker)
    after = [line.text for line in speaker.heard if line.began >= 20]
    assert after == [
        "Мафия засыпает.",
        "Номер три, первый фол.",
        "Номер пять, первый фол.",
        "Наступает день. Снимаем маски.",
        "Игрок номер один, одна минута.",
    ]


def test_a_pause_before_the_line_is_over_keeps_the_whole_time() -> None:
    game = play([*START, (21.0, "пауза"), (60.0, "продолжить")], 140.0, SlowSpeaker(LINE))
    assert game.of("timer", name="speech", state="paused")[0].message["seconds"] == 60
    assert game.when("timer", name="speech", state="elapsed") == [120.0]


def test_pause_and_added_time_move_the_end() -> None:
    game = play([*START, (30.0, "пауза"), (50.0, "добавить десять секунд"), (70.0, "продолжить")], 200.0)
    assert game.when("timer", name="speech", state="warning")[0] == 20 + 60 + 40 + 10 - 10
    assert game.when("timer", name="speech", state="elapsed")[0] == 20 + 60 + 40 + 10


def test_an_undone_speech_does_not_begin_when_its_line_is_over() -> None:
    game = play([*START, (30.0, "спасибо"), (30.5, "отмена")], 60.0, SlowSpeaker(LINE))
    assert game.when("timer", name="speech", seat=2) == []
    assert game.of("ready")[-1].message["seat"] == 1
    assert game.of("ready")[-1].message["timer"] == {"name": "speech", "left": 60 - (30 - FIRST)}


QUIET = [(100.0 + i / 10, "спасибо") for i in range(10)]
"""A day on which nobody is nominated; the night falls with the last line."""


@pytest.mark.parametrize("mode", [Mode.HOSTED, Mode.HOME])
@pytest.mark.parametrize("told", ["nothing", "a hit", "a miss"])
def test_the_hunt_lasts_its_time_whatever_is_told(mode: Mode, told: str) -> None:
    """A fact is recorded at once; the next cue waits."""
    lines = {"nothing": [], "a hit": ["убит седьмой"], "a miss": ["промах"]}[told]
    if mode is Mode.HOME and lines:
        lines = [f"/seat {seat} tap" for seat in (1, 2, 3)]
        lines += ["/seat 3 tap"] if told == "a miss" else []
    begin = START if mode is Mode.HOSTED else START[:1]
    script = [*begin, *QUIET, *((130.0, line) for line in lines)]
    game = play(script, 200.0, SlowSpeaker(LINE), mode=mode)
    [hunt] = game.when("timer", name="hunt", state="started")
    assert hunt < 130 < hunt + 20
    calls = [hunt + 2 * i for i in range(10)]
    assert game.when("timer", name="hunt", state="elapsed") == [hunt + 20]
    assert game.when("timer", name="hunt-number", state="started") == calls
    assert game.when("say", phrase="hunt-number") == calls
    wakes = "don-wakes-home" if mode is Mode.HOME else "don-wakes"
    assert game.when("say", phrase=wakes) == [hunt + 20]
    facts = [*game.when("event", name="seat-shot"), *game.when("event", name="shot-missed")]
    if mode is Mode.HOME:
        assert facts == [hunt + 20], "with nobody to host the touches are judged when all numbers are called"
    else:
        assert facts == [130.0] * (told != "nothing")


@pytest.mark.parametrize("check", [None, "дон проверяет пятого"])
@pytest.mark.parametrize("don", ["alive", "dead"])
def test_the_dons_check_lasts_its_time_whether_he_asks_or_is_dead(check: str | None, don: str) -> None:
    talk = ["спасибо"] * 10
    if don == "dead":
        talk = ["выставляю номер один", "спасибо", "выставляю номер два", *["спасибо"] * 9, "десять голосов", "спасибо"]
    script = [*START, *((100.0 + i / 10, line) for i, line in enumerate(talk)), (105.0, "дальше")]
    game = play([*script, *([(111.0, check)] if check else [])], 140.0)
    assert game.when("timer", name="check", state="started") == [105.0, 115.0]
    assert game.when("timer", name="check", state="elapsed") == [115.0, 125.0]
    assert len(game.of("event", name="don-checked")) == (check is not None and don == "alive")


def test_with_a_host_next_ends_hunt_and_checks_early() -> None:
    night = [(105.0, "убит седьмой"), (106.0, "дальше"), (107.0, "дальше")]
    game = play([*START, *QUIET, *night], 108.0)
    assert game.when("timer", name="hunt", state="cancelled") == [106.0]
    assert game.when("timer", name="check", state="cancelled") == [107.0]
    assert game.when("event", name="shot-missed") == []


def test_a_best_move_that_is_named_ends_its_step() -> None:
    begin = [(0.0, "начинаем игру"), *((1.0 + i, "дальше") for i in range(4))]
    night = [(105.0, "убит седьмой"), (106.0, "дальше"), (107.0, "дальше"), (108.0, "дальше")]
    game = play([*begin, *QUIET, *night, (115.0, "лучший ход один два пять")], 116.0, rules="fsm")
    assert game.when("timer", name="best-move", state="started") == [108.0]
    assert game.when("event", name="day-broke", number=2) == [115.0]


def test_spoken_words_that_are_not_for_the_program_get_no_ready() -> None:
    heard = [(30.0, Said("фол третьему", spoken=True)), (31.0, Said("ведущий, фол третьему", spoken=True))]
    game = play([*START, *heard], 40.0, trigger=Trigger(TriggerKind.WAKE))
    assert [told.inputs for told in game.of("ready")] == [0, 1, 2, 4]
    assert game.when("event", name="foul-given") == [31.0]


def test_a_running_timer_is_kept_every_five_seconds_and_at_the_end() -> None:
    game = play([*START, (43.0, "пауза")], 90.0)
    entries = [entry for entry in game.journal.entries(game.memory.game or "") if entry.command == SAVED]
    talk = [(entry.clock, entry.timer and entry.timer["left"]) for entry in entries if entry.clock > 20]
    assert talk == [(25, 55), (30, 50), (35, 45), (40, 40), (90, 37)]


def test_leaving_an_unfinished_game_says_so() -> None:
    told = play(START, 30.0).of("result")[-1].message
    assert (told["winner"], told["reason"]) == ("none", "unfinished")
    assert told["roles"]["1"] == "don", "the host sees the roles he knows"


def test_a_table_without_a_host_learns_no_role_of_an_unfinished_game() -> None:
    told = play(START[:1], 30.0, mode=Mode.HOME).of("result")[-1].message
    assert (told["reason"], told["roles"]) == ("unfinished", None)


def test_quitting_takes_no_more_lines() -> None:
    game = play([(0.0, "начинаем игру"), (1.0, "/quit"), (2.0, "дальше")], 5.0)
    assert game.conductor.closed
    assert [told.inputs for told in game.of("ready")] == [0, 1, 2]


@pytest.mark.parametrize("mode", [Mode.HOSTED, Mode.HOME])
def test_the_time_for_hands_is_given_to_every_candidate(mode: Mode) -> None:
    speaker = SlowSpeaker(LINE)
    begin = START if mode is Mode.HOSTED else START[:1]  # with no host the first night lasts its time
    talk = ["выставляю номер пять", "спасибо", "выставляю номер шесть", "спасибо", "выставляю номер семь"]
    talk += ["спасибо"] * 8
    votes = [(200.0, "два голоса"), (220.0, "два голоса")] if mode is Mode.HOSTED else []
    script = [*begin, *((100.0 + 5 * i, line) for i, line in enumerate(talk)), *votes]
    game = play(script, 240.0, speaker, mode=mode)
    window = 2.0 if mode is Mode.HOSTED else 6.0
    asked = [ended for _, ended in spoken(speaker, "Кто против")]
    assert len(asked) == 2
    assert game.when("say", phrase="thanks") == [ended + window for ended in asked]
