"""A live game on the virtual card at a table that talks: the host's commands are heard, the talk never is one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.audio.scene import clips
from tests.audio.test_scene import LiveGame
from tests.components import require
from tests.stt.noises import RATE, babble, pcm, talk
from tests.virtual_card import VirtualCard

SAID = (
    ("начинаем игру", "start-game"),
    ("дальше", "next"),
    ("дальше", "next"),
    ("дальше", "next"),
    ("выставляю номер пять", "nominate"),
    ("спасибо", "end-speech"),
    ("фол игроку три", "foul"),
)


@pytest.fixture
def live_game(virtual_card: VirtualCard, tmp_path: Path) -> Iterator[LiveGame]:
    require("vosk", "espeak-ng", "soundfile", "voice check")
    game = LiveGame(virtual_card, tmp_path)
    try:
        yield game
    finally:
        game.close()


@pytest.fixture
def keen_game(virtual_card: VirtualCard, tmp_path: Path) -> Iterator[LiveGame]:
    """A game that Whisper hears."""
    require("whisper model", "espeak-ng", "soundfile", "voice check")
    game = LiveGame(virtual_card, tmp_path, "--recogniser", "whisper")
    try:
        yield game
    finally:
        game.close()


def amid_talk(clip: bytes, seed: int, below: float = 10.0) -> bytes:
    """The clip with several people talking before, under and after it, ``below`` dB softer."""
    said = np.frombuffer(clip, "<i2").astype(np.float64) / 32_768
    around = round(0.6 * RATE)
    said = np.concatenate([np.zeros(around), said, np.zeros(around)])
    hum = babble(len(said) / RATE, seed)[: len(said)]
    loud = said[np.abs(said) > 0.02]
    hum *= np.sqrt(np.mean(loud**2)) / np.sqrt(np.mean(hum**2)) * 10 ** (-below / 20)
    mixed = said + hum
    return pcm(mixed / max(1.0, float(np.abs(mixed).max())))


@pytest.mark.live
@pytest.mark.slow
def test_the_host_is_heard_while_others_talk(keen_game: LiveGame) -> None:
    recorded = clips()
    for number, (text, command) in enumerate(SAID):
        keen_game.wait_for(f"«{text}» allowed", lambda c=command: c in keen_game.legal())
        keen_game.wait_for("silence", keen_game.quiet)
        keen_game.say(text, amid_talk(recorded[text], number))
    answered = [m["command"] for m in keen_game.messages if m["type"] in {"heard", "refused"}]
    assert answered == [command for _, command in SAID]


@pytest.mark.live
@pytest.mark.slow
def test_a_table_that_talks_between_the_hosts_commands_gives_none(live_game: LiveGame) -> None:
    recorded = clips()
    for number, (text, command) in enumerate(SAID):
        live_game.wait_for(f"«{text}» allowed", lambda c=command: c in live_game.legal())
        live_game.wait_for("silence", live_game.quiet)
        live_game.card.play(pcm(babble(2.5, number) * 0.4))
        live_game.card.play(pcm(talk(number) * 0.5))
        time.sleep(1.5)
        live_game.say(text, recorded[text])
    answered = [m["command"] for m in live_game.messages if m["type"] in {"heard", "refused"}]
    assert answered == [command for _, command in SAID]
    # The talk did reach the recogniser.
    assert [m for m in live_game.messages if m["type"] == "unrecognised"]
