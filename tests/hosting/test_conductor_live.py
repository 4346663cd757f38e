"""The conductor on the real clock, beside a voice that takes its time."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.hosting.live import SlowSpeaker, play
from voicehost.rules.game import Mode

LINE = 2.0
"""Seconds that every line takes."""

START = [(0.0, "начинаем игру"), (20.0, "дальше"), (40.0, "дальше"), (60.0, "дальше"), (80.0, "дальше")]
"""To the first speech by the fsm rules; it is announced within ten seconds of the last line."""


def spoken(speaker: SlowSpeaker, text: str) -> list[tuple[float, float]]:
    """When a line that holds ``text`` was heard."""
    return [(round(line.began, 3), round(line.ended, 3)) for line in speaker.heard if text in line.text]


def test_lines_never_overlap_and_timers_start_when_the_line_is_over() -> None:
    speaker = SlowSpeaker(LINE)
    game = play([*START, (100.0, "выставляю номер пять"), (110.0, "спасибо")], 130.0, speaker)
    for before, after in pairwise(speaker.heard):
        assert after.began >= before.ended
    assert [line.text for line in speaker.heard] == [told.message["text"] for told in game.of("say")]
    for seat, word in ((1, "номер один, одна минута"), (2, "номер два, одна минута")):
        [(_, ended)] = spoken(speaker, word)
        assert game.when("timer", name="speech", state="started", seat=seat) == [ended]


@pytest.mark.parametrize("mode", [Mode.HOSTED, Mode.HOME])
def test_the_time_for_hands_is_given_to_every_candidate(mode: Mode) -> None:
    speaker = SlowSpeaker(LINE)
    begin = START if mode is Mode.HOSTED else START[:1]  # with no host the first night lasts its time
    talk = ["выставляю номер пять", "спасибо", "выставляю номер шесть", "спасибо", "выставляю номер семь"]
    talk += ["спасибо"] * 8
    votes = [(300.0, "два голоса"), (320.0, "два голоса")] if mode is Mode.HOSTED else []
    script = [*begin, *((160.0 + 5 * i, line) for i, line in enumerate(talk)), *votes]
    game = play(script, 350.0, speaker, mode=mode)
    window = 2.0 if mode is Mode.HOSTED else 6.0
    asked = [ended for _, ended in spoken(speaker, "Кто за то, чтобы игру покинул")]
    assert len(asked) == 2
    assert game.when("say", phrase="thanks") == [ended + window for ended in asked]
