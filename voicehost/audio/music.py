"""Music from a folder, softly below the voice, which makes it softer still."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Event, Thread

import numpy as np
import numpy.typing as npt

from voicehost.audio.files import sound_file_library, stream_sound
from voicehost.audio.loudness import Meter
from voicehost.audio.pcm import Floats, Samples, to_int16
from voicehost.errors import UserError

KINDS = frozenset({".flac", ".mp3", ".oga", ".ogg", ".opus", ".wav"})
_WAITING = 4
_DUCK = 0.25
"""Seconds in which it gives way to the voice."""
_SWELL = 1.2
"""Seconds in which it comes back, and in which it begins and ends."""
_HOLD = 0.7
"""Seconds of silence after the voice before it comes back: it does not breathe between two sentences."""
_LOUDNESS = -18.0
"""LUFS to which every file is brought before ``volume``."""
_MOST_GAIN = 10 ** (12 / 20)
_MEASURED = 90.0
"""Seconds of a file by which its loudness is measured."""


class Music:
    """Plays the files of a folder in the order of their names, over and over; silent until ``resume``.

    Decoding is done in a thread of its own, a few seconds ahead; a file that cannot be read is passed over.
    """

    def __init__(self, folder: Path, *, volume: float = 0.25, below_voice: float = 0.2) -> None:
        """Look for the files.

        Args:
            folder: where they lie, at any depth.
            volume: 0 to 1, when nobody speaks.
            below_voice: what is left of that while the program speaks (0.2 is 14 dB less).

        Raises:
            UserError: ``audio.no-music`` (no folder, or nothing playable in it) or ``audio.no-soundfile``.
        """
        sound_file_library()
        self.files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in KINDS and path.is_file())
        if not self.files:
            raise UserError("audio.no-music", folder=folder)
        self._volume = volume
        self._below_voice = below_voice
        self._gain = 0.0
        self._silent = _HOLD
        self._gains: dict[Path, float] = {}
        self._playing = False
        self._pieces: Queue[Samples] = Queue(_WAITING)
        self._rest: Samples = np.zeros(0, np.int16)
        self._rate = 48_000
        self._closed = Event()
        self._wanted = Event()
        Thread(target=self._decode, name="music", daemon=True).start()

    def resume(self) -> None:
        """Let it be heard, from where it was."""
        self._playing = True

    def pause(self) -> None:
        """Fade it out."""
        self._playing = False

    def close(self) -> None:
        """Stop reading. May be called twice."""
        self._closed.set()
        self._wanted.set()

    def pull(self, frames: int, rate: int, *, softly: bool) -> npt.NDArray[np.int32]:
        """The next samples for the player's callback: it never waits, and silence takes the place of late music."""
        self._silent = 0.0 if softly else self._silent + frames / rate
        softly = self._silent < _HOLD
        aim = self._volume * (self._below_voice if softly else 1.0) if self._playing else 0.0
        self._rate = rate
        if self._playing:
            self._wanted.set()  # not before the device's rate is known
        if not aim and not self._gain:
            return np.zeros(frames, np.int32)
        gains = self._ramp(aim, frames, rate)
        while len(self._rest) < frames:
            try:
                self._rest = np.concatenate([self._rest, self._pieces.get_nowait()])
            except Empty:
                break
        taken, self._rest = self._rest[:frames], self._rest[frames:]
        made = np.zeros(frames, np.int32)
        made[: len(taken)] = taken * gains[: len(taken)]
        return made

    def _ramp(self, aim: float, frames: int, rate: int) -> Floats:
        """Gains on the way to ``aim``: quickly down, slowly up, evenly in loudness and not in amplitude."""
        seconds = _DUCK if aim < self._gain and aim > 0 else _SWELL
        begin, end = _heard_as(self._gain / self._volume), _heard_as(aim / self._volume)
        step = 1.0 / (seconds * rate)
        way = np.arange(1, frames + 1, dtype=np.float32) * step
        heard = np.minimum(begin + way, end) if end > begin else np.maximum(begin - way, end)
        gains: Floats = (self._volume * np.square(heard)).astype(np.float32)
        if frames:
            self._gain = float(gains[-1]) if heard[-1] != end else aim
        return gains

    def _decode(self) -> None:
        self._wanted.wait()
        bad: set[Path] = set()
        for path in cycle(self.files):
            if self._closed.is_set() or len(bad) == len(self.files):
                return
            if path not in bad and not self._decode_one(path):
                bad.add(path)

    def _decode_one(self, path: Path) -> bool:
        """Hand on one file, second by second; whether there was anything in it."""
        found = False
        try:
            gain = self._gain_of(path)
            for piece in stream_sound(path, self._rate):
                found = found or len(piece) > 0
                if not self._offer(to_int16(piece.astype(np.float32) * np.float32(gain / 32768))):
                    return True
        except UserError:
            return False
        return found

    def _gain_of(self, path: Path) -> float:
        """What brings a file to the common loudness without passing full scale."""
        if path not in self._gains:
            meter, peak, heard = Meter(self._rate), 1e-4, 0.0
            for piece in stream_sound(path, self._rate):
                if self._closed.is_set() or heard > _MEASURED:
                    break
                samples: Floats = (piece / 32768).astype(np.float32)
                meter.feed(samples)
                peak = max(peak, float(np.abs(samples).max(initial=0.0)))
                heard += len(piece) / self._rate
            gain = float(10 ** ((_LOUDNESS - meter.integrated) / 20))
            self._gains[path] = min(gain, _MOST_GAIN, 1.0 / peak)
        return self._gains[path]

    def _offer(self, piece: Samples) -> bool:
        while not self._closed.is_set():
            try:
                self._pieces.put(piece, timeout=0.5)
            except Full:
                continue
            return True
        return False


def _heard_as(gain: float) -> float:
    """A gain on a scale whose steps sound even."""
    return float(np.sqrt(max(0.0, gain)))
