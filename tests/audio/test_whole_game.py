"""A whole game at which nobody speaks but the program: its microphone hears every line and takes none for a command."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.audio.live_game import LiveGame, rules_in
from tests.components import Misheard, require
from tests.virtual_card import VirtualCard
from voicehost.models import preferred
from voicehost.tts.selection import installed

ROLES = "city,city,sheriff,city,don,mafia,city"
"""Seats 5 and 6 are voted out on the first two days, and the city has won."""
ASIDES = ("фол игроку три", "кто выставлен", "сколько времени осталось", "кто жив", "повтори")
"""Typed in the first speech of the first day: their answers are the lines that are most like commands."""


class TypingHost:
    """Types what is due; a line of a kind that was never heard before is heard to its end first."""

    def __init__(self, game: LiveGame) -> None:
        self.game = game
        self.typed: list[str] = []
        self._day = 0
        self._asides: list[str] = []
        self._heard: set[str] = set()

    def play(self, seconds: float = 600.0) -> None:
        """Play until there is a result."""
        end = time.monotonic() + seconds
        while not any(m["type"] == "result" for m in self.game.messages):
            assert time.monotonic() < end, self.game.messages[-8:]
            assert self.game.process.poll() is None
            ready = [m for m in self.game.messages if m["type"] == "ready"]
            line = self._next(ready[-1]) if ready and self._heard_out() else ""
            if line:
                self._type(line)
            time.sleep(0.1)

    def _heard_out(self) -> bool:
        lines = {m["phrase"] for m in list(self.game.messages) if m["type"] == "say"}
        if lines - self._heard:
            if self.game.loud_at <= self.game.said_at or time.monotonic() - self.game.loud_at < 0.8:
                return False
            self._heard = lines
        return True

    def _type(self, line: str) -> None:
        self.game.type(line)
        self.typed.append(line)

    def _next(self, ready: dict[str, Any]) -> str:
        legal, target = ready["legal"], 5 if ready["day"] == 1 else 6
        if "nominate" in legal and ready["day"] != self._day:
            self._day = ready["day"]
            self._asides = list(ASIDES) if self._day == 1 else []
            return f"выставляю номер {'пять' if target == 5 else 'шесть'}"
        if "end-speech" in legal and self._asides:
            return self._asides.pop(0)
        for command, line in (
            ("start-game", "начинаем игру"),
            ("votes", "четыре голоса"),
            ("shot", "убит номер семь"),
            ("don-check", "дон проверяет третьего"),
            ("sheriff-check", "шериф проверяет шестого"),
            ("end-speech", "спасибо"),
        ):
            if command in legal:
                return line
        # What lasts its own time at night is let run.
        return "дальше" if "next" in legal and ready["step"] in {"deal", "contract", "day", "role-meeting"} else ""


@pytest.fixture
def voice() -> str:
    """The best real voice here."""
    require("vosk")
    found = installed("ru")
    if not found:
        pytest.skip("no Russian voice here")
    return found[0].name


def listening_game(card: VirtualCard, folder: Path, voice: str, recogniser: str) -> Iterator[TypingHost]:
    journal = ["--journal", str(folder / "games.db")]
    options = [*rules_in(folder, check=4), *journal, "--recogniser", recogniser, "--roles", ROLES]
    game = LiveGame(card, options, voice=voice)
    try:
        yield TypingHost(game)
    finally:
        game.close()


def check(host: TypingHost) -> None:
    messages = host.game.messages
    answers = [m for m in messages if m["type"] in {"heard", "refused", "unrecognised"}]
    if [(m["type"], m["text"]) for m in answers] != [("heard", line) for line in host.typed]:
        raise Misheard(f"typed {host.typed}, taken {[(m['type'], m['text']) for m in answers]}")
    result = next(m for m in messages if m["type"] == "result")
    assert (result["winner"], result["reason"]) == ("city", "black-gone")
    spoken = [m["text"] for m in messages if m["type"] == "say"]
    assert len(spoken) > 40
    print(f"{len(spoken)} lines spoken, {len(host.typed)} typed, none of its own heard")


@pytest.mark.live
@pytest.mark.slow
def test_vosk_hears_no_command_in_a_whole_game_of_the_programs_own_voice(
    virtual_card: VirtualCard, tmp_path: Path, voice: str
) -> None:
    for host in listening_game(virtual_card, tmp_path, voice, "vosk"):
        host.play()
        check(host)


@pytest.mark.live
@pytest.mark.long
def test_whisper_hears_no_command_in_a_whole_game_of_the_programs_own_voice(
    virtual_card: VirtualCard, tmp_path: Path, voice: str
) -> None:
    require("ctranslate2")
    if preferred("whisper") is None:
        pytest.skip("no Whisper model here (voicehost models install whisper-base)")
    for host in listening_game(virtual_card, tmp_path, voice, "whisper"):
        host.play()
        check(host)
