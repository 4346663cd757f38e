"""Hours of sound as fast as they go: memory stays flat, and what is said at the end is heard as at the beginning."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.components import require
from tests.stt.conftest import recording
from tests.stt.noises import NOISES, RATE, babble, pcm, talk
from voicehost.cli.evaluate import Situations
from voicehost.stt.recogniser import Recogniser, Utterance
from voicehost.stt.vosk import VoskRecogniser
from voicehost.stt.vosk_model import VoskModel

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only on Linux: memory is read from /proc"),
]

STATES = ("speech", "vote", "night-hunt", "any")

MINUTES = 120
FIRST = 20
"""Minutes after which memory must not grow any more."""


def resident() -> float:
    """Memory of this process in MB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


def minute(number: int, *, voices: bool) -> bytes:
    """A minute of a room: soft noise, now and then a knock, music or hum, and with ``voices`` a little talk."""
    rng = np.random.default_rng(number)
    room = rng.normal(0, 0.0003, 60 * RATE)
    parts = [(10, list(NOISES.values())[number % len(NOISES)](RATE, rng) * 0.2)]
    if voices:
        parts += [(20, talk(number)[: 2 * RATE] * 0.5), (40, babble(2.0, number) * 0.3)]
    for begin, sound in parts:
        room[begin * RATE : begin * RATE + len(sound)] += sound
    return pcm(room)


def listen(recogniser: Recogniser, game: Situations, minutes: range, every: int) -> list[Utterance]:
    """Hear so many minutes; every so many there is talk, and the phrases change."""
    heard = []
    for number in minutes:
        expectation = game.expectation(STATES[number % len(STATES)])
        recogniser.expect(expectation.phrases, expectation)
        heard += recogniser.feed(minute(number, voices=number % every == 0))
    return heard


def says_pause(recogniser: Recogniser, game: Situations) -> bool:
    expectation = game.expectation("speech")
    recogniser.expect(expectation.phrases, expectation)
    heard = recogniser.feed(recording("024_festival") + bytes(2 * RATE))
    return [game.parse(u.text, "speech") for u in heard] == [("pause", {})]


def test_two_hours_with_vosk(tiny: VoskModel) -> None:
    require("voice check", "soundfile")
    game = Situations("ru")
    recogniser = VoskRecogniser(tiny)
    heard = listen(recogniser, game, range(FIRST), 2)
    assert says_pause(recogniser, game)
    before = resident()
    heard += listen(recogniser, game, range(FIRST, MINUTES), 2)
    assert resident() - before < 0.12 * (MINUTES - FIRST)
    assert says_pause(recogniser, game)
    assert len(heard) >= MINUTES / 2  # the talk was listened to
    taken = [u.text for u in heard if any(game.parse(u.text, state) for state in STATES)]
    assert len(taken) <= 1, taken
    recogniser.close()


@pytest.fixture
def whisper() -> Iterator[Recogniser]:
    require("whisper model", "soundfile", "voice check")
    from voicehost.hosting.stakes import stake
    from voicehost.models import preferred
    from voicehost.stt.whisper import WhisperRecogniser

    found = preferred("whisper")
    assert found is not None
    made = WhisperRecogniser(found.folder, care=stake)
    yield made
    made.close()


def test_two_hours_with_whisper(whisper: Recogniser) -> None:
    game = Situations("ru")
    heard = listen(whisper, game, range(FIRST), 5)
    assert says_pause(whisper, game)
    before = resident()
    heard += listen(whisper, game, range(FIRST, MINUTES), 10)
    assert resident() - before < 0.4 * (MINUTES - FIRST)
    assert says_pause(whisper, game)
    assert heard


def test_talk_without_a_pause_is_cut_and_does_not_eat_the_memory(tiny: VoskModel) -> None:
    """The library keeps what it has decoded until an utterance ends; talk that never ends is ended."""
    require("voice check", "soundfile")
    game = Situations("ru")
    expectation = game.expectation("speech")
    recogniser = VoskRecogniser(tiny)
    recogniser.expect(expectation.phrases, expectation)
    loud = np.concatenate([said[np.abs(said) > 0.01] for said in map(talk, range(3))])
    half_a_minute = pcm(np.resize(loud, 30 * RATE) * 0.6)

    def hear(minutes: float) -> list[Utterance]:
        return [u for _ in range(round(minutes * 2)) for u in recogniser.feed(half_a_minute)]

    heard = hear(2)
    before = resident()
    heard += hear(6)
    assert resident() - before < 8
    assert all(u.endpoint - u.began <= 15.1 for u in heard)
    assert len(recogniser._sound) <= 16 * 2 * RATE
    recogniser.close()
