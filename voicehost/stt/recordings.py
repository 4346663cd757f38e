"""A folder of recordings with a manifest that says what is said in each."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voicehost.errors import UserError

MANIFEST = "manifest.tsv"
COLUMNS = ("file", "text", "command", "slots", "state", "set")
STATES = frozenset(
    {
        "any",
        "best-move",
        "don-check",
        "lift",
        "lobby",
        "night-hunt",
        "sheriff-check",
        "speech",
        "vote",
    }
)


_SHOWN = 80
"""Characters of a cell that a message repeats."""

_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Recording:
    """One line of the manifest.

    Attributes:
        line: its number, for messages.
        file: as it stands in the manifest.
        path: where that is.
        text: what is said.
        command: its name; ``None``: talk that must not be taken for a command.
        slots: the command's.
        state: the moment of the game at which it is said.
        set: the label it is counted under.
    """

    line: int
    file: str
    path: Path
    text: str
    command: str | None
    slots: Mapping[str, Any]
    state: str
    set: str


def read_manifest(folder: Path) -> list[Recording]:
    """Read ``manifest.tsv`` of a folder and look whether every recording is there.

    Raises:
        UserError: ``stt.no-manifest``, ``stt.manifest-unreadable``, ``stt.manifest-header``,
            ``stt.manifest-empty``, or with the line number ``stt.manifest-columns``, ``stt.manifest-slots``,
            ``stt.manifest-state``, ``stt.manifest-set`` or ``stt.manifest-file``.
    """
    path = folder / MANIFEST
    if not path.is_file():
        raise UserError("stt.no-manifest", path=path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError("stt.manifest-unreadable", path=path, detail=error) from error
    # Quotes are part of the slots' JSON and of texts, not of the table; nor do rarer line separators end a line.
    rows = [line.split("\t") for line in _LINE_END.split(text)]
    if tuple(cell.strip() for cell in rows[0]) != COLUMNS:
        raise UserError("stt.manifest-header", path=path, columns=" ".join(COLUMNS))
    recordings = [
        _recording(folder, line, row) for line, row in enumerate(rows[1:], start=2) if any(cell.strip() for cell in row)
    ]
    if not recordings:
        raise UserError("stt.manifest-empty", path=path)
    return recordings


def _recording(folder: Path, line: int, row: list[str]) -> Recording:
    if len(row) != len(COLUMNS):
        raise UserError("stt.manifest-columns", line=line, found=len(row), wanted=len(COLUMNS))
    file, text, command, slots, state, label = (cell.strip() for cell in row)
    path = folder / file
    if not file or not _is_file(path):
        raise UserError("stt.manifest-file", line=line, file=_short(file))
    if state not in STATES:
        raise UserError("stt.manifest-state", line=line, state=state, known=", ".join(sorted(STATES)))
    if not label:
        raise UserError("stt.manifest-set", line=line)
    return Recording(line, file, path, text, command or None, _slots(line, slots), state, label)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # such as a name longer than the system allows
        return False


def _slots(line: int, text: str) -> dict[str, Any]:
    try:
        slots = json.loads(text or "{}")
    except (ValueError, RecursionError) as error:  # broken, a number without end, nested without end
        raise UserError("stt.manifest-slots", line=line, slots=_short(text)) from error
    if not isinstance(slots, dict):
        raise UserError("stt.manifest-slots", line=line, slots=_short(text))
    return slots


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
