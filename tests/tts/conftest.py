"""Programs to test with: small scripts that play the engine which hangs, dies or speaks."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

import pytest

from tests.tts.helpers import Program
from tests.virtual_card import virtual_card

__all__ = ["impatient", "program", "virtual_card"]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Make a command line that runs a Python body, which may use ``here``, a folder of its own with its process id."""

    def make(body: str) -> list[str]:
        folder = tmp_path / f"program{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        script = folder / "script.py"
        head = f"""
            import json, os, subprocess, sys, time
            here = {str(folder)!r}
            open(os.path.join(here, "pid-%d" % os.getpid()), "w").close()
        """
        script.write_text(textwrap.dedent(head) + textwrap.dedent(body), encoding="utf-8")
        return [sys.executable, str(script)]

    return make


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines count as hung after a second instead of after 2.5 and more."""
    monkeypatch.setattr("voicehost.tts.voice._SECONDS_BASE", 1.0)
    monkeypatch.setattr("voicehost.tts.voice._SECONDS_PER_CHARACTER", 0.0)
