from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.components import TINY_MODEL, require
from voicehost.errors import UserError
from voicehost.stt import vosk_model
from voicehost.stt.recogniser import UNKNOWN
from voicehost.stt.vosk_model import VoskModel, checked_folder, grammar_text, spellings


@pytest.fixture(scope="module")
def model() -> VoskModel:
    require("vosk")
    return VoskModel(TINY_MODEL)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TINY_MODEL, tmp_path / "model"))


def test_knows_its_words(model: VoskModel) -> None:
    assert model.name == "vosk-model-ru-tiny"
    assert model.knows("выставляю")
    assert model.knows(UNKNOWN)
    assert not model.knows("Выставляю")
    assert not model.knows("переголосование")
    assert not model.knows("")
    assert not model.knows("фол\0")


def test_words_are_spelled_as_the_model_has_them(model: VoskModel) -> None:
    assert model.spelling("Выставляю") == "выставляю"
    assert model.spelling("чёрный") == "чёрный"
    assert model.spelling("шэриф") is None
    assert model.spelled("фол игроку три") == "фол игроку три"
    assert model.spelled("фол договорняк три") is None
    assert model.spelled("") is None


def test_finds_the_other_spelling_of_yo(model: VoskModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(VoskModel, "knows", lambda self, word: word in {"еще", "чёрный"})
    monkeypatch.setattr(model, "words", {})
    assert model.spelling("ещё") == "еще"
    assert model.spelling("черный") == "чёрный"


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("выставлаю", "выставляю"),
        ("вытсавляю", "выставляю"),
        ("выставляюю", "выставляю"),
        ("вставляю", "выставляю"),
        ("абракадабра", None),
        ("фо", None),
    ],
)
def test_a_slip_of_the_pen_has_a_word_that_was_meant(model: VoskModel, word: str, near: str | None) -> None:
    assert model.near(word) == near


@pytest.mark.parametrize(("short", "opened"), [("C:\\MODELS~1", "C:\\MODELS~1"), ("C:\\Модели", None), ("", None)])
def test_on_windows_a_cyrillic_path_is_opened_by_its_short_name(
    monkeypatch: pytest.MonkeyPatch, short: str, opened: str | None
) -> None:
    import ctypes

    def short_name(path: str, buffer: ctypes.Array[ctypes.c_wchar], size: int) -> int:
        buffer.value = short
        return len(short)

    monkeypatch.setattr(sys, "platform", "win32")
    kernel = SimpleNamespace(kernel32=SimpleNamespace(GetShortPathNameW=short_name))
    monkeypatch.setattr(ctypes, "windll", kernel, raising=False)
    assert vosk_model._plain_path(Path("models/ru")) == str(Path("models/ru"))
    if opened is None:
        with pytest.raises(UserError) as caught:
            vosk_model._plain_path(Path("Модели/ru"))
        assert caught.value.key == "stt.model-path"
    else:
        assert vosk_model._plain_path(Path("Модели/ru")) == opened


def test_names_unknown_words_once_and_in_order(model: VoskModel) -> None:
    assert model.unknown(["фол абракадабра", "тарабарщина и абракадабра"]) == ["абракадабра", "тарабарщина"]


def test_every_word_of_the_list_is_found(model: VoskModel) -> None:
    words = (TINY_MODEL / "graph" / "words.txt").read_text(encoding="utf-8").split()[::2]
    assert [word for word in words if word not in {"<eps>", "#0", "<s>", "</s>"} and not model.knows(word)] == []


@given(st.text("абвеёЕЁ", min_size=1, max_size=12))
def test_spellings_differ_only_in_yo(word: str) -> None:
    made = spellings(word)
    assert made[0] == word.lower()
    assert len(made) <= 64
    assert {spelling.replace("ё", "е") for spelling in made} == {word.lower().replace("ё", "е")}


def test_the_grammar_has_no_escapes_and_always_the_unknown_word() -> None:
    text = grammar_text(["выставляю номер пять", "фол"])
    assert "\\" not in text
    assert json.loads(text) == ["выставляю номер пять", "фол", UNKNOWN]
    assert json.loads(grammar_text([])) == [UNKNOWN]


def test_a_folder_of_its_own_name_inside_is_found(tmp_path: Path) -> None:
    shutil.copytree(TINY_MODEL, tmp_path / "outer" / "inner")
    assert checked_folder(tmp_path / "outer") == tmp_path / "outer" / "inner"


@pytest.mark.parametrize(
    "name",
    ["am/final.mdl", "graph/HCLr.fst", "graph/Gr.fst", "conf/mfcc.conf", "graph/phones/word_boundary.int"],
)
def test_a_missing_or_empty_file_is_named(copy: Path, name: str) -> None:
    (copy / name).write_bytes(b"")
    with pytest.raises(UserError) as caught:
        checked_folder(copy)
    assert (caught.value.key, caught.value.params["file"]) == ("stt.model-broken", name)
    (copy / name).unlink()
    with pytest.raises(UserError) as caught:
        checked_folder(copy)
    assert (caught.value.key, caught.value.params["file"]) == ("stt.model-broken", name)


def test_a_pointer_in_place_of_a_large_file_is_named(copy: Path) -> None:
    (copy / "graph" / "HCLr.fst").write_text("version https://git-lfs.github.com/spec/v1\n", encoding="utf-8")
    with pytest.raises(UserError) as caught:
        checked_folder(copy)
    assert caught.value.params["file"] == "graph/HCLr.fst"


def test_a_damaged_network_is_told_and_does_not_end_the_process(copy: Path) -> None:
    require("vosk")
    (copy / "am" / "final.mdl").write_bytes(b"no network at all")
    with pytest.raises(UserError) as caught:
        VoskModel(copy)
    assert caught.value.key == "stt.model-broken"


def test_a_model_for_dictation_is_refused(copy: Path) -> None:
    (copy / "graph" / "HCLr.fst").rename(copy / "graph" / "HCLG.fst")
    with pytest.raises(UserError) as caught:
        checked_folder(copy)
    assert caught.value.key == "stt.model-static"


def test_a_model_without_the_unknown_word_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    require("vosk")
    monkeypatch.setattr(VoskModel, "knows", lambda self, word: False)
    with pytest.raises(UserError) as caught:
        VoskModel(TINY_MODEL)
    assert caught.value.key == "stt.model-no-unknown"


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        VoskModel(tmp_path / "nothing")
    assert caught.value.key == "stt.model-missing"


def test_a_missing_library_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vosk", None)
    with pytest.raises(UserError) as caught:
        VoskModel(TINY_MODEL)
    assert caught.value.key == "stt.no-vosk"


def test_a_model_under_a_cyrillic_path_loads(tmp_path: Path) -> None:
    require("vosk")
    if sys.platform == "win32":
        pytest.skip("only on systems whose file names are UTF-8")
    assert VoskModel(Path(shutil.copytree(TINY_MODEL, tmp_path / "Антон" / "модель"))).knows("фол")
