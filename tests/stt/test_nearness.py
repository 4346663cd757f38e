"""The host is the voice nearest to the microphone."""

from __future__ import annotations

import numpy as np
import pytest

from tests.stt.conftest import recording
from voicehost.audio.calibration import measure, speech_level
from voicehost.audio.vad import frame_levels
from voicehost.stt.nearness import Nearest, voice_level

RATE = 16_000


def tone(seconds: float, level: float) -> bytes:
    samples = np.sin(np.arange(round(seconds * RATE)) * 0.3) * np.sqrt(2) * 10 ** (level / 20) * 32768
    return bytes(samples.astype("<i2").tobytes())


def test_a_voice_is_as_near_as_itself() -> None:
    nearest = Nearest()
    nearest.note(tone(1, -20), 1.0)
    assert nearest.sounded(tone(1, -20), 1.5, 2.5).softer == pytest.approx(0.0, abs=0.1)


def test_a_softer_voice_right_after_is_further_away() -> None:
    nearest = Nearest()
    nearest.note(tone(1, -20), 1.0)
    assert nearest.sounded(tone(1, -30), 1.5, 2.5).softer == pytest.approx(10.0, abs=0.1)


def test_a_louder_one_is_not() -> None:
    nearest = Nearest()
    nearest.note(tone(1, -30), 1.0)
    assert nearest.sounded(tone(1, -20), 1.5, 2.5).softer == 0.0


def test_after_a_while_anybody_may_be_the_host() -> None:
    nearest = Nearest(memory=4.0)
    nearest.note(tone(1, -20), 1.0)
    assert nearest.sounded(tone(1, -30), 4.9, 5.9).softer > 9
    assert nearest.sounded(tone(1, -30), 5.1, 6.1).softer == 0.0


def test_a_new_stream_knows_nobody() -> None:
    nearest = Nearest()
    nearest.note(tone(1, -20), 1.0)
    nearest.forget()
    assert nearest.sounded(tone(1, -40), 0.5, 1.5).softer == 0.0


def test_a_sound_with_softer_talk_behind_is_loud_only_in_part() -> None:
    sounded = Nearest().sounded(tone(0.5, -20) + tone(1.5, -32), 0.0, 2.0)
    assert sounded.seconds == 2.0
    assert sounded.loud == pytest.approx(0.5, abs=0.03)


def test_a_calibrated_host_is_expected_at_his_level_when_nobody_was_heard() -> None:
    nearest = Nearest(host_level=-20.0)
    assert nearest.sounded(tone(1, -20), 1.0, 2.0).softer == pytest.approx(0.0, abs=0.1)
    assert nearest.sounded(tone(1, -12), 1.0, 2.0).softer == 0.0
    turned_away, across_the_table = (nearest.sounded(tone(1, level), 1.0, 2.0).softer for level in (-26, -40))
    assert turned_away < 3.1  # what counts only beyond that: see ScoreSettings.softer
    assert across_the_table > 6.0


def test_a_short_word_is_as_loud_as_a_long_sentence() -> None:
    nearest = Nearest(host_level=-20.0)
    word = tone(0.4, -70) + tone(0.08, -20) + tone(0.6, -70)
    assert nearest.sounded(word, 1.0, 1.1).softer == pytest.approx(0.0, abs=0.6)


def test_a_host_who_has_moved_away_is_not_softer_when_he_says_it_again() -> None:
    nearest = Nearest(memory=4.0, host_level=-20.0)
    assert nearest.sounded(tone(1, -36), 0.0, 1.0).softer > 6.0
    nearest.note(tone(1, -36), 1.0)
    assert nearest.sounded(tone(1, -36), 2.0, 3.0).softer == pytest.approx(0.0, abs=0.1)
    assert nearest.sounded(tone(1, -36), 6.0, 7.0).softer > 6.0


def test_what_calibration_measures_is_what_is_expected_here() -> None:
    for name in ("000_festival", "024_festival", "asterisk_ru_04"):
        said = recording(name)
        calibrated = speech_level(measure(said), -70.0)
        assert voice_level(frame_levels(said)) == pytest.approx(calibrated, abs=2.0)


def test_nothing_has_no_loudness() -> None:
    nearest = Nearest()
    nearest.note(b"", 1.0)
    assert nearest.sounded(b"", 1.0, 1.0).loud == 0.0
