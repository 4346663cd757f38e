"""Reads the weights of a Whisper model from the file of CTranslate2, so that its decoder can be run step by step.

The format (version 6): version, name and revision of the specification; then for each tensor its name, its shape,
its type and its bytes. Numbers are little-endian; a text is its length with the closing zero, and the letters.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from voicehost.errors import UserError

VERSION = 6
_TYPES: Mapping[int, str] = {0: "<f4", 1: "i1", 2: "<i2", 3: "<i4", 4: "<f2"}
"""Types of tensors by their number; 5 would be bfloat16, which numpy does not have."""
_MOST_TENSORS = 10_000
_LONGEST_NAME = 500
_MOST_AXES = 4

Tensor = npt.NDArray[Any]


def read_weights(path: Path, wanted: Callable[[str], bool]) -> dict[str, Tensor]:
    """Read some tensors of a model.

    Args:
        path: the file ``model.bin``.
        wanted: tells by its name whether a tensor is read; the others are skipped.

    Returns:
        The tensors as they are stored (usually half precision).

    Raises:
        UserError: ``models.broken``: it is no such file, or it is cut off.
    """
    try:
        with path.open("rb") as file:
            return dict(_tensors(file, path.stat().st_size, wanted))
    except (OSError, ValueError, struct.error, UnicodeDecodeError) as error:
        raise UserError("models.broken", file=path, detail=error) from error


def _tensors(file: BinaryIO, size: int, wanted: Callable[[str], bool]) -> list[tuple[str, Tensor]]:
    version = _number(file, "<I")
    if version != VERSION:
        raise ValueError(f"version {version}")
    specification = _text(file)
    if specification != "WhisperSpec":
        raise ValueError(f"specification {specification!r}")
    _number(file, "<I")
    count = _number(file, "<I")
    if count > _MOST_TENSORS:
        raise ValueError(f"{count} tensors")
    found = []
    for _ in range(count):
        name = _text(file)
        axes = _number(file, "<B")
        if axes > _MOST_AXES:
            raise ValueError(f"{name}: {axes} axes")
        shape = [_number(file, "<I") for _ in range(axes)]
        kind = _number(file, "<B")
        length = _number(file, "<I")
        if file.tell() + length > size:
            raise ValueError(f"{name}: cut off")
        if not wanted(name):
            file.seek(length, 1)
            continue
        if kind not in _TYPES:
            raise ValueError(f"{name}: type {kind}")
        found.append((name, np.frombuffer(file.read(length), _TYPES[kind]).reshape(shape)))
    return found


def _number(file: BinaryIO, form: str) -> int:
    value: int = struct.unpack(form, file.read(struct.calcsize(form)))[0]
    return value


def _text(file: BinaryIO) -> str:
    length = _number(file, "<H")
    if length > _LONGEST_NAME:
        raise ValueError(f"a name of {length} bytes")
    return file.read(length).rstrip(b"\0").decode("ascii")
