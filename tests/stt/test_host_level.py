"""A calibrated host is believed at his own level, and a voice far below it is doubted until it says it again."""

from __future__ import annotations

import numpy as np

from tests.stt.conftest import quiet, recording
from voicehost.audio.calibration import measure, speech_level
from voicehost.cli.evaluate import Situations
from voicehost.hosting.stakes import stake
from voicehost.stt.recogniser import UNKNOWN
from voicehost.stt.whisper import WhisperRecogniser
from voicehost.stt.whisper_model import WhisperModel

NAME = "000_festival"
COMMAND = ("nominate", {"seat": 5})


def softer(pcm: bytes, decibels: float) -> bytes:
    samples = np.frombuffer(pcm, "<i2").astype(np.float32) * 10 ** (-decibels / 20)
    return bytes(samples.astype("<i2").tobytes())


def readings(model: WhisperModel, host_level: float | None, *sounds: bytes) -> list[tuple[str, float | None]]:
    game = Situations("ru")
    expectation = game.expectation("speech")
    recogniser = WhisperRecogniser(model, care=stake, host_level=host_level)
    recogniser.expect(expectation.phrases, expectation)
    heard = [u for sound in sounds for u in recogniser.feed(sound + quiet(1.2, 3.0))]
    return [(utterance.text, utterance.confidence) for utterance in heard]


def test_at_the_hosts_level_calibration_changes_nothing(model: WhisperModel) -> None:
    said = recording(NAME)
    level = speech_level(measure(said), -70.0)
    alone = readings(model, None, said)
    assert len(alone) == 1
    assert Situations("ru").parse(alone[0][0], "speech") == COMMAND
    assert readings(model, level, said) == alone
    assert readings(model, level + 5, said) == alone


def test_a_voice_from_across_the_table_is_doubted_until_it_says_it_again(model: WhisperModel) -> None:
    said = softer(recording(NAME), 10)
    level = speech_level(measure(said), -70.0)
    first, again = readings(model, level + 30, said, said)
    assert first[0] == UNKNOWN
    assert Situations("ru").parse(again[0], "speech") == COMMAND
