from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.components import TINY_MODEL
from voicehost import models
from voicehost.errors import UserError


def make(place: Path, name: str, kind: str = "vosk") -> Path:
    files = ("am/final.mdl", "graph/words.txt") if kind == "vosk" else ("model.bin", "tokenizer.json")
    for file in files:
        path = place / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"12345")
    return place / name


@pytest.fixture(autouse=True)
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """The user's own folder and one that the environment names."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(models, "user_folder", lambda: tmp_path / "user")
    monkeypatch.setenv(models.VARIABLE, os.pathsep.join([str(tmp_path / "named"), "", str(tmp_path / "nowhere")]))
    return tmp_path / "user", tmp_path / "named"


def test_the_embedded_model_is_always_there() -> None:
    [tiny] = models.installed("vosk")
    assert (tiny.name, tiny.kind, tiny.folder, tiny.embedded) == (models.EMBEDDED, "vosk", TINY_MODEL, True)
    assert 2_000_000 < tiny.bytes < 3_500_000
    assert models.preferred("vosk") == tiny
    assert models.preferred("whisper") is None


def test_real_models_come_before_the_embedded_one(places: tuple[Path, Path]) -> None:
    user, _ = places
    make(user, "vosk-model-small-ru-0.22")
    make(user, "vosk-model-small-en-us")
    make(user, "faster-whisper-base", "whisper")
    assert [model.name for model in models.installed()] == [
        "faster-whisper-base",
        "vosk-model-small-en-us",
        "vosk-model-small-ru-0.22",
        models.EMBEDDED,
    ]
    preferred, whisper, english = (
        models.preferred("vosk"),
        models.preferred("whisper"),
        models.preferred("vosk", "en"),
    )
    assert preferred is not None
    assert preferred.name == "vosk-model-small-ru-0.22"
    assert not preferred.embedded
    assert whisper is not None
    assert whisper.name == "faster-whisper-base"
    assert english is not None
    assert english.name == "vosk-model-small-en-us"
    assert models.preferred("vosk", "bg") is None


def test_the_named_folder_wins(places: tuple[Path, Path]) -> None:
    user, named = places
    make(user, "vosk-model-small-ru")
    make(named, "vosk-model-small-ru")
    assert models.locate("vosk-model-small-ru").folder == named / "vosk-model-small-ru"
    assert len([model for model in models.installed() if model.name == "vosk-model-small-ru"]) == 1


def test_a_model_can_be_given_as_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make(tmp_path, "my model", "whisper")
    assert models.locate(str(folder)).kind == "whisper"
    monkeypatch.chdir(tmp_path)
    assert models.locate("./my model").folder == folder


def test_what_is_not_there_is_told_with_what_is(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        models.locate("vosk-model-xx")
    assert caught.value.key == "stt.unknown-model"
    assert caught.value.params["known"] == models.EMBEDDED
    with pytest.raises(UserError) as caught:
        models.locate(str(tmp_path))
    assert caught.value.key == "stt.not-a-model"


def test_half_a_model_and_stray_files_are_none(places: tuple[Path, Path]) -> None:
    user, _ = places
    make(user, "half")
    (user / "half" / "am" / "final.mdl").unlink()
    (user / "file").write_bytes(b"")
    assert [model.name for model in models.installed()] == [models.EMBEDDED]
