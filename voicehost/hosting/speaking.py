"""Speaks lines one after another through a voice and a player that the command line brings."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol


class Voice(Protocol):
    """Turns text into sound."""

    def render(self, text: str) -> Any:
        """Return the sound of a line; may take its time."""
        ...

    def prerender(self, lines: list[str]) -> None:
        """Make lines ready that will be wanted soon."""
        ...


class Playback(Protocol):
    """A sound on its way."""

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is over."""
        ...

    def cancel(self) -> None:
        """Stop it."""
        ...


class Player(Protocol):
    """Plays sounds."""

    def play(self, sound: Any) -> Any:
        """Queue a sound."""
        ...

    def flush(self) -> None:
        """Stop all."""
        ...


class LiveSpeaker:
    """A thread that renders and plays; a line that cannot be rendered is only on the screen, and counts as said."""

    def __init__(
        self,
        voice: Voice,
        player: Player,
        loop: asyncio.AbstractEventLoop,
        *,
        takes_time: bool = True,
        watch: Callable[[Any], None] | None = None,
        on_failure: Callable[[Exception], None] | None = None,
    ) -> None:
        """Start the thread.

        ``takes_time``: whether whoever asks has to wait for the end of a line (not with the virtual clock).
        ``watch`` is shown each playback as it begins (the microphone's gate); ``on_failure`` is told why a line is
        not heard, in the speaker's thread.
        """
        self._voice = voice
        self._player = player
        self._loop = loop
        self._takes_time = takes_time
        self._watch = watch or (lambda playback: None)
        self._on_failure = on_failure or (lambda error: None)
        self._urgent: deque[tuple[str, asyncio.Future[None]]] = deque()
        self._waiting: deque[tuple[str, asyncio.Future[None]]] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._idle = True
        self._thread = threading.Thread(target=self._run, name="speaker", daemon=True)
        self._thread.start()

    def say(self, text: str, *, urgent: bool = False) -> asyncio.Future[None] | None:
        """Queue a line; an urgent one goes before those that wait, never into the one that sounds."""
        said: asyncio.Future[None] = self._loop.create_future()
        with self._changed:
            (self._urgent if urgent else self._waiting).append((text, said))
            self._idle = False
            self._changed.notify_all()
        self._voice.prerender([text])
        return said if self._takes_time else None

    def stop(self) -> None:
        """Be silent at once and forget what waits."""
        with self._changed:
            dropped = [*self._urgent, *self._waiting]
            self._urgent.clear()
            self._waiting.clear()
        self._player.flush()
        for _, said in dropped:
            self._settle(said)

    def wait_until_said(self, timeout: float | None = None) -> bool:
        """Wait in another thread than the loop's until nothing is left to say."""
        with self._changed:
            return self._changed.wait_for(lambda: self._idle, timeout)

    def close(self) -> None:
        """Say nothing more and end the thread."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self.stop()
        self._thread.join(timeout=5)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._idle = not (self._urgent or self._waiting)
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._urgent or self._waiting or self._closing)
                if self._closing:
                    return
                text, said = (self._urgent or self._waiting).popleft()
            try:
                playback = self._player.play(self._voice.render(text))
                self._watch(playback)
                playback.wait()
            except Exception as error:
                self._on_failure(error)
            self._settle(said)

    def _settle(self, said: asyncio.Future[None]) -> None:
        def done() -> None:
            if not said.done():
                said.set_result(None)

        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(done)
