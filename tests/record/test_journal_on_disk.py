"""What only a file can do: survive a killed process, be held by another, be full, closed, damaged or too new."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from voicehost.errors import UserError
from voicehost.record import schema
from voicehost.record.entries import Entry, Utterance
from voicehost.record.journal import Journal, default_path
from voicehost.rules.events import FoulGiven, GameStarted, Paused

MakeEntry = Callable[..., Entry]

linux = pytest.mark.skipif(sys.platform == "win32", reason="only on Linux and macOS")
root_on_linux = pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0, reason="only on Linux as root, who may mount"
)


@pytest.fixture
def written(path: Path, entry: MakeEntry) -> str:
    """A journal on disk with one game of forty commands; the game's id."""
    with Journal.open(path) as journal:
        game = journal.create({"names": ["Анна"] * 10}).id
        for seq in range(1, 41):
            journal.append(game, entry(seq, FoulGiven(seat=seq % 10 + 1, count=1)))
    return game


def refused(key: str, call: Callable[[], object]) -> UserError:
    """Call and expect the one error, whose sentence exists in every language."""
    with pytest.raises(UserError) as raised:
        call()
    assert raised.value.key == f"record.{key}"
    return raised.value


# --- the file


@linux
def test_only_the_owner_may_read_the_file_and_its_new_folder(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        path = tmp_path / "deep" / "folder" / "journal.db"
        Journal.open(path).close()
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


@linux
def test_without_a_name_it_lies_in_the_users_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform == "linux":
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    else:
        monkeypatch.setattr("voicehost.record.journal.default_path", lambda: tmp_path / "journal.db")
    with Journal.open() as journal:
        assert journal.path == (default_path() if sys.platform == "linux" else tmp_path / "journal.db")
        assert journal.path.is_relative_to(tmp_path)


def test_it_is_one_file_and_leaves_no_others_behind(path: Path, written: str) -> None:
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_deleted_games_words_are_wiped_from_the_file(path: Path) -> None:
    with Journal.open(path) as journal:
        game = journal.create({"names": ["Незабудкина"]}).id
        journal.heard(game, Utterance("Незабудкина молчит", "speech", "unrecognised", None, 1, 1))
        assert "Незабудкина".encode() in path.read_bytes()
        journal.delete(game)
        assert "Незабудкина".encode() not in path.read_bytes()


def test_a_folder_is_no_journal(tmp_path: Path) -> None:
    refused("not-a-file", lambda: Journal.open(tmp_path))
    (tmp_path / "file").touch()
    refused("not-a-file", lambda: Journal.open(tmp_path / "file" / "journal.db"))


@linux
def test_a_file_that_was_moved_away_is_noticed(path: Path, entry: MakeEntry) -> None:
    with Journal.open(path) as journal:
        game = journal.create({}).id
        journal.append(game, entry(1, GameStarted()))
        path.rename(path.with_name("elsewhere.db"))
        refused("moved", lambda: journal.append(game, entry(2, Paused())))


# --- killed


WRITER = """
import sys
from voicehost.record.entries import Entry
from voicehost.record.journal import Journal
from voicehost.rules.events import FoulGiven

journal = Journal.open(sys.argv[1])
game = journal.resume(sys.argv[2])
seq = game.last_seq
while True:
    events = tuple((seq + n, FoulGiven(n, 1)) for n in (1, 2, 3))
    journal.append(game.id, Entry("host", "foul", {"seat": 1}, "x" * 5000, events, float(seq), 0.0))
    seq += 3
    print(seq, flush=True)
"""


@contextlib.contextmanager
def process(code: str, *arguments: object) -> Iterator[subprocess.Popen[str]]:
    running = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        yield running
    finally:
        running.kill()
        running.communicate()


def test_a_killed_process_loses_no_entry_that_was_acknowledged(path: Path) -> None:
    with Journal.open(path) as journal:
        game = journal.create({}).id
    chance = random.Random(1)
    acknowledged = 0
    for _ in range(8):
        with process(WRITER, path, game) as writer:
            assert writer.stdout is not None
            acknowledged = int(writer.stdout.readline())
            time.sleep(chance.uniform(0.0, 0.1))
            writer.kill()
            acknowledged = max([acknowledged, *(int(line) for line in writer.stdout if line.endswith("\n"))])
        with Journal.open(path) as journal:
            entries = journal.entries(game)
            seqs = [seq for read in entries for seq, _ in read.events]
            # At most the one entry that was under way is there without having been acknowledged, and it is whole.
            assert seqs == list(range(1, len(seqs) + 1))
            assert all(len(read.events) == 3 for read in entries)
            assert acknowledged <= seqs[-1] <= acknowledged + 3
    assert acknowledged >= 24


# --- two processes


HOLDER = """
import sys
from voicehost.record.journal import Journal

journal = Journal.open(sys.argv[1])
journal.resume(sys.argv[2])
print("held", flush=True)
sys.stdin.read()
"""


def test_a_running_game_is_refused_to_a_second_process(path: Path, written: str, entry: MakeEntry) -> None:
    with process(HOLDER, path, written) as holder, Journal.open(path) as journal:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        for call in (
            lambda: journal.resume(written),
            lambda: journal.append(written, entry(41, Paused())),
            lambda: journal.delete(written),
        ):
            assert refused("in-use", call).params == {"game": written}
        # It may be read, and another game may be played beside it.
        assert len(journal.entries(written)) == 40
        other = journal.create({})
        journal.append(other.id, entry(1, GameStarted()))


@linux
def test_a_killed_process_lets_its_game_go(path: Path, written: str, entry: MakeEntry) -> None:
    with process(HOLDER, path, written) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait()
        with Journal.open(path) as journal:
            assert journal.resume(written).last_seq == 40
            journal.append(written, entry(41, Paused()))


def test_a_game_is_free_again_after_release_or_close(path: Path, written: str) -> None:
    with Journal.open(path) as first, Journal.open(path) as second:
        first.resume(written)
        refused("in-use", lambda: second.resume(written))
        first.release(written)
        assert second.resume(written).id == written
        second.close()
        assert first.resume(written).id == written


def test_two_writers_that_pass_the_lock_meet_at_the_seq(path: Path, written: str, entry: MakeEntry) -> None:
    with Journal.open(path) as first:
        first.append(written, entry(41, Paused()))
        # As on a file system that does not know locks.
        for lock in path.parent.glob("*.lock"):
            lock.unlink()
        with Journal.open(path) as second:
            second.append(written, entry(42, Paused()))
            refused("conflict", lambda: first.append(written, entry(42, Paused())))
            assert second.game(written).last_seq == 42


def test_while_another_program_writes_the_journal_is_busy(
    path: Path, written: str, entry: MakeEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("voicehost.record.storage.PATIENCE", 0.05)
    with Journal.open(path) as journal, contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        refused("busy", lambda: journal.append(written, entry(41, Paused())))
        other.execute("ROLLBACK")
        journal.append(written, entry(41, Paused()))


# --- no room, no right


@pytest.fixture
def mount(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Mount a small memory disk at a folder, with the options given."""
    folder = tmp_path / "disk"
    folder.mkdir()

    def make(options: str) -> Path:
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True, check=False
        )
        if done.returncode:
            pytest.skip("only on Linux where root may mount")
        return folder

    yield make
    subprocess.run(["umount", folder], capture_output=True, check=False)


def fill(folder: Path) -> Path:
    """Leave not one page free."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as out, contextlib.suppress(OSError):
        while True:
            out.write(b"\0" * 4096)
    return filler


@root_on_linux
def test_a_full_disk_is_told_and_the_journal_goes_on_when_there_is_room(
    mount: Callable[[str], Path], entry: MakeEntry
) -> None:
    folder = mount("size=512k")
    path = folder / "journal.db"
    with Journal.open(path) as journal:
        game = journal.create({}).id
        journal.append(game, entry(1, GameStarted()))
        filler = fill(folder)
        before = path.read_bytes()
        long = Entry("host", "next", {}, "x" * 20_000, ((2, Paused()),), 1.0, 1.0)
        refused("disk-full", lambda: journal.append(game, long))
        assert path.read_bytes() == before
        filler.unlink()
        journal.append(game, long)
        assert journal.game(game).last_seq == 2


@root_on_linux
def test_no_journal_is_begun_on_a_full_disk(mount: Callable[[str], Path]) -> None:
    folder = mount("size=64k")
    fill(folder)
    refused("disk-full", lambda: Journal.open(folder / "journal.db"))
    assert [file.name for file in folder.iterdir()] == ["filler"]


def test_a_file_that_may_not_grow_is_told_like_a_full_disk(path: Path, written: str) -> None:
    before = path.read_bytes()
    with Journal.open(path) as journal:
        pages = journal._connection.execute("PRAGMA page_count").fetchone()[0]
        journal._connection.execute(f"PRAGMA max_page_count = {pages}")
        long = Entry("host", "next", {}, "x" * 100_000, ((41, Paused()),), 1.0, 1.0)
        refused("disk-full", lambda: journal.append(written, long))
        assert journal.game(written).last_seq == 40
    assert path.read_bytes() == before


@root_on_linux
def test_a_read_only_disk_can_be_read_and_refuses_to_write(
    mount: Callable[[str], Path], path: Path, written: str, entry: MakeEntry
) -> None:
    folder = mount("size=1m")
    shutil.copy(path, folder)
    before = path.read_bytes()
    subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
    with Journal.open(folder / path.name) as journal:
        assert len(journal.entries(written)) == 40
        refused("read-only", lambda: journal.create({}))
        refused("read-only", lambda: journal.append(written, entry(41, Paused())))
        refused("read-only", lambda: journal.delete(written))
        refused("read-only", lambda: journal.heard(written, Utterance("", "", "", None, 0, 0)))
    assert (folder / path.name).read_bytes() == before
    refused("read-only", lambda: Journal.open(folder / "new.db"))


@linux
def test_a_read_only_file_or_folder_is_told(path: Path, written: str) -> None:
    """Run as an ordinary user, since root may write everywhere."""
    before = path.read_bytes()
    for folder in (path.parent, *path.parent.parents[:3]):
        if folder.stat().st_uid == os.geteuid() and folder != Path("/tmp"):
            folder.chmod(0o755)
    path.chmod(0o444)
    code = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from voicehost.record import lock, storage
from voicehost.record.journal import Journal
from voicehost.errors import UserError
import platformdirs
if os.geteuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
else:
    os.chmod({str(path.parent)!r}, 0o555)
for action in (lambda: Journal.open({str(path)!r}).create({{}}), lambda: Journal.open({str(path.parent / "new.db")!r})):
    try:
        action()
    except UserError as error:
        print(error.key)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=False)
    path.parent.chmod(0o755)
    assert done.stdout.split() == ["record.read-only"] * 2, done.stderr
    assert path.read_bytes() == before


# --- damaged, foreign, too new


def untouched(path: Path, key: str) -> None:
    """Opening is refused with the error, and not one byte nor one more file comes of it."""
    before = path.read_bytes()
    refused(key, lambda: Journal.open(path))
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize(
    "content",
    [b"x", b"My notes on Mafia\n" * 500, b"\0" * 8192, b"SQLite format 3\0", b"SQLite format 3\0" + b"\7" * 999],
)
def test_what_is_no_database_is_refused_untouched(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    untouched(path, "not-a-journal")


def test_an_empty_file_becomes_a_journal(path: Path) -> None:
    path.touch()
    with Journal.open(path) as journal:
        assert journal.games() == []


@pytest.mark.parametrize(
    "script",
    ["CREATE TABLE notes (text)", "PRAGMA user_version = 1", "PRAGMA application_id = 7; CREATE TABLE games (id)"],
)
def test_another_programs_database_is_refused_untouched(path: Path, script: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as foreign:
        foreign.executescript(script)
    untouched(path, "not-a-journal")


def test_a_newer_journal_is_refused_untouched(path: Path, written: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as later:
        later.execute(f"PRAGMA user_version = {len(schema.MIGRATIONS) + 1}")
    untouched(path, "newer")


def test_an_event_of_a_newer_program_is_told(path: Path, written: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as later:
        later.execute("INSERT INTO events VALUES (?, 41, 40, 'player-flew-away', '{}')", (written,))
        later.commit()
    with Journal.open(path) as journal:
        refused("newer", lambda: journal.entries(written))


@pytest.mark.parametrize("share", [0.3, 0.5, 0.75, 0.99])
def test_a_truncated_journal_is_refused_untouched(path: Path, written: str, share: float) -> None:
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * share)])
    untouched(path, "damaged")


def test_a_journal_with_a_page_of_rubbish_is_refused_untouched(path: Path, written: str) -> None:
    sound = path.read_bytes()
    size = int.from_bytes(sound[16:18], "big")
    assert len(sound) > 5 * size
    rubbish = random.Random(2).randbytes(size)
    for start in range(size, len(sound), size):
        path.write_bytes(sound[:start] + rubbish + sound[start + size :])
        untouched(path, "damaged")


def test_flipped_bytes_never_end_in_a_traceback(path: Path, written: str) -> None:
    sound = path.read_bytes()
    chance = random.Random(3)
    told: list[str] = []
    for _ in range(150):
        hurt = bytearray(sound)
        start = chance.randrange(len(hurt))
        hurt[start : start + 16] = chance.randbytes(16)
        path.write_bytes(hurt[: len(sound)])
        try:
            with Journal.open(path) as journal:
                for game in journal.games():
                    journal.entries(game.id)
        except UserError as error:
            told.append(error.key)
    assert len(told) > 10
    assert set(told) <= {"record.damaged", "record.not-a-journal", "record.newer", "record.failed"}


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE games SET setup = '{'",
        "UPDATE games SET setup = '[]'",
        "UPDATE games SET setup = x'ff'",
        "DROP TRIGGER events_stay; UPDATE events SET data = '{\"seat\":1}'",
        "DROP TRIGGER events_stay; UPDATE events SET data = NULL OR 7",
        "DROP TRIGGER entries_stay; UPDATE entries SET slots = '7'",
        "DROP TRIGGER entries_stay; UPDATE entries SET text = CAST(x'ff00' AS TEXT)",
    ],
)
def test_damage_that_the_database_cannot_see_is_told(path: Path, written: str, damage: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as hand:
        hand.executescript(damage)
    with Journal.open(path) as journal:
        refused("damaged", lambda: journal.entries(written))


# --- from version to version


def test_an_older_journal_is_brought_up_to_date_once(
    path: Path, written: str, monkeypatch: pytest.MonkeyPatch, entry: MakeEntry
) -> None:
    def later(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE games ADD COLUMN club TEXT")

    newest = len(schema.MIGRATIONS) + 1
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, later))
    for _ in range(2):
        with Journal.open(path) as journal:
            assert schema.version(journal._connection) == newest
            assert len(journal.entries(written)) == 40
            assert journal._connection.execute("SELECT club FROM games").fetchall() == [(None,)]
    with Journal.open(path.with_name("new.db")) as journal:
        assert schema.version(journal._connection) == newest


def test_what_was_heard_under_the_first_version_is_read_by_the_present_one(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as old:
        old.setattr(schema, "MIGRATIONS", schema.MIGRATIONS[:1])
        with Journal.open(path) as journal:
            game = journal.create({}).id
            journal._connection.execute(
                "INSERT INTO utterances VALUES (?, 1, 'пас', 'speech', 'heard', NULL, 2.5, 1.5)", (game,)
            )
    with Journal.open(path) as journal:
        assert journal.utterances(game) == [Utterance("пас", "speech", "heard", None, 2.5, 1.5)]
        more = Utterance("два", "vote", "asked", "which-seat", 3, 2, {"command": "votes", "confidence": 0.4}, "/a.flac")
        journal.heard(game, more)
        assert journal.utterances(game)[1] == more


def test_a_step_that_fails_leaves_the_old_journal_untouched(
    path: Path, written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def second(connection: sqlite3.Connection) -> None:
        connection.execute("ALTER TABLE games ADD COLUMN club TEXT")
        connection.execute("UPDATE nothing SET at = 1")

    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, second))
    untouched(path, "failed")


# --- the sentences


@pytest.mark.parametrize("language", ["ru", "bg"])
def test_every_error_has_its_sentence(language: str) -> None:
    import re
    import tomllib

    root = Path(__file__).parents[2]
    sentences = tomllib.loads((root / "phrases" / language / "messages" / "record.toml").read_text(encoding="utf-8"))
    sources = [file.read_text(encoding="utf-8") for file in (root / "voicehost" / "record").glob("*.py")]
    keys = {key for source in sources for key in re.findall(r'"record\.([a-z-]+)"', source)}
    assert len(keys) >= 12
    for key in keys:
        assert sentences[key].format(path="/x", game="mirola", reason="?", needed=1, count=1, number=1, by=1, seat=1)
