"""A host's voice from the recording to the journal: once as a file, once through a sound card in real time."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.audio.scene import RATE, RECORDING, clips
from tests.components import require
from tests.virtual_card import VirtualCard

EXPECTED: list[tuple[str, dict[str, Any]]] = [
    ("game-started", {}),
    ("roles-dealt", {}),
    ("night-fell", {"number": 0}),
    ("mafia-met", {}),
    ("day-broke", {"number": 1}),
    ("speech-began", {"seat": 1, "seconds": 60}),
    ("seat-nominated", {"by": 1, "seat": 5}),
    ("speech-ended", {"seat": 1, "how": "said"}),
    ("speech-began", {"seat": 2, "seconds": 60}),
    ("foul-given", {"seat": 3, "count": 1}),
    ("speech-ended", {"seat": 2, "how": "said"}),
    ("speech-began", {"seat": 3, "seconds": 60}),
    ("seat-nominated", {"by": 3, "seat": 7}),
    ("speech-ended", {"seat": 3, "how": "said"}),
    ("speech-began", {"seat": 4, "seconds": 60}),
    ("speech-ended", {"seat": 4, "how": "said"}),
    ("speech-began", {"seat": 5, "seconds": 60}),
    ("paused", {}),
    ("resumed", {}),
    ("speech-ended", {"seat": 5, "how": "said"}),
    *(
        event
        for seat in range(6, 11)
        for event in (
            ("speech-began", {"seat": seat, "seconds": 60}),
            ("speech-ended", {"seat": seat, "how": "said"}),
        )
    ),
    ("vote-opened", {"candidates": [5, 7], "round": 1}),
    ("votes-cast", {"candidate": 5, "count": 6}),
    ("votes-cast", {"candidate": 7, "count": 4}),
    ("seat-left", {"seat": 5, "cause": "voted"}),
    ("last-word-began", {"seat": 5, "seconds": 60}),
    ("last-word-ended", {"seat": 5, "how": "said"}),
    ("night-fell", {"number": 1}),
    ("hunt-began", {}),
    ("seat-shot", {"seat": 7}),
    ("seat-left", {"seat": 7, "cause": "shot"}),
    ("don-checked", {"seat": 3, "sheriff": None}),
    ("sheriff-checked", {"seat": 6, "answer": None}),
    ("day-broke", {"number": 2}),
    ("departure-announced", {"seats": [7]}),
    ("last-word-began", {"seat": 7, "seconds": 60}),
    ("last-word-ended", {"seat": 7, "how": "said"}),
    ("speech-began", {"seat": 2, "seconds": 60}),
    ("speech-ended", {"seat": 2, "how": "next"}),
    ("game-ended", {"winner": "city", "reason": "declared"}),
]


def events(messages: list[dict[str, Any]]) -> list[tuple[str, dict[str, Any]]]:
    """Return names and data of the events among the program's lines."""
    return [
        (m["name"], {k: v for k, v in m.items() if k not in {"type", "seq", "name"}})
        for m in messages
        if m["type"] == "event"
    ]


def test_the_recorded_scene_reaches_the_journal_and_is_answered_aloud(tmp_path: Path) -> None:
    """Recogniser, parser, referee and spoken output, with the recording's time as the clock."""
    require("vosk", "soundfile", "espeak-ng")
    spoken = tmp_path / "spoken.wav"
    arguments = ["--input", str(RECORDING), "--rules", "sport", "--json", "--voice", "espeak-ng"]
    arguments += ["--recogniser", "vosk", "--record", str(spoken), "--journal", str(tmp_path / "games.db")]
    done = subprocess.run(
        [sys.executable, "-m", "voicehost", "play", *arguments],
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    messages = [json.loads(line) for line in done.stdout.splitlines()]
    assert events(messages) == EXPECTED
    assert [m["type"] for m in messages].count("ask") == 1  # a spoken winner is confirmed
    _sounds_like_the_lines(spoken, [m for m in messages if m["type"] == "say"])
    _is_in_the_journal(tmp_path / "games.db", messages)


def _sounds_like_the_lines(spoken: Path, lines: list[dict[str, Any]]) -> None:
    import numpy as np
    import soundfile

    samples, rate = soundfile.read(spoken)
    letters = sum(len(line["text"]) for line in lines)
    assert letters / 30 < len(samples) / rate < letters / 4  # seconds of speech for so many letters
    assert np.abs(samples).max() > 0.1


def _is_in_the_journal(path: Path, messages: list[dict[str, Any]]) -> None:
    from voicehost.record.journal import Journal

    with Journal.open(path) as journal:
        (record,) = journal.games()
        kept = [(seq, event.name) for entry in journal.entries(record.id) for seq, event in entry.events]
    printed = [(m["seq"], m["name"]) for m in messages if m["type"] == "event"]
    assert [pair for pair in kept if pair in set(printed)] == printed
    assert (record.winner, record.reason) == ("city", "declared")


RULES = """
parent = "classic"
title = "Короткая ночь"
check_seconds = 12
hunt_number_seconds = 1
meeting_sheriff_seconds = 3
"""

LIVE = (
    ("начинаем игру", "start-game"),
    ("дальше", "next"),
    ("дальше", "next"),
    ("дальше", "next"),
    ("выставляю номер пять", "nominate"),
    ("спасибо", "end-speech"),
    ("фол игроку три", "foul"),
    *(("спасибо", "end-speech"),) * 6,
    ("спасибо", "end-speech"),  # the last word of the one who leaves with all hands
    ("дон проверяет третьего", "don-check"),
    ("шериф проверяет шестого", "sheriff-check"),
    ("убит номер семь", "shot"),  # asked for in the morning
    ("спасибо", "end-speech"),
    ("победа города", "declare-winner"),
    ("подтверждаю", "confirm"),
)
"""What the host says at the table, with the command it must become."""


class LiveGame:
    """voicehost with a microphone and a loudspeaker, run from outside as a person would."""

    def __init__(self, card: VirtualCard, folder: Path, *more: str, voice: str = "espeak-ng") -> None:
        """Start it with ``more`` options; an option that is given twice counts as given last."""
        self.card = card
        rules = folder / "short.toml"
        rules.write_text(RULES, encoding="utf-8")
        arguments = ["--rules", str(rules), "--players", "7", "--input", "mic", "--voice", voice, "--json"]
        arguments += ["--recogniser", "vosk", "--journal", str(folder / "games.db"), *more]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "voicehost", "play", *arguments],
            env=card.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        self.messages: list[dict[str, Any]] = []
        self.said_at = 0.0
        self.loud_at = time.monotonic()
        self._meter = subprocess.Popen(
            ["parec", "-d", "speaker.monitor", "--format=s16le", f"--rate={RATE}", "--channels=1", "--latency-msec=50"],
            env=card.environment,
            stdout=subprocess.PIPE,
        )
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._measure, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.messages.append(json.loads(line))
            if self.messages[-1]["type"] == "say":
                self.said_at = time.monotonic()

    def _measure(self) -> None:
        import numpy as np

        assert self._meter.stdout is not None
        while block := self._meter.stdout.read(1600):
            if np.abs(np.frombuffer(block[: len(block) // 2 * 2], np.int16)).max(initial=0) > 100:
                self.loud_at = time.monotonic()

    def wait_for(self, what: str, condition: Any, seconds: float = 60.0) -> None:
        """Wait until ``condition()``; fail with what the program printed last."""
        end = time.monotonic() + seconds
        while not condition():
            assert self.process.poll() is None, self.process.stderr.read() if self.process.stderr else ""
            assert time.monotonic() < end, f"{what}: {self.messages[-12:]}"
            time.sleep(0.05)

    def legal(self) -> dict[str, Any]:
        """Return what may be said, as last printed."""
        ready = [m for m in self.messages if m["type"] == "ready"]
        return ready[-1]["legal"] if ready else {}

    def quiet(self) -> bool:
        """Tell whether the program has said all it had to say: heard since its last line, and silent for a while."""
        kinds = ["said" if m["type"] == "say" else m.get("state") for m in self.messages]
        timed = [kind for kind in kinds if kind in {"said", "started"}][-1:] == ["started"]
        now = time.monotonic()
        return now - self.loud_at > 0.6 if timed else self.loud_at > self.said_at and now - self.loud_at > 2.0

    def answers(self) -> int:
        """Count what the program has answered so far."""
        return len([m for m in self.messages if m["type"] in {"heard", "refused"}])

    def type(self, text: str) -> None:
        """Type a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{text}\n")
        self.process.stdin.flush()

    def say(self, text: str, clip: bytes, attempts: int = 3) -> None:
        """Say a command when the program is silent; say it again, as a host would, when it was spoken over."""
        before = self.answers()
        for attempt in range(attempts):
            self.wait_for("silence", self.quiet)
            self.card.play(clip)
            end = time.monotonic() + (60 if attempt == attempts - 1 else 12)
            while time.monotonic() < end and self.answers() == before:
                time.sleep(0.05)
            if self.answers() > before:
                return
        raise AssertionError(f"«{text}» was not heard: {self.messages[-8:]}")

    def close(self) -> None:
        """End everything."""
        for process in (self.process, self._meter):
            process.kill()
            process.wait()


@pytest.fixture
def live_game(virtual_card: VirtualCard, tmp_path: Path) -> Iterator[LiveGame]:
    """A running game."""
    require("vosk", "espeak-ng")
    game = LiveGame(virtual_card, tmp_path)
    try:
        yield game
    finally:
        game.close()


@pytest.mark.live
def test_a_live_game_by_voice_hears_the_host_and_never_itself(live_game: LiveGame) -> None:
    """The microphone hears host and loudspeaker alike; every command of the host counts, no line of our own does."""
    recorded = clips()
    for text, command in LIVE:
        live_game.wait_for(f"«{text}» allowed", lambda c=command: c in live_game.legal())
        live_game.say(text, recorded[text])
    live_game.wait_for("the end", lambda: any(m["type"] == "result" for m in live_game.messages))
    answered = [m["command"] for m in live_game.messages if m["type"] in {"heard", "refused"}]
    assert answered == [command for _, command in LIVE]
    assert not [m for m in live_game.messages if m["type"] == "refused"]
    result = next(m for m in live_game.messages if m["type"] == "result")
    assert (result["winner"], result["reason"]) == ("city", "declared")
    assert ("seat-shot", {"seat": 7}) in events(live_game.messages)
