"""A sound card without hardware: a PulseAudio server of its own, whose microphone hears its loudspeaker.

``from tests.virtual_card import virtual_card`` in a ``conftest.py`` makes the fixture known there.
"""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import pytest

from tests.components import require

RATE = 16_000


class VirtualCard:
    """A server with one loudspeaker at 16 kHz mono; what it plays is what the microphone hears."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._socket = folder / "pulse.sock"
        self._server: subprocess.Popen[bytes] | None = None
        self._listener: subprocess.Popen[bytes] | None = None
        self.play_to = "speaker"
        """The sink that ``play`` and ``hum`` go to."""
        folder.chmod(0o700)
        self.environment = os.environ | {
            "XDG_RUNTIME_DIR": str(folder),
            "PULSE_SERVER": f"unix:{self._socket}",
            "PULSE_RUNTIME_PATH": str(folder),
            "PULSE_COOKIE": str(folder / "cookie"),
        }

    def start(self) -> None:
        """Start the server and wait until it answers."""
        command = ["pulseaudio", "-n", "--disable-shm=yes", "--daemonize=no", "--exit-idle-time=-1"]
        command += ["--use-pid-file=no", "-L", f"module-native-protocol-unix socket={self._socket} auth-anonymous=1"]
        command += ["-L", f"module-null-sink sink_name=speaker rate={RATE} channels=1"]
        self._server = subprocess.Popen(
            command, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        end = monotonic() + 20
        while subprocess.run(["pactl", "info"], env=self.environment, capture_output=True, check=False).returncode:
            if self._server.poll() is not None or monotonic() > end:
                raise RuntimeError("the PulseAudio server did not start")
            sleep(0.05)
        self._run("pactl", "set-default-source", "speaker.monitor")
        # Somebody who always listens: without one the first block comes more than a second late.
        self._listener = subprocess.Popen(
            ["parec", "-d", "speaker.monitor"], env=self.environment, stdout=subprocess.DEVNULL
        )

    def kill(self) -> None:
        """End the server as a crash would."""
        for process in (self._listener, self._server):
            if process and process.poll() is None:
                process.kill()
                process.wait()
        self._listener = self._server = None
        self._socket.unlink(missing_ok=True)

    @property
    def server(self) -> subprocess.Popen[bytes] | None:
        """The server's process, to be stopped and continued."""
        return self._server

    def play(self, pcm: bytes) -> None:
        """Play 16 kHz samples from another program and wait until they have been sent."""
        command = ["pacat", "--raw", "--format=s16le", f"--rate={RATE}", "--channels=1", "-d", self.play_to]
        subprocess.run(command, env=self.environment, input=pcm, check=True)

    @contextmanager
    def hum(self, pcm: bytes) -> Iterator[None]:
        """Play 16 kHz samples meanwhile."""
        command = ["pacat", "--raw", "--format=s16le", f"--rate={RATE}", "--channels=1", "-d", self.play_to]
        with subprocess.Popen(command, env=self.environment, stdin=subprocess.PIPE) as player:
            threading.Thread(target=_feed, args=(player, pcm), daemon=True).start()
            try:
                yield
            finally:
                player.kill()

    def load(self, module: str, *options: str) -> None:
        """Load a module of the server, such as another microphone."""
        self._run("pactl", "load-module", module, *options)

    def _run(self, *command: str) -> None:
        subprocess.run(command, env=self.environment, check=True, capture_output=True)


def _feed(player: subprocess.Popen[bytes], pcm: bytes) -> None:
    assert player.stdin is not None
    with suppress(OSError):
        player.stdin.write(pcm)


@pytest.fixture
def virtual_card(monkeypatch: pytest.MonkeyPatch) -> Iterator[VirtualCard]:
    """The card, running, as the only sound hardware that PortAudio knows in this process."""
    require("virtual card")
    with TemporaryDirectory(prefix="vh-card-") as folder:
        card = VirtualCard(Path(folder))
        card.start()
        for name in ("XDG_RUNTIME_DIR", "PULSE_SERVER", "PULSE_RUNTIME_PATH", "PULSE_COOKIE"):
            monkeypatch.setenv(name, card.environment[name])
        _restart_portaudio()
        try:
            yield card
        finally:
            card.kill()
            monkeypatch.undo()
            _restart_portaudio()


def _restart_portaudio() -> None:
    """PortAudio knows only what was there when it started."""
    import sounddevice

    sounddevice._terminate()
    sounddevice._initialize()
