"""Voices whose library runs in a worker process; see worker.py for what is said over the pipe."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from voicehost.tts.process import Child, package_root
from voicehost.tts.voice import Sound, VoiceFailed, VoiceInfo, has_words, speakable, time_limit


def command(library: str) -> list[str]:
    """The command line of a worker; ``-P`` keeps the user's working folder out of its imports."""
    return [sys.executable, "-P", "-m", "voicehost.tts.worker", library]


class Worker:
    """One worker process, started by the first request and anew after it failed."""

    def __init__(self, name: str, argv: Sequence[str], start: float, extra: Mapping[str, str] | None = None) -> None:
        """``start``: seconds that the first request may take longer, to load the library."""
        self.name = name
        self._argv = list(argv)
        self._start = start
        path = os.pathsep.join(p for p in (package_root(), os.environ.get("PYTHONPATH", "")) if p)
        self._extra = {"PYTHONPATH": path, **(extra or {})}
        self._child: Child | None = None
        self._lock = threading.Lock()

    def ask(self, request: Mapping[str, str], seconds: float) -> tuple[dict[str, Any], bytes]:
        """The answer and its PCM. Raises VoiceFailed; the process is gone then, unless it was ``refused``."""
        with self._lock:
            deadline = time.monotonic() + seconds
            if self._child is None or not self._child.alive:
                self._stop()
                deadline += self._start
                self._child = Child(self.name, self._argv, self._extra)
            try:
                self._child.send(json.dumps(request).encode("ascii") + b"\n")
                answer = json.loads(self._child.read_line(deadline))
                pcm = self._child.read_exactly(answer.get("bytes", 0), deadline)
            except (VoiceFailed, json.JSONDecodeError) as error:
                self._stop()
                raise (
                    error if isinstance(error, VoiceFailed) else VoiceFailed(self.name, "died", "bad answer")
                ) from None
            if "refused" in answer:
                raise VoiceFailed(self.name, "refused", answer["refused"])
            return answer, pcm

    def close(self) -> None:
        """Kill the process, also in the middle of a request, which fails then."""
        child = self._child
        if child is not None:
            child.kill()
        with self._lock:
            self._stop()

    def _stop(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None


class WorkerVoice:
    """A voice that speaks through a worker of its own."""

    def __init__(self, info: VoiceInfo, worker: Worker, *, stressed: bool = False) -> None:
        """``stressed``: whether the library understands accents."""
        self._stressed = stressed
        self.name = info.name
        self.language = info.language
        self._ident = info.ident
        self._worker = worker

    def render(self, text: str) -> Sound:
        """See Voice."""
        text = speakable(text, stressed=self._stressed)
        if not has_words(text):
            return Sound(b"", 24000)
        request = {"op": "render", "voice": self._ident, "text": text}
        answer, pcm = self._worker.ask(request, time_limit(text))
        return Sound(pcm, answer["rate"])

    def close(self) -> None:
        """See Voice."""
        self._worker.close()
