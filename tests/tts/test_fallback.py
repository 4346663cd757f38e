from __future__ import annotations

import threading

import pytest

from tests.tts.helpers import BrokenVoice, Program, SineVoice, assert_gone, started, tone
from voicehost.tts.espeak import EspeakEngine
from voicehost.tts.fallback import FIRST_REST, LONGEST_REST, FallbackVoice, check_sound
from voicehost.tts.voice import Sound, VoiceFailed

LINE = "Игрок номер пять, ваша минута."


class Clock:
    """Time that a test moves."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Silent(SineVoice):
    def __init__(self, sound: Sound) -> None:
        super().__init__("silent")
        self._sound = sound

    def render(self, text: str) -> Sound:
        return self._sound


def test_the_first_voice_speaks_while_it_works() -> None:
    first, second = SineVoice("first"), SineVoice("second")
    voice = FallbackVoice([first, second])
    assert voice.render(LINE) == first.render(LINE)
    assert voice.name == "first"
    assert voice.language == "ru"
    assert second.said == []


@pytest.mark.parametrize("why", ["hung", "died", "silent", "refused", "missing"])
def test_the_next_voice_says_the_same_line(why: str) -> None:
    first, second = BrokenVoice(why=why), SineVoice("second")
    told: list[tuple[str, str, str]] = []
    voice = FallbackVoice([first, second], lambda failed, following: told.append((failed.voice, failed.why, following)))
    assert voice.render(LINE) == second.render(LINE)
    assert second.said == [LINE, LINE]
    assert first.closed == 1
    assert told == [("broken", why, "second")]
    assert voice.name == "second"


def test_a_broken_voice_rests_ever_longer_and_comes_back_when_it_works() -> None:
    clock = Clock()
    first, second = BrokenVoice(), SineVoice("second")
    voice = FallbackVoice([first, second], clock=clock)
    voice.render("раз")
    clock.now += FIRST_REST - 1
    voice.render("два")
    assert first.said == ["раз"]
    clock.now += 2
    voice.render("три")
    assert first.said == ["раз", "три"]
    clock.now += FIRST_REST + 2
    voice.render("четыре")
    assert first.said == ["раз", "три"]
    clock.now += FIRST_REST
    first.why = None
    voice.render("пять")
    voice.render("шесть")
    assert first.said == ["раз", "три", "пять", "шесть"]
    first.why = "died"
    voice.render("семь")
    clock.now += FIRST_REST + 1
    voice.render("восемь")
    assert first.said[-2:] == ["семь", "восемь"]


def test_rest_has_a_limit() -> None:
    clock = Clock()
    first = BrokenVoice()
    voice = FallbackVoice([first, SineVoice()], clock=clock)
    for turn in range(1, 20):
        voice.render("раз")
        assert len(first.said) == turn
        clock.now += LONGEST_REST + 1


def test_when_all_fail_the_last_reason_is_told_and_all_are_tried_again() -> None:
    voices = [BrokenVoice("a", "hung"), BrokenVoice("b", "died")]
    told: list[str] = []
    voice = FallbackVoice(voices, lambda failed, following: told.append(f"{failed.voice}>{following}"))
    for _ in range(2):
        with pytest.raises(VoiceFailed, match="b: died"):
            voice.render(LINE)
    assert told == ["a>b", "b>", "a>b", "b>"]
    voices[1].why = None
    assert voice.render(LINE).seconds > 1


@pytest.mark.parametrize(
    "sound", [Sound(b"", 16000), tone(0.2), Sound(b"\0\0" * 40000, 16000), tone(2.0, loudness=0.003)]
)
def test_silence_and_half_a_line_are_failures(sound: Sound) -> None:
    second = SineVoice("second")
    assert FallbackVoice([Silent(sound), second]).render(LINE) == second.render(LINE)
    with pytest.raises(VoiceFailed, match="silent"):
        check_sound("silent", LINE, sound)


def test_a_line_without_words_may_be_silent() -> None:
    empty = Sound(b"", 16000)
    assert FallbackVoice([Silent(empty)]).render("🎲 …") == empty


def test_closing_ends_all_and_is_not_a_failure_to_tell() -> None:
    told: list[str] = []

    class Waiting(SineVoice):
        def __init__(self) -> None:
            super().__init__("waiting")
            self.rendering, self.killed = threading.Event(), threading.Event()

        def render(self, text: str) -> Sound:
            self.rendering.set()
            assert self.killed.wait(30)
            raise VoiceFailed(self.name, "died")

        def close(self) -> None:
            self.killed.set()

    first, second = Waiting(), SineVoice("second")
    voice = FallbackVoice([first, second], lambda failed, following: told.append(following))
    failures: list[VoiceFailed] = []

    def speak() -> None:
        try:
            voice.render(LINE)
        except VoiceFailed as failed:
            failures.append(failed)

    thread = threading.Thread(target=speak)
    thread.start()
    assert first.rendering.wait(30)
    voice.close()
    thread.join(30)
    assert [failed.voice for failed in failures] == ["waiting"]
    assert told == []
    assert second.said == []
    assert second.closed == 1


def test_no_voice_at_all() -> None:
    with pytest.raises(ValueError, match="no voice"):
        FallbackVoice([])


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("body", ["time.sleep(600)", "sys.exit(3)", "os.abort()", "pass", "print('not a sound')"])
def test_a_real_program_that_fails_loses_no_line(program: Program, body: str) -> None:
    argv = program(body)
    engine = EspeakEngine(argv)
    second = SineVoice("second")
    voice = FallbackVoice([engine.open(engine.voices("ru")[0]), second])
    for line in (LINE, "Фол игроку три.", LINE):
        assert voice.render(line) == second.render(line)
    assert len(started(argv)) == 1
    assert_gone(started(argv))
