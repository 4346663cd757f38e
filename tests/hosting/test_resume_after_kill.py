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


def test_a_resumed_game_repeats_its_last_lines_and_counts_its_hands() -> None:
    """What was said last can be said again; a vote by phones goes on by itself."""
    from tests.hosting.typed import TypedGame
    from voicehost.hosting.resume import replay
    from voicehost.rules.game import Mode

    first = TypedGame(mode=Mode.HOME).open()
    first.say("начинаем игру", "/wait end", "выставляю пятого", "дальше", "выставляю второго", *["дальше"] * 9)
    assert first.ready["step"] == "vote"
    history, timer = replay(first.setup, first.entries)
    resumed = TypedGame(setup=first.setup, history=history).open(timer)
    said = [m["phrase"] for m in resumed.say("повтори") if m["type"] == "say"]
    assert "candidate" in said
    resumed.say("/seat 1 vote", "/seat 3 vote", "/wait 6")
    counted = next(m for m in resumed.told if m.get("name") == "votes-cast")
    assert (counted["candidate"], counted["count"]) == (5, 2)
