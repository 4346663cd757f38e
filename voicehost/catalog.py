"""The models that can be installed: ``models/catalog.toml``, with sizes, licences, languages, checksums and sources."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

from voicehost.errors import UserError
from voicehost.models import Kind

SourceKind = Literal["files", "zip", "packages"]

_PACKAGE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file of a model.

    Attributes:
        name: in the model's folder; no path.
        size: bytes.
        sha256: in small hexadecimal letters.
    """

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """One place to get a model from.

    Attributes:
        kind: ``files``: one by one below ``address``; ``zip``: one archive at ``address``; ``packages``: packages of
            the Python registry.
        size: bytes of the archive, 0 otherwise.
        sha256: of the archive, "" otherwise.
        packages: requirements, each with its exact version.
        parts: for each file of the model, where its parts are in the packages.
    """

    kind: SourceKind
    address: str = ""
    size: int = 0
    sha256: str = ""
    packages: tuple[str, ...] = ()
    parts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    """One model of the catalogue.

    Attributes:
        name: also of its folder.
        kind: which recogniser reads it.
        languages: codes.
        licence: as an SPDX identifier.
        size: bytes once installed.
        embedded: whether it comes with the program.
        about: one line for each language of the interface.
        files: what is known of its files; empty where only the archive is known.
        sources: in the order in which they are tried.
    """

    name: str
    kind: Kind
    languages: tuple[str, ...]
    licence: str
    size: int
    embedded: bool
    about: Mapping[str, str]
    files: tuple[FileEntry, ...]
    sources: tuple[SourceEntry, ...]


def catalogue_file() -> Path:
    """Where the catalogue lies: inside an installed package, beside the package in a checkout."""
    inside = _PACKAGE / "_data" / "models" / "catalog.toml"
    return inside if inside.is_file() else _PACKAGE.parent / "models" / "catalog.toml"


@cache
def catalogue() -> Mapping[str, Entry]:
    """The program's catalogue by name. Raises like ``read_catalogue``."""
    return read_catalogue(catalogue_file())


def entry(name: str, known: Mapping[str, Entry] | None = None) -> Entry:
    """The model of this name.

    Raises:
        UserError: ``models.unknown`` with the names that there are.
    """
    known = catalogue() if known is None else known
    if name not in known:
        raise UserError("models.unknown", status=2, name=name, known=", ".join(known))
    return known[name]


def read_catalogue(path: Path) -> dict[str, Entry]:
    """Read a catalogue.

    Raises:
        UserError: ``models.catalogue``: it is missing or not as it should be.
    """
    try:
        with path.open("rb") as file:
            table = tomllib.load(file)
        return {name: _entry(name, values) for name, values in table.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError("models.catalogue", file=path, detail=error) from error


def _entry(name: str, values: Mapping[str, Any]) -> Entry:
    if not plain_name(name):
        raise ValueError(f"{name!r} is no name for a folder")
    kind = values["kind"]
    if kind not in {"vosk", "whisper"}:
        raise ValueError(f"{name}: kind {kind!r}")
    files = tuple(_file(item) for item in values.get("files", ()))
    sources = tuple(_source(item, files) for item in values.get("sources", ()))
    embedded = bool(values.get("embedded", False))
    if not sources and not embedded:
        raise ValueError(f"{name}: no sources")
    return Entry(
        name=name,
        kind=cast(Kind, kind),
        languages=tuple(map(str, values["languages"])),
        licence=str(values["licence"]),
        size=int(values["size"]),
        embedded=embedded,
        about={str(language): str(text) for language, text in values["about"].items()},
        files=files,
        sources=sources,
    )


def _file(values: Mapping[str, Any]) -> FileEntry:
    name, digest = str(values["name"]), str(values["sha256"])
    if not plain_name(name):
        raise ValueError(f"{name!r} is no plain file name")
    _check_digest(digest)
    return FileEntry(name, int(values["size"]), digest)


def _source(values: Mapping[str, Any], files: tuple[FileEntry, ...]) -> SourceEntry:
    kind = values["kind"]
    if kind == "zip":
        _check_digest(str(values["sha256"]))
        return SourceEntry("zip", str(values["address"]), int(values["size"]), str(values["sha256"]))
    if not files:
        raise ValueError(f"a source of kind {kind!r} needs a list of files")
    if kind == "files":
        return SourceEntry("files", str(values["address"]).rstrip("/"))
    if kind != "packages":
        raise ValueError(f"a source of kind {kind!r}")
    parts = {str(name): tuple(map(str, pieces)) for name, pieces in values["parts"].items()}
    if set(parts) != {file.name for file in files}:
        raise ValueError("the parts are not those of the files")
    packages = tuple(map(str, values["packages"]))
    if not packages or not all("==" in package and not package.startswith("-") for package in packages):
        raise ValueError("packages must be pinned with ==")
    return SourceEntry("packages", packages=packages, parts=parts)


def _check_digest(digest: str) -> None:
    if len(digest) != 64 or not set(digest) <= set("0123456789abcdef"):
        raise ValueError(f"{digest!r} is no sha256")


def plain_name(name: str) -> bool:
    """Whether a name is one of a file or folder, and no path that leads elsewhere."""
    return bool(name) and name not in {".", ".."} and not any(letter in name for letter in "/\\:\0")
