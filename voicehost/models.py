"""Where models lie and which there are. A model is a folder; its name is the folder's.

Places, the first that has a model of a name wins: the folder (or folders) in ``VOICEHOST_MODELS``, the user's data
folder, where ``voicehost models install`` puts them, and what comes with the program.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from voicehost.errors import UserError

VARIABLE = "VOICEHOST_MODELS"
"""The environment variable with folders to look into first, separated as in ``PATH``."""

EMBEDDED = "vosk-model-ru-tiny"
"""The model that comes with the program."""

_PACKAGE = Path(__file__).parent
_BUILT_IN = (_PACKAGE / "_data" / "models", _PACKAGE.parent / "models")

Kind = Literal["vosk", "whisper"]

_MARKS: dict[Kind, tuple[str, ...]] = {
    "vosk": ("am/final.mdl", "graph"),
    "whisper": ("model.bin", "tokenizer.json"),
}


@dataclass(frozen=True, slots=True)
class Model:
    """A model on this machine.

    Attributes:
        name: of its folder.
        kind: which recogniser reads it.
        folder: where it lies.
        embedded: whether it came with the program, so that it cannot be removed.
    """

    name: str
    kind: Kind
    folder: Path
    embedded: bool

    @property
    def bytes(self) -> int:
        """What it takes on the disk."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file())


def user_folder() -> Path:
    """Where installed models go; it need not exist yet."""
    from platformdirs import user_data_path

    return user_data_path("voicehost", appauthor=False) / "models"


def folders() -> list[Path]:
    """The places to look in, in order; they need not exist."""
    named = [Path(part).expanduser() for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part.strip()]
    return [*named, user_folder(), *_BUILT_IN]


def installed(kind: Kind | None = None) -> list[Model]:
    """Every model on this machine, each name once: real ones before the embedded one, then by name."""
    found: dict[str, Model] = {}
    for place in folders():
        for folder in _subfolders(place):
            model = recognised(folder)
            if model and kind in {None, model.kind}:
                found.setdefault(model.name, model)
    return sorted(found.values(), key=lambda model: (model.name == EMBEDDED, model.name))


def locate(name: str) -> Model:
    """The model of this name, or at this path.

    Raises:
        UserError: ``stt.unknown-model`` (with the names that are there) or ``stt.not-a-model`` (a folder without one).
    """
    path = Path(name).expanduser()
    if path.is_dir():
        model = recognised(path.resolve())
        if model is None:
            raise UserError("stt.not-a-model", folder=path)
        return model
    for model in installed():
        if model.name == name:
            return model
    raise UserError("stt.unknown-model", name=name, known=_listed(installed()))


def preferred(kind: Kind, language: str = "ru") -> Model | None:
    """The model to use when none was named: a real one of this language before the embedded one, or ``None``."""
    for model in installed(kind):
        # The names of Vosk's models tell their language; Whisper knows many.
        if kind == "whisper" or f"-{language}" in model.name:
            return model
    return None


def recognised(folder: Path) -> Model | None:
    """The model in this folder, if there is one; its files are not read."""
    for kind, marks in _MARKS.items():
        if all((folder / mark).exists() for mark in marks):
            return Model(folder.name, kind, folder, embedded=any(folder.is_relative_to(place) for place in _BUILT_IN))
    return None


def _subfolders(place: Path) -> Iterable[Path]:
    try:
        return sorted(path for path in place.iterdir() if path.is_dir())
    except OSError:
        return []


def _listed(models: Iterable[Model]) -> str:
    return ", ".join(model.name for model in models) or "-"
