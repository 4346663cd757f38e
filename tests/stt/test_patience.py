from __future__ import annotations

import pytest

from voicehost.stt.patience import Patience, PatienceSettings
from voicehost.stt.recogniser import UNKNOWN

SETTINGS = PatienceSettings()
PHRASES = ("четыре", "четыре голоса", "фол игроку три", "лучший ход два пять восемь")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("четыре голоса", SETTINGS.finished),
        ("фол игроку три", SETTINGS.finished),
        ("четыре", SETTINGS.open),
        ("фол игроку", SETTINGS.other),
        ("лучший ход два", SETTINGS.other),
        (f"{UNKNOWN} четыре голоса", SETTINGS.other),
        ("", SETTINGS.other),
    ],
)
def test_waits_longer_the_less_a_text_is_a_whole_command(text: str, seconds: float) -> None:
    assert Patience(PHRASES).after(text) == seconds
    assert Patience(PHRASES).whole(text) is (seconds != SETTINGS.other)


class EndsLikeThis:
    def ends(self, text: str) -> bool | None:
        return {"голосуют первый": False, "промах": True}.get(text)


def test_a_grammar_that_knows_where_commands_end_is_asked_instead() -> None:
    patience = Patience(PHRASES, EndsLikeThis())
    assert patience.after("промах") == SETTINGS.finished
    assert patience.after("голосуют первый") == SETTINGS.open
    assert patience.after("четыре голоса") == SETTINGS.other


def test_a_grammar_that_knows_nothing_of_the_kind_is_ignored() -> None:
    assert Patience(PHRASES, object()).after("четыре голоса") == SETTINGS.finished
