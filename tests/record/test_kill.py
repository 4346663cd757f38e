"""A game that is killed at any moment loses nothing that it has told: ``kill -9`` right after every event.

The child is the real program, text in, JSON out, on the virtual clock. It kills itself the moment an event is printed,
so the moment is exact. Then the journal must hold every number that was printed, in force, and the resumed game must
stand where these events lead.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from voicehost.hosting.resume import replay
from voicehost.hosting.setup import from_setup_mapping
from voicehost.record.history import in_force
from voicehost.record.journal import Journal
from voicehost.rules.game import Game

CHILD = """
import os, signal, sys
from voicehost.cli import app, terminal

left, honest = int(os.environ["EVENTS_TO_LIVE"]), terminal.json_line

def json_line(message):
    global left
    honest(message)
    left -= message["type"] == "event"
    if left == 0 and os.environ["KILL"]:
        os.kill(os.getpid(), signal.SIGKILL)

terminal.json_line = json_line
sys.exit(app.run())
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="only on systems with SIGKILL")

ROLES = "don,mafia,mafia,sheriff,city,city,city,city,city,city"

SHORT = [
    *("начинаем игру", "/wait end", "выставляю номер пять", "фол третьему", "/wait 20", "спасибо"),
    *("отмена", "вернуть", "удалить игрока номер семь", "подтверждаю"),
]

QUIET = ["дальше"] * 10
LONG = [
    *("начинаем игру", "дальше"),
    *("выставляю номер пять", "спасибо", "выставляю номер шесть", "спасибо", *QUIET[:8]),
    *("пять", "спасибо", "спасибо", "шесть голосов", "фол второму", "отмена", "спасибо"),
    *(
        "второй стреляет в седьмого",
        "отмена",
        "продолжить",
        "убит седьмой",
        "дон проверяет четвёртого",
        "шериф проверяет первого",
    ),
    *("/wait 30", "пауза", "продолжить", "спасибо", *QUIET[:8]),
    *("промах", "дальше", "дальше", "удалить игрока номер восемь", "подтверждаю", "отмена", "вернуть", *QUIET[:7]),
    *("убит девятый", "дальше", "дальше", "спасибо", "отмена", "продолжить", "закончить игру"),
]


@dataclass(frozen=True, slots=True)
class Run:
    """What the child told before it died."""

    status: int
    told: list[dict[str, Any]]
    errors: str

    @property
    def seqs(self) -> list[int]:
        return [message["seq"] for message in self.told if message["type"] == "event"]


def options(journal: Path) -> list[str]:
    typed = ["play", "--json", "--clock", "virtual", "--input", "text", "--voice", "none"]
    return [*typed, "--journal", str(journal)]


def play(journal: Path, lines: list[str], *arguments: str, events: int = 0, kill: bool = True) -> Run:
    """Run the child; it dies after so many events."""
    done = subprocess.run(
        [sys.executable, "-c", CHILD, *options(journal), *arguments],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        encoding="utf-8",
        env=os.environ | {"EVENTS_TO_LIVE": str(events), "KILL": "yes" if kill else "", "PYTHONUTF8": "1"},
        timeout=120,
        check=False,
    )
    return Run(done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr)


def start(journal: Path, lines: list[str], events: int = 0, kill: bool = True) -> Run:
    return play(journal, lines, "--rules", "sport", "--roles", ROLES, events=events, kill=kill)


def undone(told: list[dict[str, Any]]) -> list[int]:
    """The printed numbers that are still in force: ``undone`` and ``redone`` are no events of the game."""
    kept: list[int] = []
    taken: list[list[int]] = []
    for message in told:
        match message:
            case {"type": "event", "name": "undone", "to_seq": last}:
                taken.append([seq for seq in kept if seq > last])
                kept = [seq for seq in kept if seq <= last]
            case {"type": "event", "name": "redone"}:
                kept += taken.pop()
            case {"type": "event", "seq": seq}:
                kept.append(seq)
    return kept


def game_in(path: Path) -> tuple[str, Game]:
    with Journal.open(path) as journal:
        [record] = journal.games()
        entries = journal.entries(record.id)
        return record.id, replay(from_setup_mapping(record.setup), entries)[0].game


def check(path: Path, run: Run) -> None:
    """All that was printed is written, and counts."""
    with Journal.open(path) as journal:
        [record] = journal.games()
        entries = journal.entries(record.id)
    written = {seq for entry in entries for seq, _ in entry.events}
    assert set(run.seqs) <= written
    assert set(undone(run.told)) <= {seq for seq, _ in in_force(entries)}


def every_kill(tmp_path: Path, lines: list[str], *, resume_each: int) -> None:
    whole = start(tmp_path / "whole.db", lines, kill=False)
    assert whole.status == 0, whole.errors
    assert not [message for message in whole.told if message["type"] in {"refused", "unrecognised", "error"}]
    total = len(whole.seqs)
    for events in range(1, total + 1):
        path = tmp_path / f"{events}.db"
        run = start(path, lines, events)
        assert run.status == -signal.SIGKILL
        assert run.seqs == whole.seqs[:events], "it died right after this event"
        check(path, run)
        if events == total or events % resume_each == 0:
            check_resume(path, run)


def check_resume(path: Path, run: Run) -> None:
    name, game = game_in(path)
    resumed = play(path, ["/view host"], "--resume", name, kill=False)
    assert resumed.status == 0, resumed.errors
    ready = next(message for message in resumed.told if message["type"] == "ready")
    assert (ready["step"], ready["seat"], tuple(ready["alive"])) == (str(game.step), game.seat, game.alive)
    assert all(seq > max(run.seqs) for seq in resumed.seqs), "numbers only grow"
    assert not game.seconds or ready["paused"] or ready["step"] == "over"


def test_killed_before_its_first_event_a_game_leaves_no_trace(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    child = subprocess.Popen(
        [sys.executable, "-m", "voicehost", *options(journal)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONUTF8": "1"},
    )
    assert child.stdout is not None
    assert child.stdin is not None
    assert json.loads(child.stdout.readline())["step"] == "lobby"
    child.kill()
    child.communicate()
    resumed = play(journal, [], "--resume", kill=False)
    assert (resumed.status, resumed.told) == (1, [])
    assert resumed.errors.count("\n") == 1
    with Journal.open(journal) as opened:
        assert opened.games() == []


def test_killed_after_any_event_nothing_told_is_lost(tmp_path: Path) -> None:
    every_kill(tmp_path, SHORT, resume_each=10)


@pytest.mark.long
def test_the_same_through_a_long_game(tmp_path: Path) -> None:
    every_kill(tmp_path, LONG, resume_each=5)


def test_a_killed_game_is_played_on_by_resume(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    run = start(journal, SHORT, events=8)
    resumed = play(journal, ["продолжить", "спасибо", "/quit"], "--resume", kill=False)
    assert resumed.status == 0, resumed.errors
    assert resumed.seqs[0] > run.seqs[-1]
    names = [message["name"] for message in resumed.told if message["type"] == "event"]
    assert names == ["paused", "resumed", "speech-ended", "speech-began"]


def test_a_game_that_runs_is_not_resumed_by_a_second_process(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    child = subprocess.Popen(
        [sys.executable, "-m", "voicehost", *options(journal)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        env=os.environ | {"PYTHONUTF8": "1"},
    )
    try:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write("начинаем игру\n")
        child.stdin.flush()
        while json.loads(child.stdout.readline()).get("step") != "deal":
            pass
        second = play(journal, ["дальше"], "--resume", kill=False)
        assert (second.status, second.told) == (1, [])
        assert second.errors.count("\n") == 1
        assert "Traceback" not in second.errors
        out, _ = child.communicate("дальше\n", timeout=60)
        assert '"roles-dealt"' in out, "the first plays on"
        assert child.returncode == 0
    finally:
        child.kill()
    assert play(journal, [], "--resume", kill=False).status == 0
