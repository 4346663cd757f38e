from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep

import numpy as np
import pytest

from tests.components import require
from voicehost.audio.music import Music
from voicehost.errors import UserError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    require("soundfile")
    import soundfile

    (tmp_path / "inner").mkdir()
    soundfile.write(tmp_path / "b.flac", np.full(16_000, 0.5), 16_000)
    soundfile.write(tmp_path / "inner" / "c.wav", np.full(16_000, 0.5), 16_000)
    (tmp_path / "a.mp3").write_bytes(b"no music")
    (tmp_path / "cover.jpg").write_bytes(b"no music either")
    return tmp_path


def until(found: Callable[[], bool]) -> None:
    end = monotonic() + 20
    while not found():
        assert monotonic() < end, "nothing came"
        sleep(0.01)


def pulled(music: Music, *, softly: bool = False, seconds: float = 1.0) -> np.ndarray:
    parts = []
    music.pull(0, 16_000, softly=softly)  # now it knows the device's rate
    for _ in range(round(seconds * 10)):
        until(lambda: music._pieces.qsize() > 1 or len(music._rest) >= 1600)
        parts.append(music.pull(1600, 16_000, softly=softly))
    return np.concatenate(parts)


def test_is_silent_until_it_is_wanted_and_goes_on_for_ever(folder: Path) -> None:
    music = Music(folder, volume=0.5)
    assert not music.pull(1600, 16_000, softly=False).any()
    music.resume()
    samples = pulled(music, seconds=6.0)
    music.close()
    # Two seconds of music last for six, after fading in; the damaged file is passed over.
    assert samples[0] < 100
    assert (samples[32_000:] > 1000).mean() > 0.99


def test_wanted_before_the_device_runs_it_has_the_device_s_rate_all_the_same(tmp_path: Path) -> None:
    require("soundfile")
    import soundfile

    soundfile.write(tmp_path / "tone.wav", 0.5 * np.sin(2 * np.pi * 1000 * np.arange(64_000) / 16_000), 16_000)
    music = Music(tmp_path, volume=0.5)
    music.resume()
    sleep(0.3)
    samples = pulled(music, seconds=3.0)[-16_000:]
    music.close()
    assert np.abs(np.fft.rfft(samples)).argmax() == pytest.approx(1000, abs=5)


def test_is_softer_below_the_voice(folder: Path) -> None:
    music = Music(folder, volume=0.5, below_voice=0.2)
    music.resume()
    loud = pulled(music, seconds=3.0)
    soft = pulled(music, softly=True, seconds=3.0)
    again = pulled(music, seconds=3.0)
    music.close()
    assert np.median(soft[-8000:]) == pytest.approx(np.median(loud[-8000:]) * 0.2, rel=0.05)
    assert np.median(again[-8000:]) == pytest.approx(np.median(loud[-8000:]), rel=0.05)


def test_pauses(folder: Path) -> None:
    music = Music(folder, volume=0.5)
    music.resume()
    pulled(music, seconds=2.0)
    music.pause()
    pulled(music, seconds=2.0)
    assert not music.pull(1600, 16_000, softly=False).any()
    music.close()


@pytest.mark.parametrize("name", ["missing", "empty"])
def test_a_folder_without_music_is_told(tmp_path: Path, name: str) -> None:
    require("soundfile")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError) as caught:
        Music(tmp_path / name)
    assert caught.value.key == "audio.no-music"


def test_a_folder_of_rubbish_is_silent(tmp_path: Path) -> None:
    require("soundfile")
    (tmp_path / "a.mp3").write_bytes(b"no music")
    music = Music(tmp_path)
    music.resume()
    assert not music.pull(1600, 16_000, softly=False).any()
    music.close()
