from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.tts.helpers import Program
from voicehost.tts.piper import FOLDER_VARIABLE, PiperEngine, PiperRenderer
from voicehost.tts.voice import Reason, Sound


def _model(folder: Path, name: str, settings: dict[str, Any] | None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    model = folder / f"{name}.onnx"
    model.write_bytes(b"onnx")
    if settings is not None:
        (folder / f"{name}.onnx.json").write_text(json.dumps(settings), encoding="utf-8")
    return model


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv(FOLDER_VARIABLE, raising=False)
    folder = tmp_path / "voices"
    _model(folder / "ru", "ru_RU-irina-medium", {"language": {"code": "ru_RU"}, "audio": {"sample_rate": 16000}})
    _model(folder / "ru", "without-settings", None)
    _model(folder, "my", {"espeak": {"voice": "bg"}})
    (folder / "ru" / "MODEL_CARD").write_text("# Card\n\n* License: CC0\n", encoding="utf-8")
    return folder


def test_voices_are_found_by_their_settings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = PiperEngine([folder], ["piper"])
    assert [(v.name, v.licence) for v in engine.voices("ru")] == [("piper:ru_RU-irina-medium", "CC0")]
    assert [v.name for v in engine.voices("bg")] == ["piper:my"]
    assert [v.name for v in PiperEngine([folder / "my.onnx"], ["piper"]).voices("bg")] == ["piper:my"]
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder / "ru"))
    assert [v.name for v in PiperEngine([], ["piper"]).voices("ru")] == ["piper:ru_RU-irina-medium"]


def test_why_it_cannot_be_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert PiperEngine([folder], ["piper"]).available() is None
    assert PiperEngine([], ["piper"]).available() == Reason("tts.piper-without-voice")
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert PiperEngine([folder]).available() == Reason("tts.piper-missing")
    assert PiperEngine([folder]).voices("ru") == []


def test_another_package_named_piper_is_not_taken(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = SimpleNamespace(submodule_search_locations=[str(folder)])
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: other)
    assert PiperEngine([folder]).available() == Reason("tts.piper-missing")
    (folder / "voice.py").touch()
    assert PiperEngine([folder]).available() is None


def test_the_program_speaks_at_the_rate_of_the_model(folder: Path, program: Program) -> None:
    argv = program(
        """
        assert sys.argv[1] == "--model" and sys.argv[3] == "--output_raw"
        assert open(sys.argv[2], "rb").read() == b"onnx"
        assert sys.stdin.buffer.read().decode("utf-8") == "Фол игроку три.\\n"
        sys.stdout.buffer.write(b"\\1\\0" * 8000)
        """
    )
    engine = PiperEngine([folder], argv)
    voice = engine.open(engine.voices("ru")[0])
    assert voice.render("Фол\nигроку три. 🎲") == Sound(b"\1\0" * 8000, 16000)


@pytest.mark.parametrize("old", [False, True])
def test_the_library_loads_a_model_once(old: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[str] = []

    class PiperVoice:
        config = SimpleNamespace(sample_rate=22050)

        @classmethod
        def load(cls, path: str) -> PiperVoice:
            loaded.append(path)
            return cls()

        if old:

            def synthesize_stream_raw(self, text: str) -> list[bytes]:
                return [text.encode(), b"\0\0"]

        else:

            def synthesize(self, text: str) -> list[SimpleNamespace]:
                return [SimpleNamespace(audio_int16_bytes=part) for part in (text.encode(), b"\0\0")]

    library = ModuleType("piper")
    library.PiperVoice = PiperVoice  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "piper", library)
    renderer = PiperRenderer()
    assert renderer.voices() == []
    for path in ("a.onnx", "a.onnx", "b.onnx"):
        assert renderer.render(path, "да") == Sound("да".encode() + b"\0\0", 22050)
    assert loaded == ["a.onnx", "b.onnx"]
