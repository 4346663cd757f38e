from __future__ import annotations

import threading
import time

import pytest

from tests.tts.helpers import BrokenVoice, SineVoice
from voicehost.tts.cache import CachedVoice
from voicehost.tts.voice import Sound, VoiceFailed

LINE = "Игрок номер пять, ваша минута."


class SlowVoice(SineVoice):
    """Renders a line when it is let to."""

    def __init__(self) -> None:
        super().__init__("slow")
        self.go = threading.Semaphore(0)

    def render(self, text: str) -> Sound:
        sound = super().render(text)
        assert self.go.acquire(timeout=30)
        return sound

    def close(self) -> None:
        super().close()
        self.go.release()


def _until(condition: object) -> None:
    assert callable(condition)
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen")


def test_a_line_is_rendered_once_and_comes_at_the_common_rate() -> None:
    inner = SineVoice()
    voice = CachedVoice(inner, rate=24000)
    first = voice.render(LINE)
    assert voice.render(LINE) is first
    assert inner.said == [LINE]
    assert first.rate == 24000
    assert first.seconds == pytest.approx(inner.render(LINE).seconds, abs=0.1)
    assert voice.name == "sine"
    assert voice.language == "ru"


def test_two_lines_differ() -> None:
    voice = CachedVoice(SineVoice())
    assert voice.render("раз") != voice.render("два")


def test_the_longest_unused_line_goes_first() -> None:
    size = len(CachedVoice(SineVoice()).render("раз").pcm)
    inner = SineVoice()
    voice = CachedVoice(inner, limit=size * 2 + size // 2)
    for line in ("раз", "два", "раз", "три"):
        voice.render(line)
    assert voice.ready("раз")
    assert not voice.ready("два")
    assert voice.ready("три")
    assert 0 < voice.size <= size * 2 + size // 2


def test_a_line_larger_than_the_cache_is_spoken_all_the_same() -> None:
    voice = CachedVoice(SineVoice(), limit=100)
    assert voice.render(LINE).seconds > 1
    assert voice.size == 0


def test_lines_are_made_ahead_newest_wish_first() -> None:
    inner = SlowVoice()
    voice = CachedVoice(inner)
    voice.prerender(["один", "два", "три"])
    _until(lambda: inner.said == ["один"])
    voice.prerender(["три", "семь"])
    for _ in range(4):
        inner.go.release()
    _until(lambda: all(map(voice.ready, ("один", "два", "три", "семь"))))
    assert inner.said == ["один", "три", "семь", "два"]
    voice.render("семь")
    assert len(inner.said) == 4


def test_a_line_on_its_way_is_waited_for_and_an_urgent_one_goes_before_the_rest() -> None:
    inner = SlowVoice()
    voice = CachedVoice(inner)
    voice.prerender(["один", "два", "три"])
    _until(lambda: inner.said == ["один"])
    sounds: dict[str, Sound] = {}
    threads = [threading.Thread(target=lambda t=t: sounds.update({t: voice.render(t)})) for t in ("один", "срочно")]
    for thread in threads:
        thread.start()
    _until(lambda: "срочно" in inner.said)
    inner.go.release()
    inner.go.release()
    for thread in threads:
        thread.join(30)
    assert set(sounds) == {"один", "срочно"}
    assert inner.said[:2] == ["один", "срочно"]
    assert inner.said.count("один") == 1
    inner.go.release(2)
    _until(lambda: voice.ready("два") and voice.ready("три"))


def test_a_failure_is_not_cached() -> None:
    inner = BrokenVoice()
    voice = CachedVoice(inner)
    voice.prerender([LINE, "раз"])
    _until(lambda: inner.said == [LINE, "раз"])
    with pytest.raises(VoiceFailed):
        voice.render(LINE)
    inner.why = None
    assert voice.render(LINE).seconds > 1


def test_closing_drops_what_waits_and_a_closed_voice_can_speak_again() -> None:
    inner = SlowVoice()
    voice = CachedVoice(inner)
    voice.prerender([str(number) for number in range(100)])
    _until(lambda: bool(inner.said))
    voice.close()
    assert inner.closed
    assert len(inner.said) < 5
    inner.go.release(10)
    assert voice.render(LINE).seconds > 1
    voice.prerender(["ещё"])
    _until(lambda: voice.ready("ещё"))
