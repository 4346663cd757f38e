"""Whatever sound comes, recognisers and what leads to them neither fail nor hear a command."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.components import require
from tests.stt.noises import NOISES, RATE, VOICES, pcm
from voicehost.audio.files import BLOCK, FileSource
from voicehost.audio.pcm import Resampler, to_int16
from voicehost.cli.evaluate import Situations
from voicehost.stt.both import BothRecogniser
from voicehost.stt.recogniser import Recogniser, Utterance
from voicehost.stt.vosk import VoskRecogniser
from voicehost.stt.vosk_model import VoskModel

STATE = "any"
"""The moment at which most may be said."""

Pieces = list[tuple[str, float, float]]
"""Kind of sound, seconds, loudness."""


def pieces_of(kinds: Iterable[str]) -> st.SearchStrategy[Pieces]:
    """Up to three sounds one after another."""
    piece = st.tuples(st.sampled_from(list(kinds)), st.floats(0.02, 2.0), st.floats(0.001, 2.0))
    return st.lists(piece, min_size=1, max_size=3)


noises = pieces_of(NOISES)
blocks = st.lists(st.one_of(st.integers(0, 3_000), st.sampled_from([0, 1, 2, 959, 960, 64_000])), max_size=40)
quick = settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], derandomize=True
)


@pytest.fixture(scope="module")
def game() -> Situations:
    return Situations("ru")


@pytest.fixture(scope="module")
def vosk(tiny: VoskModel) -> Iterator[Recogniser]:
    require("voice check", "soundfile")
    made = VoskRecogniser(tiny, keep_sound=True)
    yield made
    made.close()


@pytest.fixture(scope="module")
def whisper() -> Iterator[Recogniser]:
    require("whisper model", "soundfile", "voice check")
    from voicehost.hosting.stakes import stake
    from voicehost.models import preferred
    from voicehost.stt.whisper import WhisperRecogniser

    found = preferred("whisper")
    assert found is not None
    made = WhisperRecogniser(found.folder, care=stake, keep_sound=True)
    yield made
    made.close()


def made_of(parts: Pieces, seed: int) -> bytes:
    rng = np.random.default_rng(seed)
    kinds = {**NOISES, **VOICES}
    sounds = [kinds[kind](round(seconds * RATE), rng) * loud for kind, seconds, loud in parts]
    return pcm(np.concatenate(sounds))


def commands(recogniser: Recogniser, game: Situations, sound: bytes, sizes: list[int]) -> list[str]:
    """What of a sound, fed in blocks of these bytes and then in ordinary ones, is taken for a command."""
    expectation = game.expectation(STATE)
    recogniser.expect(expectation.phrases, expectation)
    heard: list[Utterance] = []
    place = 0
    for size in sizes:
        heard += recogniser.feed(sound[place : place + size])
        place += size
    heard += [u for at in range(place, len(sound), 960) for u in recogniser.feed(sound[at : at + 960])]
    heard += recogniser.feed(bytes(48_000))
    heard += recogniser.finish()
    for utterance in heard:
        assert 0 <= utterance.began <= utterance.ended <= utterance.endpoint + 0.02
        assert utterance.sound
    return [utterance.text for utterance in heard if game.parse(utterance.text, STATE) is not None]


@settings(quick, max_examples=40)
@given(parts=noises, sizes=blocks, seed=st.integers(0, 1_000))
@example(parts=[("silence", 0.02, 1.0)], sizes=[], seed=0)
@example(parts=[("music", 2.0, 1.0)], sizes=[1] * 40, seed=304)
def test_vosk_hears_no_command_in_noise(
    vosk: Recogniser, game: Situations, parts: Pieces, sizes: list[int], seed: int
) -> None:
    assert commands(vosk, game, made_of(parts, seed), sizes) == []


@pytest.mark.slow
@settings(quick, max_examples=12)
@given(parts=noises, sizes=blocks, seed=st.integers(0, 1_000))
def test_whisper_hears_no_command_in_noise(
    whisper: Recogniser, game: Situations, parts: Pieces, sizes: list[int], seed: int
) -> None:
    assert commands(whisper, game, made_of(parts, seed), sizes) == []


@pytest.mark.slow
@settings(quick, max_examples=10)
@given(parts=noises, sizes=blocks, seed=st.integers(0, 1_000))
def test_both_hear_no_command_in_noise(
    whisper: Recogniser, vosk: Recogniser, game: Situations, parts: Pieces, sizes: list[int], seed: int
) -> None:
    assert commands(BothRecogniser(whisper, vosk), game, made_of(parts, seed), sizes) == []


@settings(quick, max_examples=20)
@given(parts=pieces_of([*VOICES, *NOISES]), sizes=blocks, seed=st.integers(0, 1_000))
def test_voices_and_noises_never_fail(
    vosk: Recogniser, game: Situations, parts: Pieces, sizes: list[int], seed: int
) -> None:
    assert len(commands(vosk, game, made_of(parts, seed), sizes)) <= 1


@pytest.mark.parametrize("kind", VOICES)
def test_loud_voices_cut_anywhere_are_hardly_ever_a_command(vosk: Recogniser, game: Situations, kind: str) -> None:
    taken = [commands(vosk, game, made_of([(kind, 2.0, 1.0)], seed), []) for seed in range(40)]
    assert sum(map(len, taken)) <= 2


@pytest.mark.parametrize("sound", [b"", b"\1", b"\1\2\3", bytes(1), bytes(31_999)])
def test_sounds_too_short_for_anything_are_nothing(vosk: Recogniser, game: Situations, sound: bytes) -> None:
    assert commands(vosk, game, sound, [0, 0, 1]) == []


# --- before the recogniser

wild = st.lists(
    st.one_of(
        st.floats(-2, 2, width=32),
        st.sampled_from([float("nan"), float("inf"), float("-inf"), 3.4e38, -3.4e38, 1e-45]),
    ),
    max_size=400,
)


@settings(quick, max_examples=200)
@given(values=wild)
def test_any_floats_become_samples(values: list[float]) -> None:
    given_ = np.asarray(values, np.float32)
    made = to_int16(given_)
    assert made.dtype == np.int16
    assert len(made) == len(values)
    plain = np.abs(given_) < 0.99
    assert np.all(np.abs(made[plain] - given_[plain] * 32_768) <= 0.51)
    assert np.all(made[np.isnan(given_)] == 0)


@settings(quick, max_examples=100)
@given(
    values=st.lists(st.integers(-32_768, 32_767), max_size=3_000),
    cuts=st.lists(st.integers(0, 700), max_size=12),
    rate=st.sampled_from([8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000, 192_000]),
)
def test_any_cut_of_any_samples_is_converted_alike(values: list[int], cuts: list[int], rate: int) -> None:
    samples = np.asarray(values, np.int16)
    whole, cut = Resampler(rate, RATE), Resampler(rate, RATE)
    once = np.concatenate([whole.feed(samples), whole.flush()])
    parts, place = [], 0
    for size in cuts:
        parts.append(cut.feed(samples[place : place + size]))
        place += size
    parts += [cut.feed(samples[place:]), cut.flush()]
    assert np.array_equal(np.concatenate(parts), once)
    assert abs(len(once) - len(samples) * RATE / rate) <= 1


@settings(quick, max_examples=40)
@given(
    values=wild,
    channels=st.integers(1, 3),
    rate=st.sampled_from([8_000, 16_000, 44_100, 48_000]),
    kind=st.sampled_from(["FLOAT", "DOUBLE", "PCM_U8", "PCM_24"]),
)
def test_any_recording_gives_whole_blocks_and_ends(
    tmp_path: Path, values: list[float], channels: int, rate: int, kind: str
) -> None:
    require("soundfile")
    import soundfile

    frames = len(values) // channels
    samples = np.asarray(values[: frames * channels], np.float64).reshape(frames, channels)
    soundfile.write(tmp_path / "wild.wav", samples, rate, subtype=kind)
    source = FileSource(tmp_path / "wild.wav")
    given_ = []
    while (block := source.read()) is not None:
        given_.append(block)
    assert source.ended
    assert all(len(block.pcm) == round(BLOCK * RATE) * 2 for block in given_[:-1])
    assert abs(sum(len(block.pcm) for block in given_) / 2 - frames * RATE / rate) <= 1
