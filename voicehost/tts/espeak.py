"""The espeak-ng program: speaks every language, but people hardly understand its Russian or Bulgarian."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence

from voicehost.tts import wav
from voicehost.tts.process import run
from voicehost.tts.voice import Reason, Sound, Voice, VoiceFailed, VoiceInfo, has_words, speakable, time_limit

_WINDOWS = (r"C:\Program Files\eSpeak NG\espeak-ng.exe", r"C:\Program Files (x86)\eSpeak NG\espeak-ng.exe")
_PACE = "150"
_LANGUAGES = ("ru", "bg")


class EspeakVoice:
    """One language of espeak-ng; a process for each line (10 ms)."""

    def __init__(self, info: VoiceInfo, program: Sequence[str]) -> None:
        self.name = info.name
        self.language = info.language
        self._argv = [*program, "-v", info.ident, "-s", _PACE, "-b", "1", "--stdin", "--stdout"]

    def render(self, text: str) -> Sound:
        """See Voice."""
        # Double square brackets would be read as phoneme names.
        text = speakable(text.replace("[", "(").replace("]", ")"), stressed=True)
        if not has_words(text):
            return Sound(b"", 22050)
        output = run(self.name, self._argv, text.encode("utf-8"), time_limit(text))
        try:
            return wav.read(output)
        except wav.NotSound as error:
            raise VoiceFailed(self.name, "silent", str(error)) from None

    def close(self) -> None:
        """See Voice; nothing is kept."""


class EspeakEngine:
    """The program, found in PATH or where its Windows installer puts it."""

    name = "espeak-ng"

    def __init__(self, program: Sequence[str] | None = None) -> None:
        self._program = program

    def available(self) -> Reason | None:
        """See Engine."""
        return None if self._command() else Reason("tts.espeak-missing")

    def voices(self, language: str) -> list[VoiceInfo]:
        """See Engine."""
        if language not in _LANGUAGES or self.available() is not None:
            return []
        return [
            VoiceInfo(
                name=f"{self.name}:{language}",
                engine=self.name,
                language=language,
                licence="GPL-3.0-or-later",
                intelligible=False,
                note="tts.note-hard-to-understand",
                quality=100,
                ident=language,
            )
        ]

    def open(self, info: VoiceInfo) -> Voice:
        """See Engine."""
        return EspeakVoice(info, self._command() or [self.name])

    def _command(self) -> list[str]:
        if self._program:
            return list(self._program)
        places = _WINDOWS if sys.platform == "win32" else ()
        found = shutil.which("espeak-ng") or next((p for p in places if os.path.exists(p)), None)
        return [found] if found else []
