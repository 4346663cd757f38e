"""The rooms of the house: who may import whom, how long a module may be, how files are opened."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import voicehost

PACKAGE = Path(voicehost.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
LONGEST = 350
CATALOGUES = {"rules/commands.py", "rules/events.py"}
"""Plain lists of small classes, one screen an entry: splitting them would only hide where a name is."""

MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "rules": set(),
    "language": {"rules", "errors"},
    "record": {"rules", "errors"},
    "hosting": {"rules", "language", "record", "errors"},
    "audio": {"errors"},
    "stt": {"audio", "errors"},
    "tts": {"audio", "errors"},
}
"""Rooms that other rooms build on. Whatever is not named here (cli, web, doctor ...) wires them and may import all."""


def room_of(path: Path) -> str:
    """The first name below the package: a folder or a module."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Every room that the module imports, anywhere in it, with the line."""
    package = ["voicehost", *path.relative_to(PACKAGE).parent.parts]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            names = [f"{origin}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == "voicehost" and len(parts) > 1 and parts[1] != "__version__":
                yield node.lineno, parts[1]


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_rooms_import_one_way(path: Path) -> None:
    room = room_of(path)
    if room not in MAY_IMPORT:
        return
    allowed = MAY_IMPORT[room] | {room}
    wrong = [f"{name_of(path)}:{line} imports {other}" for line, other in imports_of(path) if other not in allowed]
    assert not wrong


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_every_room_exists(room: str) -> None:
    assert any(room_of(path) == room for path in MODULES)


@pytest.mark.parametrize(
    ("line", "room"),
    [
        ("import voicehost.web.app", "web"),
        ("from voicehost import settings", "settings"),
        ("from voicehost.hosting.clock import Clock", "hosting"),
        ("from ..language import pack", "language"),
        ("from .. import models", "models"),
        ("def late():\n    from ..stt.vosk import Vosk", "stt"),
    ],
)
def test_the_walk_sees_every_form_of_import(line: str, room: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "read_text", lambda self, encoding: line)
    assert [found for _, found in imports_of(PACKAGE / "rules" / "game.py")] == [room]


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_stay_short(path: Path) -> None:
    if name_of(path) in CATALOGUES:
        return
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= LONGEST, f"{name_of(path)} has {lines} lines; split it by subject"


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_text_files_are_opened_with_an_encoding(path: Path) -> None:
    wrong = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and _opens_text(node) and not any(k.arg == "encoding" for k in node.keywords):
            wrong.append(f"{name_of(path)}:{node.lineno}")
    assert not wrong


def _opens_text(call: ast.Call) -> bool:
    """Whether the call is ``open``, ``Path.open``, ``read_text`` or ``write_text`` in text mode."""
    if isinstance(call.func, ast.Attribute):
        owner = call.func.value
        if call.func.attr in {"read_text", "write_text"}:
            return True
        if call.func.attr != "open" or (
            isinstance(owner, ast.Name) and owner.id in {"os", "wave", "webbrowser", "self"}
        ):
            return False
        # A class's own ``open`` (a journal, a stream) is no file.
        if isinstance(owner, ast.Name) and owner.id[:1].isupper():
            return False
        if isinstance(owner, ast.Attribute) and owner.attr == "_stream":
            return False
        mode = call.args[0] if call.args else None
        if mode is not None and not isinstance(mode, ast.Constant):
            return False  # a file's mode is a word; this opens something else
    elif isinstance(call.func, ast.Name) and call.func.id == "open":
        mode = call.args[1] if len(call.args) > 1 else None
    else:
        return False
    mode = next((k.value for k in call.keywords if k.arg == "mode"), mode)
    return not (isinstance(mode, ast.Constant) and isinstance(mode.value, str) and "b" in mode.value)
