"""Speech Dispatcher's output modules: whatever synthesisers a Linux desktop reads its screen with.

The dispatcher itself plays what it is asked to say, so it could not be timed, kept or put under music. Its output
modules are programs of their own, though, which talk a line protocol over their pipe and since 0.11 hand over the
samples when they are told that the server plays them (its manual, "Output Modules"). So a module is started without
the dispatcher, with the dispatcher's settings for it. Modules that insist on playing (``sd_generic``, RHVoice's own
one) cannot serve here.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from xml.sax.saxutils import escape

from voicehost.tts.process import Child
from voicehost.tts.voice import Reason, Sound, Voice, VoiceFailed, VoiceInfo, has_words, speakable, time_limit

_START = 5.0
_FOLDERS = (
    "/usr/lib/speech-dispatcher-modules",
    "/usr/libexec/speech-dispatcher-modules",
    "/usr/lib64/speech-dispatcher-modules",
    "/usr/local/libexec/speech-dispatcher-modules",
    "/usr/local/lib/speech-dispatcher-modules",
)
_SETTINGS = (
    "~/.config/speech-dispatcher/modules",
    "/etc/speech-dispatcher/modules",
    "/usr/local/etc/speech-dispatcher/modules",
)
_MULTIARCH = "*-linux-gnu/speech-dispatcher-modules"
_PLAYING = ("sd_dummy", "sd_generic", "sd_rhvoice")
_ROBOTS = "espeak"
_AUDIO = b"705-AUDIO\0"
_AUDIO_END = b"705 AUDIO"
_ESCAPE, _FLIP = 0x7D, 0x20


def unescaped(data: bytes) -> bytes:
    r"""Samples as they were before the module hid line ends in them.

    >>> unescaped(b"a}*b}]")
    b'a\nb}'
    """
    if _ESCAPE not in data:
        return data
    first, *rest = data.split(bytes([_ESCAPE]))
    return first + b"".join(bytes([part[0] ^ _FLIP]) + part[1:] for part in rest if part)


class Module:
    """A living output module. Every call ends by its deadline or raises VoiceFailed, and the process is gone then."""

    def __init__(self, name: str, argv: Sequence[str]) -> None:
        """``name`` is for messages."""
        self._name = name
        self._child = Child(name, argv)

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self._child.alive

    def start(self, deadline: float) -> None:
        """Load the synthesiser and have it hand over what it synthesises."""
        self._ask("INIT", deadline)
        self._ask("AUDIO", deadline, "audio_output_method=server")

    def voices(self, deadline: float) -> list[tuple[str, str]]:
        """Names and language codes."""
        listed = (line.partition("-")[2].split("\t") for line in self._ask("LIST VOICES", deadline))
        return [(fields[0], fields[1].lower()) for fields in listed if len(fields) >= 2]

    def choose(self, voice: str, language: str, deadline: float) -> None:
        """Speak with this voice from now on, at the pace and pitch that its settings name."""
        self._ask("SET", deadline, f"language={language}", f"synthesis_voice={voice}", "punctuation_mode=none")

    def speak(self, text: str, deadline: float) -> Sound:
        """Text, in one line, to sound."""
        self._ask("SPEAK", deadline, f"<speak>{escape(text)}</speak>")
        form: dict[str, int] = {}
        pcm = bytearray()
        while True:
            line = self._child.read_line(deadline)
            if line.startswith(_AUDIO):
                samples = unescaped(line[len(_AUDIO) :])
                # The reader takes a carriage return for a part of the line's end.
                pcm += samples + b"\r" * (2 * form.get("num_samples", 0) - len(samples))
                if form.get("bits") != 16 or form.get("num_channels") != 1 or form.get("big_endian"):
                    raise self._refused("samples of an unknown form")
            elif line.startswith((b"702 ", b"703 ")):
                return Sound(bytes(pcm), form.get("sample_rate", 22050))
            elif line[:1] in {b"3", b"4"}:
                raise self._refused(line.decode("utf-8", "replace"))
            else:
                name, _, value = line.decode("ascii", "replace").partition("=")
                if value.isdecimal():
                    form[name.removeprefix("705-")] = int(value)

    def close(self) -> None:
        """End it."""
        self._child.close()

    def kill(self) -> None:
        """End it from another thread; a call that waits for it fails."""
        self._child.kill()

    def _ask(self, command: str, deadline: float, *lines: str) -> list[str]:
        """Send a command and its lines; the lines of the last answer but its end. Raises VoiceFailed "refused" too."""
        found = self._answer(command, deadline)
        if lines:
            found = self._answer(
                "\n".join([*(f".{line}" if line[0] == "." else line for line in lines), "."]), deadline
            )
        return found

    def _answer(self, text: str, deadline: float) -> list[str]:
        self._child.send(f"{text}\n".encode())
        found: list[str] = []
        while True:
            line = self._child.read_line(deadline).decode("utf-8", "replace")
            if line[:3].isdecimal() and line[3:4] == " ":
                if line[0] != "2":
                    raise self._refused(found[-1] if found else line)
                return found
            found.append(line)

    def _refused(self, why: str) -> VoiceFailed:
        return VoiceFailed(self._name, "refused", why[4:] if why[:3].isdecimal() else why)


class SpeechDispatcherVoice:
    """A voice of one module, which is started by its first line."""

    def __init__(self, info: VoiceInfo, argv: Sequence[str], voice: str) -> None:
        self.name = info.name
        self.language = info.language
        self._argv = list(argv)
        self._voice = voice
        self._module: Module | None = None
        self._lock = threading.Lock()

    def render(self, text: str) -> Sound:
        """See Voice."""
        text = speakable(text)
        if not has_words(text):
            return Sound(b"", 22050)
        with self._lock:
            deadline = time.monotonic() + time_limit(text)
            try:
                if self._module is None or not self._module.alive:
                    self._stop()
                    deadline += _START
                    self._module = Module(self.name, self._argv)
                    self._module.start(deadline)
                    self._module.choose(self._voice, self.language, deadline)
                return self._module.speak(text, deadline)
            except VoiceFailed:
                self._stop()
                raise

    def close(self) -> None:
        """See Voice."""
        module = self._module
        if module is not None:
            module.kill()
        with self._lock:
            self._stop()

    def _stop(self) -> None:
        if self._module is not None:
            self._module.close()
            self._module = None


class SpeechDispatcherEngine:
    """The output modules that are installed and give their samples away."""

    name = "speech-dispatcher"

    def __init__(self, folders: Sequence[Path] | None = None, settings: Sequence[Path] | None = None) -> None:
        """``folders`` hold the modules, ``settings`` their configuration; the system's where not given."""
        self._folders = folders
        self._settings = [Path(place).expanduser() for place in _SETTINGS] if settings is None else settings
        self._listed: dict[str, list[tuple[str, str]]] | None = None

    def available(self) -> Reason | None:
        """See Engine."""
        if not self._modules():
            return Reason("tts.speechd-missing")
        return None if any(self._list().values()) else Reason("tts.speechd-without-voice")

    def voices(self, language: str) -> list[VoiceInfo]:
        """See Engine; of espeak-ng's hundred variants of each language only the plain one."""
        infos: list[VoiceInfo] = []
        for module, voices in sorted(self._list().items()):
            robot = _ROBOTS in module
            speaking = [voice for voice, code in voices if code.partition("-")[0] == language]
            for place, voice in enumerate(speaking[:1] if robot else speaking):
                infos.append(
                    VoiceInfo(
                        name=f"{self.name}:{module if robot else voice}",
                        engine=self.name,
                        language=language,
                        licence="GPL-3.0-or-later" if robot else "system",
                        intelligible=not robot,
                        note="tts.note-hard-to-understand" if robot else "tts.note-system",
                        quality=(150 if robot else 700) - min(place, 30),
                        ident=f"{module}:{voice}",
                    )
                )
        return infos

    def open(self, info: VoiceInfo) -> Voice:
        """See Engine."""
        module, _, voice = info.ident.partition(":")
        return SpeechDispatcherVoice(info, self._command(module), voice)

    def _modules(self) -> list[str]:
        """Names of modules that may hand over samples; each program serves one."""
        found = {file.name for folder in self._places() for file in folder.glob("sd_*") if os.access(file, os.X_OK)}
        return sorted(name.removeprefix("sd_") for name in found if name not in _PLAYING and "mbrola" not in name)

    def _places(self) -> list[Path]:
        if self._folders is not None:
            return list(self._folders)
        return [*map(Path, _FOLDERS), *sorted(Path("/usr/lib").glob(_MULTIARCH))]

    def _command(self, module: str) -> list[str]:
        program = next((p for f in self._places() if (p := f / f"sd_{module}").exists()), Path(f"sd_{module}"))
        settings = next((p for f in self._settings if (p := f / f"{module}.conf").exists()), None)
        return [str(program), *([str(settings)] if settings else [])]

    def _list(self) -> dict[str, list[tuple[str, str]]]:
        if self._listed is None:
            modules = self._modules()
            with ThreadPoolExecutor(max_workers=max(1, len(modules))) as pool:
                self._listed = dict(zip(modules, pool.map(self._ask, modules), strict=True))
        return self._listed

    def _ask(self, name: str) -> list[tuple[str, str]]:
        """The voices of a module; none of one that does not start, or plays by itself."""
        module: Module | None = None
        deadline = time.monotonic() + _START
        try:
            module = Module(self.name, self._command(name))
            module.start(deadline)
            return module.voices(deadline)
        except VoiceFailed:
            return []
        finally:
            if module is not None:
                module.close()
