from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicehost.audio.vad import Endpointer

RNG = np.random.default_rng(3)


def noise(seconds: float, level: float) -> bytes:
    """White noise at a level in dB below full scale."""
    return (
        (RNG.normal(0, 32768 * 10 ** (level / 20), round(16_000 * seconds)).clip(-32768, 32767)).astype("<i2").tobytes()
    )


def feed(endpointer: Endpointer, pcm: bytes, step: int = 640) -> bytes:
    return b"".join(endpointer.feed(pcm[place : place + step]) for place in range(0, len(pcm), step))


@pytest.mark.parametrize("room", [-90, -60, -45, -35])
def test_finds_beginning_and_end_of_speech_above_the_noise(room: float) -> None:
    endpointer = Endpointer()
    feed(endpointer, noise(3.0, room))
    endpointer.close()
    feed(endpointer, noise(0.7, -20))
    assert endpointer.speech is not None
    assert endpointer.speech.began == pytest.approx(3.0, abs=0.03)
    feed(endpointer, noise(0.4, room))
    assert endpointer.speech.ended == pytest.approx(3.7, abs=0.03)
    assert endpointer.silence == pytest.approx(0.4, abs=0.03)
    assert endpointer.close() is not None
    assert endpointer.speech is None
    assert endpointer.silence == 0


def test_speech_right_at_the_beginning_is_found() -> None:
    endpointer = Endpointer()
    feed(endpointer, noise(0.3, -20))
    assert endpointer.speech is not None
    assert endpointer.speech.began == 0


def test_64_milliseconds_are_speech_and_a_click_is_not() -> None:
    short, click = Endpointer(), Endpointer()
    feed(short, noise(1.0, -60) + noise(0.07, -20) + noise(0.1, -60))
    feed(click, noise(1.0, -60) + noise(0.03, -20) + noise(0.1, -60))
    assert short.speech is not None
    assert click.speech is None


def test_steady_noise_is_not_speech_once_it_is_known() -> None:
    endpointer = Endpointer()
    feed(endpointer, noise(3.0, -30))
    endpointer.close()
    feed(endpointer, noise(5.0, -30))
    assert endpointer.speech is None
    assert endpointer.noise == pytest.approx(-30, abs=1.5)


def test_a_fan_that_starts_does_not_become_an_endless_speech() -> None:
    endpointer = Endpointer()
    feed(endpointer, noise(3.0, -60) + noise(4.0, -35))
    assert endpointer.speech is not None
    assert endpointer.silence > 0.7


def test_digital_silence_does_not_make_the_room_seem_quiet() -> None:
    endpointer = Endpointer()
    feed(endpointer, noise(4.0, -40))
    endpointer.close()
    before = endpointer.noise
    feed(endpointer, bytes(10 * 32_000))
    assert endpointer.noise == before
    feed(endpointer, noise(1.0, -40))
    assert endpointer.speech is None


def test_soft_syllables_between_loud_ones_do_not_end_speech() -> None:
    endpointer = Endpointer()
    feed(endpointer, noise(1.0, -60))
    for _ in range(5):
        feed(endpointer, noise(0.15, -20) + noise(0.15, -35))
        assert endpointer.silence < 0.2


def test_the_lead_in_is_given_out_with_the_beginning() -> None:
    endpointer = Endpointer()
    quiet, loud = noise(1.0, -60), noise(0.5, -20)
    assert feed(endpointer, quiet) == b""
    given_out = feed(endpointer, loud)
    assert (quiet + loud).endswith(given_out)
    assert len(given_out) / 32_000 == pytest.approx(0.5 + 0.4, abs=0.03)


def test_sound_is_given_out_once_only() -> None:
    endpointer = Endpointer()
    first = feed(endpointer, noise(1.0, -60) + noise(0.5, -20))
    endpointer.close()
    loud = noise(0.5, -20)
    second = feed(endpointer, loud)
    assert first
    assert loud.endswith(second)
    assert len(second) <= len(loud)


@given(st.lists(st.integers(1, 3000), min_size=1, max_size=40))
def test_any_cut_of_the_stream_gives_the_same_beginning(sizes: list[int]) -> None:
    rng = np.random.default_rng(7)
    pcm = np.concatenate([rng.normal(0, 20, 16_000), rng.normal(0, 3000, 16_000)]).astype("<i2").tobytes()
    endpointer = Endpointer()
    given_out, place = b"", 0
    for size in [*sizes, len(pcm)]:
        given_out += endpointer.feed(pcm[place : place + size])
        place += size
    assert endpointer.speech is not None
    assert endpointer.speech.began == pytest.approx(1.0, abs=0.02)
    assert pcm.endswith(given_out)
    # An odd byte, or less than a frame, may wait.
    assert endpointer.time == pytest.approx(2.0, abs=0.011)


def test_reset_forgets_time_and_noise() -> None:
    endpointer = Endpointer()
    feed(endpointer, noise(3.0, -30))
    endpointer.reset()
    assert endpointer.time == 0
    assert endpointer.speech is None
    assert endpointer.noise == Endpointer().noise
