"""Voices and sounds to test with, and a look at which processes are left."""

from __future__ import annotations

import math
import os
import struct
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from voicehost.tts.voice import Reason, Sound, Voice, VoiceFailed, VoiceInfo

Program = Callable[[str], list[str]]


def tone(seconds: float, rate: int = 16000, pitch: float = 440.0, loudness: float = 0.5) -> Sound:
    """A sine, as int16."""
    count = round(seconds * rate)
    values = (round(32767 * loudness * math.sin(2 * math.pi * pitch * n / rate)) for n in range(count))
    return Sound(struct.pack(f"<{count}h", *values), rate)


def wav_bytes(sound: Sound, channels: int = 1) -> bytes:
    """A correct WAV file."""
    head = struct.pack("<HHIIHH", 1, channels, sound.rate, sound.rate * 2 * channels, 2 * channels, 16)
    body = b"WAVEfmt " + struct.pack("<I", 16) + head + b"data" + struct.pack("<I", len(sound.pcm)) + sound.pcm
    return b"RIFF" + struct.pack("<I", len(body)) + body


class SineVoice:
    """Speaks a tone as long as speech would take; its pitch follows the text, so that lines differ."""

    def __init__(self, name: str = "sine", language: str = "ru") -> None:
        self.name = name
        self.language = language
        self.said: list[str] = []
        self.closed = 0

    def render(self, text: str) -> Sound:
        self.said.append(text)
        return tone(0.07 * max(1, len(text)), pitch=200 + sum(map(ord, text)) % 700)

    def close(self) -> None:
        self.closed += 1


class BrokenVoice(SineVoice):
    """Fails for as long as it is told to."""

    def __init__(self, name: str = "broken", why: str = "hung") -> None:
        super().__init__(name)
        self.why: str | None = why

    def render(self, text: str) -> Sound:
        self.said.append(text)
        if self.why is None:
            return tone(0.07 * max(1, len(text)))
        raise VoiceFailed(self.name, self.why)


class OneVoiceEngine:
    """An engine of one given voice."""

    def __init__(self, info: VoiceInfo, voice: Voice | None = None, reason: Reason | None = None) -> None:
        self.name = info.engine
        self._info = info
        self._voice = voice or SineVoice(info.name, info.language)
        self._reason = reason

    def available(self) -> Reason | None:
        return self._reason

    def voices(self, language: str) -> Sequence[VoiceInfo]:
        return [self._info] if self._reason is None and language == self._info.language else []

    def open(self, info: VoiceInfo) -> Voice:
        assert info == self._info
        return self._voice


def voice_info(name: str, quality: int = 500, language: str = "ru", ident: str = "") -> VoiceInfo:
    """A voice ``ENGINE:NAME``."""
    engine = name.partition(":")[0]
    return VoiceInfo(name, engine, language, "MIT", True, "", quality, ident or name)


def started(argv: Sequence[str]) -> list[int]:
    """Ids of all processes that a program of the ``program`` fixture has run in."""
    return [int(file.name[4:]) for file in Path(argv[1]).parent.glob("pid-*")]


def running(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    status = Path(f"/proc/{pid}/stat")
    if Path("/proc/self/stat").exists():
        try:
            return status.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
        except (FileNotFoundError, ProcessLookupError):
            return False
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def assert_gone(pids: Sequence[int]) -> None:
    """Every process has ended, now or within some seconds."""
    assert pids
    for _ in range(100):
        left = [pid for pid in pids if running(pid)]
        if not left:
            return
        time.sleep(0.1)
    raise AssertionError(f"still running: {left}")
