"""A live game on the virtual card at a table that talks: the host's commands are heard, the talk never is one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.audio.live_game import LiveGame, begun, rules_in
from tests.audio.scene import clips
from tests.components import require
from tests.stt.noises import RATE, babble, pcm, talk
from tests.virtual_card import VirtualCard

SAID = ("продолжить", "выставляю номер пять", "фол игроку три", "спасибо", "дальше", "пауза")
"""What the host says from the first speech on, in a game that begins paused."""

BELOW = {"выставляю номер пять": 18.0, "фол игроку три": 18.0, "пауза": 18.0}
"""By how many decibels the talk is softer than a line; what sounds like other commands wants more than the usual 10."""


@pytest.fixture
def live_game(virtual_card: VirtualCard, tmp_path: Path) -> Iterator[LiveGame]:
    require("vosk", "espeak-ng", "soundfile", "voice check")
    game = LiveGame(virtual_card, begun(tmp_path, rules_in(tmp_path)))
    try:
        yield game
    finally:
        game.close()


@pytest.fixture
def keen_game(virtual_card: VirtualCard, tmp_path: Path) -> Iterator[LiveGame]:
    """A game that Whisper hears."""
    require("whisper model", "espeak-ng", "soundfile", "voice check")
    game = LiveGame(virtual_card, [*begun(tmp_path, rules_in(tmp_path)), "--recogniser", "whisper"])
    try:
        yield game
    finally:
        game.close()


def amid_talk(clip: bytes, seed: int, below: float) -> bytes:
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
    for number, text in enumerate(SAID):
        said = [amid_talk(recorded[text], seed, BELOW.get(text, 10.0)) for seed in range(number, number + 3)]
        keen_game.say(text, *said)
    keen_game.check(SAID)


@pytest.mark.live
@pytest.mark.slow
def test_a_table_that_talks_between_the_hosts_commands_gives_none(live_game: LiveGame) -> None:
    recorded = clips()
    for number, text in enumerate(SAID):
        live_game.wait_for("silence", live_game.quiet)
        live_game.card.play(pcm(babble(2.5, number) * 0.4))
        live_game.card.play(pcm(talk(number) * 0.5))
        live_game.say(text, recorded[text])
    live_game.check(SAID)
    # The talk did reach the recogniser.
    assert [m for m in live_game.messages if m["type"] == "unrecognised"]
