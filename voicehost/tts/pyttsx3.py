"""pyttsx3 as a renderer: Windows' SAPI, macOS' own voices, espeak-ng elsewhere.

The library cannot be trusted with live speech (its loop returns too early, loses lines or never ends), so it only
writes files, in a worker process that is killed when it hangs, with a fresh engine for each line.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from voicehost.tts import wav
from voicehost.tts.voice import Reason, Sound, Voice, VoiceFailed, VoiceInfo
from voicehost.tts.worker_voice import Worker, WorkerVoice, command

# Windows often lists no language for a voice, so the names that are known to speak it count too.
_MARKS = {
    "ru": ("ru-ru", "ru_ru", "russian", "русск", "irina", "pavel", "milena", "yuri", "katya"),
    "bg": ("bg-bg", "bg_bg", "bulgarian", "българ", "ivan", "daria"),
}
# Words a minute at which each driver speaks its natural pace; espeak-ng is easier to follow when slower.
_PACE = {"sapi5": 157, "nsss": 180, "espeak": 150}


def speaks(language: str, ident: str, name: str, languages: Sequence[str]) -> bool:
    """Whether a voice speaks a language, by its language list or, where that is empty, by its id and name."""
    known = [entry.lower().replace("_", "-") for entry in languages if entry and "unknown" not in entry.lower()]
    if known:
        return any(entry == language or entry.startswith(f"{language}-") for entry in known)
    return any(mark in f"{ident} {name}".lower() for mark in _MARKS.get(language, (f"{language}-",)))


class Pyttsx3Renderer:
    """Runs in the worker process."""

    def __init__(self) -> None:
        from pyttsx3.engine import Engine, default_engine_by_sys_platform

        self._engine: Any = Engine
        self._driver: str = default_engine_by_sys_platform()

    def voices(self) -> list[dict[str, Any]]:
        """Each voice as id, name and languages."""
        found = self._engine(self._driver).getProperty("voices")
        return [
            {"id": str(v.id), "name": str(v.name or v.id), "languages": [str(entry) for entry in v.languages or ()]}
            for v in found
        ]

    def render(self, voice: str, text: str) -> Sound:
        """Render one line with a fresh engine.

        Raises LookupError for a voice that is not there, and whatever else went wrong.
        """
        engine = self._engine(self._driver)
        if voice not in {str(v.id) for v in engine.getProperty("voices")}:
            raise LookupError(f"no voice {voice!r}")
        problems: list[Exception] = []
        finished: list[bool] = []
        engine.connect("error", lambda name, exception: problems.append(exception))
        engine.connect("finished-utterance", lambda name, completed: finished.append(completed))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "line.wav"
            engine.setProperty("rate", _PACE.get(self._driver, 170))
            engine.setProperty("voice", voice)
            engine.save_to_file(text, str(path))
            engine.runAndWait()
            # espeak-ng goes on in a thread of its own after that; if it never ends, the parent ends this process.
            while self._driver == "espeak" and not finished and not problems:
                time.sleep(0.005)
            # The driver swallows errors: it would go on in another voice, or with none.
            if problems:
                raise problems[0]
            if str(engine.getProperty("voice")) != voice:
                raise LookupError(f"voice {voice!r} was not taken")
            return wav.read(path.read_bytes())


class Pyttsx3Engine:
    """The voices that pyttsx3 reaches on this system."""

    name = "pyttsx3"

    def __init__(self, argv: Sequence[str] | None = None) -> None:
        self._argv = list(argv or command("pyttsx3"))
        self._listed: list[dict[str, Any]] | None = None
        self._failure = ""

    def available(self) -> Reason | None:
        """None when the library is there and its driver starts."""
        if importlib.util.find_spec("pyttsx3") is None:
            return Reason("tts.pyttsx3-missing")
        self._list()
        return Reason("tts.pyttsx3-broken", {"reason": self._failure}) if self._failure else None

    def voices(self, language: str) -> list[VoiceInfo]:
        """See Engine."""
        if self.available() is not None:
            return []
        by_espeak = sys.platform not in ("win32", "darwin")
        found: list[VoiceInfo] = []
        for voice in self._list():
            if not speaks(language, voice["id"], voice["name"], voice["languages"]):
                continue
            found.append(
                VoiceInfo(
                    name=f"{self.name}:{voice['name']}",
                    engine=self.name,
                    language=language,
                    licence="GPL-3.0-or-later" if by_espeak else "system",
                    intelligible=not by_espeak,
                    note="tts.note-hard-to-understand" if by_espeak else "",
                    quality=(200 if by_espeak else 800) - min(len(found), 90),
                    ident=voice["id"],
                )
            )
        return sorted(found, key=lambda info: -info.quality)

    def open(self, info: VoiceInfo) -> Voice:
        """See Engine."""
        return WorkerVoice(info, Worker(info.name, self._argv, start=6.0))

    def _list(self) -> list[dict[str, Any]]:
        if self._listed is None:
            worker = Worker(self.name, self._argv, start=6.0)
            try:
                answer, _ = worker.ask({"op": "voices"}, 10.0)
                self._listed = answer["voices"]
            except VoiceFailed as failed:
                self._listed, self._failure = [], failed.detail or failed.why
            finally:
                worker.close()
        return self._listed
