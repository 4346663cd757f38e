"""Packs: where they are found, that each part loads, and the sentences of the interface."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from voicehost.errors import UserError
from voicehost.language.messages import error_message, message
from voicehost.language.pack import Pack, languages, load_pack


def test_the_languages() -> None:
    assert languages() == ("bg", "ru")


def test_a_pack_is_loaded_once() -> None:
    assert load_pack("ru") is load_pack("ru")
    assert load_pack("ru") is load_pack(load_pack("ru").folder)
    assert load_pack("ru").language == "ru"


@pytest.mark.parametrize("name", ["xx", "", "../ru/nothing", "/nowhere/at/all", "ру"])
def test_an_unknown_language(name: str) -> None:
    with pytest.raises(UserError) as error:
        load_pack(name)
    assert error.value.key == "language.unknown-language"
    text = error_message(load_pack("ru"), error.value)
    assert "bg, ru" in text
    assert name in text


def test_a_folder_of_ones_own(tmp_path: Path) -> None:
    folder = tmp_path / "club"
    folder.mkdir()
    for name in ("numbers.toml", "commands.yaml"):
        (folder / name).write_bytes((load_pack("ru").folder / name).read_bytes())
    assert load_pack(str(folder)).commands.templates
    assert load_pack(folder).language == "club"


def test_missing_parts_are_told(tmp_path: Path) -> None:
    pack = Pack(tmp_path)
    assert pack.messages == {}
    for part in ("numerals", "announcements"):
        with pytest.raises(UserError) as error:
            getattr(pack, part)
        assert error.value.key == "language.no-file"


def test_sentences_are_filled() -> None:
    pack = load_pack("ru")
    assert message(pack, "language.no-file", file="а.toml").startswith("а.toml: ")
    assert message(pack, "language.no-file") == pack.messages["language"]["no-file"]
    assert "{file}" in message(pack, "language.no-file", name="{file}")


def test_values_are_not_filled_again() -> None:
    text = message(load_pack("ru"), "language.unknown-list", file="{line}", line=3, place="{template}", template="т")
    assert text.startswith("{line}:3: ")
    assert "«{template}»" in text


@pytest.mark.parametrize("key", ["language.nothing", "nothing.at-all", "nothing", ""])
def test_an_unknown_sentence_is_shown_by_its_key(key: str) -> None:
    assert message(load_pack("ru"), key, place=3, status="x") == f"{key}(place=3, status=x)"


def test_importing_the_room_loads_no_heavy_library() -> None:
    """Text mode starts at once: YAML comes only with the first pack, and nothing else heavy at all."""
    code = (
        "import sys, voicehost.language.commands, voicehost.language.pack, voicehost.language.vocabulary\n"
        "print(sorted({'yaml', 'numpy', 'vosk', 'hassil', 'num2words'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
