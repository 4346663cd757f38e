"""A sound library that crashes takes a child process with it, never the game."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.audio.portaudio import ScriptedPortAudio
from voicehost.audio import trial
from voicehost.errors import UserError

CRASHING = """
import os, signal

class PortAudioError(Exception):
    pass

def query_hostapis():
    return ({"name": "ALSA"},)

def query_devices(kind=None):
    found = {
        "name": "Desk", "index": 0, "hostapi": 0, "max_input_channels": 1, "max_output_channels": 2,
        "default_samplerate": 48000.0,
    }
    return [found] if kind is None else found

def _crash(**options):
    os.kill(os.getpid(), signal.SIGSEGV)

RawInputStream = RawOutputStream = _crash
"""


def ending(code: str) -> list[str]:
    return [sys.executable, "-c", code]


def play(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Play by typed lines where every way to open a sound device crashes."""
    (folder / "sounddevice.py").write_text(CRASHING, encoding="utf-8")
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(folder), *sys.path[:1], str(Path(trial.__file__).parents[2])]),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "VOICEHOST_LANG": "ru",
        "PULSE_SERVER": str(folder / "nowhere"),
    }
    return subprocess.run(
        [sys.executable, "-m", "voicehost", "play", "--journal", str(folder / "games.db"), "--json", *options],
        input="начинаем игру\n/quit\n",
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="a signal ends the child")
def test_a_crash_leaves_the_game_its_typed_lines(tmp_path: Path) -> None:
    done = play(tmp_path)
    assert done.returncode == 0, done.stderr
    assert '"game-started"' in done.stdout
    assert "падает" in done.stderr
    assert not (tmp_path / "cache" / "voicehost" / trial.FILE).exists()


@pytest.mark.skipif(sys.platform == "win32", reason="a signal ends the child")
def test_who_asked_for_the_microphone_is_told_and_there_is_no_game(tmp_path: Path) -> None:
    done = play(tmp_path, "--input", "mic")
    assert done.returncode == 1
    assert "падает" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_what_went_well_is_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "new" / "tried.json"
    mark = tmp_path / "ran"
    monkeypatch.setattr(trial, "_command", lambda: ending(f"open({str(mark)!r}, 'a', encoding='utf-8').write('x')"))
    for _ in range(3):
        trial.check(None, hears=True, speaks=True, file=file)
    assert mark.read_text(encoding="utf-8") == "x"
    trial.check("USB", hears=True, speaks=True, file=file)
    trial.check(None, hears=True, speaks=False, file=file)
    trial.check(None, hears=False, speaks=False, file=file)
    assert mark.read_text(encoding="utf-8") == "xxx"
    assert len(json.loads(file.read_text(encoding="utf-8"))) == 3


@pytest.mark.parametrize("rubbish", ["", "{", "7", '{"a": 1}', "[1, null]"])
def test_a_damaged_note_is_as_good_as_none(tmp_path: Path, rubbish: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "tried.json"
    file.write_text(rubbish, encoding="utf-8")
    monkeypatch.setattr(trial, "_command", lambda: ending(""))
    trial.check(None, hears=True, speaks=True, file=file)
    assert len(json.loads(file.read_text(encoding="utf-8"))) == 1


def test_a_child_that_fails_or_hangs_has_not_crashed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "tried.json"
    monkeypatch.setattr(trial, "_command", lambda: ending("raise SystemExit(1)"))
    trial.check(None, hears=True, speaks=True, file=file)
    file.unlink()
    monkeypatch.setattr(trial, "PATIENCE", 0.2)
    monkeypatch.setattr(trial, "_command", lambda: ending("import time; time.sleep(60)"))
    trial.check(None, hears=True, speaks=True, file=file)
    assert not file.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGBUS"])
def test_a_child_that_was_ended_by_a_fault_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    file = tmp_path / "tried.json"
    monkeypatch.setattr(trial, "_command", lambda: ending(f"import os, signal; os.kill(os.getpid(), signal.{name})"))
    with pytest.raises(UserError) as caught:
        trial.check(None, hears=True, speaks=True, file=file)
    assert caught.value.key == "audio.crashes"
    assert not file.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("name", ["SIGKILL", "SIGINT", "SIGTERM"])
def test_a_child_that_somebody_ended_has_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    code = f"import os, signal; signal.signal(2, signal.SIG_DFL); os.kill(os.getpid(), signal.{name})"
    monkeypatch.setattr(trial, "_command", lambda: ending(code))
    trial.check(None, hears=True, speaks=True, file=tmp_path / "tried.json")
    assert not (tmp_path / "tried.json").exists()


def test_the_child_opens_both_and_gives_them_back(
    portaudio: ScriptedPortAudio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "LISTENS", 0.01)
    assert trial.main(["--microphone", "desk", "--speaker"]) == 0
    assert len(portaudio.streams) == 2
    assert all(stream.closed for stream in portaudio.streams)
    assert trial.main(["--microphone", "no such"]) == 1
