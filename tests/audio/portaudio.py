"""A PortAudio whose devices the test plugs in and out, and whose callbacks it calls itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any


class PortAudioError(Exception):
    pass


@dataclass
class Entry:
    """A device as the system would list it."""

    name: str
    inputs: int = 0
    outputs: int = 0
    rate: float = 16_000.0
    interface: str = "ALSA"
    rates: tuple[int, ...] | None = None
    """What it can be opened at; ``None``: anything."""
    channels: tuple[int, ...] | None = None


class Stream:
    """An open stream; ``feed`` and ``finish`` play the part of the sound system."""

    def __init__(self, library: ScriptedPortAudio, **options: Any) -> None:
        entry = library.entries[options["device"]]
        if not library.alive:
            raise PortAudioError("Device unavailable [PaErrorCode -9985]")
        if entry.rates is not None and options["samplerate"] not in entry.rates:
            raise PortAudioError("Invalid sample rate [PaErrorCode -9997]")
        if entry.channels is not None and options["channels"] not in entry.channels:
            raise PortAudioError("Invalid number of channels [PaErrorCode -9998]")
        self.entry = entry
        self.options = options
        self.latency = 0.05
        self.closed = False
        self._callback: Callable[..., None] = options["callback"]
        self._finished: Callable[[], None] = options["finished_callback"]
        library.streams.append(self)

    def start(self) -> None:
        pass

    def abort(self, ignore_errors: bool = True) -> None:
        self.finish()

    def close(self, ignore_errors: bool = True) -> None:
        self.closed = True

    def feed(self, pcm: bytes, *, overflow: bool = False) -> None:
        """A block arrives at the microphone."""
        flags = SimpleNamespace(input_overflow=overflow, output_underflow=False)
        self._callback(pcm, len(pcm) // 2 // self.options["channels"], None, flags)

    def pull(self, frames: int) -> bytes:
        """The loudspeaker wants samples."""
        buffer = bytearray(2 * frames * self.options["channels"])
        times = SimpleNamespace(outputBufferDacTime=0.05, currentTime=0.0)
        flags = SimpleNamespace(input_overflow=False, output_underflow=False)
        self._callback(memoryview(buffer), frames, times, flags)
        return bytes(buffer)

    def finish(self) -> None:
        """The stream has ended by itself."""
        self._finished()


@dataclass
class ScriptedPortAudio:
    """What ``import sounddevice`` gives in these tests."""

    entries: list[Entry] = field(default_factory=list)
    alive: bool = True
    streams: list[Stream] = field(default_factory=list)
    starts: int = 0
    PortAudioError: type[Exception] = PortAudioError

    def query_hostapis(self) -> tuple[dict[str, Any], ...]:
        return tuple({"name": name} for name in self._interfaces())

    def query_devices(self, kind: str | None = None) -> Any:
        listed = [
            {
                "name": entry.name,
                "index": index,
                "hostapi": self._interfaces().index(entry.interface),
                "max_input_channels": entry.inputs,
                "max_output_channels": entry.outputs,
                "default_samplerate": entry.rate,
            }
            for index, entry in enumerate(self.entries)
        ]
        if kind is None:
            return listed
        for entry in listed:
            if entry[f"max_{kind}_channels"]:
                return entry
        raise PortAudioError("Error querying device -1")

    def RawInputStream(self, **options: Any) -> Stream:
        return Stream(self, **options)

    def RawOutputStream(self, **options: Any) -> Stream:
        return Stream(self, **options)

    def _terminate(self) -> None:
        self.starts -= 1

    def _initialize(self) -> None:
        self.starts += 2

    def _interfaces(self) -> list[str]:
        return list(dict.fromkeys(entry.interface for entry in self.entries))
