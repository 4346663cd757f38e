"""Festival with its Russian voice (festvox-ru): a program kept alive, 50 ms a line where text2wave takes 1.5 s.

The voice reads UTF-8, but its letter rules stop at any sign they do not know and the line is lost, so a line is first
reduced to letters, digits and plain punctuation. A plus sign would be taken as a stress mark.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from voicehost.tts import wav
from voicehost.tts.process import Child, run
from voicehost.tts.voice import Reason, Sound, Voice, VoiceFailed, VoiceInfo, has_words, speakable, time_limit

_START = 5.0
_LONGEST = 300
_DONE = "@@done@@"
_VOICE_FOLDERS = (
    "/usr/share/festival/voices",
    "/usr/share/festival/lib/voices",
    "/usr/local/share/festival/voices",
    "/opt/homebrew/share/festival/voices",
)
_PUNCTUATION = str.maketrans({"—": ",", "–": ",", "…": ".", ":": ",", ";": ",", "(": ",", ")": ",", "«": " ", "»": " "})


def plain(text: str) -> str:
    """Only what the voice's letter rules know.

    >>> plain('«Дон» — третий: 100% "да"')
    'Дон, третий, 100 да'
    """
    text = speakable(text).translate(_PUNCTUATION)
    text = re.sub(r"[^A-Za-zА-Яа-яЁё0-9?!.,' -]", " ", text)
    return " ".join(re.sub(r"\s*,[\s,]*", ", ", text).split()).strip(", ")


def pieces(text: str, longest: int = _LONGEST) -> list[str]:
    """Cut a long text at sentence ends, else at commas or spaces, into pieces that one utterance can hold."""
    found = []
    while len(text) > longest:
        head = text[:longest]
        cut = max(head.rfind(mark) for mark in (". ", "! ", "? ")) + 1 or head.rfind(", ") + 1 or head.rfind(" ") + 1
        cut = cut or longest
        found.append(text[:cut].strip())
        text = text[cut:]
    found.append(text.strip())
    return [piece for piece in found if has_words(piece)]


class FestivalVoice:
    """A living ``festival --pipe`` that saves each line to a file."""

    def __init__(self, info: VoiceInfo, argv: Sequence[str]) -> None:
        self.name = info.name
        self.language = info.language
        self._ident = info.ident
        self._argv = list(argv)
        self._child: Child | None = None
        self._lock = threading.Lock()

    def render(self, text: str) -> Sound:
        """See Voice."""
        parts = pieces(plain(text))
        if not parts:
            return Sound(b"", 16000)
        with self._lock, tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "line.wav"
            deadline = time.monotonic() + time_limit(text)
            if self._child is None or not self._child.alive:
                deadline += _START
                self._start(deadline)
            rate, pcm = 16000, bytearray()
            for part in parts:
                path.unlink(missing_ok=True)
                self._say(f'(utt.save.wave (utt.synth (Utterance Text "{part}")) "{path.as_posix()}" \'riff)', deadline)
                try:
                    sound = wav.read(path.read_bytes())
                except (OSError, wav.NotSound) as error:
                    self._stop()
                    raise VoiceFailed(self.name, "silent", str(error)) from None
                rate = sound.rate
                pcm += sound.pcm
            return Sound(bytes(pcm), rate)

    def close(self) -> None:
        """See Voice."""
        child = self._child
        if child is not None:
            child.kill()
        with self._lock:
            self._stop()

    def _start(self, deadline: float) -> None:
        self._stop()
        self._child = Child(self.name, self._argv)
        self._say(f"(voice_{self._ident})", deadline)

    def _say(self, expression: str, deadline: float) -> None:
        assert self._child is not None
        try:
            self._child.send(f'{expression}\n(format t "\\n{_DONE}\\n")\n(fflush nil)\n'.encode())
            while self._child.read_line(deadline).decode("utf-8", "replace").strip() != _DONE:
                pass
        except VoiceFailed:
            self._stop()
            raise

    def _stop(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None


class FestivalEngine:
    """The festival program and the voices it lists."""

    name = "festival"

    def __init__(self, argv: Sequence[str] | None = None) -> None:
        self._argv = list(argv) if argv else None
        self._listed: list[str] | None = None

    def available(self) -> Reason | None:
        """See Engine."""
        if self._argv is None and not shutil.which("festival"):
            return Reason("tts.festival-missing")
        return None if self._voices("ru") else Reason("tts.festival-without-voice")

    def voices(self, language: str) -> list[VoiceInfo]:
        """See Engine."""
        if self._argv is None and not shutil.which("festival"):
            return []
        return [
            VoiceInfo(
                name=f"{self.name}:{ident.removesuffix('_clunits')}",
                engine=self.name,
                language=language,
                licence="BSD-like",
                intelligible=True,
                note="tts.note-clear-enough",
                quality=600 - place,
                ident=ident,
            )
            for place, ident in enumerate(self._voices(language))
        ]

    def open(self, info: VoiceInfo) -> Voice:
        """See Engine."""
        return FestivalVoice(info, self._command())

    def _ask(self) -> list[str]:
        try:
            output = run(self.name, self._command(), b"(print (voice.list))\n", 10.0)
        except VoiceFailed:
            return []
        return re.findall(r"\b\w+_\w+\b", output.decode("utf-8", "replace"))

    def _command(self) -> list[str]:
        return self._argv or [shutil.which("festival") or self.name, "--pipe"]

    def _voices(self, language: str) -> list[str]:
        """Voice names follow SITE_LANGUAGE_SPEAKER_KIND, such as msu_ru_nsh_clunits."""
        if self._listed is None:
            # Asking the program takes a second, so it is asked only where its folders are elsewhere.
            folders = [] if self._argv else [f for place in _VOICE_FOLDERS for f in sorted(Path(place).glob("*/*"))]
            self._listed = [folder.name for folder in folders] or self._ask()
        return [voice for voice in self._listed if f"_{language}_" in voice]
