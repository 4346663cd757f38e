"""The push key at a real terminal, over the virtual card: a recording is a command only after the key."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from time import monotonic, sleep

import pytest

from tests.cli.test_play_on_card import clip
from tests.components import require
from tests.virtual_card import VirtualCard

pytestmark = [pytest.mark.live, pytest.mark.slow]

pty = pytest.importorskip("pty", reason="only on POSIX: Windows has no pseudo terminals")

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b\][^\x07]*\x07|\r")


class Screen:
    """The program at a terminal."""

    def __init__(self, card: VirtualCard, folder: Path, *options: str) -> None:
        self._master, slave = pty.openpty()
        environment = card.environment | {
            "XDG_CONFIG_HOME": str(folder / "config"),
            "VOICEHOST_LANG": "ru",
            "TERM": "xterm",
            "COLUMNS": "120",
            "LINES": "40",
        }
        command = [sys.executable, "-m", "voicehost", "play", "--input", "mic", "--recogniser", "vosk", "--voice"]
        command += ["none", "--journal", str(folder / "games.db"), *options]
        self.process = subprocess.Popen(command, env=environment, stdin=slave, stdout=slave, stderr=slave)
        os.close(slave)
        self._seen = ""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        pending = b""
        while True:
            try:
                data = os.read(self._master, 65536)
            except OSError:
                return
            if b"\x1b[6n" in data:
                os.write(self._master, b"\x1b[1;1R")  # where the cursor is
            pending += data
            self._seen += pending.decode("utf-8", errors="ignore")
            pending = b""

    @property
    def text(self) -> str:
        return ESCAPES.sub("", self._seen)

    def keys(self, text: str) -> None:
        os.write(self._master, text.encode())

    def wait_for(self, text: str, seconds: float = 40) -> None:
        end = monotonic() + seconds
        while text not in self.text:
            assert monotonic() < end, f"waited for {text}: {self.text[-2000:]}"
            assert self.process.poll() is None, self.text[-2000:]
            sleep(0.05)

    def close(self) -> None:
        self.keys("/quit\r")
        try:
            self.process.wait(20)
        finally:
            self.process.kill()
            os.close(self._master)


@pytest.mark.parametrize(("name", "key"), [("space", " "), ("f2", "\x1bOQ")])
def test_a_recording_is_a_command_only_after_the_key(
    virtual_card: VirtualCard, tmp_path: Path, name: str, key: str
) -> None:
    require("vosk", "soundfile")
    screen = Screen(virtual_card, tmp_path, "--trigger", "push", "--push-key", name)
    try:
        screen.wait_for("не слушаю")
        for line in ("начинаем игру", "дальше", "дальше"):
            screen.keys(line + "\r")
        screen.wait_for("номер один, одна минута")
        virtual_card.play(clip("000"))
        sleep(2)
        assert "Принято" not in screen.text
        for _ in range(3):  # a busy computer leaves gaps
            screen.keys(key)
            screen.wait_for("СЛУШАЮ", 5)
            virtual_card.play(clip("000"))
            try:
                screen.wait_for("Принято, номер пять.", 8)
            except AssertionError:
                continue
            break
        screen.wait_for("Принято, номер пять.", 1)
        virtual_card.play(clip("024"))
        sleep(2)
        assert "‖" not in screen.text, "one press is for one utterance"
    finally:
        screen.close()
