"""A host's voice from the recording to the journal: once as a file, once through a sound card in real time."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.audio.live_game import LiveGame, rules_in
from tests.audio.scene import RECORDING, clips
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


LIVE = (
    "начинаем игру",
    "/дальше",
    "/дальше",
    "дальше",
    "выставляю номер пять",
    "спасибо",
    "фол игроку три",
    "спасибо",
    *("/спасибо",) * 4,
    "спасибо",
    "спасибо",  # the last word of the one who leaves with all hands
    "дон проверяет третьего",
    "шериф проверяет шестого",
    "убит номер семь",  # asked for in the morning
    "спасибо",
    "победа города",
    "подтверждаю",
)
"""What the host says at the table; with a stroke, what he types, as saying the same again would show nothing."""


@pytest.fixture
def live_game(virtual_card: VirtualCard, tmp_path: Path) -> Iterator[LiveGame]:
    """A running game."""
    require("vosk", "espeak-ng")
    game = LiveGame(virtual_card, [*rules_in(tmp_path), "--journal", str(tmp_path / "games.db")])
    try:
        yield game
    finally:
        game.close()


@pytest.mark.live
def test_a_live_game_by_voice_hears_the_host_and_never_itself(live_game: LiveGame) -> None:
    """The microphone hears host and loudspeaker alike; every command of the host counts, no line of our own does."""
    recorded = clips()
    for text in LIVE:
        if text.startswith("/"):
            live_game.type(text[1:])
        else:
            live_game.say(text, recorded[text])
    live_game.wait_for("the end", lambda: any(m["type"] == "result" for m in live_game.messages))
    live_game.check([text.removeprefix("/") for text in LIVE])
    result = next(m for m in live_game.messages if m["type"] == "result")
    assert (result["winner"], result["reason"]) == ("city", "declared")
    assert ("seat-shot", {"seat": 7}) in events(live_game.messages)
