from __future__ import annotations

import signal
import subprocess
import sys
import wave
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from voicehost.audio.player import SilentPlayer
from voicehost.audio.recorder import PAUSE, RATE, RecordingPlayer, WaveFile
from voicehost.errors import UserError


@dataclass(frozen=True)
class Sound:
    pcm: bytes
    rate: int


def read(path: Path) -> np.ndarray:
    with wave.open(str(path)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2")


def test_every_sound_is_written_and_played(tmp_path: Path) -> None:
    sounds = [np.full(2400, 1000, "<i2"), np.full(1200, -2000, "<i2")]
    player = RecordingPlayer(SilentPlayer(takes_time=False), tmp_path / "a.wav")
    for samples in sounds:
        assert player.play(Sound(samples.tobytes(), RATE)).done
    player.close()
    pause = np.zeros(round(PAUSE * RATE), "<i2")
    assert (read(tmp_path / "a.wav") == np.concatenate([sounds[0], pause, sounds[1], pause])).all()


def test_other_rates_are_converted(tmp_path: Path) -> None:
    player = RecordingPlayer(SilentPlayer(takes_time=False), tmp_path / "a.wav")
    player.play(Sound(np.full(16_000, 500, "<i2").tobytes(), 16_000))
    player.close()
    samples = read(tmp_path / "a.wav")
    assert len(samples) == RATE + round(PAUSE * RATE)
    assert samples[1000 : RATE - 1000] == pytest.approx(500, abs=2)


def test_the_file_is_whole_after_every_write_and_before_the_first(tmp_path: Path) -> None:
    file = WaveFile(tmp_path / "a.wav")
    assert len(read(tmp_path / "a.wav")) == 0
    for count in range(1, 4):
        file.write(bytes(2000))
        assert len(read(tmp_path / "a.wav")) == 1000 * count
    file.close()
    file.close()


@pytest.mark.skipif(sys.platform == "win32", reason="only on POSIX: there is no SIGKILL elsewhere")
def test_the_file_is_whole_after_the_program_was_killed(tmp_path: Path) -> None:
    program = """
import sys, time
from pathlib import Path
from voicehost.audio.recorder import WaveFile
file = WaveFile(Path(sys.argv[1]))
file.write(bytes(48000))
print("written", flush=True)
time.sleep(600)
"""
    with subprocess.Popen(
        [sys.executable, "-c", program, str(tmp_path / "a.wav")],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parent.parent.parent,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"written\n"
        process.send_signal(signal.SIGKILL)
    assert len(read(tmp_path / "a.wav")) == 24_000


@pytest.mark.parametrize("name", ["missing/a.wav", "."])
def test_a_file_that_cannot_be_made_is_told_before_the_game(tmp_path: Path, name: str) -> None:
    with pytest.raises(UserError) as caught:
        RecordingPlayer(SilentPlayer(takes_time=False), tmp_path / name)
    assert caught.value.key == "audio.record-failed"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only on Linux: /dev/full is a full disk")
def test_a_full_disk_ends_the_recording_and_not_the_game(tmp_path: Path) -> None:
    failures: list[UserError] = []
    path = tmp_path / "a.wav"
    player = RecordingPlayer(SilentPlayer(takes_time=False), path, failures.append)
    assert player._file is not None
    player._file._file.close()
    player._file._file = Path("/dev/full").open("wb")  # noqa: SIM115
    sound = Sound(bytes(200_000), RATE)
    assert player.play(sound).done
    assert player.play(sound).done
    assert [failure.key for failure in failures] == ["audio.record-failed"]
    player.close()
    assert len(read(path)) == 0
