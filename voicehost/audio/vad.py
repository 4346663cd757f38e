"""Where speech begins and ends, by its energy alone.

Speech begins where the level is above the noise of the last seconds, and is silent where the level falls below
that of the speech itself. How long a silence ends an utterance is not decided here: a recogniser knows whether
what was said so far is a whole command. On recordings this finds the end 0.2 to 0.3 s after the last sound, where
Vosk's own endpoint takes 0.9 s.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from voicehost.audio.pcm import SAMPLE_RATE, SILENCE_DB, Floats

FRAME = SAMPLE_RATE // 100
"""Samples of one frame: 10 ms."""

_FRAME_BYTES = 2 * FRAME
_FRAMES_A_SECOND = SAMPLE_RATE // FRAME


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeechSettings:
    """When a sound is speech; levels in dB (below full scale, or differences), times in seconds."""

    above_noise: float = 6.0
    """Speech begins this far above the noise."""
    below_speech: float = 9.0
    """Silence begins this far below the loud tenth of the utterance."""
    above_noise_end: float = 3.0
    """Silence also is what lies no further than this above the noise: a fan that starts is not a long speech."""
    faintest: float = -62.0
    """Whatever lies below is silence, however quiet the room."""
    noise_share: float = 20.0
    """The noise is this percentile of the levels of the last seconds."""
    noise_memory: float = 3.0
    first_noise: float = -55.0
    """The noise supposed before anything was heard."""
    shortest: float = 0.06
    """Speech that begins an utterance; a «пас» of 64 ms must pass."""
    before: float = 0.4
    """How much from before the beginning belongs to the utterance."""


@dataclass(slots=True)
class Speech:
    """A piece of speech, in seconds of the sound that was fed."""

    began: float
    ended: float
    """The end of its last loud frame so far."""


class Endpointer:
    """Follows a stream of 16 kHz sound and cuts the speech out of it.

    One utterance runs from the feed that finds its beginning until the owner calls ``close``.
    """

    def __init__(self, settings: SpeechSettings | None = None) -> None:
        self.settings = settings or SpeechSettings()
        self.speech: Speech | None = None
        """The utterance that runs, or ``None``."""
        self._before = round(self.settings.before * SAMPLE_RATE) * 2
        self.reset()

    def reset(self) -> None:
        """Forget everything, the noise as well; time begins at 0."""
        self.speech = None
        self._rest = b""
        self._kept = b""
        self._frames = 0
        self._loud = 0
        length = round(self.settings.noise_memory * _FRAMES_A_SECOND)
        # Half a second of supposed noise, so that speech in the first second is not taken for it.
        self._history: Floats = np.full(_FRAMES_A_SECOND // 2, self.settings.first_noise, np.float32)
        self._memory = length
        self._levels: Floats = np.zeros(0, np.float32)
        self._quiet = self.settings.first_noise

    @property
    def time(self) -> float:
        """Seconds of sound that were looked at; less than a frame may still wait."""
        return self._frames / _FRAMES_A_SECOND

    @property
    def silence(self) -> float:
        """Seconds since the last loud frame of the utterance that runs; 0 if none runs."""
        return self.time - self.speech.ended if self.speech else 0.0

    @property
    def noise(self) -> float:
        """The level of the noise in dB below full scale."""
        return max(self.settings.faintest, _percentile(self._history, self.settings.noise_share))

    def feed(self, pcm: bytes) -> bytes:
        """Take a block and return what of the sound belongs to the utterance that runs, its lead-in included."""
        running = self.speech is not None
        data = self._rest + pcm
        whole = len(data) // _FRAME_BYTES * _FRAME_BYTES
        self._rest = data[whole:]
        if whole:
            self._look(data[:whole])
        if running:
            return pcm
        self._kept += pcm
        if self.speech is None:
            self._kept = self._kept[-self._before - 2 * FRAME * self._loud - len(self._rest) :]
            return b""
        kept, self._kept = self._kept, b""
        return kept

    def close(self) -> Speech | None:
        """End the utterance that runs and return it; its sound is not given out again."""
        speech, self.speech = self.speech, None
        self._levels = np.zeros(0, np.float32)
        self._loud = 0
        self._kept = b""
        return speech

    def _look(self, data: bytes) -> None:
        levels = frame_levels(data)
        # Digital silence says nothing about the room: it is what the gate leaves of our own voice.
        heard = levels[levels > SILENCE_DB + 5]
        if len(heard):
            self._history = np.concatenate([self._history, heard])[-self._memory :]
        noise = self.noise
        if self.speech is not None:
            # One level a block is enough.
            self._levels = np.concatenate([self._levels, levels])[-self._memory :]
            self._quiet = self._end_level(noise)
        for place, level in enumerate(levels):
            self._frames += 1
            if self.speech is None:
                self.speech = self._beginning(float(level), noise)
                if self.speech:
                    self._levels = levels[place:]
            elif level > self._quiet:
                self.speech.ended = self.time

    def _beginning(self, level: float, noise: float) -> Speech | None:
        """The utterance that begins with this frame and the loud ones before it."""
        self._loud = self._loud + 1 if level > noise + self.settings.above_noise else max(0, self._loud - 1)
        if self._loud < self.settings.shortest * _FRAMES_A_SECOND:
            return None
        self._quiet = noise + self.settings.above_noise
        began, self._loud = self.time - self._loud / _FRAMES_A_SECOND, 0
        return Speech(max(0.0, began), self.time)

    def _end_level(self, noise: float) -> float:
        loud = _percentile(self._levels, 90)
        return max(loud - self.settings.below_speech, noise + self.settings.above_noise_end, self.settings.faintest)


def frame_levels(pcm: bytes) -> Floats:
    """Return the level of every 10 ms of 16 kHz sound, in dB below full scale; a last shorter piece is left out."""
    whole = len(pcm) // _FRAME_BYTES * _FRAME_BYTES
    frames = np.frombuffer(pcm[:whole], dtype="<i2").astype(np.float32).reshape(-1, FRAME) / 32768
    levels: Floats = (10 * np.log10(np.mean(frames * frames, axis=1) + 10 ** (SILENCE_DB / 10))).astype(np.float32)
    return levels


def _percentile(levels: Floats, percent: float) -> float:
    """A percentile without interpolation, which is all that takes time."""
    place = int((len(levels) - 1) * percent / 100)
    return float(np.partition(levels, place)[place])
