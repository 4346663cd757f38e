from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tests.tts.helpers import Program, assert_gone, started
from voicehost.tts.process import Child, run
from voicehost.tts.voice import VoiceFailed

SLEEPS = "time.sleep(600)"


def test_text_goes_by_stdin_and_sound_comes_by_stdout(program: Program) -> None:
    echo = program("sys.stdout.buffer.write(sys.stdin.buffer.read()[::-1])")
    data = "Ёлка \"и\" 'мафия'\n🎲".encode() * 3000
    assert run("echo", echo, data, 30.0) == data[::-1]


def test_a_program_that_hangs_is_killed(program: Program) -> None:
    argv = program(SLEEPS)
    with pytest.raises(VoiceFailed) as failed:
        run("sleepy", argv, b"line", 1.0)
    assert failed.value.why == "hung"
    assert failed.value.voice == "sleepy"
    assert_gone(started(argv))


@pytest.mark.skipif(os.name != "posix", reason="only on systems with process groups")
@pytest.mark.parametrize("parent", [SLEEPS, "sys.exit(0)"])
def test_what_it_started_is_killed_too(program: Program, parent: str) -> None:
    argv = program(
        f"""
        child = subprocess.Popen(["sleep", "600"])
        open(os.path.join(here, "pid-%d" % child.pid), "w").close()
        {parent}
        """
    )
    with pytest.raises(VoiceFailed, match="hung"):
        run("nested", argv, b"", 2.0)
    assert len(started(argv)) == 2
    assert_gone(started(argv))


def test_a_program_that_fails_tells_why(program: Program) -> None:
    argv = program("sys.exit('first\\nno such voice: борис')")
    with pytest.raises(VoiceFailed) as failed:
        run("crashing", argv, b"", 30.0)
    assert failed.value.why == "died"
    assert failed.value.detail == "no such voice: борис"


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(VoiceFailed, match="missing"):
        run("absent", [str(tmp_path / "absent")], b"", 30.0)
    with pytest.raises(VoiceFailed, match="missing"):
        Child("absent", [str(tmp_path / "absent")])


def test_a_program_that_does_not_read_its_text(program: Program) -> None:
    argv = program("sys.stdout.write('done')")
    assert run("deaf", argv, b"x" * 1_000_000, 30.0) == b"done"


def _soon() -> float:
    return time.monotonic() + 1.0


def _later() -> float:
    return time.monotonic() + 30.0


def test_a_child_answers_lines_and_bytes(program: Program) -> None:
    argv = program(
        """
        for line in sys.stdin.buffer:
            sys.stdout.buffer.write(b"%d\\r\\n" % len(line) + line * 20000 + b"end\\n")
            sys.stdout.buffer.flush()
        """
    )
    child = Child("echo", argv)
    for line in (b"one\n", b"three\n"):
        child.send(line)
        assert child.read_line(_later()) == b"%d" % len(line)
        assert child.read_exactly(len(line) * 20000, _later()) == line * 20000
        assert child.read_line(_later()) == b"end"
    assert child.alive
    child.close()
    assert_gone(started(argv))


def test_a_child_that_hangs_is_killed(program: Program) -> None:
    argv = program(SLEEPS)
    child = Child("sleepy", argv)
    child.send(b"line\n")
    with pytest.raises(VoiceFailed, match="hung"):
        child.read_line(_soon())
    assert not child.alive
    assert_gone(started(argv))


def test_a_child_that_dies(program: Program) -> None:
    child = Child("crashing", program("sys.stdin.readline(); sys.exit('out of memory')"))
    child.send(b"line\n")
    with pytest.raises(VoiceFailed) as failed:
        child.read_exactly(10, _later())
    assert failed.value.why == "died"
    assert failed.value.detail == "out of memory"
    with pytest.raises(VoiceFailed, match="died"):
        child.send(b"again\n")


def test_killing_a_child_wakes_who_waits_for_it(program: Program) -> None:
    child = Child("sleepy", program(SLEEPS))
    child.kill()
    with pytest.raises(VoiceFailed, match="died"):
        child.read_line(_later())
    child.close()
