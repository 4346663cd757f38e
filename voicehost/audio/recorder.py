"""What is spoken, in a file as well (``--record OUT.wav``); whole at any moment, also when the program is killed."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from voicehost.audio.player import Playback, Player, Sound
from voicehost.errors import UserError

RATE = 24_000
"""Samples a second of the file."""
PAUSE = 0.4
"""Seconds of silence between two sounds; how long the game was silent does not matter."""
_HEADER = struct.Struct("<4sI4s4sIHHIIHH4sI")
_LARGEST = 2**32 - 1 - _HEADER.size


class WaveFile:
    """A growing 16-bit mono WAV file whose header is right after each ``write``."""

    def __init__(self, path: Path, rate: int = RATE) -> None:
        """Make the file, or empty it.

        Raises:
            UserError: ``audio.record-failed``: it cannot be written.
        """
        self.path = path
        self.rate = rate
        self._written = 0
        try:
            self._file = path.open("wb")
            self._write_header()
        except OSError as error:
            raise _failure(path, error) from error

    def write(self, pcm: bytes) -> None:
        """Add samples; nothing is added beyond the 4 GB that a WAV file can hold (a day).

        Raises:
            UserError: ``audio.record-failed``: the disk is full or gone; what was written before is whole.
        """
        if self._written + len(pcm) > _LARGEST:
            return
        try:
            self._file.seek(_HEADER.size + self._written)
            self._file.write(pcm)
            self._file.flush()
            self._written += len(pcm)
            self._write_header()
        except OSError as error:
            raise _failure(self.path, error) from error

    def close(self) -> None:
        """Close the file. May be called twice."""
        try:
            self._file.close()
        except OSError as error:
            raise _failure(self.path, error) from error

    def _write_header(self) -> None:
        size = self._written
        form = (16, 1, 1, self.rate, 2 * self.rate, 2, 16)
        self._file.seek(0)
        self._file.write(_HEADER.pack(b"RIFF", size + _HEADER.size - 8, b"WAVE", b"fmt ", *form, b"data", size))
        self._file.flush()


class RecordingPlayer:
    """A ``Player`` that writes every sound to a file before it hands it on.

    A sound that is cancelled later stays in the file whole. When the file cannot be written any more, recording
    ends and the game goes on.
    """

    def __init__(self, player: Player, path: Path, on_failure: Callable[[UserError], None] | None = None) -> None:
        """Make the file; raises like ``WaveFile``. ``on_failure`` is told when recording ends early."""
        self._player = player
        self._file: WaveFile | None = WaveFile(path)
        self._lock = Lock()
        self._on_failure = on_failure or (lambda error: None)

    @property
    def name(self) -> str:
        """The device's name."""
        return self._player.name

    @property
    def latency(self) -> float:
        """The device's latency."""
        return self._player.latency

    def play(self, sound: Sound, at: float | None = None) -> Playback:
        """Write the sound and put it into the player's queue."""
        self._record(sound)
        return self._player.play(sound) if at is None else self._player.play(sound, at)

    def flush(self) -> None:
        """Cancel what sounds and all that waits."""
        self._player.flush()

    def sounding(self) -> bool:
        """Whether something sounds or waits to."""
        return self._player.sounding()

    def silent_since(self) -> float | None:
        """When the last sound ended."""
        return self._player.silent_since()

    def close(self) -> None:
        """Close the file and the player."""
        with self._lock:
            file, self._file = self._file, None
            if file:
                file.close()
        self._player.close()

    def _record(self, sound: Sound) -> None:
        import numpy as np

        from voicehost.audio.pcm import resample

        samples = np.frombuffer(sound.pcm[: len(sound.pcm) // 2 * 2], "<i2").astype(np.int16)
        pcm = resample(samples, sound.rate, RATE).astype("<i2").tobytes()
        with self._lock:
            if self._file is None:
                return
            try:
                self._file.write(pcm + bytes(round(PAUSE * RATE) * 2))
            except UserError as error:
                self._file = None
                self._on_failure(error)


def _failure(path: Path, error: OSError) -> UserError:
    return UserError("audio.record-failed", path=path, detail=error.strerror or error)
