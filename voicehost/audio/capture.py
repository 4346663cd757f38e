"""The microphone: any device and rate in, stamped 16 kHz blocks out, and an event when the device goes or comes."""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, Full, Queue
from time import monotonic
from typing import Any

import numpy as np

from voicehost.audio.devices import own_stream
from voicehost.audio.pcm import SAMPLE_RATE, Block, Resampler, Samples
from voicehost.audio.stream import DeviceEvent, DeviceStream

BLOCK = 0.03
"""Seconds of one block."""
_WAITING_BLOCKS = 400
"""Blocks that may wait (12 s) while the recogniser is slow, before the oldest are lost."""
_SILENT = 1.5
"""Seconds of nothing but zeros since it was opened after which the microphone counts as silent."""
_WATCH = 0.1
OVERFLOWS_TOLD = 10.0
"""Seconds after which it is told again that sound is being lost."""


class Microphone:
    """A ``Source`` over a microphone.

    ``read`` must be called regularly by one thread: it also watches the device and opens it again when it was lost.
    The device is never closed or muted to keep something from being heard; blocks are thrown away instead.

    Attributes:
        overflows: how often sound was lost because the computer was too slow.
    """

    def __init__(
        self,
        name: str | None = None,
        on_event: Callable[[DeviceEvent], None] | None = None,
        *,
        rate: int | None = None,
        gain_of: Callable[[str], float] | None = None,
    ) -> None:
        """Open the microphone.

        Args:
            name: part of its name; ``None``: the default one.
            on_event: told what ``DeviceEvent`` can tell, in the thread that reads.
            rate: samples a second, if not the device's own.
            gain_of: dB by which to make the device of that name louder, asked whenever it is another one.

        Raises:
            UserError: see ``DeviceStream.open``.
        """
        self.overflows = 0
        self._gain_of = gain_of or (lambda name: 0.0)
        self._gain = 1.0
        self._gained: str | None = None
        self._notify = on_event or (lambda event: None)
        self._queue: Queue[tuple[bytes, float]] = Queue(_WAITING_BLOCKS)
        self._stream = DeviceStream("microphone", name, self._take, self._changed, rate=rate, block=BLOCK)
        self._converter = Resampler(SAMPLE_RATE, SAMPLE_RATE)
        self._converted_from = 0
        self._given = 0
        self._zeros = 0
        self._listening_for_zeros = True
        self._closed = False
        self._overflows_told = 0
        self._next_told = 0.0
        self._stream.open()
        own_stream(self)

    @property
    def name(self) -> str:
        """The device's name."""
        return self._stream.label

    @property
    def cancels_echo(self) -> bool:
        """Whether the loudspeaker's sound is taken out of what it hears."""
        return self._stream.device is not None and self._stream.device.cancels_echo

    @property
    def lost(self) -> bool:
        """Whether the device is gone at the moment."""
        return self._stream.lost

    @property
    def busy(self) -> bool:
        """Whether blocks come, so that PortAudio must not start anew."""
        return self._stream.is_open and not self._stream.lost

    @property
    def ended(self) -> bool:
        """Whether the microphone was closed."""
        return self._closed

    def read(self, timeout: float | None = None) -> Block | None:
        """Return the next block, or ``None`` if none came within ``timeout`` seconds (``None``: a tenth)."""
        end = monotonic() + (_WATCH if timeout is None else timeout)
        while not self._closed:
            self._stream.watch()
            self._tell_overflows()
            try:
                pcm, arrived = self._queue.get(timeout=max(0.001, min(_WATCH, end - monotonic())))
            except Empty:
                if monotonic() >= end:
                    return None
                continue
            block = self._block(pcm, arrived)
            if block.pcm:
                return block
        return None

    def release(self) -> None:
        """Close the device for a moment; reading opens it again."""
        self._stream.release()

    def close(self) -> None:
        """Let the device go. May be called twice."""
        self._closed = True
        self._stream.close()

    def _take(self, buffer: Any, frames: int, times: Any, flags: Any) -> None:
        """PortAudio's callback: it only copies, for it must never wait."""
        self._stream.touch(frames)
        if flags.input_overflow:
            self.overflows += 1
        item = (bytes(buffer), monotonic())
        try:
            self._queue.put_nowait(item)
        except Full:
            self.overflows += 1

    def _changed(self, event: DeviceEvent) -> None:
        if event.what in {"lost", "dumb"}:
            # What waits is old, and the device may come back at another rate.
            while not self._queue.empty():
                self._queue.get_nowait()
        self._zeros = 0
        self._listening_for_zeros = True
        self._notify(event)

    def _block(self, data: bytes, arrived: float) -> Block:
        samples: Samples = np.frombuffer(data, np.int16)
        if self._stream.channels > 1:
            samples = samples.reshape(-1, self._stream.channels)[:, 0]
        self._look_for_zeros(samples)
        if self._converted_from != self._stream.rate:
            self._converter = Resampler(self._stream.rate, SAMPLE_RATE)
            self._converted_from = self._stream.rate
        pcm = self._amplified(self._converter.feed(samples)).astype("<i2").tobytes()
        began = self._given / SAMPLE_RATE
        self._given += len(pcm) // 2
        return Block(pcm, began, arrived)

    def _amplified(self, samples: Samples) -> Samples:
        if self._gained != self.name:
            self._gained = self.name
            self._gain = 10 ** (self._gain_of(self.name) / 20)
        if self._gain == 1.0:
            return samples
        louder: Samples = np.clip(np.rint(samples.astype(np.float32) * self._gain), -32768, 32767).astype(np.int16)
        return louder

    def _tell_overflows(self) -> None:
        if self.overflows > self._overflows_told and monotonic() >= self._next_told:
            self._overflows_told, self._next_told = self.overflows, monotonic() + OVERFLOWS_TOLD
            self._notify(DeviceEvent("overflow", "microphone", self.name))

    def _look_for_zeros(self, samples: Samples) -> None:
        """Notice a microphone that never gives anything; a good one may be silent for a while later."""
        if not self._listening_for_zeros:
            return
        if samples.any():
            self._listening_for_zeros = False
            return
        self._zeros += len(samples)
        if self._zeros >= _SILENT * self._stream.rate:
            self._listening_for_zeros = False
            self._notify(DeviceEvent("silent", "microphone", self.name))
