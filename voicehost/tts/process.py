"""Programs that can be killed: every engine runs in a process of its own, under a deadline."""

from __future__ import annotations

import atexit
import contextlib
import os
import queue
import signal
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

from voicehost.tts.voice import VoiceFailed

_LIVE: weakref.WeakSet[subprocess.Popen[bytes]] = weakref.WeakSet()


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment for a child: ours, UTF-8 whatever the console's code page is, and ``extra``."""
    return {**os.environ, "PYTHONUTF8": "1", "PYTHONIOENCODING": "utf-8", **(extra or {})}


def spawn(argv: Sequence[str], stderr: IO[bytes], extra: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
    """Start a program in a group of its own, so that Ctrl+C stays with us and killing takes its children too.

    Raises OSError when it cannot be started.
    """
    flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    process = subprocess.Popen(
        list(argv),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env=environment(extra),
        start_new_session=os.name == "posix",
        creationflags=flags,
    )
    _LIVE.add(process)
    return process


def kill(process: subprocess.Popen[bytes], group: bool = False) -> None:
    """End a process and whatever it started, for certain; harmless when it is gone already.

    ``group``: end its group even if it is gone itself, because something of it is known to hold our pipe.
    """
    if process.poll() is None or group:
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        else:
            with contextlib.suppress(OSError):
                subprocess.run(["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False)
        with contextlib.suppress(OSError):
            process.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=5)
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()
    _LIVE.discard(process)


@atexit.register
def _kill_all() -> None:
    for process in list(_LIVE):
        kill(process)


def run(name: str, argv: Sequence[str], data: bytes, seconds: float, extra: Mapping[str, str] | None = None) -> bytes:
    """Run a program to its end with ``data`` on stdin and return its stdout.

    Raises VoiceFailed for ``name``: missing (cannot be started), hung (killed after ``seconds``), died (a bad exit
    status).
    """
    with tempfile.TemporaryFile() as errors:
        try:
            process = spawn(argv, errors, extra)
        except OSError as error:
            raise VoiceFailed(name, "missing", str(error)) from None
        try:
            output, _ = process.communicate(data, timeout=seconds)
        except subprocess.TimeoutExpired:
            kill(process, group=True)
            with contextlib.suppress(subprocess.TimeoutExpired, OSError, ValueError):
                process.communicate(timeout=1)
            raise VoiceFailed(name, "hung", f"{seconds:.0f} s") from None
        finally:
            kill(process)
        if process.returncode != 0:
            raise VoiceFailed(name, "died", _tail(errors) or f"status {process.returncode}")
        return output


def _tail(errors: IO[bytes]) -> str:
    """The last line a program said on stderr, for the people who mend it."""
    errors.seek(0)
    lines = errors.read()[-2000:].decode("utf-8", "replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


class Child:
    """A program that stays alive and answers requests on stdin by bytes on stdout.

    Reading happens in a thread, so every read has a deadline (``time.monotonic()``); whatever goes wrong the
    process is killed before VoiceFailed is raised. One request at a time: the owner holds a lock.
    """

    def __init__(self, name: str, argv: Sequence[str], extra: Mapping[str, str] | None = None) -> None:
        self.name = name
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        try:
            self.process = spawn(argv, self._errors, extra)
        except OSError as error:
            self._errors.close()
            raise VoiceFailed(name, "missing", str(error)) from None
        self._arrived: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._buffer = bytearray()
        threading.Thread(target=self._read, name=f"{name} output", daemon=True).start()

    @property
    def alive(self) -> bool:
        """Whether a request can be sent."""
        return self.process.poll() is None

    def send(self, data: bytes) -> None:
        """Write a request; keep it below a pipe's buffer (4 kB) unless the program always reads."""
        stdin = self.process.stdin
        assert stdin is not None
        try:
            stdin.write(data)
            stdin.flush()
        except (OSError, ValueError):
            raise self._failed("died") from None

    def read_line(self, deadline: float) -> bytes:
        """The next line without its end."""
        while b"\n" not in self._buffer:
            self._more(deadline)
        line, _, rest = bytes(self._buffer).partition(b"\n")
        self._buffer = bytearray(rest)
        return line.rstrip(b"\r")

    def read_exactly(self, count: int, deadline: float) -> bytes:
        """The next ``count`` bytes."""
        while len(self._buffer) < count:
            self._more(deadline)
        data = bytes(self._buffer[:count])
        del self._buffer[:count]
        return data

    def kill(self) -> None:
        """End the program; a read that waits for it in another thread fails."""
        kill(self.process)

    def close(self) -> None:
        """End the program and let go of what it said."""
        kill(self.process)
        self._errors.close()

    def _more(self, deadline: float) -> None:
        try:
            chunk = self._arrived.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise self._failed("hung") from None
        if not chunk:
            raise self._failed("died")
        self._buffer += chunk

    def _failed(self, why: str) -> VoiceFailed:
        kill(self.process, group=why == "hung")
        detail = "" if self._errors.closed else _tail(self._errors)
        self._errors.close()
        return VoiceFailed(self.name, why, detail)

    def _read(self) -> None:
        stdout = self.process.stdout
        assert stdout is not None
        with contextlib.suppress(OSError, ValueError):
            while chunk := os.read(stdout.fileno(), 65536):
                self._arrived.put(chunk)
        self._arrived.put(b"")
        stdout.close()


def package_root() -> str:
    """The folder that ``python -m voicehost...`` must find in its path, also in a source checkout."""
    return str(Path(__file__).resolve().parents[2])
