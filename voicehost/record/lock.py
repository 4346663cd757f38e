"""One process plays a game: an advisory lock on a file beside the journal, gone with the process that held it."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class FileLock:
    """A lock that is held from ``acquire`` until ``release`` or the death of the process, even by ``kill -9``."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path = path
        self._descriptor: int | None = descriptor

    @classmethod
    def acquire(cls, path: Path) -> FileLock | None:
        """Take the lock at ``path`` at once; return None when another process, or another lock here, has it.

        Raises:
            OSError: the file cannot be made.
        """
        while True:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
            if not _try_lock(descriptor):
                os.close(descriptor)
                return None
            if _is_still(path, descriptor):
                return cls(path, descriptor)
            # The last holder removed the file between our two calls; what we hold has no name any more.
            os.close(descriptor)

    def release(self) -> None:
        """Give the lock back and remove its file; harmless a second time."""
        if self._descriptor is None:
            return
        descriptor, self._descriptor = self._descriptor, None
        if sys.platform == "win32":
            os.close(descriptor)
            with suppress(OSError):
                self._path.unlink()
        else:
            # While we still hold it, so that nobody can lock a file that is about to vanish.
            with suppress(OSError):
                self._path.unlink()
            os.close(descriptor)


def _is_still(path: Path, descriptor: int) -> bool:
    """Whether ``path`` names the very file that ``descriptor`` has open."""
    if sys.platform == "win32":
        return True
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False
