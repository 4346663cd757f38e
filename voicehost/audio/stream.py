"""One stream to one device, noticed when it is lost and opened again by itself.

A device that goes away raises nothing: its callback just stops, and sometimes a "finished" callback fires. So the
owner asks regularly (``watch``) whether blocks still come.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryFile
from threading import Thread
from time import monotonic
from typing import Any, Literal

from voicehost.audio import devices, pulse
from voicehost.errors import UserError

FIRST_BLOCKS = 2.0
"""Seconds in which a freshly opened device may start: some take their first blocks at once and then a pause."""
NEXT_BLOCK = 0.5
"""Seconds without a block after which a device counts as lost."""
RETRY = 1.0
"""Seconds between two attempts to open a lost device."""
_RESCAN_EVERY = 3
_CLOSING = 2.0
_LATENCY = 0.1
"""Seconds of sound that a speaker holds: too little, and a busy moment of the computer is a gap in a word."""
_CHATTER = (b"Expression '", b"ALSA lib ", b"Cannot connect to server ", b"jack server is not running")


@dataclass(frozen=True, slots=True)
class DeviceEvent:
    """Something that happened to a device.

    Attributes:
        what: ``lost``; ``dumb``: it was opened and never gave a sound, which counts as lost too, and it is opened
            again; ``back``; ``silent``: nothing but zeros comes (no permission, or muted); or ``overflow``: sound was
            lost because the computer was too slow.
        kind: ``microphone`` or ``speaker``.
        device: its name.
    """

    what: Literal["lost", "dumb", "back", "silent", "overflow"]
    kind: Literal["microphone", "speaker"]
    device: str


Transfer = Callable[[Any, int, Any, Any], None]
"""PortAudio's callback: buffer, frames, times, flags."""


class DeviceStream:
    """A 16-bit stream at the device's own rate, with as few channels as it takes.

    Only one thread may call ``open``, ``watch`` and ``close``; ``transfer`` runs in PortAudio's.
    """

    def __init__(
        self,
        kind: Literal["microphone", "speaker"],
        name: str | None,
        transfer: Transfer,
        notify: Callable[[DeviceEvent], None],
        *,
        rate: int | None = None,
        block: float = 0.0,
    ) -> None:
        """Describe the stream; ``open`` makes it.

        Args:
            kind: which way the sound goes.
            name: part of the device's name; ``None``: the default one.
            transfer: called for every block with PortAudio's arguments.
            notify: called when the device is lost and when it is back, in the thread that watches.
            rate: samples a second, if not the device's own.
            block: seconds of one block; 0 leaves it to the system.
        """
        self.kind = kind
        self.device: devices.Device | None = None
        self.rate = rate or 0
        self.channels = 1
        self.latency = 0.0
        self.lost = False
        self.transferred = 0
        """Samples (of each channel) since it was opened."""
        self._wanted = name
        self._wanted_rate = rate
        self._transfer = transfer
        self._notify = notify
        self._block = block
        self._stream: Any = None
        self._finished = False
        self._opened = 0.0
        self._last: float | None = None
        self._next_try = 0.0
        self._failures = 0
        self._called = ""
        self._dumb: set[tuple[str, str]] = set()
        """Devices and interfaces that were opened and never called back."""

    @property
    def is_open(self) -> bool:
        """Whether there is a stream, healthy or not."""
        return self._stream is not None

    @property
    def label(self) -> str:
        """The device's name as far as it is known, a microphone's own where it is reached through a sound server."""
        return self._called or (self.device.name if self.device else self._wanted or "default")

    def open(self) -> None:
        """Open the device.

        Raises:
            UserError: as ``devices.find_microphone`` and ``find_speaker``, or ``audio.microphone-failed`` or
                ``audio.speaker-failed`` with what the system says, ``audio.microphone-rate`` if it says that of the
                rate, or ``audio.server-hangs``.
        """
        pulse.check()
        find = devices.find_microphone if self.kind == "microphone" else devices.find_speaker
        library = devices.sound_library()
        with devices.PORTAUDIO, _without_chatter():
            device = find(self._wanted)
            name = devices.called(device) if self.kind == "microphone" else device.name
            problem: Exception | None = None
            for candidate, rate, channels in self._ways(device):
                try:
                    self._start(library, candidate, rate, channels)
                except (library.PortAudioError, ValueError) as error:
                    problem = problem or error
                else:
                    self.device, self.rate, self.channels, self._called = candidate, rate, channels, name
                    return
        detail = _reason(problem)
        if self.kind == "microphone" and "sample rate" in detail.lower():
            raise UserError("audio.microphone-rate", name=name, rate=self._wanted_rate or device.rate, detail=detail)
        raise UserError(f"audio.{self.kind}-failed", name=name, detail=detail)

    def watch(self) -> bool:
        """Look after the device: tell that it is lost or back, and try to open it again.

        Returns:
            Whether it is open and blocks come (or may still come, just after opening).
        """
        now = monotonic()
        if self._stream is None:
            if now < self._next_try or not self._open_again():
                return False
        elif self._finished or now - max(self._last or 0.0, self._opened + FIRST_BLOCKS - NEXT_BLOCK) > NEXT_BLOCK:
            dumb = self._last is None and not self._finished
            if dumb and self.device is not None:
                self._dumb.add((self.device.name, self.device.interface))
            self._lose(dumb=dumb)
            self._drop()
            self._next_try = now
            return False
        if self.lost and self._last is not None:
            self.lost = False
            self._failures = 0
            self._notify(DeviceEvent("back", self.kind, self.label))
        return not self.lost

    def touch(self, frames: int) -> None:
        """Note that a block came; ``transfer`` calls this."""
        self._last = monotonic()
        self.transferred += frames

    def release(self) -> None:
        """Close the stream for a moment; ``watch`` opens it again."""
        if self._stream is not None:
            self._drop()
            self._next_try = 0.0

    def close(self) -> None:
        """Close the stream for good."""
        if self._stream is not None:
            self._drop()

    def _lose(self, *, dumb: bool = False) -> None:
        if not self.lost:
            self.lost = True
            self._notify(DeviceEvent("dumb" if dumb else "lost", self.kind, self.label))

    def _open_again(self) -> bool:
        try:
            self.open()
        except UserError:
            self._lose()
            self._failures += 1
            self._next_try = monotonic() + RETRY
            # A device that was plugged in anew is there only after PortAudio has looked again.
            if self._failures % _RESCAN_EVERY == 0:
                devices.rescan()
            return False
        return True

    def _ways(self, device: devices.Device) -> Iterator[tuple[devices.Device, int, int]]:
        """The ways to open it: one channel if it may be, then its own count; then by its other interfaces.

        An interface that opens and then gives nothing (the sound mapper of Windows does that) comes last.
        """
        found = devices.microphones() if self.kind == "microphone" else devices.speakers()
        others = [other for other in found if other.name == device.name and other.index != device.index]
        for candidate in sorted((device, *others), key=lambda way: (way.name, way.interface) in self._dumb):
            rate = self._wanted_rate or candidate.rate
            for channels in dict.fromkeys((1, min(2, candidate.channels), candidate.channels)):
                yield candidate, rate, channels

    def _start(self, library: Any, device: devices.Device, rate: int, channels: int) -> None:
        stream_type = library.RawInputStream if self.kind == "microphone" else library.RawOutputStream
        finished = _Once()
        latency = "high" if self.kind == "microphone" else _LATENCY
        with pulse.chosen(device.source):
            stream = stream_type(
                samplerate=rate,
                channels=channels,
                dtype="int16",
                device=device.index,
                blocksize=round(self._block * rate),
                latency=latency,
                callback=self._transfer,
                finished_callback=finished,
            )
        self.rate, self.channels = rate, channels
        self._last = None
        self.transferred = 0
        self._finished = False
        self._opened = monotonic()
        self._stream = stream
        self.latency = float(stream.latency)
        finished.then = lambda: self._end_of(stream)
        try:
            with pulse.chosen(device.source):
                stream.start()
        except library.PortAudioError:
            self._drop()
            raise

    def _end_of(self, stream: Any) -> None:
        if stream is self._stream:
            self._finished = True

    def _drop(self) -> None:
        """Close the stream, but do not wait for ever for a sound server that hangs."""
        stream, self._stream = self._stream, None
        closing = Thread(target=_close, args=(stream,), name="closing a sound device", daemon=True)
        closing.start()
        closing.join(_CLOSING)
        if closing.is_alive():
            devices.leave_open()


class _Once:
    """A callback whose purpose is known only after the stream that wants it was made."""

    def __init__(self) -> None:
        self.then: Callable[[], None] = lambda: None

    def __call__(self) -> None:
        self.then()


def _close(stream: Any) -> None:
    stream.abort(ignore_errors=True)
    stream.close(ignore_errors=True)


def _reason(error: Exception | None) -> str:
    """What PortAudio says, on one line."""
    return " ".join(str(error).split()) if error else "?"


@contextmanager
def _without_chatter() -> Iterator[None]:
    """Keep from the screen what PortAudio and ALSA print about every way they try (Linux only).

    Their lines go to the process's standard error past Python; whatever else is written there meanwhile is passed on.
    """
    if not sys.platform.startswith("linux"):
        yield
        return
    try:
        screen = os.dup(2)
    except OSError:
        yield
        return
    with TemporaryFile() as caught:
        os.dup2(caught.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(screen, 2)
            caught.seek(0)
            lines = [line for line in caught if line.strip() and not line.startswith(_CHATTER)]
            if lines:
                os.write(screen, b"".join(lines))
            os.close(screen)
