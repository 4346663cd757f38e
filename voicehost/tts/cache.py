"""Lines kept ready: rendered once, finished, and rendered ahead in the background."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Iterable

from voicehost.tts import shaping
from voicehost.tts.voice import Sound, Voice, VoiceFailed

COMMON_RATE = 24000
DEFAULT_LIMIT = 64_000_000
_LONGEST_QUEUE = 1000


class CachedVoice:
    """Gives another voice's lines trimmed, at one loudness and at ``rate`` Hz, from memory when it can.

    The oldest unused lines are dropped beyond ``limit`` bytes. Safe to use from several threads: a line that is being
    rendered already is waited for, not rendered twice.
    """

    def __init__(self, voice: Voice, rate: int = COMMON_RATE, limit: int = DEFAULT_LIMIT) -> None:
        self._voice = voice
        self._rate = rate
        self._limit = limit
        self._lines: OrderedDict[str, Sound] = OrderedDict()
        self._size = 0
        self._busy: set[str] = set()
        self._urgent = 0
        self._wanted: deque[str] = deque()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._changed = threading.Condition()
        self.language = voice.language

    @property
    def name(self) -> str:
        """The voice that will say the next new line."""
        return self._voice.name

    @property
    def size(self) -> int:
        """Bytes of sound held."""
        return self._size

    def ready(self, text: str) -> bool:
        """Whether a line would come at once."""
        with self._changed:
            return text in self._lines

    def render(self, text: str) -> Sound:
        """See Voice; goes before what is rendered ahead."""
        return self._render(text, background=False)

    def _render(self, text: str, background: bool) -> Sound:
        with self._changed:
            self._changed.wait_for(lambda: text not in self._busy)
            if text in self._lines:
                self._lines.move_to_end(text)
                return self._lines[text]
            self._busy.add(text)
            self._urgent += not background
        try:
            sound = shaping.finish(self._voice.render(text), self._rate)
            self._keep(text, sound)
            return sound
        finally:
            with self._changed:
                self._urgent -= not background
                self._busy.discard(text)
                self._changed.notify_all()

    def prerender(self, lines: Iterable[str]) -> None:
        """Render lines in the background, these before any that still wait; a line that fails is left for its time."""
        with self._changed:
            fresh = list(dict.fromkeys(line for line in lines if line not in self._lines))
            rest = [line for line in self._wanted if line not in fresh]
            self._wanted = deque([*fresh, *rest][:_LONGEST_QUEUE])
            self._closed = False
            if self._wanted and self._thread is None:
                self._thread = threading.Thread(target=self._work, name="prerender", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Forget what waits and end the engines' processes; what is cached stays."""
        with self._changed:
            self._wanted.clear()
            self._closed = True
            self._changed.notify_all()
            thread = self._thread
        self._voice.close()
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout=10)
            # The thread may have started an engine once more in between.
            self._voice.close()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._urgent == 0 or self._closed)
                if not self._wanted or self._closed:
                    self._thread = None
                    return
                line = self._wanted.popleft()
            try:
                self._render(line, background=True)
            except VoiceFailed:
                continue

    def _keep(self, text: str, sound: Sound) -> None:
        with self._changed:
            if len(sound.pcm) > self._limit:
                return
            self._lines[text] = sound
            self._size += len(sound.pcm)
            while self._size > self._limit:
                _, dropped = self._lines.popitem(last=False)
                self._size -= len(dropped.pcm)
