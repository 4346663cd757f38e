"""From sound to utterances of the game: what the recogniser expects, and what is dropped as the program's own."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from voicehost.hosting.expectation import Expectation
from voicehost.hosting.push import Push, PushGate

__all__ = ["Ear", "Expectation", "OwnVoice", "Recogniser", "Utterance"]


class Utterance(Protocol):
    """Something that was said; times in seconds of the sound fed."""

    @property
    def text(self) -> str:
        """The words."""
        ...

    @property
    def began(self) -> float:
        """Its beginning."""
        ...

    @property
    def ended(self) -> float:
        """Its end."""
        ...


class Recogniser(Protocol):
    """Finds utterances in sound."""

    def expect(self, phrases: Sequence[str], grammar: object | None = None) -> None:
        """Hear only these phrases from the next utterance on."""
        ...

    def feed(self, pcm: bytes) -> Sequence[Utterance]:
        """Take sound, return what was finished in it."""
        ...

    def finish(self) -> Sequence[Utterance]:
        """Return what is left at the end."""
        ...


class OwnVoice(Protocol):
    """Knows when the program was to be heard (the microphone's gate)."""

    def pass_through(self, pcm: bytes, arrived: float) -> bytes:
        """Return a block as it may be heard: silent while the program sounds."""
        ...

    def overlaps(self, began: float, ended: float) -> bool:
        """Tell whether the program sounded at any moment of an utterance."""
        ...


class Ear:
    """A thread that reads a microphone, feeds the recogniser and hands on what is not the program's own voice."""

    def __init__(
        self,
        source: Any,
        recogniser: Recogniser,
        hand_on: Callable[[Utterance], None],
        *,
        own_voice: OwnVoice | None = None,
        on_end: Callable[[Exception | None], None] = lambda error: None,
        interrupt: Callable[[Utterance], None] | None = None,
    ) -> None:
        """Prepare; ``start`` begins.

        ``source.read()`` gives blocks with ``pcm``, ``began`` (seconds of sound) and ``arrived`` (clock time of the
        end). ``own_voice`` knows in that clock when the program itself was to be heard.
        With ``interrupt`` the microphone hears on while the program sounds (its source cancels the echo); what was
        said over its voice goes there. ``hand_on``, ``on_end`` and ``interrupt`` are called in the thread.
        """
        self.push: Push | None = None
        """The key without which nothing is heard; set before ``start``."""
        self.drop: Callable[[Utterance], None] = lambda utterance: None
        """Told in the thread of what is dropped as said over the program's voice."""
        self._source = source
        self._recogniser = recogniser
        self._hand_on = hand_on
        self._own_voice = own_voice
        self._on_end = on_end
        self._interrupt = interrupt
        self._stamps: deque[tuple[float, float]] = deque(maxlen=4_000)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ear", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Stop listening; returns when the thread has ended."""
        self._stopping.set()
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(timeout=5)

    def _run(self) -> None:
        failure: Exception | None = None
        key = PushGate(self.push) if self.push is not None else None
        try:
            while not self._stopping.is_set():
                block = self._source.read()
                if block is None:
                    if self._source.ended:
                        break
                    continue
                heard_until = block.began + block.seconds
                self._stamps.append((heard_until, block.arrived - heard_until))
                voice = self._own_voice
                deaf = voice is not None and self._interrupt is None
                pcm = voice.pass_through(block.pcm, block.arrived) if voice is not None and deaf else block.pcm
                for given in [pcm] if key is None else key.pass_through(pcm, block.arrived, block.seconds):
                    self._take(self._recogniser.feed(given))
            else:
                return
            self._take(self._recogniser.finish())
        except Exception as error:
            failure = error
        self._on_end(failure)

    def _take(self, utterances: Sequence[Utterance]) -> None:
        for utterance in utterances:
            voice = self._own_voice
            if voice is None or not voice.overlaps(self.clock(utterance.began), self.clock(utterance.ended)):
                self._hand_on(utterance)
            elif self._interrupt is not None:
                self._interrupt(utterance)
            else:
                self.drop(utterance)

    def clock(self, seconds: float) -> float:
        """Return the clock time of a moment of the sound, while it is handed on: gaps between blocks are kept."""
        offset = next((offset for end, offset in self._stamps if end >= seconds), None)
        if offset is None:
            offset = self._stamps[-1][1] if self._stamps else 0.0
        return seconds + offset
