"""The engines that are installed here, with real lines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.tts.helpers import SineVoice
from voicehost.audio.loudness import CEILING
from voicehost.tts import shaping
from voicehost.tts.fallback import FallbackVoice, check_sound
from voicehost.tts.selection import choose, engines, installed
from voicehost.tts.voice import Engine, Sound, Voice, VoiceInfo

LINES = {
    "ru": "Игрок номер пять, ваша минута. Выставлены третий и седьмой.",
    "bg": "Играч номер пет, имате една минута. Номинирани са трети и седми.",
}
OTHER = {"ru": "Фол игроку три.", "bg": "Фал на играч три."}
NEEDED = [
    ("festival", "ru"),
    ("pyttsx3", "ru"),
    ("pyttsx3", "bg"),
    ("speech-dispatcher", "ru"),
    ("speech-dispatcher", "bg"),
    ("espeak-ng", "ru"),
    ("espeak-ng", "bg"),
]
"""Free engines that can be had everywhere: where one is missing its tests are skipped. Others run where they are."""


def _found() -> list[tuple[str, str, Engine | None, VoiceInfo | None]]:
    found: list[tuple[str, str, Engine | None, VoiceInfo | None]] = []
    for engine in engines():
        for language in ("ru", "bg"):
            infos = engine.voices(language)
            if infos:
                found.append((type(engine).__name__, language, engine, infos[0]))
    names = {(info.engine, language) for _, language, _, info in found if info is not None}
    return found + [(name, language, None, None) for name, language in NEEDED if (name, language) not in names]


@pytest.fixture(params=_found(), ids=lambda case: f"{case[0]}-{case[1]}")
def voice(request: pytest.FixtureRequest) -> Iterator[Voice]:
    name, language, engine, info = request.param
    if engine is None:
        pytest.skip(f"{name} has no voice for {language} here")
    opened = engine.open(info)
    yield opened
    opened.close()


def _speech(sound: Sound) -> Sound:
    return shaping.finish(sound, 24000)


def test_a_line_is_heard_for_as_long_as_it_should(voice: Voice) -> None:
    line = LINES[voice.language]
    sound = voice.render(line)
    check_sound(voice.name, line, sound)
    assert 0.04 * len(line) < _speech(sound).seconds < 0.15 * len(line)
    assert shaping.peak(sound) > 0.05


def test_lines_in_a_row_differ_and_a_repeated_one_is_as_long(voice: Voice) -> None:
    line, other = LINES[voice.language], OTHER[voice.language]
    sounds = [_speech(voice.render(text)) for text in (line, other, line, other)]
    assert sounds[0].seconds == pytest.approx(sounds[2].seconds, rel=0.1)
    assert sounds[1].seconds == pytest.approx(sounds[3].seconds, rel=0.1)
    assert sounds[1].seconds < 0.7 * sounds[0].seconds


@pytest.mark.parametrize(
    "text",
    [
        'Он сказал: "фол", \'пас\' и «спасибо»; №5 – 100% [[x]] <b> & \\ | $HOME `ls` ) "',
        "Первая\nвторая\r\n\tтретья",
        "Город 🎲🎭 засыпает 👨‍👩‍👧",
        "-v ru --help",
        "Ёлка, ещё, объём, съезд, чьё, Ъ Ы Ь",
    ],
)
def test_odd_signs_do_not_stop_a_line(voice: Voice, text: str) -> None:
    sound = voice.render(text)
    check_sound(voice.name, text, sound)
    assert _speech(voice.render(OTHER[voice.language])).seconds > 0.5


@pytest.mark.parametrize("text", ["", "   ", "…", "🎲", "\n"])
def test_nothing_to_say_gives_no_sound(voice: Voice, text: str) -> None:
    assert voice.render(text).pcm == b""


def test_five_kilobytes(voice: Voice) -> None:
    line = LINES[voice.language] + " "
    text = line * (5000 // len(line.encode()) + 1)
    assert len(text.encode()) >= 5000
    one = _speech(voice.render(line)).seconds
    assert voice.render(text).seconds > 0.8 * one * text.count(line)


def test_it_speaks_again_after_it_was_closed(voice: Voice) -> None:
    first = _speech(voice.render(OTHER[voice.language]))
    voice.close()
    voice.close()
    assert _speech(voice.render(OTHER[voice.language])).seconds == pytest.approx(first.seconds, rel=0.1)


def test_it_speaks_after_another_voice_stepped_in(voice: Voice) -> None:
    line = OTHER[voice.language]
    broken = FallbackVoice([Impossible(), voice])
    assert _speech(broken.render(line)).seconds > 0.5
    assert broken.name == voice.name


class Impossible(SineVoice):
    """Gives silence, as broken engines do."""

    def render(self, text: str) -> Sound:
        return Sound(b"\0\0" * 16000, 16000)


@pytest.mark.parametrize("language", ["ru", "bg"])
def test_the_chosen_voice_is_the_best_one_and_speaks(language: str) -> None:
    voices = installed(language)
    if not voices:
        pytest.skip(f"no voice for {language} here")
    voice = choose(language)
    assert voice is not None
    try:
        assert voice.name == voices[0].name
        sound = voice.render(LINES[language])
        assert sound.rate == 24000
        assert 0.04 * len(LINES[language]) < sound.seconds < 0.15 * len(LINES[language])
        assert shaping.peak(sound) <= 10 ** (CEILING / 20) + 1e-3
        assert sound.pcm[:2] == sound.pcm[-2:] == b"\0\0"
    finally:
        voice.close()
