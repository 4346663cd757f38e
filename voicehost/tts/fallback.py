"""A voice that never loses a line: when one engine hangs, dies or keeps silent, the next one says the same line."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from voicehost.tts import shaping
from voicehost.tts.voice import Sound, Voice, VoiceFailed, has_words, speakable

FIRST_REST = 120.0
LONGEST_REST = 1800.0
_SHORTEST_PER_CHARACTER = 0.02
_QUIETEST_PEAK = 0.005


def check_sound(voice: str, text: str, sound: Sound) -> None:
    """Refuse silence and speech far too short for its text, which broken engines give without an error.

    Raises VoiceFailed with ``silent``.
    """
    text = speakable(text)
    if not has_words(text):
        return
    letters = sum(character.isalnum() for character in text)
    if sound.seconds < _SHORTEST_PER_CHARACTER * letters:
        raise VoiceFailed(voice, "silent", f"{sound.seconds:.2f} s")
    if shaping.peak(sound) < _QUIETEST_PEAK:
        raise VoiceFailed(voice, "silent", "no signal")


class FallbackVoice:
    """Voices in the order of preference, the best that works speaks.

    A voice that failed is killed and rests for two minutes, twice as long each further time, so that a broken engine
    costs the table its time limit only now and then. When all of them rest, all are tried.
    """

    def __init__(
        self,
        voices: Sequence[Voice],
        on_change: Callable[[VoiceFailed, str], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``on_change(failure, next voice or "")`` is told of every failure, from the thread that renders."""
        if not voices:
            raise ValueError("no voice to fall back on")
        self._voices = tuple(voices)
        self._on_change = on_change
        self._clock = clock
        self._rests: dict[int, float] = {}
        self._failures: dict[int, int] = {}
        self._closings = 0
        self._lock = threading.Lock()
        # One line at a time: a second thread must see that the engine hung, not hang on it as well.
        self._speaking = threading.Lock()
        self.language = voices[0].language

    @property
    def name(self) -> str:
        """The voice that will say the next line."""
        return self._voices[self._order()[0]].name

    def render(self, text: str) -> Sound:
        """See Voice. Raises the last VoiceFailed when every voice failed."""
        with self._speaking:
            return self._render(text)

    def _render(self, text: str) -> Sound:
        closings = self._closings
        order = self._order()
        for turn, place in enumerate(order):
            voice = self._voices[place]
            try:
                sound = voice.render(text)
                check_sound(voice.name, text, sound)
            except VoiceFailed as failed:
                voice.close()
                if self._closings != closings:
                    raise
                self._remember(place)
                following = self._voices[order[turn + 1]].name if turn + 1 < len(order) else ""
                if self._on_change is not None:
                    self._on_change(failed, following)
                if not following:
                    raise
            else:
                with self._lock:
                    self._failures.pop(place, None)
                    self._rests.pop(place, None)
                return sound
        raise AssertionError("unreachable")

    def close(self) -> None:
        """See Voice; a line that is being rendered fails, without a word to ``on_change``."""
        self._closings += 1
        for voice in self._voices:
            voice.close()

    def _order(self) -> list[int]:
        now = self._clock()
        with self._lock:
            places = range(len(self._voices))
            resting = {place for place, until in self._rests.items() if until > now}
        return [p for p in places if p not in resting] + [p for p in places if p in resting]

    def _remember(self, place: int) -> None:
        with self._lock:
            failures = self._failures.get(place, 0)
            self._failures[place] = failures + 1
            self._rests[place] = self._clock() + min(FIRST_REST * 2**failures, LONGEST_REST)
