"""The sound system tried out in a process of its own, for a library that crashes takes its process with it.

Opening a device has ended programs without a word, under PipeWire and under macOS; no exception tells of it. So the
first game on a machine lets a child process open microphone and loudspeaker and wait for sound. Only a child that
was ended by the system counts: whatever else goes wrong is told, and better, when the devices are opened.

    python -m voicehost.audio.trial [--microphone NAME] [--speaker]
"""

from __future__ import annotations

import json
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from voicehost.errors import UserError

FILE = "sound-tried.json"

PATIENCE = 15.0
"""Seconds for the child; one that takes longer is ended, and nothing is known."""

LISTENS = 1.0
"""Seconds in which it waits for the first sound."""

_WINDOWS_FAULT = 0xC0000000
"""Exit codes of Windows from here on tell of a fault, not of a program that ended."""
_FAULTS = {
    -getattr(signal, name) for name in ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE") if hasattr(signal, name)
}


def check(microphone: str | None, *, hears: bool, speaks: bool, file: Path | None = None) -> None:
    """Let a child process open what a game will open, if this was never done with these libraries.

    Args:
        microphone: part of its name; ``None``: the default one.
        hears: whether the microphone is wanted.
        speaks: whether the loudspeaker is.
        file: where it is kept that all went well, if not in the user's cache.

    Raises:
        UserError: ``audio.crashes``: the child was ended by a fault.
    """
    place = file or _path()
    tried = _tried(place)
    mark = "|".join((_libraries(), platform.platform(), f"{hears:d}{speaks:d}", microphone or ""))
    if not (hears or speaks) or mark in tried:
        return
    options = ["--microphone", microphone or ""] if hears else []
    code = _status([*_command(), *options, *(["--speaker"] if speaks else [])])
    if code is None or (code < 0 and code not in _FAULTS):
        return
    if code < 0 or code >= _WINDOWS_FAULT:
        raise UserError("audio.crashes", code=code)
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(sorted({*tried, mark}), ensure_ascii=False), encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """Open the devices and close them; 1 if that cannot be done."""
    from voicehost.audio.capture import Microphone
    from voicehost.audio.playback import StreamPlayer

    try:
        if "--speaker" in arguments:
            StreamPlayer().close()
        if "--microphone" in arguments:
            microphone = Microphone(arguments[arguments.index("--microphone") + 1] or None)
            microphone.read(LISTENS)
            microphone.close()
    except UserError:
        return 1
    return 0


def _command() -> list[str]:
    return [sys.executable, "-m", "voicehost.audio.trial"]


def _status(command: list[str]) -> int | None:
    """The exit status; ``None``: it did not end, or could not begin."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.returncode


def _libraries() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"sounddevice {version('sounddevice')}"
    except PackageNotFoundError:
        return "sounddevice"


def _path() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("voicehost", appauthor=False) / FILE


def _tried(file: Path) -> list[str]:
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return [mark for mark in known if isinstance(mark, str)] if isinstance(known, list) else []


if __name__ == "__main__":
    status = main(sys.argv[1:])
    # What libraries do when a process ends is no reason to do without sound.
    os._exit(status)
