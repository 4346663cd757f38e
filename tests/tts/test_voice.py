from __future__ import annotations

import pytest

from voicehost.tts.voice import Sound, has_words, speakable, time_limit


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("Игрок\nномер\r\nпять.", "Игрок номер пять."),
        ("Город засыпает 🎲🎭 до утра", "Город засыпает до утра"),
        ("№5 и №\u00a06", "номер 5 и номер 6"),
        ("за\u0301мок", "замок"),
        ("и\u0306ода, ё", "йода, ё"),
        ("пе\u00adре\u200bстрелка", "перестрелка"),
        ("«Дон» \"шериф\" 'мафия'", "«Дон» \"шериф\" 'мафия'"),
        ("раз\x00\x07\x1b[31mдва", "раз [31mдва"),
        ("👨\u200d👩\u200d👧", ""),
        ("", ""),
    ],
)
def test_what_no_engine_can_say_is_left_out(text: str, spoken: str) -> None:
    assert speakable(text) == spoken


def test_a_line_without_words() -> None:
    assert not has_words("… — !?")
    assert has_words("5")
    assert has_words("й")


def test_long_lines_get_more_time() -> None:
    line = "Игрок номер пять, ваша минута."
    assert time_limit(line * 100) > 50 * time_limit(line) / 2
    assert time_limit(line, start=5.0) == time_limit(line) + 5.0


def test_the_length_of_a_sound() -> None:
    assert Sound(b"\0\0" * 12000, 24000).seconds == 0.5
