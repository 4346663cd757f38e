"""A live game on the virtual card at a table that talks: the host's commands are heard, the talk never is one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.audio.scene import clips
from tests.audio.test_scene import LiveGame
from tests.components import require
from tests.stt.noises import babble, pcm, talk
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
