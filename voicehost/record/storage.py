"""The SQLite file under the journal: opened with care, every failure told as one sentence.

A rollback journal (``DELETE``) rather than WAL: the journal stays one file that can be copied or put on any disk and be
read in a folder that cannot be written; a write to a file that was moved away is noticed; and a few commits a minute
need no more speed. ``synchronous=EXTRA`` is ``FULL`` plus a sync of the folder, without which power lost right
after a commit may bring the rollback file back and so take the commit away.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from voicehost.errors import UserError
from voicehost.record import schema

PATIENCE = 5.0
"""Seconds to wait while another process writes."""


def connect(path: Path) -> sqlite3.Connection:
    """Open the journal at ``path``, making it (mode 0600) and its folder when they are not there.

    Nothing is written before the file is known to be a sound journal of a version that this program knows.

    Raises:
        UserError: ``record.`` not-a-journal, damaged, newer, disk-full, read-only, not-a-file, busy or failed.
    """
    with reported(path):
        made = _make(path)
    try:
        with reported(path):
            connection = _open(f"{path.as_uri()}?mode=rw")
            try:
                _check(connection, path)
                _upgrade(connection)
            except BaseException:
                connection.close()
                raise
            return connection
    except UserError:
        if made:
            with suppress(OSError):
                path.unlink()
        raise


def connect_memory() -> sqlite3.Connection:
    """Open a journal that is forgotten when it is closed."""
    connection = _open("file::memory:")
    _upgrade(connection)
    return connection


def _make(path: Path) -> bool:
    """Create the file when it is missing, so that SQLite never does with looser rights; return whether it was."""
    if path.is_dir():
        raise UserError("record.not-a-file", path=path)
    if path.exists():
        return False
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    return True


def _open(uri: str) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        for pragma in ("synchronous = EXTRA", "foreign_keys = ON", "secure_delete = ON", "trusted_schema = OFF"):
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection


def _check(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse what is neither empty nor a sound journal of a known version; reads only."""
    empty = path.stat().st_size == 0
    connection.execute("BEGIN")  # as long as we read, nobody else can write, so the size is true
    try:
        if not schema.is_ours(connection):
            if empty:
                return
            raise UserError("record.not-a-journal", path=path)
        if schema.version(connection) > len(schema.MIGRATIONS):
            raise UserError("record.newer", path=path)
        page = int(connection.execute("PRAGMA page_size").fetchone()[0])
        # SQLite reads a page that is cut short as if it ended in zeros.
        whole = path.stat().st_size % page == 0
        if not whole or connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise UserError("record.damaged", path=path)
    finally:
        connection.execute("ROLLBACK")


def _upgrade(connection: sqlite3.Connection) -> None:
    if schema.version(connection) == len(schema.MIGRATIONS):
        return
    with transaction(connection):
        schema.migrate(connection)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Run the block as one transaction that is on the disk when the block is left, or has never been."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # SQLite has rolled back by itself after some failures.
        if connection.in_transaction:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
        raise


@contextmanager
def reported(path: Path) -> Iterator[None]:
    """Turn what SQLite or the system says into the sentence for the user."""
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # a mistake of ours, such as a closed journal
    except UnicodeDecodeError as error:  # a damaged file's rubbish, quoted in SQLite's own message
        raise UserError("record.damaged", path=path) from error
    except sqlite3.Error as error:
        raise UserError(_key(error, path), path=path, reason=str(error)) from error
    except OSError as error:
        raise UserError(_key_of_system(error), path=path, reason=error.strerror or str(error)) from error


def _key(error: sqlite3.Error, path: Path) -> str:
    name = getattr(error, "sqlite_errorname", "")
    if name == "SQLITE_READONLY_DBMOVED" or (name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN")) and _lost(path)):
        return "record.moved"
    if name == "SQLITE_NOTADB":
        return "record.not-a-journal"
    if not name and "decode" in str(error):  # the sqlite3 module's own error: text that is no UTF-8
        return "record.damaged"
    for beginning, key in (
        ("SQLITE_FULL", "record.disk-full"),
        ("SQLITE_READONLY", "record.read-only"),
        ("SQLITE_PERM", "record.read-only"),
        ("SQLITE_CANTOPEN", "record.read-only"),
        ("SQLITE_CORRUPT", "record.damaged"),
        ("SQLITE_BUSY", "record.busy"),
        ("SQLITE_LOCKED", "record.busy"),
    ):
        if name.startswith(beginning):
            return key
    return "record.failed"


def _lost(path: Path) -> bool:
    return not path.exists()


def _key_of_system(error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "record.disk-full"
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return "record.read-only"
    if error.errno in (errno.ENOTDIR, errno.EISDIR, errno.EEXIST):
        return "record.not-a-file"
    return "record.failed"
