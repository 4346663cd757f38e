"""What plays sounds, as the rest of the program sees it, and a player for when nothing can be heard."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future
from threading import Condition, Thread
from time import monotonic
from typing import Protocol


class Sound(Protocol):
    """16-bit mono samples, little-endian, and how many of them make a second."""

    @property
    def pcm(self) -> bytes:
        """The samples."""

    @property
    def rate(self) -> int:
        """Samples a second."""


class Playback:
    """One sound on its way to the air.

    It can be awaited (until it has been heard to its end, or was cancelled) or waited for; a callback is called in
    another thread. Times are those of ``time.monotonic``.

    Attributes:
        seconds: how long the sound is.
        queued: when it was handed over.
        started: when its first sample was heard, ``None`` before; never set if it was cancelled before.
        finished: when it fell silent, ``None`` before.
        cancelled: whether it was stopped before its end.
        heard: whether all of it went to a device.
    """

    def __init__(self, seconds: float, cancel: Callable[[Playback], None]) -> None:
        self.seconds = seconds
        self.queued = monotonic()
        self.started: float | None = None
        self.finished: float | None = None
        self.cancelled = False
        self.heard = True
        self._cancel = cancel
        self._done: Future[bool] = Future()
        # Nobody may take the result away from those who wait for it.
        self._done.set_running_or_notify_cancel()

    def cancel(self) -> None:
        """Stop it, or take it out of the queue. Nothing happens when it is over."""
        self._cancel(self)

    @property
    def done(self) -> bool:
        """Whether it is over."""
        return self._done.done()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until it is over; ``False`` if it is not within ``timeout`` seconds."""
        try:
            self._done.result(timeout)
        except TimeoutError:
            return False
        return True

    def add_done_callback(self, call: Callable[[Playback], None]) -> None:
        """Call when it is over (at once if it is), in whichever thread finds out."""
        self._done.add_done_callback(lambda _: call(self))

    def __await__(self) -> Generator[None, None, bool]:
        """Wait without holding up the event loop; the result is whether it was heard to its end."""
        return asyncio.shield(asyncio.wrap_future(self._done)).__await__()

    def settle(self) -> None:
        """Tell all who wait that it is over; for the player that plays it."""
        if not self._done.done():
            self._done.set_result(self.heard and not self.cancelled)


class Player(Protocol):
    """Plays one sound after another in the order in which they came; safe to call from any thread."""

    @property
    def name(self) -> str:
        """The device, for people."""

    @property
    def latency(self) -> float:
        """Seconds from ``play`` to the moment at which a sound is heard, when nothing else waits."""

    def play(self, sound: Sound, at: float | None = None) -> Playback:
        """Put a sound into the queue; returns at once.

        With ``at`` it is silent before that moment (of ``time.monotonic``), and begins to be heard exactly then.
        """

    def flush(self) -> None:
        """Cancel what sounds and all that waits."""

    def sounding(self) -> bool:
        """Whether something sounds or waits to."""

    def silent_since(self) -> float | None:
        """When the last sound ended; ``None`` while something sounds or before anything did."""

    def close(self) -> None:
        """Cancel everything and let the device go. May be called twice."""


class SilentPlayer:
    """A ``Player`` without a device: a sound takes its time, or none, and nobody hears it.

    Without ``takes_time`` a sound is over when ``play`` returns (the virtual clock).
    """

    name = "-"
    latency = 0.0

    def __init__(self, *, takes_time: bool = True) -> None:
        self._takes_time = takes_time
        self._change = Condition()
        self._waiting: deque[Playback] = deque()
        self._moments: dict[int, float] = {}
        self._silent_since: float | None = None
        self._closed = False
        if takes_time:
            Thread(target=self._run, name="silent player", daemon=True).start()

    def play(self, sound: Sound, at: float | None = None) -> Playback:
        """Let the sound's time pass, after that of the sounds before it and not before ``at``."""
        playback = Playback(len(sound.pcm) / 2 / sound.rate if self._takes_time else 0.0, self._cancel)
        playback.heard = False
        with self._change:
            if self._takes_time and not self._closed:
                self._waiting.append(playback)
                if at is not None:
                    self._moments[id(playback)] = at
                self._change.notify()
                return playback
            playback.started = playback.finished = self._silent_since = monotonic()
            playback.cancelled = self._closed
        playback.settle()
        return playback

    def flush(self) -> None:
        """Cancel everything."""
        for playback in tuple(self._waiting):
            self._cancel(playback)

    def sounding(self) -> bool:
        """Whether a sound's time passes."""
        return bool(self._waiting)

    def silent_since(self) -> float | None:
        """When the last sound would have ended."""
        return None if self._waiting else self._silent_since

    def close(self) -> None:
        """Cancel everything."""
        with self._change:
            self._closed = True
            self._change.notify()
        self.flush()

    def _cancel(self, playback: Playback) -> None:
        with self._change:
            if playback not in self._waiting:
                return
            self._waiting.remove(playback)
            self._moments.pop(id(playback), None)
            self._end(playback)
            playback.cancelled = True
            self._change.notify()
        playback.settle()

    def _end(self, playback: Playback) -> None:
        now = monotonic()
        if playback.started is not None:
            self._silent_since = now
            playback.finished = now

    def _run(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._waiting or self._closed)
                if self._closed:
                    return
                playback = self._waiting[0]
                if playback.started is None:
                    early = self._moments.get(id(playback), 0.0) - monotonic()
                    if early > 0:
                        self._change.wait(early)
                        continue
                    playback.started = monotonic()
                left = playback.started + playback.seconds - monotonic()
                if left > 0:
                    self._change.wait(left)
                    continue
                self._waiting.popleft()
                self._moments.pop(id(playback), None)
                self._end(playback)
            playback.settle()
