"""Recordings in place of a microphone, and sounds read whole."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import numpy as np

from voicehost.audio.pcm import SAMPLE_RATE, Block, Resampler, Samples, to_int16
from voicehost.errors import UserError

BLOCK = 0.03
"""Seconds of one block."""
_RATES = range(2_000, 400_001)
_CHUNK = 1.0


class FileSource:
    """A ``Source`` over a recording (wav, flac, ogg; any rate, any number of channels, which are mixed).

    Without ``paced`` blocks come as fast as they are read and ``arrived`` is the recording's own time; with it they
    come when they would from a microphone, stamped like a microphone's.
    """

    lost = False
    overflows = 0

    def __init__(self, path: Path, *, block: float = BLOCK, paced: bool = False) -> None:
        """Open the recording.

        Raises:
            UserError: ``audio.file-missing``, ``audio.file-unreadable`` or ``audio.no-soundfile``.
        """
        self.name = path.name
        self.seconds = 0.0
        """How long the recording says it is."""
        self._path = path
        self._size = max(1, round(block * SAMPLE_RATE)) * 2
        self._file = _opened(path)
        self.seconds = self._file.frames / self._file.samplerate
        self._converted = _converted(self._file, path)
        self._waiting = b""
        self._given = 0
        self._ended = False
        self._started = monotonic() if paced else None

    @property
    def ended(self) -> bool:
        """Whether the whole recording was given out, or it was closed."""
        return self._ended

    def read(self, timeout: float | None = None) -> Block | None:
        """Return the next block; ``None`` at the end, or (paced) when its time is not reached within ``timeout``.

        Raises:
            UserError: ``audio.file-unreadable``: it is damaged from here on.
        """
        if self._ended:
            return None
        while len(self._waiting) < self._size:
            piece = next(self._converted, None)
            if piece is None:
                break
            self._waiting += piece.astype("<i2").tobytes()
        pcm = self._waiting[: self._size]
        if not pcm:
            self.close()
            return None
        began = self._given / SAMPLE_RATE
        ended = began + len(pcm) / 2 / SAMPLE_RATE
        if self._started is not None:
            left = self._started + ended - monotonic()
            if timeout is not None and left > timeout:
                sleep(timeout)
                return None
            sleep(max(0.0, left))
            arrived = monotonic()
        else:
            arrived = ended
        self._waiting = self._waiting[self._size :]
        self._given += len(pcm) // 2
        return Block(pcm, began, arrived)

    def close(self) -> None:
        """Let the file go. May be called twice."""
        self._ended = True
        self._file.close()


def read_sound(path: Path, rate: int = SAMPLE_RATE) -> bytes:
    """Read a whole sound file as 16-bit mono samples. Raises like ``FileSource``."""
    return b"".join(piece.astype("<i2").tobytes() for piece in stream_sound(path, rate))


def stream_sound(path: Path, rate: int) -> Iterator[Samples]:
    """Read a sound file a second at a time. Raises like ``FileSource``."""
    file = _opened(path)
    try:
        yield from _converted(file, path, rate)
    finally:
        file.close()


def sound_file_library() -> Any:
    """The module ``soundfile``.

    Raises:
        UserError: ``audio.no-soundfile``: it, or libsndfile, is not installed.
    """
    try:
        import soundfile
    except (ImportError, OSError) as error:
        raise UserError("audio.no-soundfile", detail=error) from error
    return soundfile


def _opened(path: Path) -> Any:
    library = sound_file_library()
    if not path.is_file():
        raise UserError("audio.file-missing", path=path)
    try:
        file = library.SoundFile(path)
    except (library.LibsndfileError, OSError, TypeError, ValueError) as error:
        raise UserError("audio.file-unreadable", path=path, detail=_reason(error)) from error
    if file.samplerate not in _RATES:
        file.close()
        raise UserError("audio.file-unreadable", path=path, detail=f"{file.samplerate} Hz")
    return file


def _converted(file: Any, path: Path, rate: int = SAMPLE_RATE) -> Iterator[Samples]:
    """The rest of an open file, piece by piece."""
    library = sound_file_library()
    converter = Resampler(file.samplerate, rate)
    chunk = round(_CHUNK * file.samplerate)
    while True:
        try:
            samples = file.read(chunk, dtype="float32", always_2d=True)
        except (library.LibsndfileError, RuntimeError) as error:
            raise UserError("audio.file-unreadable", path=path, detail=_reason(error)) from error
        if not len(samples):
            break
        # What is not a number in one channel must not silence the others.
        yield converter.feed(to_int16(np.nan_to_num(samples, nan=0.0, posinf=1.0, neginf=-1.0).mean(axis=1)))
    yield converter.flush()


def _reason(error: Exception) -> str:
    return " ".join(str(error).split())
