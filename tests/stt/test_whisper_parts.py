"""The parts of Whisper's ear on a tiny model: features, weights, decoder, what the model expects."""

from __future__ import annotations

from math import erf
from pathlib import Path

import numpy as np
import pytest

from tests.stt.tiny_whisper import WIDTH, Tensors, plain_decode, random_weights, write_model
from voicehost.errors import UserError
from voicehost.stt.whisper_decoder import Decoder, gelu
from voicehost.stt.whisper_features import BANDS, log_mel, mel_filters
from voicehost.stt.whisper_prior import Nodes, Prior
from voicehost.stt.whisper_weights import read_weights

VOCABULARY = 30
WANTED = [3, 4, 5, 9, 17, 22, 29]


@pytest.fixture(scope="module")
def tensors() -> Tensors:
    return random_weights(VOCABULARY)


@pytest.fixture(scope="module")
def encoded() -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    return np.random.default_rng(5).standard_normal((7, WIDTH)).astype(np.float32)


def test_bands_cover_the_range_with_equal_areas() -> None:
    filters = mel_filters()
    assert filters.shape == (BANDS, 201)
    assert (filters >= 0).all()
    areas = filters.sum(axis=1)[20:] * 40.0
    assert areas == pytest.approx(np.ones(len(areas)), abs=0.15)
    assert (np.diff(filters.argmax(axis=1)) >= 0).all()


@pytest.mark.parametrize("hertz", [400.0, 1000.0, 3000.0])
def test_a_tone_is_loudest_in_its_own_band(hertz: float) -> None:
    tone = np.sin(2 * np.pi * hertz * np.arange(16_000) / 16_000).astype(np.float32)
    seen = log_mel(tone, 2.0)
    assert seen.shape == (BANDS, 200)
    assert seen[:, 50].argmax() == (mel_filters()[:, round(hertz / 40)]).argmax()
    assert (seen[:, 150] == seen.min()).all()


def test_features_equal_a_transform_by_hand() -> None:
    sound = np.random.default_rng(0).standard_normal(1600).astype(np.float32)
    seen = log_mel(sound, 0.1)
    piece = sound[800 - 200 : 800 + 200] * (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(400) / 400))
    turns = np.exp(-2j * np.pi * np.outer(np.arange(201), np.arange(400)) / 400)
    bands = mel_filters() @ np.abs(turns @ piece) ** 2
    assert seen[:, 5] == pytest.approx((np.log10(bands) + 4) / 4, abs=1e-4)


@pytest.mark.parametrize("samples", [0, 1, 100, 40_000])
def test_any_length_gives_the_window(samples: int) -> None:
    seen = log_mel(np.full(samples, 0.1, np.float32), 2.0)
    assert seen.shape == (BANDS, 200)
    assert np.isfinite(seen).all()


def test_weights_are_read_and_the_others_skipped(tmp_path: Path, tensors: Tensors) -> None:
    path = tmp_path / "model.bin"
    write_model(path, tensors)
    found = read_weights(path, lambda name: name.startswith("decoder/"))
    assert set(found) == {name for name in tensors if name.startswith("decoder/")}
    assert all((found[name] == tensors[name]).all() for name in found)


@pytest.mark.parametrize("damage", ["cut", "version", "specification", "empty", "text", "missing"])
def test_a_damaged_file_is_told(tmp_path: Path, tensors: Tensors, damage: str) -> None:
    path = tmp_path / "model.bin"
    write_model(path, tensors, version=5 if damage == "version" else 6,
                specification="TransformerSpec" if damage == "specification" else "WhisperSpec")  # fmt: skip
    match damage:
        case "cut":
            path.write_bytes(path.read_bytes()[:-300])
        case "empty":
            path.write_bytes(b"")
        case "text":
            path.write_bytes(b"version https://git-lfs.github.com/spec/v1\n" * 9)
        case "missing":
            path.unlink()
    with pytest.raises(UserError) as failure:
        read_weights(path, lambda name: True)
    assert failure.value.key == "models.broken"


def test_the_unit_is_the_error_functions() -> None:
    points = np.linspace(-6, 6, 241).astype(np.float32)
    by_hand = [x * 0.5 * (1 + erf(x / 2**0.5)) for x in map(float, points)]
    assert gelu(points) == pytest.approx(by_hand, abs=1e-6)


def test_the_decoder_equals_a_plain_one(tensors: Tensors, encoded: np.ndarray) -> None:  # type: ignore[type-arg]
    decoder = Decoder(tensors, WANTED)
    prefix = [1, 2, 8]
    run, first = decoder.start(decoder.listen(encoded), prefix)
    assert first == pytest.approx(plain_decode(tensors, encoded, prefix, WANTED), abs=1e-4)
    # Three hypotheses; then two of them go on, one of them twice.
    after = decoder.step(run, [0, 2, 5])
    for row, place in enumerate([0, 2, 5]):
        assert after[row] == pytest.approx(plain_decode(tensors, encoded, [*prefix, WANTED[place]], WANTED), abs=1e-4)
    run.select([2, 0, 2])
    after = decoder.step(run, [1, 1, 6])
    for row, places in enumerate([(5, 1), (0, 1), (5, 6)]):
        tokens = [*prefix, *(WANTED[place] for place in places)]
        assert after[row] == pytest.approx(plain_decode(tensors, encoded, tokens, WANTED), abs=1e-4)


def test_texts_judged_together_are_as_likely_as_each_alone(
    tensors: Tensors,
    encoded: np.ndarray,  # type: ignore[type-arg]
) -> None:
    decoder = Decoder(tensors, WANTED)
    prefix, end = [1, 2, 8], 6
    texts = [(0, 2, 5), (0, 2), (3,), (0, 2, 5, 5), (3, 0, 2), (0, 2, 5)]
    judged = decoder.judge(decoder.listen(encoded), prefix, texts, end)
    for text, total in zip(texts, judged, strict=True):
        alone = 0.0
        for count, place in enumerate((*text, end)):
            tokens = [*prefix, *(WANTED[before] for before in text[:count])]
            alone += float(plain_decode(tensors, encoded, tokens, WANTED)[place])
        assert total == pytest.approx(alone, abs=1e-3)


@pytest.mark.parametrize("kept", [2, 1000])
def test_what_is_expected_is_the_same_however_much_was_forgotten(
    tensors: Tensors,
    encoded: np.ndarray,
    kept: int,  # type: ignore[type-arg]
) -> None:
    decoder = Decoder(tensors, WANTED)
    memory = Nodes(kept)
    prior, other = (Prior(decoder, decoder.listen(encoded), begin, memory=memory) for begin in ([1, 2], [1, 2, 8]))
    assert prior.first == pytest.approx(plain_decode(tensors, encoded, [1, 2], WANTED), abs=1e-4)
    for texts in ([(0,), (3,)], [(0, 1), (3, 3)], [(0, 1, 2), (5, 5, 5)], [(4, 4, 4)], [(0, 1, 2)]):
        for text, found in zip(texts, prior.after(texts), strict=True):
            tokens = [1, 2, *(WANTED[place] for place in text)]
            assert found == pytest.approx(plain_decode(tensors, encoded, tokens, WANTED), abs=0.03)
        # Another prompt in the same memory keeps its own.
        tokens = [1, 2, 8, *(WANTED[place] for place in texts[0])]
        assert other.after(texts[:1])[0] == pytest.approx(plain_decode(tensors, encoded, tokens, WANTED), abs=0.03)
