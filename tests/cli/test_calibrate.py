"""``voicehost calibrate``: from a recording, and with a host who reads into the virtual card's microphone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from contextlib import AbstractContextManager
from pathlib import Path
from queue import Empty, Queue
from time import monotonic

import numpy as np
import pytest

from tests.audio.portaudio import ScriptedPortAudio
from tests.cli.helpers import Call
from tests.components import RECORDINGS, require
from tests.virtual_card import RATE, VirtualCard
from voicehost.audio import calibration
from voicehost.audio.calibration import AIM, Calibration
from voicehost.cli.calibrate import STATES, phrases
from voicehost.cli.meter import WIDTH, bar
from voicehost.language.commands import parse
from voicehost.language.pack import load_pack
from voicehost.rules.situations import legal_in

VOICE = ["000", "005", "008", "011", "014", "017", "023", "024", "027", "029", "031", "038"]
"""The recordings of the twelve phrases, in their order."""

OLD = Calibration(gain=1, above_noise=6, level=-20, noise=-50)


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "voicehost" / "microphones.toml"


def spoken(name: str, louder: float = -12.0) -> np.ndarray:
    import soundfile

    samples, _ = soundfile.read(RECORDINGS / f"{name}_festival.flac", dtype="float32")
    return samples * 10 ** (louder / 20)


def noise(seconds: float, level: float = -62.0) -> np.ndarray:
    return np.random.default_rng(1).normal(0, 10 ** (level / 20), round(seconds * RATE)).astype(np.float32)


def recording(folder: Path, names: list[str], louder: float = -12.0) -> Path:
    """A recording of three quiet seconds and the phrases."""
    import soundfile

    parts: list[np.ndarray] = [noise(3.5)]
    for name in names:
        clip = spoken(name, louder)
        parts += [clip + noise(len(clip) / RATE)[: len(clip)], noise(1.5)]
    soundfile.write(folder / "host.wav", np.clip(np.concatenate(parts), -1, 1), RATE)
    return folder / "host.wav"


@pytest.mark.parametrize("language", ["ru", "bg"])
def test_every_phrase_is_a_command_at_its_moment(language: str) -> None:
    pack = load_pack(language)
    for phrase, state in zip(phrases(pack), STATES, strict=True):
        legal = legal_in(state)
        heard = parse(pack, phrase, legal)
        assert heard is not None, phrase
        assert heard.command.name in legal or heard.command.name == "confirm", phrase


def test_a_recording_gives_gain_and_threshold_for_the_device_that_is_named(call: Call, tmp_path: Path) -> None:
    require("vosk", "soundfile")
    file = recording(tmp_path, VOICE)
    done = call("calibrate", "--input", file, "--device", "Петличка", "--recogniser", "vosk")
    assert (done.status, done.err.count("voicehost:")) == (0, 0), done.err
    found = calibration.load("Петличка")
    assert found is not None
    assert found.level == pytest.approx(AIM, abs=3)
    assert 3 < found.gain < 8
    assert found.noise == pytest.approx(-62 + found.gain, abs=3)
    assert "12/12  «подтверждаю»" in done.out
    assert "из 12" in done.out
    understood = int(done.out.split("Понято ")[1].split()[0])
    assert understood >= 9


def test_without_a_name_it_is_shown_and_not_kept(call: Call, tmp_path: Path, own_settings: Path) -> None:
    require("vosk", "soundfile")
    done = call("calibrate", "--input", recording(tmp_path, VOICE[:8]), "--recogniser", "vosk")
    assert done.status == 0
    assert "--device" in done.out
    assert not own_settings.exists()


@pytest.mark.parametrize(("louder", "word"), [(-70.0, "слышно"), (30.0, "перегрузка")])
def test_a_host_who_cannot_be_used_changes_nothing(call: Call, tmp_path: Path, louder: float, word: str) -> None:
    require("vosk", "soundfile")
    calibration.save("Петличка", OLD)
    file = recording(tmp_path, VOICE, louder)
    done = call("calibrate", "--input", file, "--device", "Петличка", "--recogniser", "vosk")
    assert done.status == 1
    assert word in done.out
    assert len(done.err.strip().splitlines()) <= 2
    assert "прежняя настройка осталась" in done.err
    assert calibration.load("Петличка") == OLD


def test_without_a_microphone_one_sentence(call: Call, portaudio: ScriptedPortAudio) -> None:
    portaudio.entries.clear()
    done = call("calibrate")
    assert done.status == 1
    assert len(done.err.strip().splitlines()) == 1


@pytest.mark.usefixtures("portaudio")
def test_without_a_recogniser_one_sentence(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicehost.models.preferred", lambda kind, language: None)
    done = call("calibrate", "--recogniser", "vosk")
    assert done.status == 1
    assert len(done.err.strip().splitlines()) == 1


def test_the_meter_fills_with_the_level() -> None:
    lengths = [bar(level).count("█") for level in (-100.0, -70.0, -35.0, -12.0, 0.0)]
    assert lengths == [0, 0, WIDTH // 2, 33, WIDTH]


class Host:
    """Runs the command on the virtual card and reads phrases aloud when it asks for them."""

    def __init__(self, card: VirtualCard, home: Path, *options: str) -> None:
        environment = card.environment | {"XDG_CONFIG_HOME": str(home), "VOICEHOST_LANG": "ru", "NO_COLOR": "1"}
        self.card = card
        command = [sys.executable, "-u", "-m", "voicehost", "calibrate", "--recogniser", "vosk", *options]
        self.process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
        )
        self.lines: Queue[str] = Queue()
        self.told: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.rstrip())

    def wait_for(self, text: str) -> str:
        end = monotonic() + 60
        while monotonic() < end:
            try:
                self.told.append(self.lines.get(timeout=0.5))
            except Empty:
                assert self.process.poll() is None, (self.told, self.errors())
                continue
            if text in self.told[-1]:
                return self.told[-1]
        raise AssertionError(f"waited for {text}: {self.told}")

    def errors(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read()

    def say(self, name: str, louder: float = -12.0) -> None:
        samples = np.clip(np.rint(spoken(name, louder) * 32768), -32768, 32767)
        self.card.play(samples.astype("<i2").tobytes())

    def end(self) -> int:
        return self.process.wait(60)


def hum(card: VirtualCard) -> AbstractContextManager[None]:
    """A room that is not digitally silent."""
    return card.hum(np.rint(noise(200) * 32768).astype("<i2").tobytes())


@pytest.mark.live
@pytest.mark.slow
def test_a_host_reads_into_the_virtual_card(virtual_card: VirtualCard, own_settings: Path, call: Call) -> None:
    require("vosk", "soundfile")
    with hum(virtual_card):
        host = Host(virtual_card, own_settings.parent.parent)
        assert "Monitor of Null Output" in host.wait_for("Микрофон")
        for number, name in enumerate(VOICE, start=1):
            host.wait_for(f"{number}/12")
            if number == 2:
                host.say(name, louder=20)
                host.wait_for("перегрузка")
                host.wait_for("2/12")
            host.say(name)
            host.wait_for("хорошо")
        host.wait_for("Усиление")
        assert host.end() == 0, host.errors()
    found = calibration.load("Monitor of Null Output")
    assert found is not None
    assert found.level == pytest.approx(AIM, abs=3)
    assert found.noise == pytest.approx(-62 + found.gain, abs=4)


@pytest.mark.live
def test_a_host_who_stops_keeps_what_was(virtual_card: VirtualCard, own_settings: Path) -> None:
    require("vosk", "soundfile")
    calibration.save("Monitor of Null Output", OLD)
    with hum(virtual_card):
        host = Host(virtual_card, own_settings.parent.parent)
        for number, name in enumerate(VOICE[:2], start=1):
            host.wait_for(f"{number}/12")
            host.say(name)
            host.wait_for("хорошо")
        host.wait_for("3/12")
        os.kill(host.process.pid, signal.SIGINT)
        assert host.end() == 130
    errors = [line for line in host.errors().splitlines() if line.startswith("voicehost: ")]
    assert errors == ["voicehost: Остановлено на фразе 3; прежняя настройка микрофона осталась."]
    assert calibration.load("Monitor of Null Output") == OLD
