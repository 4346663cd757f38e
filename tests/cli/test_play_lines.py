"""``voicehost play`` as a process: whatever comes down the pipe, however it ends."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from voicehost.record.journal import Journal

ROLES = "don,mafia,mafia,sheriff,city,city,city,city,city,city"


def command(journal: Path, *options: str, clock: str = "virtual") -> list[str]:
    play = [sys.executable, "-m", "voicehost", "play", "--json", "--input", "text", "--voice", "none"]
    return [*play, "--clock", clock, "--journal", str(journal), *options]


@dataclass(frozen=True, slots=True)
class Run:
    """How a process ended and what it told."""

    status: int
    told: list[dict[str, Any]]
    errors: str

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [message for message in self.told if message["type"] == kind]


def run(journal: Path, lines: bytes | str, *options: str) -> Run:
    done = subprocess.run(
        command(journal, *options),
        input=lines.encode() if isinstance(lines, str) else lines,
        capture_output=True,
        timeout=120,
        check=False,
    )
    told = [json.loads(line) for line in done.stdout.decode().splitlines()]
    return Run(done.returncode, told, done.stderr.decode())


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def test_the_end_of_the_input_saves_the_game(journal: Path) -> None:
    done = run(journal, "начинаем игру\nдальше\n/wait 12\n", "--roles", ROLES)
    assert (done.status, done.errors) == (0, "")
    known = {str(seat): role for seat, role in enumerate(ROLES.split(","), start=1)}
    assert done.told[-1] == {"type": "result", "winner": "none", "reason": "unfinished", "roles": known}
    again = run(journal, "", "--resume")
    assert again.of("ready")[0]["timer"] == {"name": "speech", "left": 48}


def test_a_lobby_leaves_no_trace(journal: Path) -> None:
    assert run(journal, "кто жив\n").status == 0
    with Journal.open(journal) as opened:
        assert opened.games() == []


def test_a_last_line_without_its_end_counts(journal: Path) -> None:
    done = run(journal, "начинаем игру\nдальше", "--roles", ROLES)
    assert len(done.of("ready")) == 3
    assert done.of("ready")[-1]["step"] == "speech"


def test_lines_from_windows_count_as_lines(journal: Path) -> None:
    done = run(journal, "\ufeffначинаем игру\r\nдальше\r\n", "--roles", ROLES)
    assert len(done.of("ready")) == 3
    assert done.of("ready")[-1]["step"] == "speech"


def test_empty_and_bad_lines_get_one_ready_each_as_their_last(journal: Path) -> None:
    lines = [
        "",
        "   ",
        "/",
        "/wait",
        "/wait x",
        "/view",
        "/seat 99 tap",
        "/seat x tap",
        "абв",
        "пять",
        "\t/wait 0",
        "—",
    ]
    done = run(journal, "".join(f"{line}\n" for line in ["начинаем игру", *lines]), "--roles", ROLES)
    assert (done.status, done.errors) == (0, "")
    assert len(done.of("ready")) == 2 + len(lines)
    answers: list[list[str]] = [[]]
    for message in done.told[:-1]:
        answers[-1].append(message["type"])
        if message["type"] == "ready":
            answers.append([])
    assert answers[-1] == [], "nothing comes after the last ready but the result"
    assert answers[2:-1] == [
        *[["ready"]] * 2,
        *[["error", "ready"]] * 4,
        ["refused", "ready"],
        ["error", "ready"],
        ["unrecognised", "ready"],
        ["refused", "ready"],
        ["ready"],
        ["unrecognised", "ready"],
    ]


@pytest.mark.parametrize("size", [10_000, 200_000])
def test_a_very_long_line_is_one_line(journal: Path, size: int) -> None:
    done = run(journal, "начинаем игру\n" + "ф" * size + "\nдальше\n", "--roles", ROLES)
    assert (done.status, done.errors) == (0, "")
    assert len(done.of("ready")) == 4
    [unknown] = done.of("unrecognised")
    assert len(unknown["text"]) <= 10_000
    assert done.of("ready")[-1]["step"] == "speech"


@pytest.mark.parametrize("seed", range(3))
def test_rubbish_is_answered_and_nothing_else(journal: Path, seed: int) -> None:
    source = random.Random(seed)
    rubbish = [bytes(source.choice([b for b in range(256) if b not in b"\r\n"]) for _ in range(200)) for _ in range(20)]
    done = run(journal, b"\n".join(["начинаем игру".encode(), *rubbish, "дальше".encode(), b""]), "--roles", ROLES)
    assert (done.status, done.errors) == (0, "")
    assert len(done.of("ready")) == 3 + len(rubbish)
    assert done.of("ready")[-1]["step"] == "speech"


def test_what_ends_a_line_elsewhere_ends_none_here(journal: Path) -> None:
    done = run(journal, "раз\u2028два\u2029три\u0085четыре\x0bпять\x1cшесть\n")
    assert (done.status, len(done.of("ready"))) == (0, 2)
    assert done.of("unrecognised")[0]["text"] == "раз\u2028два\u2029три\u0085четыре\x0bпять\x1cшесть"


@pytest.mark.parametrize("line", [b"\x00", b"\xff\xfe", b"/wait \xff", b"/seat 1 join \xed\xa0\x80", b"\x1b[31m"])
def test_bytes_that_are_no_text(journal: Path, line: bytes) -> None:
    done = run(journal, line + b"\n")
    assert (done.status, done.errors) == (0, "")
    assert len(done.of("ready")) == 2


def test_quit_leaves_with_0_and_reads_no_more(journal: Path) -> None:
    done = run(journal, "начинаем игру\n/quit\nдальше\n", "--roles", ROLES)
    assert done.status == 0
    assert [ready["step"] for ready in done.of("ready")] == ["lobby", "contract", "contract"]


def test_a_reader_that_leaves_is_no_error(journal: Path) -> None:
    child = subprocess.Popen(
        command(journal, "--roles", ROLES), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.readline()
    child.stdout.close()
    child.stdin.write("начинаем игру\nдальше\n".encode())
    child.stdin.close()
    assert child.wait(60) == 0
    assert child.stderr.read() == b""


needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="only on systems with SIGINT for children")


def stopped(journal: Path, lines: str, step: str, *, clock: str, again: bool = False) -> Run:
    """Start a game, press Ctrl+C when it has reached a step."""
    child = subprocess.Popen(
        command(journal, "--roles", ROLES, clock=clock),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"VOICEHOST_LANG": "ru"},
    )
    watchdog = threading.Timer(60, child.kill)
    watchdog.start()
    try:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(lines.encode())
        child.stdin.flush()
        told = [json.loads(child.stdout.readline())]
        while told[-1].get("step") != step:
            told.append(json.loads(child.stdout.readline()))
        child.send_signal(signal.SIGINT)
        if again:
            child.send_signal(signal.SIGINT)
        out, errors = child.communicate()
    finally:
        watchdog.cancel()
        child.kill()
    told += [json.loads(line) for line in out.decode().splitlines()]
    return Run(child.returncode, told, errors.decode())


@needs_signals
@pytest.mark.parametrize("clock", ["virtual", "real"])
def test_ctrl_c_saves_the_game_and_leaves_with_130(journal: Path, clock: str) -> None:
    done = stopped(journal, "начинаем игру\nдальше\n", "speech", clock=clock)
    assert done.status == 130
    assert done.told[-1]["reason"] == "unfinished"
    assert "Traceback" not in done.errors
    assert done.errors.strip().count("\n") == 0, "one sentence"
    again = run(journal, "", "--resume")
    ready = again.of("ready")[0]
    assert (ready["step"], ready["seat"], ready["paused"]) == ("speech", 1, True)


@needs_signals
def test_an_impatient_ctrl_c_ends_it_all_the_same(journal: Path) -> None:
    done = stopped(journal, "начинаем игру\nдальше\n", "speech", clock="virtual", again=True)
    assert done.status in {130, -signal.SIGINT}
    assert run(journal, "", "--resume").of("ready")[0]["step"] == "speech"


@needs_signals
def test_ctrl_c_before_the_game_leaves_with_130(journal: Path) -> None:
    done = stopped(journal, "", "lobby", clock="real")
    assert done.status == 130
    assert "Traceback" not in done.errors


def test_in_json_nothing_but_json_is_on_stdout_and_nothing_else_on_stderr(journal: Path) -> None:
    done = run(journal, "начинаем игру\n/view table\n/view host\nчто можно сказать\n", "--roles", ROLES)
    assert done.errors == ""
    assert {message["type"] for message in done.told} >= {"ready", "view", "say", "event", "timer", "heard", "result"}
