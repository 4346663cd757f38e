from __future__ import annotations

import numpy as np
import pytest

from tests.components import RECORDINGS, TINY_MODEL, require
from voicehost.stt.vosk_model import VoskModel
from voicehost.stt.whisper_model import WhisperModel


@pytest.fixture(scope="session")
def tiny() -> VoskModel:
    """The embedded model, loaded once."""
    require("vosk", "soundfile")
    return VoskModel(TINY_MODEL)


@pytest.fixture(scope="session")
def model() -> WhisperModel:
    """The installed Whisper model, loaded once."""
    require("whisper model", "soundfile", "voice check")
    from voicehost.models import preferred

    found = preferred("whisper")
    assert found is not None
    return WhisperModel(found.folder)


def recording(name: str) -> bytes:
    """A recording of the tests as 16 kHz samples."""
    from voicehost.audio.files import read_sound

    return read_sound(RECORDINGS / f"{name}.flac")


def quiet(seconds: float, level: float = 10.0) -> bytes:
    """A quiet room."""
    return np.random.default_rng(1).normal(0, level, round(16_000 * seconds)).astype("<i2").tobytes()
