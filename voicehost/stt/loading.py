"""A recogniser that is still being loaded: the game goes on meanwhile.

A large model takes half a minute and more. Loading it in a thread of its own leaves the game to typed lines. What is
said meanwhile passes by, except the last seconds: who spoke a moment too early need not say it again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Event, Lock, Thread

from voicehost.stt.recogniser import SAMPLE_RATE, Recogniser, RecogniserFactory, Utterance

KEPT = 4.0
"""Seconds of sound that wait for the recogniser."""


class LoadingRecogniser:
    """A recogniser (see ``stt.recogniser.Recogniser``) that hears nothing until the one behind it is loaded.

    Attributes:
        name: the kind that it will be.
        model: the name of its model.
        failure: why it could not be loaded; ``feed`` raises that.
    """

    sample_rate = SAMPLE_RATE

    def __init__(self, name: str, model: str, load: RecogniserFactory) -> None:
        """Begin to load, in another thread, a recogniser of that kind with a model of that name."""
        self.name = name
        self.model = model
        self.failure: Exception | None = None
        self._load = load
        self._on_loaded: Callable[[Recogniser], None] = lambda loaded: None
        self._lock = Lock()
        self._over = Event()
        self._closed = False
        self._loaded: Recogniser | None = None
        self._expected: tuple[Sequence[str], object | None] | None = None
        self._waiting = bytearray()
        self._passed = 0
        Thread(target=self._run, name="loading a recogniser", daemon=True).start()

    @property
    def loading(self) -> bool:
        """Whether it still is being loaded."""
        return not self._over.is_set()

    def wait(self, timeout: float) -> bool:
        """Wait until it is loaded or cannot be, at most ``timeout`` seconds; return whether that is so."""
        return self._over.wait(timeout)

    def then(self, on_loaded: Callable[[Recogniser], None]) -> None:
        """Let ``on_loaded`` be called when it hears: at once if it does so already, otherwise in another thread."""
        with self._lock:
            loaded = self._loaded
            if loaded is None:
                self._on_loaded = on_loaded
        if loaded is not None:
            on_loaded(loaded)

    def expect(self, phrases: Sequence[str], grammar: object | None = None) -> None:
        """Hear only these; as long as it is being loaded, the latest counts."""
        with self._lock:
            if self._loaded is None:
                self._expected = phrases, grammar
                return
        self._loaded.expect(phrases, grammar)

    def feed(self, pcm: bytes) -> list[Utterance]:
        """Take samples; until it is loaded they wait, and those that wait too long pass by.

        Raises:
            Exception: it could not be loaded; what was raised then.
        """
        if self.failure is not None:
            raise self.failure
        if self._loaded is None:
            self._waiting += pcm
            late = max(0, len(self._waiting) - round(KEPT * SAMPLE_RATE) * 2)
            del self._waiting[:late]
            self._passed += late
            return []
        waited, self._waiting = bytes(self._waiting), bytearray()
        return self._in_time(self._loaded.feed(waited + pcm if waited else pcm))

    def finish(self) -> list[Utterance]:
        """End the stream."""
        utterances = [] if self._loaded is None else self._in_time(self._loaded.finish())
        self._waiting.clear()
        self._passed = 0
        return utterances

    def close(self) -> None:
        """Let the model go, also one that is not there yet. May be called twice; does not wait."""
        with self._lock:
            self._closed = True
            loaded = self._loaded
        if loaded is not None:
            loaded.close()

    def _run(self) -> None:
        try:
            loaded = self._load()
            while not self._taken(loaded):
                pass
        except Exception as error:  # whoever feeds it shall know, not this thread
            self.failure = error
        finally:
            self._over.set()

    def _taken(self, loaded: Recogniser) -> bool:
        """Take it into use unless something else is expected meanwhile; telling it that may take its time."""
        with self._lock:
            expected, closed = self._expected, self._closed
        if closed:
            loaded.close()
            return True
        if expected is not None:
            loaded.expect(*expected)
        with self._lock:
            if self._expected is not expected or self._closed:
                return False
            self._loaded = loaded
            on_loaded = self._on_loaded
        on_loaded(loaded)
        return True

    def _in_time(self, utterances: list[Utterance]) -> list[Utterance]:
        """Count from the beginning of the stream, although the recogniser knows only what came after loading."""
        before = self._passed / (2 * SAMPLE_RATE)
        if not before:
            return utterances
        return [
            replace(heard, began=heard.began + before, ended=heard.ended + before, endpoint=heard.endpoint + before)
            for heard in utterances
        ]
