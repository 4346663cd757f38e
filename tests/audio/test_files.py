from __future__ import annotations

from pathlib import Path
from time import monotonic

import numpy as np
import pytest

from tests.components import RECORDINGS, require
from voicehost.audio.files import FileSource, read_sound
from voicehost.audio.pcm import Block
from voicehost.errors import UserError


@pytest.fixture(autouse=True)
def _soundfile() -> None:
    require("soundfile")


def write(path: Path, samples: np.ndarray, rate: int, **options: str) -> Path:
    import soundfile

    soundfile.write(path, samples, rate, **options)
    return path


def blocks(source: FileSource) -> list[Block]:
    return list(iter(source.read, None))


def tone(rate: int, seconds: float = 1.0) -> np.ndarray:
    return np.sin(2 * np.pi * 300 * np.arange(round(rate * seconds)) / rate) * 0.25


@pytest.mark.parametrize("rate", [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 12_345])
def test_any_rate_becomes_16_khz(tmp_path: Path, rate: int) -> None:
    source = FileSource(write(tmp_path / "a.wav", tone(rate), rate))
    assert source.seconds == pytest.approx(1.0, abs=0.001)
    samples = np.frombuffer(b"".join(block.pcm for block in blocks(source)), "<i2")
    assert abs(len(samples) - 16_000) <= 2
    assert np.abs(samples).max() == pytest.approx(8192, rel=0.02)


@pytest.mark.parametrize("kind", ["wav", "flac", "ogg"])
def test_all_three_kinds_are_read(tmp_path: Path, kind: str) -> None:
    pcm = read_sound(write(tmp_path / f"a.{kind}", tone(16_000), 16_000))
    assert np.frombuffer(pcm, "<i2")[:15_000] == pytest.approx(tone(16_000)[:15_000] * 32768, abs=600)


def test_16_khz_samples_arrive_unchanged(tmp_path: Path) -> None:
    samples = np.random.default_rng(0).integers(-32768, 32768, 16_000).astype(np.int16)
    pcm = read_sound(write(tmp_path / "a.wav", samples, 16_000))
    assert pcm == samples.astype("<i2").tobytes()


def test_channels_are_mixed(tmp_path: Path) -> None:
    both = np.stack([np.full(1600, 0.5), np.full(1600, -0.25), np.zeros(1600)], axis=1)
    samples = np.frombuffer(read_sound(write(tmp_path / "a.wav", both, 16_000)), "<i2")
    assert samples == pytest.approx(np.full(1600, 0.25 / 3 * 32768), abs=1)


def test_what_is_no_number_is_silence_in_its_channel_only(tmp_path: Path) -> None:
    both = np.stack([np.full(1600, np.nan), np.full(1600, 0.5)], axis=1)
    both[:10, 1] = np.inf
    samples = np.frombuffer(read_sound(write(tmp_path / "a.wav", both, 16_000, subtype="FLOAT")), "<i2")
    assert samples[:10] == pytest.approx(np.full(10, 16384), abs=1)
    assert samples[10:] == pytest.approx(np.full(1590, 8192), abs=1)


def test_blocks_are_stamped_with_the_recordings_own_time(tmp_path: Path) -> None:
    source = FileSource(write(tmp_path / "a.wav", tone(16_000, 0.1), 16_000), block=0.04)
    given = blocks(source)
    assert [block.began for block in given] == pytest.approx([0, 0.04, 0.08])
    assert [block.arrived for block in given] == pytest.approx([0.04, 0.08, 0.1])
    assert [block.seconds for block in given] == pytest.approx([0.04, 0.04, 0.02])
    assert source.ended
    assert source.read() is None


def test_a_recording_without_samples_ends_at_once(tmp_path: Path) -> None:
    source = FileSource(write(tmp_path / "a.wav", np.zeros(0), 16_000))
    assert not source.ended
    assert source.read() is None
    assert source.ended


@pytest.mark.live
def test_a_paced_recording_takes_its_time(tmp_path: Path) -> None:
    source = FileSource(write(tmp_path / "a.wav", tone(16_000, 0.3), 16_000), block=0.05, paced=True)
    began = monotonic()
    assert source.read(timeout=0.01) is None
    assert not source.ended
    given = blocks(source)
    assert len(given) == 6
    assert monotonic() - began >= 0.3
    assert all(block.arrived - began >= block.began for block in given)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.wav", b""),
        ("text.wav", "это не звук".encode()),
        ("header.wav", b"RIFF\x00\x00\x00\x00WAVE"),
        ("noise.flac", b"fLaC" + bytes(range(256)) * 4),
        ("a.raw", bytes(1000)),
        ("no extension", bytes(1000)),
    ],
)
def test_what_is_no_recording_is_told_in_one_sentence(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UserError) as caught:
        blocks(FileSource(tmp_path / name))
    assert caught.value.key == "audio.file-unreadable"
    assert caught.value.params["path"] == tmp_path / name


def test_a_damaged_recording_gives_what_can_be_read_or_is_told(tmp_path: Path) -> None:
    whole = (RECORDINGS / "000_festival.flac").read_bytes()
    path = tmp_path / "a.flac"
    for cut in range(100, len(whole), len(whole) // 20):
        path.write_bytes(whole[:cut])
        try:
            blocks(FileSource(path))
        except UserError as error:
            assert error.key == "audio.file-unreadable"  # noqa: PT017


def test_a_rate_that_no_sound_has_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        FileSource(write(tmp_path / "a.wav", tone(16_000), 100))
    assert caught.value.key == "audio.file-unreadable"


@pytest.mark.parametrize("name", ["missing.wav", "."])
def test_no_file_there(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError) as caught:
        FileSource(tmp_path / name)
    assert caught.value.key == "audio.file-missing"
