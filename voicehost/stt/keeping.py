"""Keeps what was heard as a folder of recordings that ``voicehost evaluate`` reads: the test set of one's own club.

Every sound is a file that appears whole, then its line in the manifest, so that a folder is readable at any moment,
also after the program was killed.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from voicehost.audio.files import sound_file_library
from voicehost.errors import UserError
from voicehost.stt.recogniser import SAMPLE_RATE
from voicehost.stt.recordings import COLUMNS, MANIFEST

_NAME = re.compile(r"\d{8}-\d{6}-\d{4,}\.flac")
"""The names of the files, by which they are known again when they are to be deleted."""


class KeptRecordings:
    """A folder to which recordings are added."""

    def __init__(self, folder: Path, began: datetime | None = None) -> None:
        """Make the folder and its manifest, or take those that are there.

        Raises:
            UserError: ``stt.keep-failed``: it cannot be written; ``stt.manifest-header``: its manifest is another
                kind of table; ``audio.no-soundfile``.
        """
        self._library = sound_file_library()
        self.folder = folder.expanduser().absolute()
        self._manifest = self.folder / MANIFEST
        self._prefix = f"{began or datetime.now():%Y%m%d-%H%M%S}"
        self._count = 0
        head = "\t".join(COLUMNS)
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not self._manifest.exists():
                self._manifest.write_text(f"{head}\n", encoding="utf-8")
            text = self._manifest.read_text(encoding="utf-8-sig")
            self._see_that_it_takes_files()
            if text.partition("\n")[0].strip() != head:
                raise UserError("stt.manifest-header", path=self._manifest, columns=" ".join(COLUMNS))
            if not text.endswith("\n"):
                with self._manifest.open("a", encoding="utf-8") as file:
                    file.write("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise _failure(self.folder, error) from error

    def _see_that_it_takes_files(self) -> None:
        """A folder of an earlier evening may have become read-only: its manifest alone does not tell."""
        with self._manifest.open("a", encoding="utf-8"):
            pass
        trial = self.folder / f"{self._prefix}.part"
        trial.touch()
        trial.unlink()

    def add(self, pcm: bytes) -> Path:
        """Write 16 kHz mono samples as FLAC; when this returns the file is whole.

        Raises:
            UserError: ``stt.keep-failed``.
        """
        import numpy as np

        while (path := self.folder / f"{self._prefix}-{self._count + 1:04}.flac").exists():
            self._count += 1
        self._count += 1
        part = path.with_suffix(".part")
        try:
            samples = np.frombuffer(pcm[: len(pcm) // 2 * 2], "<i2")
            self._library.write(part, samples, SAMPLE_RATE, format="FLAC", subtype="PCM_16")
            part.replace(path)
        except (OSError, RuntimeError) as error:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise _failure(self.folder, error) from error
        return path

    def note(
        self, path: Path, text: str, command: str | None, slots: Mapping[str, Any], state: str, label: str
    ) -> None:
        """Add the line of a file that ``add`` made: what the program took it for.

        Raises:
            UserError: ``stt.keep-failed``.
        """
        cells = (path.name, text, command or "", json.dumps(dict(slots), ensure_ascii=False) if command else "")
        line = "\t".join(" ".join(cell.split()) for cell in (*cells, state, label))
        try:
            with self._manifest.open("a", encoding="utf-8") as file:
                file.write(f"{line}\n")
        except OSError as error:
            raise _failure(self.folder, error) from error


def delete_kept(files: Iterable[str | Path]) -> list[Path]:
    """Delete files that ``KeptRecordings`` made, and their lines; return those that are still there.

    What is not named like one, or does not lie beside a manifest, is left alone: a journal may come from anywhere.
    """
    left, folders = [], set()
    for path in map(Path, files):
        if not path.exists():
            folders.add(path.parent)
        elif not _NAME.fullmatch(path.name) or not (path.parent / MANIFEST).is_file():
            left.append(path)
        else:
            try:
                path.unlink()
                folders.add(path.parent)
            except OSError:
                left.append(path)
    for folder in folders:
        with suppress(OSError, UnicodeDecodeError):
            _forget_missing(folder)
    return left


def _forget_missing(folder: Path) -> None:
    """Take the lines of files that are gone out of a manifest; remove it, and the folder, when nothing is left."""
    manifest = folder / MANIFEST
    lines = manifest.read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [line for line in lines if not _NAME.fullmatch(name := line.split("\t")[0]) or (folder / name).exists()]
    if kept == lines:
        return
    part = manifest.with_suffix(".part")
    part.write_text("".join(kept), encoding="utf-8")
    os.replace(part, manifest)
    if len(kept) == 1 and [path.name for path in folder.iterdir()] == [MANIFEST]:
        manifest.unlink()
        folder.rmdir()


def _failure(folder: Path, error: Exception) -> UserError:
    detail = getattr(error, "strerror", None) or " ".join(str(error).split())
    return UserError("stt.keep-failed", folder=folder, detail=detail)
