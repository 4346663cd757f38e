"""Lines that belong to a moment, with a speaker whose sound comes late: what is heard is on time all the same."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.hosting.live import LiveGame, SlowSpeaker, play
from tests.hosting.punctual import LoopSpeaker
from voicehost.hosting.ports import PunctualSpeaker
from voicehost.hosting.timekeeper import Timekeeper
from voicehost.rules.game import Mode

START = [(0.0, "начинаем игру"), (40.0, "дальше")]
"""To the first speech by the sport rules."""


def begun(game: LiveGame, name: str = "speech") -> float:
    return game.when("timer", name=name, state="started")[0]


@pytest.mark.parametrize("per_letter", [0.02, 0.1, 0.3])
@pytest.mark.parametrize("latency", [0.0, 0.1, 0.29])
def test_the_warning_ends_when_ten_seconds_are_left_and_time_is_over_at_zero(per_letter: float, latency: float) -> None:
    speaker = LoopSpeaker(latency=latency, per_letter=per_letter)
    game = play(START, 260.0, speaker)
    start = begun(game)
    assert speaker.times("Десять секунд.")[0][1] == pytest.approx(start + 50, abs=0.001)
    assert speaker.times("Время вышло.")[0][0] == pytest.approx(start + 60, abs=0.001)
    assert game.when("timer", state="warning", name="speech")[0] == pytest.approx(start + 50, abs=0.001)
    # The game itself goes on a little before, so that the words can be there in time.
    assert game.when("timer", state="elapsed", name="speech")[0] == pytest.approx(start + 60 - speaker.lead, abs=0.001)


def test_a_speaker_without_moments_warns_at_ten_seconds_and_ends_at_zero() -> None:
    speaker = SlowSpeaker(1.0)
    game = play(START, 200.0, speaker)
    start = begun(game)
    assert game.when("say", phrase="ten-seconds")[0] == start + 50
    assert game.when("timer", state="elapsed", name="speech")[0] == start + 60


def test_a_longer_time_moves_the_warning_and_brings_it_again_when_it_was_said() -> None:
    speaker = LoopSpeaker()
    game = play([*START, (60.0, "добавить десять секунд")], 260.0, speaker)
    assert speaker.times("Десять секунд.")[0][1] == pytest.approx(begun(game) + 60, abs=0.001)
    speaker = LoopSpeaker()
    game = play([*START, (60.0, "спасибо")], 62.0, speaker)
    start = begun(game)
    speaker = LoopSpeaker()
    game = play([*START, (start + 53, "добавить двадцать секунд")], 260.0, speaker)
    ends = [ended for _, ended in speaker.times("Десять секунд.")][:2]
    assert ends == [pytest.approx(start + 50, abs=0.001), pytest.approx(start + 70, abs=0.001)]


def test_a_pause_moves_the_warning() -> None:
    speaker = LoopSpeaker()
    game = play([*START, (60.0, "пауза"), (90.0, "продолжить")], 300.0, speaker)
    start = begun(game)
    assert speaker.times("Десять секунд.")[0][1] == pytest.approx(start + 50 + 30, abs=0.001)


def test_a_time_without_speech_has_a_signal_instead_of_words() -> None:
    speaker = LoopSpeaker()
    game = play(START[:1], 120.0, speaker, rules="fsm")
    start = begun(game, "contract")
    [(tick, _)] = [one for one in speaker.times("<tick>") if one[0] < start + 60]
    assert tick == pytest.approx(start + 50, abs=0.2)
    assert not [one for one in speaker.times("Десять секунд.") if one[0] < start + 60]


NIGHT = [*START, *((70.0 + i, "спасибо") for i in range(12))]


@pytest.mark.parametrize("mode", [Mode.HOSTED, Mode.HOME])
@pytest.mark.parametrize("latency", [0.0, 0.28])
def test_the_numbers_of_the_hunt_are_called_at_one_tempo(mode: Mode, latency: float) -> None:
    speaker = LoopSpeaker(latency=latency)
    game = play(NIGHT if mode is Mode.HOSTED else [(0.0, "начинаем игру"), *NIGHT[2:]], 400.0, speaker, mode=mode)
    names = ["Один.", "Два.", "Три.", "Четыре.", "Пять.", "Шесть.", "Семь.", "Восемь.", "Девять.", "Десять."]
    heard = [line.began for name in names for line in speaker.heard if line.text == name]
    assert len(heard) == 10
    assert [after - before for before, after in pairwise(heard)] == pytest.approx([2.0] * 9, abs=0.001)
    called = game.when("timer", name="hunt-number", state="started")
    assert heard == pytest.approx([moment + speaker.lead for moment in called], abs=0.001)


def test_a_touch_counts_for_the_number_that_is_heard() -> None:
    class Clock:
        virtual = False
        moment = 0.0

        def now(self) -> float:
            return self.moment

    clock = Clock()
    keeper = Timekeeper(clock, lead=0.3)  # type: ignore[arg-type]
    keeper.start("hunt", 6, tick=2)
    assert keeper.take() == "tick"
    assert (keeper.called, keeper.called_at) == (1, pytest.approx(0.3))
    clock.moment = 2.0
    assert keeper.take() == "tick"
    assert (keeper.called, keeper.tick) == (2, 1), "two is on its way, one is still the number that was heard"
    clock.moment = 2.31
    assert keeper.tick == 2
    clock.moment = 4.0
    assert keeper.take() == "tick"
    assert keeper.take() is None
    clock.moment = 6.0
    assert keeper.take() == "elapsed"
    assert keeper.left == 0
    assert keeper.due() is None


def test_the_gong_sounds_before_night_and_morning_and_music_plays_at_night_only() -> None:
    speaker = LoopSpeaker()
    game = play(NIGHT, 110.0, speaker)
    assert isinstance(speaker, PunctualSpeaker)
    texts = [line.text for line in speaker.heard]
    assert texts.count("<gong>") == 3
    for place in (place for place, text in enumerate(texts) if text == "<gong>"):
        assert texts[place + 1].startswith(("Ночь", "Наступает"))
    first_day = game.when("event", name="day-broke")[0]
    second_night = game.when("event", name="night-fell")[1]
    moments = dict(speaker.plays)
    assert speaker.plays[0] == (0.0, True)
    assert moments[first_day] is False
    assert moments[second_night] is True


def test_what_must_come_at_once_is_prepared_before_the_game() -> None:
    speaker = LoopSpeaker()
    play([], 1.0, speaker)
    assert speaker.prepared[:10] == [f"{n.capitalize()}." for n in NUMBERS]
    assert {"Десять секунд.", "Время вышло.", "Спасибо."} <= set(speaker.prepared)


NUMBERS = ["один", "два", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять", "десять"]


@pytest.mark.parametrize("word", ["/skip", "дальше", "пауза"])
def test_a_free_line_is_cut_short_and_a_formula_is_not(word: str) -> None:
    """«Наступает ночь …» may be skipped, «Кто против …» is heard to its end."""
    speaker = LoopSpeaker(per_letter=0.5)
    play([(0.0, "начинаем игру"), (60.0, "дальше"), (66.0, word)], 110.0, speaker, rules="fsm")
    cut = [line for line in speaker.heard if line.text == "Наступает ночь."]
    assert cut == [] or word == "пауза"


def test_an_urgent_line_goes_before_those_that_wait_and_cuts_none() -> None:
    speaker = LoopSpeaker(per_letter=0.2)
    play([*START, (41.0, "фол пятому")], 120.0, speaker)
    for before, after in pairwise(speaker.heard):
        assert after.began >= before.ended
    texts = [line.text for line in speaker.heard]
    foul = texts.index("Номер пять, первый фол.")
    assert foul < texts.index("Игрок номер один, одна минута.")
