"""Time that has passed is not given back by a crash."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def test_a_killed_game_keeps_the_time_that_has_passed(tmp_path: Path) -> None:
    """What ``/wait`` has let go by stays gone after kill -9."""
    play = [sys.executable, "-m", "voicehost", "play", "--json", "--clock", "virtual", "--input", "text"]
    play += ["--journal", str(tmp_path / "games.db")]
    first = subprocess.Popen(
        [*play, "--roles", "random", "--seed", "1"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert first.stdin is not None
    assert first.stdout is not None
    first.stdin.write("начинаем игру\n/wait end\n/wait 20\n")
    first.stdin.flush()
    shown = 0
    while shown < 4:  # one ready at the start, one a line
        shown += json.loads(first.stdout.readline())["type"] == "ready"
    first.kill()
    first.wait()
    resumed = subprocess.run([*play, "--resume"], input="", capture_output=True, encoding="utf-8", check=True)
    ready = [m for m in map(json.loads, resumed.stdout.splitlines()) if m["type"] == "ready"]
    assert ready[0]["timer"] == {"name": "speech", "left": 40}
    assert ready[0]["paused"] is True
