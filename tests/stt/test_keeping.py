"""A folder of what was heard: it can be evaluated at any moment, and forgotten without a trace."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.components import require
from tests.stt.conftest import quiet
from voicehost.errors import UserError
from voicehost.stt.keeping import KeptRecordings, delete_kept
from voicehost.stt.recordings import MANIFEST, read_manifest

BEGAN = datetime(2026, 11, 30, 21, 5, 9)


@pytest.fixture(autouse=True)
def _needs() -> None:
    require("soundfile")


def add(kept: KeptRecordings, text: str = "фол третьему") -> Path:
    path = kept.add(quiet(1.0))
    kept.note(path, text, "foul", {"seat": 3, "count": 1}, "speech", "heard")
    return path


def test_what_is_kept_is_a_recordings_folder(tmp_path: Path) -> None:
    from voicehost.audio.files import read_sound

    kept = KeptRecordings(tmp_path / "a" / "b", BEGAN)
    first, second = add(kept), kept.add(quiet(0.5))
    kept.note(second, "[unk]", None, {}, "any", "unrecognised")
    assert [first.name, second.name] == ["20261130-210509-0001.flac", "20261130-210509-0002.flac"]
    one, two = read_manifest(tmp_path / "a" / "b")
    assert (one.text, one.command, one.slots, one.state, one.set) == (
        *("фол третьему", "foul", {"seat": 3, "count": 1}),
        *("speech", "heard"),
    )
    assert (two.text, two.command, two.slots) == ("[unk]", None, {})
    assert read_sound(one.path) == quiet(1.0)


def test_evenings_share_a_folder(tmp_path: Path) -> None:
    paths = {add(KeptRecordings(tmp_path, BEGAN)) for _ in range(3)}
    assert len(paths) == len(read_manifest(tmp_path)) == 3


@pytest.mark.parametrize("text", ["с\tтабом", "в две\nстроки", 'с "кавычками"', ""])
def test_no_text_breaks_the_table(tmp_path: Path, text: str) -> None:
    add(KeptRecordings(tmp_path), text)
    assert read_manifest(tmp_path)[0].text == " ".join(text.split())


def test_a_table_whose_last_line_was_cut_off_goes_on_below_it(tmp_path: Path) -> None:
    add(KeptRecordings(tmp_path, BEGAN))
    manifest = tmp_path / "manifest.tsv"
    manifest.write_text(manifest.read_text(encoding="utf-8").rstrip("\n"), encoding="utf-8")
    add(KeptRecordings(tmp_path, BEGAN))
    assert len(read_manifest(tmp_path)) == 2


def test_another_kind_of_table_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "manifest.tsv").write_text("a\tb\n", encoding="utf-8")
    with pytest.raises(UserError) as caught:
        KeptRecordings(tmp_path)
    assert caught.value.key == "stt.manifest-header"
    assert (tmp_path / "manifest.tsv").read_text(encoding="utf-8") == "a\tb\n"


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UserError) as caught:
        KeptRecordings(tmp_path / "file" / "sounds")
    assert caught.value.key == "stt.keep-failed"
    kept = KeptRecordings(tmp_path / "sounds")
    (tmp_path / "sounds" / "manifest.tsv").unlink()
    (tmp_path / "sounds").rmdir()
    with pytest.raises(UserError) as caught:
        kept.add(quiet(0.1))
    assert caught.value.key == "stt.keep-failed"


def test_deleting_takes_files_and_lines_and_an_empty_folder(tmp_path: Path) -> None:
    kept = KeptRecordings(tmp_path / "sounds")
    paths = [add(kept) for _ in range(3)]
    assert delete_kept(paths[:2]) == []
    assert [recording.path for recording in read_manifest(tmp_path / "sounds")] == [paths[2]]
    assert delete_kept([str(paths[2])]) == []
    assert not (tmp_path / "sounds").exists()
    assert delete_kept(paths) == []


def test_deleting_leaves_what_others_put_there(tmp_path: Path) -> None:
    kept = KeptRecordings(tmp_path)
    path = add(kept)
    (tmp_path / "own.wav").write_bytes(b"x")
    with (tmp_path / "manifest.tsv").open("a", encoding="utf-8") as file:
        file.write("own.wav\tпас\tshot\t{}\tnight-hunt\tmine\n")
    assert delete_kept([path]) == []
    assert [recording.file for recording in read_manifest(tmp_path)] == ["own.wav"]


@pytest.mark.parametrize("name", ["letter.txt", "../20261130-210509-0001.flac", "20261130-210509-0001.flac"])
def test_deleting_touches_nothing_that_was_not_kept_here(tmp_path: Path, name: str) -> None:
    """The paths stand in a journal, which may come from somebody else."""
    folder = tmp_path / "home"
    folder.mkdir()
    path = folder / name
    path.write_bytes(b"x")
    assert delete_kept([path]) == [path]
    assert path.exists()


@pytest.mark.parametrize("closed", ["touch", "open"])
def test_a_folder_of_an_earlier_evening_that_takes_no_files_any_more_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    KeptRecordings(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [MANIFEST], "nothing is left of the trial"
    real = Path.open

    def refuse(path: Path, mode: str = "r", *rest: Any, **options: Any) -> Any:
        if mode in {"a", "w"} or closed == "touch":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path, mode, *rest, **options)

    monkeypatch.setattr(Path, closed, refuse)
    with pytest.raises(UserError) as caught:
        KeptRecordings(tmp_path)
    assert (caught.value.key, caught.value.params["folder"]) == ("stt.keep-failed", tmp_path)
