"""PulseAudio and PipeWire beside PortAudio, which sees of them only one device, «pulse».

``pactl`` tells the sources by name and which of them cancels the loudspeaker's echo. A source is chosen through the
environment, which both systems read when a stream is opened. A server that hangs would hang whoever opens a stream,
so it is asked first, with a limit of time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from voicehost.errors import UserError

PATIENCE = 3.0
"""Seconds in which a healthy server answers, with a busy computer."""

BRIDGES = ("pulse", "pipewire", "default")
"""PortAudio's names for the way to the server."""

_CANCELS = ("echo-cancel", "echo cancel", "echo_cancel", "echocancel")
_CHOOSING = ("PULSE_SOURCE", "PIPEWIRE_NODE")


@dataclass(frozen=True, slots=True)
class PulseSource:
    """A microphone of the sound server.

    Attributes:
        id: the server's own name.
        name: what a person calls it.
        default: whether it is used when none is named.
        monitor: whether it only hears what a loudspeaker plays.
        cancels_echo: whether the server takes the loudspeaker's sound out of it.
    """

    id: str
    name: str
    default: bool = False
    monitor: bool = False
    cancels_echo: bool = False


def sources() -> list[PulseSource]:
    """Every microphone of the sound server, the default one first; none where there is no such server.

    Raises:
        UserError: ``audio.server-hangs``: it does not answer.
    """
    listed = _pactl("list", "sources")
    if not listed:
        return []
    default = next((line[16:] for line in _pactl("info").splitlines() if line.startswith("Default Source: ")), "")
    return sorted(parsed(listed, default), key=lambda source: not source.default)


def default_source() -> PulseSource | None:
    """The source that is used when none is named, or ``None``. Raises like ``sources``."""
    return next((source for source in sources() if source.default), None)


def without_echo() -> PulseSource | None:
    """The source that cancels echo, or ``None`` when there is none. Raises like ``sources``."""
    return next((source for source in sources() if source.cancels_echo), None)


def sink_with_echo_cancelling() -> str:
    """The loudspeaker whose sound is taken out of the microphone's, or "". Raises like ``sources``."""
    listed = _pactl("list", "sinks").replace("Sink #", "Source #")
    return next((sink.id for sink in parsed(listed) if sink.cancels_echo), "")


def check() -> None:
    """Make sure that a sound server, if there is one, answers.

    Raises:
        UserError: ``audio.server-hangs``.
    """
    _pactl("info")


def parsed(listed: str, default: str = "") -> list[PulseSource]:
    """The sources in what ``pactl list sources`` says in English."""
    found: list[PulseSource] = []
    for part in listed.split("Source #")[1:]:
        fields = dict(_fields(part))
        identity = fields.get("Name", "")
        if not identity:
            continue
        name = fields.get("Description") or identity
        told = f"{identity} {name}".casefold()
        monitor = fields.get("Monitor of Sink", "n/a") != "n/a"
        cancels = not monitor and any(word in told for word in _CANCELS)
        found.append(PulseSource(identity, name, identity == default, monitor, cancels))
    return found


@contextmanager
def chosen(source: str) -> Iterator[None]:
    """Let streams that are opened inside go to a source; "" to the default one."""
    if not source:
        yield
        return
    before = {name: os.environ.get(name) for name in _CHOOSING}
    os.environ.update(dict.fromkeys(_CHOOSING, source))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _fields(part: str) -> Iterator[tuple[str, str]]:
    for line in part.splitlines():
        if line.startswith("\t") and not line.startswith("\t\t"):
            key, colon, value = line.strip().partition(":")
            if colon:
                yield key, value.strip()


def _pactl(*words: str) -> str:
    """What ``pactl`` answers; "" where there is no server, or no such program."""
    program = shutil.which("pactl") if sys.platform.startswith("linux") else None
    if program is None:
        return ""
    environment = os.environ | {"LC_ALL": "C.UTF-8", "LANGUAGE": "en"}
    try:
        done = subprocess.run(
            [program, *words],
            capture_output=True,
            env=environment,
            timeout=PATIENCE,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired as error:
        raise UserError("audio.server-hangs") from error
    except OSError:
        return ""
    return done.stdout.decode("utf-8", errors="replace") if done.returncode == 0 else ""
