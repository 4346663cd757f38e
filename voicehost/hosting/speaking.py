"""Speaks lines one after another through a voice and a player that the command line brings."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

MARGIN = 0.12
"""Seconds beside the player's latency by which a line with a moment is given early: threads need some of it."""

_A_CHARACTER = 0.07
"""Seconds of speech of a character, for a line that is not rendered yet."""


class Voice(Protocol):
    """Turns text into sound."""

    def ready(self, text: str) -> bool:
        """Tell whether a line would come at once."""
        ...

    def render(self, text: str) -> Any:
        """Return the sound of a line; may take its time."""
        ...

    def prerender(self, lines: Sequence[str]) -> None:
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

    @property
    def latency(self) -> float:
        """Seconds from the queue to the air."""
        ...

    def play(self, sound: Any, at: float | None = None) -> Any:
        """Queue a sound, to begin at a moment if one is given."""
        ...

    def flush(self) -> None:
        """Stop all."""
        ...


class Music(Protocol):
    """Plays below the voice."""

    def resume(self) -> None:
        """Let it be heard."""
        ...

    def pause(self) -> None:
        """Fade it out."""
        ...


@dataclass(slots=True, eq=False)
class _Item:
    """What is to be said: a text, or the sound of a signal."""

    text: str
    sound: Any
    said: asyncio.Future[None]
    at: float | None
    firm: bool
    urgent: bool = False
    dropped: bool = False
    """Not wanted any more; it may be found out between its rendering and its first sample."""


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
        signals: Mapping[str, Any] | None = None,
        music: Music | None = None,
    ) -> None:
        """Start the thread.

        ``takes_time``: whether whoever asks has to wait for the end of a line (not with the virtual clock).
        ``watch`` is shown each playback as it begins (the microphone's gate); ``on_failure`` is told why a line is
        not heard, in the speaker's thread. ``signals`` are sounds by name; one that is missing is silent.
        """
        self._voice = voice
        self._player = player
        self._loop = loop
        self._takes_time = takes_time
        self._watch = watch or (lambda playback: None)
        self._on_failure = on_failure or (lambda error: None)
        self._signals = signals or {}
        self._music = music
        self._urgent: deque[_Item] = deque()
        self._waiting: deque[_Item] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._idle = True
        self._now: tuple[_Item, Playback | None] | None = None
        self._thread = threading.Thread(target=self._run, name="speaker", daemon=True)
        self._thread.start()

    @property
    def lead(self) -> float:
        """How many seconds before its moment a line must be given."""
        return self._player.latency + MARGIN if self._takes_time else 0.0

    def say(
        self, text: str, *, urgent: bool = False, at: float | None = None, firm: bool = False
    ) -> asyncio.Future[None] | None:
        """Queue a line; an urgent one goes before those that wait, never into the one that sounds."""
        said = self._put(_Item(text, None, self._loop.create_future(), at, firm, urgent))
        self._voice.prerender([text])
        return said

    def signal(self, name: str, at: float | None = None) -> asyncio.Future[None] | None:
        """Queue a signal, if there is one of that name."""
        sound = self._signals.get(name)
        return None if sound is None else self._put(_Item("", sound, self._loop.create_future(), at, False))

    def length(self, text: str) -> float:
        """How many seconds a line will take, exactly when it is ready."""
        if not self._takes_time:
            return 0.0
        if self._voice.ready(text):
            try:
                return float(self._voice.render(text).seconds)
            except Exception:
                return 0.0  # it will be on the screen only
        self._voice.prerender([text])
        return _A_CHARACTER * len(text)

    def prepare(self, lines: Sequence[str]) -> None:
        """Make lines ready in the background, the first ones first."""
        if self._takes_time:
            self._voice.prerender(lines)

    def music(self, *, plays: bool) -> None:
        """Let the music be heard, or fade it out."""
        if self._music is not None:
            if plays:
                self._music.resume()
            else:
                self._music.pause()

    def skip(self) -> None:
        """End the line that sounds and forget those that wait, but for firm ones."""
        with self._changed:
            dropped = [item for item in (*self._urgent, *self._waiting) if not item.firm]
            self._urgent = deque(item for item in self._urgent if item.firm)
            self._waiting = deque(item for item in self._waiting if item.firm)
            playback = self._drop_current(firm=False)
        if playback is not None:
            playback.cancel()
        for one in dropped:
            self._settle(one.said)

    def stop(self) -> None:
        """Be silent at once and forget what waits."""
        with self._changed:
            dropped = [*self._urgent, *self._waiting]
            self._urgent.clear()
            self._waiting.clear()
            self._drop_current(firm=True)
        self._player.flush()
        for item in dropped:
            self._settle(item.said)

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

    def _drop_current(self, *, firm: bool) -> Playback | None:
        """Mark what is being rendered or sounds as unwanted, a firm one only if ``firm``; return what sounds of it."""
        item, playback = self._now or (None, None)
        if item is None or (item.firm and not firm):
            return None
        item.dropped = True
        return playback

    def _put(self, item: _Item) -> asyncio.Future[None] | None:
        with self._changed:
            (self._urgent if item.urgent else self._waiting).append(item)
            self._idle = False
            self._changed.notify_all()
        return item.said if self._takes_time else None

    def _run(self) -> None:
        while True:
            with self._changed:
                self._now = None
                self._idle = not (self._urgent or self._waiting)
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._urgent or self._waiting or self._closing)
                if self._closing:
                    return
                item = (self._urgent or self._waiting).popleft()
                self._now = (item, None)
            try:
                said = self._say(item)
            except Exception as error:
                self._on_failure(error)
                said = True
            if said:
                self._settle(item.said)

    def _say(self, item: _Item) -> bool:
        """Render and play it; false when it has to let an urgent one go first, and waits again."""
        if item.sound is None:
            item.sound = self._voice.render(item.text)
            with self._changed:
                # Rendering takes its time: meanwhile the line may have become unwanted, or a foul been given.
                if self._urgent and not (item.urgent or item.dropped or item.at):
                    self._waiting.appendleft(item)
                    return False
        if self._unwanted(item):
            return True
        playback: Playback = self._player.play(item.sound, item.at)
        self._watch(playback)
        with self._changed:
            self._now = (item, playback)
        if self._unwanted(item):
            playback.cancel()
        playback.wait()
        return True

    def _unwanted(self, item: _Item) -> bool:
        with self._changed:
            return item.dropped

    def _settle(self, said: asyncio.Future[None]) -> None:
        def done() -> None:
            if not said.done():
                said.set_result(None)

        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(done)
