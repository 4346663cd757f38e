"""macOS' ``say`` program: the system's voices without an application loop that could hang."""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from voicehost.tts import wav
from voicehost.tts.process import run
from voicehost.tts.voice import Reason, Sound, Voice, VoiceFailed, VoiceInfo, has_words, speakable, time_limit

_RATE = 22050


class SayVoice:
    """One voice of the system; a process for each line."""

    def __init__(self, info: VoiceInfo, program: Sequence[str]) -> None:
        self.name = info.name
        self.language = info.language
        self._argv = [*program, "-v", info.ident, "--file-format=WAVE", f"--data-format=LEI16@{_RATE}"]

    def render(self, text: str) -> Sound:
        """See Voice."""
        # Double square brackets would be read as commands to the synthesiser.
        text = speakable(text.replace("[", "(").replace("]", ")"))
        if not has_words(text):
            return Sound(b"", _RATE)
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder) / "line.txt", Path(folder) / "line.wav"
            source.write_text(text, encoding="utf-8")
            argv = [*self._argv, "-f", str(source), "-o", str(target)]
            run(self.name, argv, b"", time_limit(text, 3.0))
            try:
                return wav.read(target.read_bytes())
            except (OSError, wav.NotSound) as error:
                raise VoiceFailed(self.name, "silent", str(error)) from None

    def close(self) -> None:
        """See Voice; nothing is kept."""


class SayEngine:
    """The voices that ``say -v ?`` lists."""

    name = "say"

    def __init__(self, program: Sequence[str] | None = None) -> None:
        self._program = list(program) if program else None
        self._listing: str | None = None

    def available(self) -> Reason | None:
        """See Engine."""
        return None if self._command() else Reason("tts.say-missing")

    def voices(self, language: str) -> list[VoiceInfo]:
        """See Engine."""
        if not self._command():
            return []
        return [
            VoiceInfo(
                name=f"{self.name}:{name}",
                engine=self.name,
                language=language,
                licence="system",
                intelligible=True,
                note="tts.note-system",
                quality=840 - min(place, 30),
                ident=name,
            )
            for place, (name, code) in enumerate(self._list())
            if code == language
        ]

    def open(self, info: VoiceInfo) -> Voice:
        """See Engine."""
        return SayVoice(info, self._command())

    def _list(self) -> list[tuple[str, str]]:
        """Pairs of a voice's name and its language code, from lines such as ``Milena  ru_RU  # ...``."""
        if self._listing is None:
            try:
                self._listing = run(self.name, [*self._command(), "-v", "?"], b"", 10.0).decode("utf-8", "replace")
            except VoiceFailed:
                self._listing = ""
        return re.findall(r"^(\S.*?)\s+([a-z]{2,3})[_-]\w+\s+#", self._listing, re.MULTILINE)

    def _command(self) -> list[str]:
        if self._program:
            return self._program
        found = shutil.which("say") if sys.platform == "darwin" else None
        return [found] if found else []
