"""Whole games on the virtual card: other rates, a card that goes and comes back, a server that hangs, no echo."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, Queue
from time import monotonic, sleep
from typing import Any

import numpy as np
import pytest

from tests.audio.live_game import begun
from tests.components import RECORDINGS, Misheard, require
from tests.virtual_card import RATE, VirtualCard
from voicehost.audio import calibration
from voicehost.audio.calibration import Calibration

pytestmark = [pytest.mark.live, pytest.mark.slow]

TO_SPEECH = ("начинаем игру", "дальше", "дальше")


def clip(name: str, louder: float = -6.0) -> bytes:
    import soundfile

    samples, _ = soundfile.read(RECORDINGS / f"{name}_festival.flac", dtype="float32")
    silence = np.zeros(RATE // 5, np.float32)
    sound = np.concatenate([silence, samples * 10 ** (louder / 20), silence])
    return np.clip(np.rint(sound * 32768), -32768, 32767).astype("<i2").tobytes()


class Game:
    """The program hosting a game, hearing the card and reading typed lines."""

    def __init__(self, card: VirtualCard, folder: Path, *options: str) -> None:
        self.card = card
        environment = card.environment | {
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_DATA_HOME": str(folder / "data"),
            "VOICEHOST_LANG": "ru",
        }
        command = [sys.executable, "-u", "-m", "voicehost", "play", "--input", "mic", "--recogniser", "vosk", "--json"]
        command += ["--journal", str(folder / "games.db"), *options]
        self.process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        self.told: list[dict[str, Any]] = []
        self.errors: list[str] = []
        self._lines: Queue[dict[str, Any]] = Queue()
        for stream, take in ((self.process.stdout, self._take), (self.process.stderr, self.errors.append)):
            threading.Thread(target=lambda s=stream, t=take: [t(line) for line in s], daemon=True).start()

    def _take(self, line: str) -> None:
        self._lines.put(json.loads(line))

    def type(self, *lines: str) -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait_for(self, seconds: float = 40, **fields: Any) -> dict[str, Any]:
        """The next message with these fields."""
        end = monotonic() + seconds
        while monotonic() < end:
            try:
                message = self._lines.get(timeout=0.2)
            except Empty:
                assert self.process.poll() is None, (self.told[-5:], self.errors)
                continue
            self.told.append(message)
            if all(message.get(key) == value for key, value in fields.items()):
                return message
        raise AssertionError(f"waited for {fields}: {self.told[-8:]} {self.errors}")

    def hear(self, recording: str, louder: float = -6.0, /, **fields: Any) -> dict[str, Any]:
        """Say a recording until it is understood: a busy computer leaves gaps."""
        for _ in range(3):
            self.card.play(clip(recording, louder))
            try:
                return self.wait_for(8, **fields)
            except AssertionError:
                continue
        raise AssertionError(f"not heard: {self.told[-8:]} {self.errors}")


@contextmanager
def game(card: VirtualCard, folder: Path, *options: str, step: str = "lobby") -> Iterator[Game]:
    require("vosk", "soundfile")
    played = Game(card, folder, *options)
    try:
        played.wait_for(type="ready", step=step)
        yield played
    finally:
        if played.process.poll() is None:
            played.type("/quit")
            try:
                played.process.wait(40)
            finally:
                played.process.kill()


@contextmanager
def speaking_game(card: VirtualCard, folder: Path) -> Iterator[Game]:
    """A game with a voice in its first speech: the long lines of the deal need not be heard again."""
    with game(card, folder, *begun(folder, lines=TO_SPEECH), "--voice", "auto", step="speech") as played:
        played.type("продолжить")
        played.wait_for(type="timer", name="speech", state="resumed")
        yield played


def test_a_card_that_goes_and_comes_back_costs_only_the_time_it_was_gone(
    virtual_card: VirtualCard, tmp_path: Path
) -> None:
    with game(virtual_card, tmp_path, "--voice", "none") as played:
        played.type(*TO_SPEECH)
        played.wait_for(type="timer", name="speech", state="started")
        played.hear("000", type="event", name="seat-nominated", seat=5)
        virtual_card.kill()
        played.wait_for(type="say", phrase="microphone-lost")
        played.wait_for(type="timer", name="speech", state="paused")
        played.type("фол третьему")
        played.wait_for(type="event", name="foul-given", seat=3)
        virtual_card.start()
        played.wait_for(type="say", phrase="microphone-back")
        played.wait_for(type="timer", name="speech", state="resumed")
        played.hear("024", type="event", name="paused")


def test_a_sound_server_that_hangs_stops_neither_the_game_nor_its_end(
    virtual_card: VirtualCard, tmp_path: Path
) -> None:
    assert virtual_card.server is not None
    with speaking_game(virtual_card, tmp_path) as played:
        virtual_card.server.send_signal(signal.SIGSTOP)
        try:
            played.wait_for(type="say", phrase="microphone-lost")
            played.type("фол третьему")
            played.wait_for(type="event", name="foul-given", seat=3)
        finally:
            virtual_card.server.send_signal(signal.SIGCONT)
        played.wait_for(type="say", phrase="microphone-back", seconds=60)
        virtual_card.server.send_signal(signal.SIGSTOP)
        try:
            played.type("/quit")
            assert played.process.wait(60) == 0
        finally:
            virtual_card.server.send_signal(signal.SIGCONT)


def test_a_server_that_hangs_at_the_start_leaves_typed_lines(virtual_card: VirtualCard, tmp_path: Path) -> None:
    assert virtual_card.server is not None
    virtual_card.server.send_signal(signal.SIGSTOP)
    try:
        command = [sys.executable, "-m", "voicehost", "play", "--journal", str(tmp_path / "games.db"), "--json"]
        done = subprocess.run(
            command,
            input="начинаем игру\n/quit\n",
            env=virtual_card.environment | {"VOICEHOST_LANG": "ru"},
            capture_output=True,
            encoding="utf-8",
            timeout=90,
            check=False,
        )
    finally:
        virtual_card.server.send_signal(signal.SIGCONT)
    assert done.returncode == 0, done.stderr
    assert "не отвечает" in done.stderr
    assert '"game-started"' in done.stdout


def test_what_was_calibrated_is_used(
    virtual_card: VirtualCard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host 40 dB too quiet is heard with a gain of 30 and not without."""
    known = Calibration(gain=30, above_noise=6, level=-33, noise=-70)
    calibration.save("Monitor of Null Output", known, tmp_path / "config" / "voicehost" / "microphones.toml")
    with game(virtual_card, tmp_path, "--voice", "none") as played:
        played.type(*TO_SPEECH)
        played.wait_for(type="timer", name="speech", state="started")
        played.hear("000", -44, type="event", name="seat-nominated", seat=5)
        assert not any("calibrate" in line for line in played.errors)
    assert calibration.load("Monitor of Null Output", tmp_path / "none.toml") is None


def test_with_the_key_up_nothing_is_heard(virtual_card: VirtualCard, tmp_path: Path) -> None:
    with game(virtual_card, tmp_path, "--voice", "none", "--trigger", "push") as played:
        played.type(*TO_SPEECH)
        played.wait_for(type="timer", name="speech", state="started")
        for name in ("000", "024"):
            virtual_card.play(clip(name))
        sleep(2)
        played.type("фол третьему")
        played.wait_for(type="event", name="foul-given", seat=3)
        heard = [message for message in played.told if message["type"] in {"heard", "unrecognised"}]
        assert [message.get("text") for message in heard[-1:]] == ["фол третьему"]
        assert not any(message.get("name") == "seat-nominated" for message in played.told)
        assert any("--web" in line for line in played.errors)


def echo_cancelling(card: VirtualCard) -> None:
    """A room in which the microphone hears loudspeaker and host, and a source without the loudspeaker."""
    card.load("module-null-sink", "sink_name=room", f"rate={RATE}", "channels=1")
    card.load("module-remap-source", "master=room.monitor", "source_name=mic")
    card.load("module-loopback", "source=speaker.monitor", "sink=room", "latency_msec=60")
    try:
        card.load("module-echo-cancel", "source_master=mic", "sink_master=speaker", "aec_method=webrtc")
    except subprocess.CalledProcessError:
        pytest.skip("PulseAudio was built without echo cancellation (apt install pulseaudio-module-echo-cancel)")


def test_the_host_interrupts_a_line_where_echo_is_cancelled(virtual_card: VirtualCard, tmp_path: Path) -> None:
    echo_cancelling(virtual_card)
    require("espeak-ng")
    virtual_card.play_to = "room"
    with speaking_game(virtual_card, tmp_path) as played:
        assert any("стоп" in line for line in played.errors)
        # What the system takes away of the loudspeaker may take a word of the host's with it: he says it again.
        for attempt in range(8):
            if attempt % 4 == 0:
                played.type("что можно сказать")
                played.wait_for(type="say", phrase="help")
                sleep(1.5)
            if attempt == 0:
                virtual_card.play(clip("000"))
            virtual_card.play(clip("024"))
            with suppress(AssertionError):
                played.wait_for(type="event", name="paused", seconds=20 if attempt == 7 else 3)
                break
        else:
            pytest.fail(f"no pause over the line: {played.told[-12:]}")
        if any(message.get("name") == "seat-nominated" for message in played.told):
            raise Misheard("over a line only a stop counts")
