"""RHVoice: the clearest free Russian voices.

Two engines share its voices and their names: the library in a worker process (fast), and the RHVoice-test program,
which also steps in when the library fails.
"""

from __future__ import annotations

import glob
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from voicehost.tts import wav
from voicehost.tts.process import run
from voicehost.tts.rhvoice_library import CONFIG, DATA, LIBRARY
from voicehost.tts.voice import Reason, Sound, Voice, VoiceFailed, VoiceInfo, has_words, speakable, time_limit
from voicehost.tts.worker_voice import Worker, WorkerVoice, command

_LANGUAGES = {"ru": "Russian"}
# In the order of how many of their words a recogniser understood; voices not listed come after them.
_CLEAREST = ("pavel", "evgeniy-rus", "victoria", "vitaliy", "arina", "elena", "aleksandr", "irina", "anna")
_LICENCES = {
    "aleksandr": "LGPL-2.1-or-later",
    "anna": "LGPL-2.1-or-later",
    "irina": "LGPL-2.1-or-later",
    "elena": "GPL-3.0-only",
    "aleksandr-hq": "CC-BY-SA-4.0",
}
_OTHER_LICENCE = "CC-BY-NC-ND-4.0"
_DATA_PLACES = ("/usr/share/RHVoice", "/usr/local/share/RHVoice", "/opt/homebrew/share/RHVoice")
_CONFIG_PLACES = ("/etc/RHVoice", "/usr/local/etc/RHVoice", "/opt/homebrew/etc/RHVoice")
_PROGRAMS = ("RHVoice-test", "rhvoice.test")
# Version 5 is the interface that rhvoice_library.py declares.
_LIBRARY_PLACES = ("/usr/lib/*/libRHVoice.so.5", "/usr/lib*/libRHVoice.so.5", "/usr/local/lib*/libRHVoice.so.5")
_LIBRARY_FILES = {"win32": "RHVoice.dll", "darwin": "libRHVoice.dylib"}


@dataclass(frozen=True, slots=True)
class Installed:
    """Where RHVoice lies: the folder with ``voices``, its configuration folder, and its library if there is one."""

    data: Path
    config: Path
    library: str | None


def find_installed(environment: Mapping[str, str] | None = None) -> Installed | None:
    """Where RHVoice is, or None.

    Looked for in RHVOICEDATAPATH, RHVOICECONFIGPATH and RHVOICELIBPATH, in pip's rhvoice-wrapper-bin and in the usual
    places.
    """
    known = os.environ if environment is None else environment
    packaged = _packaged()
    data = [known.get("RHVOICEDATAPATH"), packaged and str(packaged / "data"), *_DATA_PLACES]
    config = [known.get("RHVOICECONFIGPATH"), *_CONFIG_PLACES]
    folder = next((Path(p) for p in data if p and (Path(p) / "voices").is_dir()), None)
    if folder is None:
        return None
    settings = next((Path(p) for p in config if p and Path(p).is_dir()), folder)
    return Installed(folder, settings, _library(known.get("RHVOICELIBPATH"), packaged))


def _packaged() -> Path | None:
    found = importlib.util.find_spec("rhvoice_wrapper_bin")
    return Path(found.origin).parent if found is not None and found.origin else None


def _library(named: str | None, packaged: Path | None) -> str | None:
    if named:
        return named if Path(named).exists() else None
    file = _LIBRARY_FILES.get(sys.platform, "libRHVoice.so")
    if packaged is not None and (inside := next(packaged.rglob(file), None)) is not None:
        return str(inside)
    return next((found for pattern in _LIBRARY_PLACES for found in sorted(glob.glob(pattern))), None)


def _voice_names(data: Path, language: str) -> list[str]:
    """Names of the voices of a language, from the ``voice.info`` of each voice folder."""
    names = []
    for info in sorted((data / "voices").glob("*/voice.info")):
        entries = dict(line.split("=", 1) for line in info.read_text(encoding="utf-8").splitlines() if "=" in line)
        if entries.get("language") == _LANGUAGES.get(language):
            names.append(entries.get("name", info.parent.name))
    return names


def _infos(data: Path, language: str, quality: int) -> list[VoiceInfo]:
    infos = []
    for name in _voice_names(data, language):
        key = name.casefold()
        place = _CLEAREST.index(key) if key in _CLEAREST else len(_CLEAREST)
        infos.append(
            VoiceInfo(
                name=f"rhvoice:{key}",
                engine="rhvoice",
                language=language,
                licence=_LICENCES.get(key, _OTHER_LICENCE),
                intelligible=True,
                note="tts.note-clear",
                quality=quality - place,
                ident=name,
            )
        )
    return sorted(infos, key=lambda info: (-info.quality, info.name))


class RHVoiceLibraryEngine:
    """The library, in a worker process that loads it once."""

    name = "rhvoice"

    def __init__(self, find: Callable[[], Installed | None] = find_installed) -> None:
        self._find = find

    def available(self) -> Reason | None:
        """See Engine."""
        found = self._find()
        if found is None:
            return Reason("tts.rhvoice-missing")
        return None if found.library else Reason("tts.rhvoice-library-missing")

    def voices(self, language: str) -> list[VoiceInfo]:
        """See Engine."""
        found = self._find()
        return _infos(found.data, language, 900) if found is not None and found.library else []

    def open(self, info: VoiceInfo) -> Voice:
        """See Engine."""
        found = self._find()
        if found is None or found.library is None:
            raise VoiceFailed(info.name, "missing")
        extra = {LIBRARY: found.library, DATA: str(found.data), CONFIG: str(found.config)}
        return WorkerVoice(info, Worker(info.name, command("rhvoice"), start=5.0, extra=extra), stressed=True)


class RHVoiceProgramVoice:
    """A voice through RHVoice-test; a process for each line (300 ms)."""

    def __init__(self, info: VoiceInfo, program: Sequence[str]) -> None:
        self.name = info.name
        self.language = info.language
        self._argv = [*program, "-p", info.ident]

    def render(self, text: str) -> Sound:
        """See Voice."""
        text = speakable(text, stressed=True)
        if not has_words(text):
            return Sound(b"", 24000)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "line.wav"
            run(self.name, [*self._argv, "-o", str(path)], text.encode("utf-8"), time_limit(text, 3.0))
            try:
                return wav.read(path.read_bytes())
            except (OSError, wav.NotSound) as error:
                raise VoiceFailed(self.name, "silent", str(error)) from None

    def close(self) -> None:
        """See Voice; nothing is kept."""


class RHVoiceProgramEngine:
    """The RHVoice-test program; its voices bear the same names as the library's."""

    name = "rhvoice"

    def __init__(
        self, program: Sequence[str] | None = None, find: Callable[[], Installed | None] = find_installed
    ) -> None:
        self._program = program
        self._find = find

    def available(self) -> Reason | None:
        """See Engine."""
        return None if self._find() is not None and self._command() else Reason("tts.rhvoice-missing")

    def voices(self, language: str) -> list[VoiceInfo]:
        """See Engine."""
        found = self._find()
        return _infos(found.data, language, 880) if found is not None and self._command() else []

    def open(self, info: VoiceInfo) -> Voice:
        """See Engine."""
        return RHVoiceProgramVoice(info, self._command() or [_PROGRAMS[0]])

    def _command(self) -> list[str]:
        if self._program:
            return list(self._program)
        return next(([found] for found in map(shutil.which, _PROGRAMS) if found), [])
