"""Listening to somebody who reads phrases aloud: the quiet room first, then one utterance after another."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import numpy as np

from voicehost.audio.calibration import Take, measure
from voicehost.audio.pcm import SAMPLE_RATE, SILENCE_DB, Block, Samples, Source, level_db
from voicehost.audio.vad import Endpointer, SpeechSettings
from voicehost.errors import UserError

ENDS = 0.8
"""Seconds of silence that end a phrase."""
LONGEST = 8.0
"""Seconds after which a phrase is cut: that is no silence between phrases any more."""
PATIENCE = 12.0
"""Seconds in which somebody must begin to read."""
GONE = 8.0
"""Seconds without any sound from a device after which it is given up."""


class Reading:
    """Reads a microphone or a recording; ``on_level`` is told the level of each block in dB below full scale."""

    def __init__(
        self, source: Source, on_level: Callable[[float], None] = lambda level: None, *, live: bool = True
    ) -> None:
        """Read ``source``, which stays the caller's to close; ``live``: its time goes on while nobody reads it."""
        self._source = source
        self._live = live
        self._on_level = on_level

    def room(self, seconds: float) -> Take:
        """Measure what is to be heard when nobody speaks.

        Raises:
            UserError: ``audio.microphone-gone``: nothing comes any more.
        """
        sound = bytearray()
        while len(sound) < seconds * SAMPLE_RATE * 2 and (block := self._block()) is not None:
            sound += block.pcm
        return measure(bytes(sound))

    def phrase(self, noise: float) -> bytes:
        """Return the sound of the next phrase, with a little silence around; empty when nobody says anything.

        Raises:
            UserError: ``audio.microphone-gone``: nothing comes any more.
        """
        settings = SpeechSettings(first_noise=noise, faintest=min(noise, -62.0), shortest=0.1)
        cut = Endpointer(settings)
        sound = bytearray()
        while (block := self._block()) is not None:
            sound += cut.feed(block.pcm)
            if cut.speech is None and cut.time >= PATIENCE:
                return b""
            if cut.speech is not None and (cut.silence >= ENDS or cut.time - cut.speech.began >= LONGEST):
                break
        return bytes(sound)

    def forget(self) -> None:
        """Let pass what a microphone heard while nobody read it."""
        while self._live and self._source.read(0) is not None:
            pass

    def _block(self) -> Block | None:
        """The next block; ``None``: a recording is over."""
        end = monotonic() + GONE
        while monotonic() < end:
            block = self._source.read()
            if block is not None:
                self._on_level(level_db(block.pcm))
                return block
            if self._source.ended:
                return None
        raise UserError("audio.microphone-gone", device=self._source.name)


def louder(pcm: bytes, gain: float) -> bytes:
    """16-bit samples by so many dB louder; what is beyond full scale is cut."""
    samples = np.frombuffer(pcm[: len(pcm) // 2 * 2], "<i2").astype(np.float32) * 10 ** (gain / 20)
    made: Samples = np.clip(np.rint(samples), -32768, 32767).astype(np.int16)
    return made.astype("<i2").tobytes()


def share_of_scale(level: float, lowest: float = -70.0) -> float:
    """Where a level lies between ``lowest`` (0) and full scale (1), for a meter."""
    return min(1.0, max(0.0, 1 - max(level, SILENCE_DB) / lowest))
