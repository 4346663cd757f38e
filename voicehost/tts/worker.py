"""The process in which a speech library runs: ``python -m voicehost.tts.worker pyttsx3|rhvoice|piper``.

A request is one JSON line on stdin, ``{"op": "voices"}`` or ``{"op": "render", "voice": ..., "text": ...}``. The answer
is one JSON line on stdout, ``{"voices": [...]}``, ``{"rate": Hz, "bytes": n}`` followed by n bytes of PCM, or
``{"refused": why}``.
Nothing else may reach stdout: libraries that print are sent to stderr.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import IO, Any, Protocol

from voicehost.tts.voice import Sound


class Refused(Exception):
    """The library cannot do what was asked; the reason goes to the parent."""


class Renderer(Protocol):
    """What a library must offer here."""

    def voices(self) -> list[dict[str, Any]]:
        """Each voice as id, name and languages."""

    def render(self, voice: str, text: str) -> Sound:
        """Raises Refused."""


def _pyttsx3() -> Renderer:
    from voicehost.tts.pyttsx3 import Pyttsx3Renderer

    return Pyttsx3Renderer()


def _rhvoice() -> Renderer:
    from voicehost.tts.rhvoice_library import LibraryRenderer

    return LibraryRenderer()


def _piper() -> Renderer:
    from voicehost.tts.piper import PiperRenderer

    return PiperRenderer()


_RENDERERS: dict[str, Callable[[], Renderer]] = {"pyttsx3": _pyttsx3, "rhvoice": _rhvoice, "piper": _piper}


def serve(renderer: Renderer, requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer requests until the parent closes the pipe."""
    while line := requests.readline():
        request = json.loads(line)
        pcm = b""
        answer: dict[str, Any]
        try:
            if request["op"] == "voices":
                answer = {"voices": renderer.voices()}
            else:
                sound = renderer.render(request["voice"], request["text"])
                pcm = sound.pcm
                answer = {"rate": sound.rate, "bytes": len(pcm)}
        except Exception as error:
            # Whatever a library throws, the parent must hear of it and may ask again.
            answer = {"refused": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer).encode("ascii") + b"\n" + pcm)
        answers.flush()


def _leave_with_parent() -> None:
    """A library that hangs cannot see the pipe close, so a thread watches that the parent is there."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1.0)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def main() -> None:
    """Serve the library named on the command line."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    if os.name == "posix":
        _leave_with_parent()
    serve(_RENDERERS[sys.argv[1]](), sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
