from __future__ import annotations

from pathlib import Path

import pytest

from tests.components import RECORDINGS
from voicehost.errors import UserError
from voicehost.stt.recordings import COLUMNS, MANIFEST, read_manifest

HEADER = "\t".join(COLUMNS)
GOOD = 'a.wav\tфол игроку три\tfoul\t{"seat": 3, "count": 1}\tspeech\tclean'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.wav").write_bytes(b"sound")
    return tmp_path


def write(folder: Path, *lines: str, newline: str = "\n") -> Path:
    (folder / MANIFEST).write_bytes(newline.join(lines).encode())
    return folder


def problem(folder: Path) -> tuple[str, dict[str, object]]:
    with pytest.raises(UserError) as caught:
        read_manifest(folder)
    return caught.value.key, caught.value.params


def test_reads_commands_and_talk(folder: Path) -> None:
    command, talk = read_manifest(write(folder, HEADER, GOOD, 'a.wav\tон сказал "фол"\t\t\tspeech\ttalk'))
    assert (command.line, command.command, command.slots) == (2, "foul", {"seat": 3, "count": 1})
    assert (command.path, command.state, command.set) == (folder / "a.wav", "speech", "clean")
    assert (talk.line, talk.command, talk.slots, talk.text) == (3, None, {}, 'он сказал "фол"')


def test_windows_line_ends_a_byte_order_mark_and_blank_lines_are_welcome(folder: Path) -> None:
    recordings = read_manifest(write(folder, "\ufeff" + HEADER, "", GOOD, "\t\t\t\t\t", "", GOOD, newline="\r\n"))
    assert [recording.line for recording in recordings] == [3, 6]


def test_the_recordings_of_the_tests_can_be_read() -> None:
    recordings = read_manifest(RECORDINGS)
    assert {recording.set for recording in recordings} == {"command", "talk", "number"}
    assert {recording.file for recording in recordings} == {path.name for path in RECORDINGS.glob("*.flac")}


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("a.wav\tфол", "stt.manifest-columns"),
        (GOOD + "\tmore", "stt.manifest-columns"),
        (GOOD.replace("a.wav", "b.wav"), "stt.manifest-file"),
        (GOOD.replace("a.wav", ""), "stt.manifest-file"),
        (GOOD.replace('{"seat": 3', "{seat: 3"), "stt.manifest-slots"),
        (GOOD.replace('{"seat": 3, "count": 1}', "[3]"), "stt.manifest-slots"),
        (GOOD.replace("speech", "lunch"), "stt.manifest-state"),
        (GOOD.removesuffix("clean"), "stt.manifest-set"),
    ],
)
def test_a_bad_line_is_told_with_its_number(folder: Path, line: str, key: str) -> None:
    found, params = problem(write(folder, HEADER, GOOD, "", line))
    assert found == key
    assert params["line"] == 4


@pytest.mark.parametrize("lines", [(), ("file\ttext",), (GOOD,), (HEADER.replace("state", "moment"), GOOD)])
def test_a_bad_header_is_told(folder: Path, lines: tuple[str, ...]) -> None:
    key, params = problem(write(folder, *lines))
    assert key == "stt.manifest-header"
    assert params["columns"] == "file text command slots state set"


def test_an_empty_table_is_told(folder: Path) -> None:
    assert problem(write(folder, HEADER, ""))[0] == "stt.manifest-empty"


def test_another_encoding_is_told(folder: Path) -> None:
    (folder / MANIFEST).write_bytes(f"{HEADER}\n{GOOD}".encode("cp1251"))
    assert problem(folder)[0] == "stt.manifest-unreadable"


def test_no_manifest_is_told(tmp_path: Path) -> None:
    assert problem(tmp_path)[0] == "stt.no-manifest"
    assert problem(tmp_path / "nothing")[0] == "stt.no-manifest"


@pytest.mark.parametrize("slots", ['{"a":' * 100_000, '{"seat": ' + "5" * 5000 + "}"], ids=["nested", "long-number"])
def test_slots_that_no_reader_can_hold_are_no_slots(folder: Path, slots: str) -> None:
    key, params = problem(write(folder, HEADER, GOOD.replace('{"seat": 3, "count": 1}', slots)))
    assert (key, params["line"]) == ("stt.manifest-slots", 2)
    assert len(str(params["slots"])) < 100


def test_a_name_longer_than_the_system_allows_is_a_missing_file(folder: Path) -> None:
    key, params = problem(write(folder, HEADER, GOOD.replace("a.wav", "z" * 5000)))
    assert (key, params["line"]) == ("stt.manifest-file", 2)
    assert len(str(params["file"])) < 100


def test_a_text_may_be_of_any_length(folder: Path) -> None:
    text = "фол " * 50_000
    assert read_manifest(write(folder, HEADER, f"a.wav\t{text}\t\t\tspeech\ttalk"))[0].text == text.strip()


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c"], ids=ascii)
def test_only_an_end_of_line_ends_a_line(folder: Path, mark: str) -> None:
    first, second = read_manifest(write(folder, HEADER, f"a.wav\tфол{mark}игроку\t\t\tspeech\ttalk", GOOD))
    assert (first.text, second.line) == (f"фол{mark}игроку", 3)


def test_the_old_end_of_line_is_one_too(folder: Path) -> None:
    assert [recording.line for recording in read_manifest(write(folder, HEADER, GOOD, GOOD, newline="\r"))] == [2, 3]
