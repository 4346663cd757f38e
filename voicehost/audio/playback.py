"""The speaker: one stream that stays open, fed from a queue.

A stream opened for each sentence would cut off its beginning and its end; this one is silent between them. While
the device is gone the sounds take their time unheard, so that the game does not stop.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any

import numpy as np

from voicehost.audio.devices import own_stream
from voicehost.audio.music import Music
from voicehost.audio.pcm import Samples, resample
from voicehost.audio.player import Playback, Sound
from voicehost.audio.stream import DeviceEvent, DeviceStream

_LATENCY = 0.1
"""Seconds from the queue to the air that are assumed before the device has told."""
_WATCH = 0.1
_FADE = 0.005
"""Seconds in which a cancelled sound fades, so that it does not click."""
_MOST_LATENCY = 0.5
_STEADY = 0.02
"""How far the estimate of the stream's beginning follows one callback: they come in bursts, the sound flows."""
_JUMP = 0.1
"""Seconds of deviation beyond which the stream itself has paused, and the estimate begins anew."""
_WARM_UP = 0.2
"""Seconds of silence before the first sound: some devices swallow the beginning of what they are given."""


@dataclass(slots=True)
class _Item:
    playback: Playback
    samples: Samples
    place: int = 0
    at: float | None = None


class StreamPlayer:
    """A ``Player`` over a loudspeaker.

    Attributes:
        underflows: how often the computer was too slow and a gap was to be heard.
    """

    def __init__(
        self,
        name: str | None = None,
        on_event: Callable[[DeviceEvent], None] | None = None,
        *,
        rate: int | None = None,
        music: Music | None = None,
    ) -> None:
        """Open the loudspeaker.

        Args:
            name: part of its name; ``None``: the default one.
            on_event: told that the device is lost or back, in the player's own thread.
            rate: samples a second, if not the device's own.
            music: what to play softly below.

        Raises:
            UserError: see ``DeviceStream.open``.
        """
        self.underflows = 0
        self._lock = Lock()
        self._queue: deque[_Item] = deque()
        self._ending: deque[Playback] = deque()
        self._silent_since: float | None = None
        self._closed = Event()
        self._music = music
        self._origin: float | None = None
        self._heard_after = _LATENCY
        self._stream = DeviceStream("speaker", name, self._fill, on_event or (lambda event: None), rate=rate)
        self._stream.open()
        self._rate = self._stream.rate
        self._drained = monotonic()
        own_stream(self)
        self._thread = Thread(target=self._look_after, name="loudspeaker", daemon=True)
        self._thread.start()

    @property
    def name(self) -> str:
        """The device's name."""
        return self._stream.label

    @property
    def lost(self) -> bool:
        """Whether the device is gone at the moment."""
        return self._stream.lost

    @property
    def busy(self) -> bool:
        """Whether something is to be heard, so that PortAudio must not start anew."""
        return self._stream.is_open and not self._stream.lost and self.sounding()

    @property
    def latency(self) -> float:
        """Seconds from ``play`` to the first sample in the air, as the device last told."""
        return self._heard_after

    def play(self, sound: Sound, at: float | None = None) -> Playback:
        """Put a sound into the queue; returns at once. With ``at`` it begins at that moment, to the sample."""
        playback = Playback(len(sound.pcm) / 2 / sound.rate, self._cancel)
        samples = np.frombuffer(sound.pcm[: len(sound.pcm) // 2 * 2], "<i2").astype(np.int16)
        rate = self._rate
        converted = resample(samples, sound.rate, rate)
        with self._lock:
            if not self._closed.is_set():
                if rate != self._rate:
                    converted = resample(converted, rate, self._rate)
                self._queue.append(_Item(playback, converted, at=at))
                return playback
            playback.cancelled = True
            playback.heard = False
        playback.settle()
        return playback

    def flush(self) -> None:
        """Cancel what sounds and all that waits."""
        with self._lock:
            playbacks = [item.playback for item in reversed(self._queue)]
        for playback in playbacks:
            self._cancel(playback)

    def sounding(self) -> bool:
        """Whether something sounds or waits to."""
        with self._lock:
            return bool(self._queue) or bool(self._ending)

    def silent_since(self) -> float | None:
        """When the last sound ended, in the time of ``time.monotonic``."""
        with self._lock:
            return None if self._queue or self._ending else self._silent_since

    def release(self) -> None:
        """Close the device for a moment; the player's thread opens it again."""
        self._stream.release()

    def close(self) -> None:
        """Cancel everything and let the device go. May be called twice."""
        if self._closed.is_set():
            return
        with self._lock:
            self._closed.set()
        self._thread.join(5)
        self._stream.close()
        if self._music:
            self._music.close()
        with self._lock:
            left = [item.playback for item in self._queue]
            ending = list(self._ending)
            self._queue.clear()
            self._ending.clear()
        for playback in left:
            playback.cancelled = True
            playback.heard = False
            if playback.started is not None:
                playback.finished = monotonic()
        for playback in [*ending, *left]:
            playback.settle()

    def _cancel(self, playback: Playback) -> None:
        with self._lock:
            item = next((item for item in self._queue if item.playback is playback), None)
            if item is None or playback.cancelled:
                return
            playback.cancelled = True
            if playback.started is not None:
                fade = item.samples[item.place : item.place + round(_FADE * self._rate)]
                ramp = np.linspace(1, 0, len(fade), dtype=np.float32)
                item.samples = (fade * ramp).astype(np.int16)
                item.place = 0
                return
            self._queue.remove(item)
        playback.settle()

    def _fill(self, buffer: Any, frames: int, times: Any, flags: Any) -> None:
        """PortAudio's callback."""
        self._stream.touch(frames)
        if self._stream.transferred < _WARM_UP * self._stream.rate:
            buffer[:] = bytes(len(buffer))
            return
        if flags.output_underflow:
            self.underflows += 1
        latency = times.outputBufferDacTime - times.currentTime
        if not 0 < latency <= _MOST_LATENCY:
            latency = min(self._stream.latency, _MOST_LATENCY)
        samples = self._pull(frames, self._moment(frames, monotonic() + latency), heard=True)
        self._heard_after = 0.9 * self._heard_after + 0.1 * (latency + frames / self._stream.rate)
        channels = self._stream.channels
        buffer[:] = (samples if channels == 1 else np.repeat(samples, channels)).tobytes()

    def _moment(self, frames: int, at: float) -> float:
        """When this block is heard: what this callback says, smoothed by the even flow of samples before it."""
        passed = (self._stream.transferred - frames) / self._stream.rate
        measured = at - passed
        if self._origin is None or abs(measured - self._origin) > _JUMP:
            self._origin = measured
        else:
            self._origin += _STEADY * (measured - self._origin)
        return self._origin + passed

    def _pull(self, frames: int, at: float, *, heard: bool) -> Samples:
        """Take the next samples, the first of which is heard at ``at``."""
        made: Samples = np.zeros(frames, np.int16)
        place = 0
        with self._lock:
            while self._queue and place < frames:
                item = self._queue[0]
                playback = item.playback
                if playback.started is None:
                    if item.at is not None and heard:
                        place += max(0, min(frames - place, round((item.at - at) * self._rate) - place))
                        if place == frames:
                            break
                    playback.started = at + place / self._rate
                count = min(frames - place, len(item.samples) - item.place)
                made[place : place + count] = item.samples[item.place : item.place + count]
                place += count
                item.place += count
                playback.heard = playback.heard and heard
                if item.place == len(item.samples):
                    playback.finished = at + place / self._rate
                    self._queue.popleft()
                    self._ending.append(playback)
            speaking = place > 0 or bool(self._queue)  # before a sound that waits for its moment as well
        if self._music is None or not heard:
            return made
        below = self._music.pull(frames, self._rate, softly=speaking)
        mixed: Samples = np.clip(made.astype(np.int32) + below, -32768, 32767).astype(np.int16)
        return mixed

    def _look_after(self) -> None:
        """The player's own thread: tells who waits, and looks after the device."""
        watched = 0.0
        while not self._closed.is_set():
            now = monotonic()
            if now - watched >= _WATCH:
                watched = now
                if self._stream.watch():
                    self._adapt()
                    self._drained = monotonic()
                else:
                    self._drain()
            self._closed.wait(self._settle())

    def _settle(self) -> float:
        """Settle what has been heard; return the seconds until there may be more to do."""
        while True:
            with self._lock:
                if not self._ending:
                    return 0.01 if self._queue else 0.02
                left = (self._ending[0].finished or 0.0) - monotonic()
                if left > 0:
                    return min(left, _WATCH)
                playback = self._ending.popleft()
                self._silent_since = playback.finished
            playback.settle()

    def _adapt(self) -> None:
        """Follow the device when it came back at another rate."""
        rate = self._stream.rate
        if rate == self._rate:
            return
        with self._lock:
            for item in self._queue:
                item.samples = resample(item.samples[item.place :], self._rate, rate)
                item.place = 0
            self._rate = rate

    def _drain(self) -> None:
        """Without a device: let the time of what waits pass."""
        now = monotonic()
        frames = int((now - self._drained) * self._rate)
        if frames > 0:
            self._drained = now
            self._pull(frames, now, heard=False)
