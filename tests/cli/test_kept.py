"""``play --keep-heard`` and ``--keep-audio`` from the recording to the journal, and back through ``evaluate``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.audio.scene import RATE, RECORDING
from tests.cli.helpers import Call
from tests.components import require
from voicehost.record.journal import Journal

CHILD = """
import os, signal, sys
from voicehost.cli import app, terminal

left, honest = int(os.environ["EVENTS_TO_LIVE"]), terminal.json_line

def json_line(message):
    global left
    honest(message)
    left -= message["type"] == "event"
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

terminal.json_line = json_line
sys.exit(app.run())
"""


def play(folder: Path, sound: Path, *arguments: str | Path, events: int = -1) -> subprocess.CompletedProcess[str]:
    """Let the program hear a recording; it is killed after so many events, if that is not negative."""
    options = ["play", "--input", sound, "--recogniser", "vosk", "--voice", "none", "--json"]
    options += ["--journal", folder / "games.db", *arguments]
    return subprocess.run(
        [sys.executable, "-c", CHILD, *map(str, options)],
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"EVENTS_TO_LIVE": str(events), "VOICEHOST_LANG": "ru"},
        timeout=300,
        check=False,
    )


@dataclass(frozen=True, slots=True)
class Evening:
    """A game of the whole scene with everything kept."""

    journal: Path
    sounds: Path
    game: str
    told: list[dict[str, object]]


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    require("vosk", "soundfile", "voice check")
    folder = tmp_path_factory.mktemp("evening")
    done = play(folder, RECORDING, "--keep-audio", folder / "sounds")
    assert done.returncode == 0, done.stderr
    with Journal.open(folder / "games.db") as journal:
        [game] = journal.games()
    told = [json.loads(line) for line in done.stdout.splitlines()]
    return Evening(folder / "games.db", folder / "sounds", game.id, told)


@pytest.fixture
def beginning(tmp_path: Path) -> Path:
    """The first fourteen seconds of the scene: the game begins, and the first speech."""
    require("vosk", "soundfile", "voice check")
    import soundfile

    samples, _ = soundfile.read(RECORDING, frames=14 * RATE)
    soundfile.write(tmp_path / "beginning.flac", samples, RATE)
    return tmp_path / "beginning.flac"


@pytest.mark.slow
def test_every_utterance_is_shown_with_what_became_of_it(call: Call, evening: Evening) -> None:
    done = call("games", "show", evening.game, "--heard", "--journal", evening.journal)
    assert done.status == 0
    lines = [line for line in done.out.splitlines() if not line.startswith(" " * 20)]
    answered = [m["text"] for m in evening.told if m["type"] in {"heard", "refused", "unrecognised"}]
    assert [line.split(": ", 1)[1] for line in lines] == answered
    assert sum("не понято" in line for line in lines) == sum(m["type"] == "unrecognised" for m in evening.told)
    assert any("переспрошено (confirm): победа города" in line for line in lines)
    assert str(evening.sounds) in done.out


@pytest.mark.slow
def test_what_was_kept_is_a_test_set_that_the_recogniser_passes(call: Call, evening: Evening) -> None:
    done = call("evaluate", evening.sounds, "--recogniser", "vosk")
    assert done.status == 0, done.err
    figures = json.loads(done.out)
    assert set(figures["sets"]) >= {"heard", "asked", "unrecognised"}
    assert figures["overall"]["n"] >= 27
    assert figures["overall"]["accuracy"] >= 0.95
    assert figures["overall"]["false_accepts"] == 0


@pytest.mark.slow
def test_sounds_hold_the_whole_utterance_with_a_lead_in(evening: Evening) -> None:
    import soundfile

    with Journal.open(evening.journal) as journal:
        rows = journal.utterances(evening.game)
    for row in rows:
        assert row.sound is not None
        info = soundfile.info(row.sound)
        assert (info.samplerate, info.channels, info.format) == (16_000, 1, "FLAC")
        assert row.details["seconds"] + 0.35 <= info.duration <= row.details["seconds"] + 2.0


def test_nothing_is_kept_unless_asked(beginning: Path, tmp_path: Path) -> None:
    done = play(tmp_path, beginning)
    assert done.returncode == 0, done.stderr
    with Journal.open(tmp_path / "games.db") as journal:
        [game] = journal.games()
        assert game.entries
        assert journal.utterances(game.id) == []
    assert {path.suffix for path in tmp_path.rglob("*") if path.is_file()} <= {".flac", ".db", ".lock"}
    assert [path.name for path in tmp_path.rglob("*.flac")] == ["beginning.flac"]


def test_words_are_kept_without_sound_and_go_with_their_game(call: Call, beginning: Path, tmp_path: Path) -> None:
    assert play(tmp_path, beginning, "--keep-heard").returncode == 0
    with Journal.open(tmp_path / "games.db") as journal:
        [game] = journal.games()
        rows = journal.utterances(game.id)
    assert [row.text for row in rows][:3] == ["начинаем игру", "дальше", "дальше"]
    assert {row.sound for row in rows} == {None}
    assert not list(tmp_path.rglob("manifest.tsv"))
    assert call("games", "delete", game.id, "--yes", "--journal", tmp_path / "games.db").status == 0
    assert "дальше".encode() not in (tmp_path / "games.db").read_bytes()


def test_deleting_a_game_deletes_its_sounds(call: Call, beginning: Path, tmp_path: Path) -> None:
    sounds = tmp_path / "sounds"
    assert play(tmp_path, beginning, "--keep-audio", sounds).returncode == 0
    assert len(list(sounds.glob("*.flac"))) >= 3
    with Journal.open(tmp_path / "games.db") as journal:
        [game] = journal.games()
    done = call("games", "delete", game.id, "--yes", "--journal", tmp_path / "games.db")
    assert (done.status, done.err) == (0, "")
    assert not sounds.exists()


def test_sounds_that_cannot_be_deleted_are_named(call: Call, beginning: Path, tmp_path: Path) -> None:
    sounds = tmp_path / "sounds"
    assert play(tmp_path, beginning, "--keep-audio", sounds).returncode == 0
    (sounds / "manifest.tsv").unlink()
    with Journal.open(tmp_path / "games.db") as journal:
        [game] = journal.games()
    done = call("games", "delete", game.id, "--yes", "--journal", tmp_path / "games.db")
    assert done.status == 0
    assert all(str(path) in done.err for path in sounds.glob("*.flac"))


@pytest.mark.skipif(sys.platform == "win32", reason="only on systems with SIGKILL")
@pytest.mark.parametrize("events", [1, 4, 7])
def test_a_killed_game_leaves_readable_rows_and_sounds(
    call: Call, beginning: Path, tmp_path: Path, events: int
) -> None:
    sounds = tmp_path / "sounds"
    done = play(tmp_path, beginning, "--keep-audio", sounds, events=events)
    assert done.returncode == -signal.SIGKILL
    answered = sum(json.loads(line)["type"] in {"heard", "unrecognised"} for line in done.stdout.splitlines())
    with Journal.open(tmp_path / "games.db") as journal:
        [game] = journal.games()
        rows = journal.utterances(game.id)
    # The command during which it died has its sound only if its row was reached.
    assert answered - 1 <= len(rows) <= answered
    if rows:
        shown = call("games", "show", game.id, "--heard", "--all", "--journal", tmp_path / "games.db")
        assert "начинаем игру" in shown.out
        figures = json.loads(call("evaluate", sounds, "--recogniser", "vosk").out)
        assert (figures["overall"]["n"], figures["overall"]["accuracy"]) == (len(rows), 1.0)


def test_a_folder_that_cannot_be_used_is_told_before_the_game(beginning: Path, tmp_path: Path) -> None:
    done = play(tmp_path, beginning, "--keep-audio", beginning)
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert str(beginning) in done.stderr


def test_a_game_without_a_host_shows_what_was_heard_only_after_its_end(call: Call, tmp_path: Path) -> None:
    from voicehost.hosting.setup import make_setup
    from voicehost.record.entries import Entry, Utterance
    from voicehost.rules.events import GameEnded, GameStarted
    from voicehost.rules.game import Mode
    from voicehost.rules.ruleset import shipped

    path = tmp_path / "games.db"
    with Journal.open(path) as journal:
        setup = make_setup(shipped("sport"), mode=Mode.HOME, dealing="random")
        game = journal.create(setup.to_mapping()).id
        journal.append(game, Entry("host", "start-game", {}, None, ((1, GameStarted()),), 1.0, 1.0))
        journal.heard(game, Utterance("пауза", "speech", "heard", None, 2.0, 2.0))
        for extra in ((), ("--all",)):
            done = call("games", "show", game, "--heard", "--journal", path, *extra)
            assert (done.status, done.out) == (1, "")
        journal.append(game, Entry("auto", "proceed", {}, None, ((2, GameEnded("city", "black-gone")),), 3.0, 3.0))
    assert "пауза" in call("games", "show", game, "--heard", "--journal", path).out
