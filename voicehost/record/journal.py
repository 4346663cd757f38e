"""The journal: every command and its events, on the disk before anything is said."""

from __future__ import annotations

import json
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from voicehost.errors import UserError
from voicehost.record.entries import Entry, Record, Utterance, storable, to_json
from voicehost.record.history import standing
from voicehost.record.lock import FileLock
from voicehost.record.storage import connect, connect_memory, reported, transaction
from voicehost.rules.events import EVENTS, Event, GameEnded, Redone, Undone, event_from

_CONSONANTS = "bdfgklmnprstvz"
_VOWELS = "aeiou"

_GAMES = """
    SELECT id, created, updated, finished, setup, winner, reason,
        (SELECT count(*) FROM entries WHERE game = id),
        (SELECT coalesce(max(seq), 0) FROM events WHERE game = id)
    FROM games
"""


def default_path() -> Path:
    """Return where the journal lies when nobody names a file: the user's data folder."""
    import platformdirs

    return platformdirs.user_data_path("voicehost", appauthor=False) / "journal.db"


class Journal:
    """All games of one file. Its methods may be called from any thread; each raises ``UserError("record...")``.

    Of a game that is being played only one journal object, here or in another process, can be the writer: the one that
    first called ``create``, ``resume`` or ``append`` for it, until ``release``, ``close`` or the end of its process.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path | None, now: Callable[[], float] = time.time) -> None:
        self._connection = connection
        self._path = path
        self._now = now
        self._held: dict[str, FileLock | None] = {}
        self._mutex = threading.RLock()

    @classmethod
    def open(cls, path: Path | str | None = None, now: Callable[[], float] = time.time) -> Journal:
        """Open the journal at ``path``, by default in the user's data folder; make it when it is not there.

        Raises:
            UserError: the file is no journal, damaged, of a newer version, or cannot be opened; it is left untouched.
        """
        file = (Path(path).expanduser() if path is not None else default_path()).resolve()
        return cls(connect(file), file, now)

    @classmethod
    def in_memory(cls, now: Callable[[], float] = time.time) -> Journal:
        """Open a journal that is forgotten when it is closed."""
        return cls(connect_memory(), None, now)

    @property
    def path(self) -> Path | None:
        """The file, or None in memory."""
        return self._path

    def create(self, setup: Mapping[str, Any]) -> Record:
        """Begin a game and hold it. ``setup`` is JSON that the journal does not look into."""
        with self._work():
            name = _new_id()
            while self._connection.execute("SELECT 1 FROM games WHERE id = ?", (name,)).fetchone():
                name = _new_id()
            self._hold(name)
            try:
                at = self._now()
                with transaction(self._connection):
                    self._connection.execute(
                        "INSERT INTO games (id, created, updated, setup) VALUES (?, ?, ?, ?)",
                        (name, at, at, to_json(dict(setup))),
                    )
                return self.game(name)
            except BaseException:
                self.release(name)
                raise

    def resume(self, game_id: str) -> Record:
        """Hold a game of the journal in order to play on.

        Raises:
            UserError: there is no such game, or another process plays it.
        """
        with self._work():
            record = self.game(game_id)
            self._hold(record.id)
            return self.game(record.id)

    def append(self, game_id: str, entry: Entry) -> None:
        """Write one command with its events; when this returns they survive a crash and a loss of power.

        Raises:
            UserError: another process has the game or has written to it, or the disk refuses; nothing is written then.
            ValueError: the seqs of the entry do not grow.
        """
        seqs = [seq for seq, _ in entry.events]
        if any(later <= earlier for earlier, later in zip([0, *seqs], seqs, strict=False)):
            raise ValueError(f"seqs must grow: {seqs}")
        with self._work():
            if game_id not in self._held:
                game_id = self.resume(game_id).id
            with transaction(self._connection):
                self._write(game_id, entry)

    def _write(self, game_id: str, entry: Entry) -> None:
        execute = self._connection.execute
        number, last = execute(
            "SELECT coalesce((SELECT max(number) FROM entries WHERE game = :game), 0) + 1,"
            " coalesce((SELECT max(seq) FROM events WHERE game = :game), 0)",
            {"game": game_id},
        ).fetchone()
        if entry.events and entry.events[0][0] <= last:
            raise UserError("record.conflict", game=game_id)
        execute("UPDATE games SET updated = ? WHERE id = ?", (entry.at, game_id))
        text = None if entry.text is None else storable(entry.text)
        timer = None if entry.timer is None else to_json(dict(entry.timer))
        execute(
            "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                game_id,
                number,
                entry.origin,
                entry.command,
                to_json(dict(entry.slots)),
                text,
                entry.at,
                entry.clock,
                timer,
            ),
        )
        self._connection.executemany(
            "INSERT INTO events (game, seq, entry, name, data) VALUES (?, ?, ?, ?, ?)",
            [(game_id, seq, number, event.name, to_json(event.data())) for seq, event in entry.events],
        )
        if any(isinstance(event, GameEnded | Undone | Redone) for _, event in entry.events):
            self._note_end(game_id, entry.at)

    def _note_end(self, game_id: str, at: float) -> None:
        """Keep the game's end in its row; an undo can take it away again."""
        ends = [event for _, event in standing(self._events(game_id)) if isinstance(event, GameEnded)]
        if ends:
            self._connection.execute(
                "UPDATE games SET finished = coalesce(finished, ?), winner = ?, reason = ? WHERE id = ?",
                (at, ends[-1].winner, ends[-1].reason, game_id),
            )
        else:
            self._connection.execute(
                "UPDATE games SET finished = NULL, winner = NULL, reason = NULL WHERE id = ?", (game_id,)
            )

    def entries(self, game_id: str) -> list[Entry]:
        """Return every entry of a game in the order written, what was undone included."""
        with self._work():
            self.game(game_id)
            events: dict[int, list[tuple[int, Event]]] = {}
            rows = self._connection.execute(
                "SELECT entry, seq, name, data FROM events WHERE game = ? ORDER BY seq", (game_id,)
            )
            for number, seq, name, data in rows:
                events.setdefault(number, []).append((seq, self._event(name, data)))
            return [
                Entry(
                    origin=origin,
                    command=command,
                    slots=self._json(slots),
                    text=text,
                    events=tuple(events.get(number, ())),
                    at=at,
                    clock=clock,
                    timer=None if timer is None else self._json(timer),
                )
                for number, origin, command, slots, text, at, clock, timer in self._connection.execute(
                    "SELECT number, origin, command, slots, text, at, clock, timer FROM entries"
                    " WHERE game = ? ORDER BY number",
                    (game_id,),
                )
            ]

    def _events(self, game_id: str) -> Iterator[tuple[int, Event]]:
        rows = self._connection.execute("SELECT seq, name, data FROM events WHERE game = ? ORDER BY seq", (game_id,))
        for seq, name, data in rows:
            yield seq, self._event(name, data)

    def game(self, game_id: str) -> Record:
        """Return one game; letters may be large or small.

        Raises:
            UserError: there is no such game.
        """
        with self._work():
            row = self._connection.execute(f"{_GAMES} WHERE id = ?", (game_id.strip().lower(),)).fetchone()
            if row is None:
                raise UserError("record.no-game", game=game_id)
            return self._record(row)

    def games(self) -> list[Record]:
        """Return all games, the one last played first."""
        with self._work():
            rows = self._connection.execute(f"{_GAMES} ORDER BY updated DESC, created DESC, id").fetchall()
            return [self._record(row) for row in rows]

    def latest_unfinished(self) -> Record | None:
        """Return the game last played that has begun and not ended, or None."""
        return next((game for game in self.games() if game.finished is None and game.entries), None)

    def delete(self, game_id: str) -> None:
        """Remove a game and wipe its pages; who has been what is nobody's business afterwards.

        Raises:
            UserError: there is no such game, or it is being played.
        """
        with self._work():
            name = self.game(game_id).id
            self._hold(name)
            try:
                with transaction(self._connection):
                    self._connection.execute("DELETE FROM games WHERE id = ?", (name,))
            finally:
                self.release(name)

    def heard(self, game_id: str, utterance: Utterance) -> None:
        """Keep what the microphone heard; for hosts who want to see later why a command was missed."""
        with self._work(), transaction(self._connection):
            self.game(game_id)
            self._connection.execute(
                "INSERT INTO utterances SELECT ?, coalesce(max(number), 0) + 1, ?, ?, ?, ?, ?, ?, ?, ?"
                " FROM utterances WHERE game = ?",
                (
                    *(game_id, storable(utterance.text), utterance.state, utterance.verdict, utterance.reason),
                    *(utterance.at, utterance.clock, to_json(dict(utterance.details))),
                    *(None if utterance.sound is None else storable(utterance.sound), game_id),
                ),
            )

    def utterances(self, game_id: str) -> list[Utterance]:
        """Return what ``heard`` kept of a game, in order."""
        with self._work():
            self.game(game_id)
            rows = self._connection.execute(
                "SELECT text, state, verdict, reason, at, clock, details, sound FROM utterances"
                " WHERE game = ? ORDER BY number",
                (game_id,),
            ).fetchall()
            return [
                Utterance(text, state, verdict, reason, at, clock, self._json(details), sound)
                for text, state, verdict, reason, at, clock, details, sound in rows
            ]

    def release(self, game_id: str) -> None:
        """Let another process have the game; harmless when it is not held."""
        with self._mutex:
            lock = self._held.pop(game_id, None)
            if lock is not None:
                lock.release()

    def close(self) -> None:
        """Release all games and close the file; harmless a second time."""
        with self._mutex:
            for name in list(self._held):
                self.release(name)
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _work(self) -> Iterator[None]:
        """One caller at a time, failures told in a sentence."""
        with self._mutex, reported(self._path or Path(":memory:")):
            yield

    def _hold(self, game_id: str) -> None:
        if game_id in self._held:
            return
        lock = None
        if self._path is not None:
            lock = FileLock.acquire(self._path.with_name(f"{self._path.name}.{game_id}.lock"))
            if lock is None:
                raise UserError("record.in-use", game=game_id)
        self._held[game_id] = lock

    def _record(self, row: tuple[Any, ...]) -> Record:
        name, created, updated, finished, setup, winner, reason, entries, last_seq = row
        return Record(name, created, updated, finished, self._json(setup), winner, reason, entries, last_seq)

    def _event(self, name: str, data: str) -> Event:
        if name not in EVENTS:
            raise UserError("record.newer", path=self._path)
        try:
            return event_from(name, self._json(data))
        except TypeError as error:
            raise UserError("record.damaged", path=self._path) from error

    def _json(self, text: str) -> dict[str, Any]:
        """Read a column that this class wrote; anything else in it is damage that SQLite cannot see."""
        try:
            value = json.loads(text)
        except (ValueError, TypeError) as error:
            raise UserError("record.damaged", path=self._path) from error
        if not isinstance(value, dict):
            raise UserError("record.damaged", path=self._path)
        return value


def _new_id() -> str:
    """Return six letters that can be said and typed, such as ``mirola``; 343,000 of them."""
    draw = random.SystemRandom()
    return "".join(draw.choice(_CONSONANTS) + draw.choice(_VOWELS) for _ in range(3))
