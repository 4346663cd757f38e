"""Gain and threshold of a microphone: worked out of levels, kept by the device's name."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.components import RECORDINGS, require
from voicehost.audio import calibration
from voicehost.audio.calibration import AIM, GAINS, HIGHEST_PEAK, Calibration, Take, measure, speech_level, verdict
from voicehost.audio.pcm import SAMPLE_RATE
from voicehost.audio.vad import Endpointer
from voicehost.errors import UserError

RANDOM = np.random.default_rng(3)


def sound(level: float, seconds: float = 1.0) -> np.ndarray:
    """Noise of a level in dBFS."""
    return RANDOM.normal(0, 32768 * 10 ** (level / 20), round(seconds * SAMPLE_RATE))


def pcm(*parts: np.ndarray) -> bytes:
    return np.clip(np.rint(np.concatenate(parts)), -32768, 32767).astype("<i2").tobytes()


def phrase(level: float, noise: float) -> Take:
    return measure(pcm(sound(noise, 0.3), sound(level, 1.0), sound(noise, 0.3)))


def test_levels_peak_and_clipping_are_measured() -> None:
    take = measure(pcm(sound(-30)))
    assert take.noise == pytest.approx(-31, abs=1)
    assert -22 < take.peak < -14
    assert take.clipped == 0
    assert not take.silent
    assert measure(pcm(sound(0))).clipped > 0.1
    assert measure(bytes(3200)).silent
    assert measure(b"").silent


@pytest.mark.parametrize("noise", [-80.0, -60.0, -50.0])
@pytest.mark.parametrize("level", [-45.0, -35.0, -25.0, -18.0])
def test_the_host_comes_out_as_loud_as_wanted(level: float, noise: float) -> None:
    if level - noise < 10:
        return
    found = calibration.work_out(measure(pcm(sound(noise, 3))), [phrase(level, noise) for _ in range(12)])
    assert found.gain == pytest.approx(AIM - level, abs=1)
    assert found.level == pytest.approx(AIM, abs=0.5)
    assert found.noise == pytest.approx(noise + found.gain, abs=1.5)


def test_the_gain_never_overdrives() -> None:
    spiky = sound(-40)
    spiky[::4000] = 12_000
    found = calibration.work_out(measure(pcm(sound(-70, 3))), [measure(pcm(spiky))])
    assert found.gain == pytest.approx(HIGHEST_PEAK - 20 * np.log10(12_000 / 32768), abs=0.2)
    assert found.level < AIM


@pytest.mark.parametrize("level", [-75.0, 0.0])
def test_the_gain_has_limits(level: float) -> None:
    found = calibration.work_out(measure(pcm(sound(-95, 3))), [phrase(level, -95)])
    assert GAINS[0] <= found.gain <= GAINS[1]


def test_the_threshold_is_between_the_noise_and_the_quietest_phrase() -> None:
    room = measure(pcm(sound(-60, 3)))
    near = calibration.work_out(room, [phrase(-25, -60) for _ in range(12)])
    far = calibration.work_out(room, [phrase(-45, -60) for _ in range(12)])
    assert 4 <= far.above_noise < near.above_noise <= 15
    assert far.above_noise <= 15 - 8 + 1


def test_a_restless_room_needs_a_higher_threshold() -> None:
    calm = measure(pcm(sound(-60, 3)))
    restless = measure(pcm(*[part for _ in range(10) for part in (sound(-60, 0.25), sound(-52, 0.05))]))
    takes = [phrase(-38, -60) for _ in range(12)]
    assert calibration.work_out(restless, takes).above_noise > calibration.work_out(calm, takes).above_noise


def test_without_phrases_there_is_nothing_to_work_out() -> None:
    with pytest.raises(ValueError, match="no phrases"):
        calibration.work_out(measure(pcm(sound(-60))), [])


@pytest.mark.parametrize(
    ("take", "word"),
    [
        (phrase(-30, -60), "fine"),
        (phrase(-55, -60), "quiet"),
        (measure(pcm(sound(-1))), "clipped"),
        (measure(bytes(32000)), "quiet"),
    ],
)
def test_a_host_is_told_what_is_wrong(take: Take, word: str) -> None:
    assert verdict(take, -60) == word


def recording(name: str) -> np.ndarray:
    import soundfile

    samples, rate = soundfile.read(RECORDINGS / name, dtype="float32")
    assert rate == SAMPLE_RATE
    return samples * 32768


VOICE = sorted(path.name for path in RECORDINGS.glob("0*_festival.flac"))[:12]


@pytest.mark.parametrize("quieter", [0.0, -12.0, -24.0])
@pytest.mark.parametrize("noise", [-75.0, -65.0])
def test_real_speech_is_cut_out_as_one_utterance_with_what_was_worked_out(quieter: float, noise: float) -> None:
    require("soundfile")
    clips = [recording(name) * 10 ** (quieter / 20) for name in VOICE]
    room = sound(noise, 3)
    found = calibration.work_out(
        measure(pcm(room)), [measure(pcm(clip + sound(noise, len(clip) / SAMPLE_RATE)[: len(clip)])) for clip in clips]
    )
    loudness = [speech_level(measure(pcm(clip * 10 ** (found.gain / 20))), found.noise) for clip in clips]
    assert np.median(loudness) == pytest.approx(found.level, abs=1.5)
    assert max(np.abs(clip).max() for clip in clips) * 10 ** (found.gain / 20) < 32768
    for clip in clips:
        cut = Endpointer(found.speech)
        padded = np.concatenate([np.zeros(16_000), clip, np.zeros(16_000)])
        heard = (padded + sound(noise, len(padded) / SAMPLE_RATE)[: len(padded)]) * 10 ** (found.gain / 20)
        cut.feed(pcm(room * 10 ** (found.gain / 20)))
        assert cut.speech is None, "the room is not speech"
        for place in range(0, len(heard), 320):
            cut.feed(pcm(heard[place : place + 320]))
            if cut.speech is not None and cut.silence > 0.7:
                break
        assert cut.speech is not None


def test_what_is_known_is_kept_by_name(tmp_path: Path) -> None:
    file = tmp_path / "new" / "microphones.toml"
    first = Calibration(gain=12.5, above_noise=7, level=-23, noise=-50, measured="2026-05-01")
    second = Calibration(gain=-3, above_noise=9.5, level=-24, noise=-70)
    assert calibration.load("Петличка «А»", file) is None
    calibration.save("Петличка «А»", first, file)
    calibration.save('USB "Mic"\\ 2.0 [hw:1]', second, file)
    assert calibration.load("Петличка «А»", file) == first
    assert calibration.load('USB "Mic"\\ 2.0 [hw:1]', file) == second
    calibration.save("Петличка «А»", second, file)
    assert calibration.load("Петличка «А»", file) == second
    assert [path.name for path in file.parent.iterdir()] == ["microphones.toml"]


@pytest.mark.parametrize(
    "text",
    ["[", "[m]\ngain = 200\nabove_noise = 6\nlevel = -23\nnoise = -50", "m = 1", "[m]\ngain = 1", "[m]\ngain='x'"],
)
def test_a_broken_file_is_told_and_replaced(tmp_path: Path, text: str) -> None:
    file = tmp_path / "microphones.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as caught:
        calibration.load("m", file)
    assert caught.value.key == "audio.calibration-broken"
    known = Calibration(gain=1, above_noise=6, level=-23, noise=-50)
    calibration.save("m", known, file)
    assert calibration.load("m", file) == known


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    known = Calibration(gain=1, above_noise=6, level=-23, noise=-50)
    with pytest.raises(UserError) as caught:
        calibration.save("m", known, tmp_path / "file" / "microphones.toml")
    assert caught.value.key == "audio.calibration-unwritable"


def test_it_lies_in_the_users_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert calibration.path().name == "microphones.toml"
