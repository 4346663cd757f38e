"""The tables of the journal, and the way from an older version of them to the present one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

APPLICATION_ID = 0x56_6F_69_48
"""Marks an SQLite file as a journal of this program (``PRAGMA application_id``)."""


def _first(connection: sqlite3.Connection) -> None:
    """Version 1. ``(game, seq)`` is the optimistic lock: of two writers of one event the second fails."""
    for statement in (
        """
        CREATE TABLE games (
            id TEXT PRIMARY KEY,
            created REAL NOT NULL,
            updated REAL NOT NULL,
            finished REAL,
            setup TEXT NOT NULL,
            winner TEXT,
            reason TEXT
        )
        """,
        """
        CREATE TABLE entries (
            game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            origin TEXT NOT NULL,
            command TEXT NOT NULL,
            slots TEXT NOT NULL,
            text TEXT,
            at REAL NOT NULL,
            clock REAL NOT NULL,
            timer TEXT,
            PRIMARY KEY (game, number)
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE events (
            game TEXT NOT NULL,
            seq INTEGER NOT NULL,
            entry INTEGER NOT NULL,
            name TEXT NOT NULL,
            data TEXT NOT NULL,
            PRIMARY KEY (game, seq),
            FOREIGN KEY (game, entry) REFERENCES entries (game, number) ON DELETE CASCADE
        ) WITHOUT ROWID
        """,
        "CREATE INDEX events_by_entry ON events (game, entry)",
        """
        CREATE TABLE utterances (
            game TEXT NOT NULL REFERENCES games (id) ON DELETE CASCADE,
            number INTEGER NOT NULL,
            text TEXT NOT NULL,
            state TEXT NOT NULL,
            verdict TEXT NOT NULL,
            reason TEXT,
            at REAL NOT NULL,
            clock REAL NOT NULL,
            PRIMARY KEY (game, number)
        ) WITHOUT ROWID
        """,
        """
        CREATE TRIGGER entries_stay BEFORE UPDATE ON entries
        BEGIN SELECT RAISE (ABORT, 'the journal only grows'); END
        """,
        """
        CREATE TRIGGER events_stay BEFORE UPDATE ON events
        BEGIN SELECT RAISE (ABORT, 'the journal only grows'); END
        """,
    ):
        connection.execute(statement)


def _second(connection: sqlite3.Connection) -> None:
    """Version 2: what a recogniser thought of an utterance (JSON), and the file that its sound is in."""
    connection.execute("ALTER TABLE utterances ADD COLUMN details TEXT NOT NULL DEFAULT '{}'")
    connection.execute("ALTER TABLE utterances ADD COLUMN sound TEXT")


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (_first, _second)
"""Step n turns version n into n + 1; version 0 is an empty file. Steps are only ever added."""


def version(connection: sqlite3.Connection) -> int:
    """Return the version of the tables; 0 in an empty file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def is_ours(connection: sqlite3.Connection) -> bool:
    """Whether the file carries the mark of a journal."""
    return int(connection.execute("PRAGMA application_id").fetchone()[0]) == APPLICATION_ID


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the tables to the present version; call it inside a transaction, which makes it all or nothing."""
    for number, step in enumerate(MIGRATIONS[version(connection) :], start=version(connection) + 1):
        step(connection)
        connection.execute(f"PRAGMA user_version = {number}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
