"""Piper: neural voices that the user brings, an ``.onnx`` file with its ``.onnx.json`` beside it.

With piper-tts installed the model is loaded once in a worker process; otherwise the ``piper`` program loads it for each
line.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from voicehost.tts.process import run
from voicehost.tts.voice import Reason, Sound, Voice, VoiceInfo, has_words, speakable, time_limit
from voicehost.tts.worker_voice import Worker, WorkerVoice, command

FOLDER_VARIABLE = "VOICEHOST_PIPER_VOICES"
_START = 20.0


class PiperRenderer:
    """Runs in the worker process; keeps the last model."""

    def __init__(self) -> None:
        self._load: Any = importlib.import_module("piper").PiperVoice.load
        self._path = ""
        self._voice: Any = None

    def voices(self) -> list[dict[str, Any]]:
        """A worker knows no voices of its own."""
        return []

    def render(self, voice: str, text: str) -> Sound:
        """Render one line with the model at path ``voice``; also reads piper-tts 1.2, which has another call."""
        if voice != self._path:
            self._voice, self._path = self._load(voice), voice
        if hasattr(self._voice, "synthesize_stream_raw"):
            pcm = b"".join(self._voice.synthesize_stream_raw(text))
        else:
            pcm = b"".join(chunk.audio_int16_bytes for chunk in self._voice.synthesize(text))
        return Sound(pcm, int(self._voice.config.sample_rate))


class PiperProgramVoice:
    """A model spoken by the ``piper`` program, which is started for each line."""

    def __init__(self, info: VoiceInfo, program: Sequence[str], rate: int) -> None:
        self.name = info.name
        self.language = info.language
        self._rate = rate
        self._argv = [*program, "--model", info.ident, "--output_raw"]

    def render(self, text: str) -> Sound:
        """See Voice."""
        text = speakable(text)
        if not has_words(text):
            return Sound(b"", self._rate)
        data = f"{text}\n".encode()
        return Sound(run(self.name, self._argv, data, time_limit(text, _START)), self._rate)

    def close(self) -> None:
        """See Voice; nothing is kept."""


class PiperEngine:
    """The ``.onnx`` voices in some folders or at some paths."""

    name = "piper"

    def __init__(self, places: Sequence[Path] = (), program: Sequence[str] | None = None) -> None:
        """``places``: folders, or single ``.onnx`` files; the folder in $VOICEHOST_PIPER_VOICES is added."""
        named = os.environ.get(FOLDER_VARIABLE)
        self._places = [*places, *([Path(named)] if named else [])]
        self._program = program

    def available(self) -> Reason | None:
        """See Engine."""
        if not self._worker() and not self._command():
            return Reason("tts.piper-missing")
        return None if self._models() else Reason("tts.piper-without-voice")

    def voices(self, language: str) -> list[VoiceInfo]:
        """See Engine."""
        if not self._worker() and not self._command():
            return []
        infos = []
        for place, model in enumerate(self._models()):
            settings = _settings(model)
            if settings is not None and _language(settings, model) == language:
                infos.append(
                    VoiceInfo(
                        name=f"{self.name}:{model.stem}",
                        engine=self.name,
                        language=language,
                        licence=_licence(model),
                        intelligible=True,
                        note="tts.note-own-voice",
                        quality=1000 - min(place, 90),
                        ident=str(model),
                    )
                )
        return infos

    def open(self, info: VoiceInfo) -> Voice:
        """See Engine."""
        if self._worker():
            return WorkerVoice(info, Worker(info.name, command("piper"), start=_START))
        settings = _settings(Path(info.ident)) or {}
        return PiperProgramVoice(info, self._command() or [self.name], _rate(settings))

    def _models(self) -> list[Path]:
        found = []
        for place in self._places:
            if place.is_dir():
                found += sorted(place.rglob("*.onnx"))
            elif place.suffix == ".onnx" and place.exists():
                found.append(place)
        return [model for model in found if _settings(model) is not None]

    def _worker(self) -> bool:
        """Whether piper-tts is installed: another package bears the name ``piper`` too."""
        found = importlib.util.find_spec("piper") if self._program is None else None
        folders = found.submodule_search_locations if found is not None else None
        return any((Path(folder) / "voice.py").exists() for folder in folders or ())

    def _command(self) -> list[str]:
        if self._program:
            return list(self._program)
        found = shutil.which("piper")
        return [found] if found else []


def _settings(model: Path) -> dict[str, Any] | None:
    """The ``.onnx.json`` of a model, or None when there is none to read."""
    try:
        settings = json.loads(model.with_name(model.name + ".json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return settings if isinstance(settings, dict) else None


def _licence(model: Path) -> str:
    """What the voice's MODEL_CARD says of its data, or ""."""
    try:
        card = model.with_name("MODEL_CARD").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    found = re.search(r"^\W*License:\s*(.+)$", card, re.MULTILINE)
    return found[1].strip() if found else ""


def _language(settings: dict[str, Any], model: Path) -> str:
    language = settings.get("language")
    code = language.get("code") if isinstance(language, dict) else None
    espeak = settings.get("espeak")
    spoken = espeak.get("voice") if isinstance(espeak, dict) else None
    return str(code or spoken or model.stem)[:2].lower()


def _rate(settings: dict[str, Any]) -> int:
    audio = settings.get("audio")
    return int(audio.get("sample_rate", 22050)) if isinstance(audio, dict) else 22050
