"""When nothing that may follow changes what was said, there is no need to wait."""

from __future__ import annotations

import pytest

from voicehost.hosting.hearing import Expectation
from voicehost.language.pack import load_pack
from voicehost.rules.situations import legal_in


@pytest.mark.parametrize(
    ("state", "text", "ends"),
    [
        ("speech", "выставляю номер пять", True),
        ("speech", "выставляю", None),
        ("speech", "спасибо", True),
        ("vote", "четыре", True),
        ("vote", "голосуют первый и третий", False),
        ("best-move", "лучший ход два пять восемь", True),
        ("speech", "мне кажется", None),
    ],
)
def test_an_end_is_known_by_what_may_follow(state: str, text: str, ends: bool | None) -> None:
    assert Expectation(load_pack("ru"), legal_in(state)).ends(text) is ends
