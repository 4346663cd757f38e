"""From sound to utterances of the game: what the recogniser expects, and what is dropped as the program's own."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from voicehost.language.automaton import Automaton
from voicehost.language.commands import automaton, covering_phrases
from voicehost.language.pack import Pack
from voicehost.rules.legal import Legal


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


class Expectation:
    """What may be said now, for recognisers that walk word by word and for those that wait for an end."""

    def __init__(self, pack: Pack, legal: Legal) -> None:
        """Make the phrases now and the automaton when it is wanted."""
        self._pack = pack
        self.legal = legal
        self.phrases = covering_phrases(pack, legal)
        self._automata: dict[bool, Automaton] = {}

    def automaton(self, *, digits: bool = False) -> Automaton:
        """Return the word automaton of all that may be said."""
        if digits not in self._automata:
            self._automata[digits] = automaton(self._pack, self.legal, digits=digits)
        return self._automata[digits]

    def ends(self, text: str) -> bool | None:
        """Tell whether a text is a whole command: True nothing can follow, False it may go on, None it is none."""
        known = self.automaton()
        state = known.follow(text.split())
        if state is None or not known.accepts(state):
            return None
        return not known.edges(state)


class Ear:
    """A thread that reads a microphone, feeds the recogniser and hands on what is not the program's own voice."""

    def __init__(
        self,
        source: Any,
        recogniser: Recogniser,
        hand_on: Callable[[Utterance], None],
        *,
        own_voice: Callable[[float, float], bool] = lambda began, ended: False,
        on_end: Callable[[Exception | None], None] = lambda error: None,
    ) -> None:
        """Prepare; ``start`` begins.

        ``source.read()`` gives blocks with ``pcm``, ``began`` (seconds of sound) and ``arrived`` (clock time of the
        end). ``own_voice(began, ended)`` tells in that clock whether the program was sounding meanwhile.
        ``hand_on`` and ``on_end`` are called in the thread.
        """
        self._source = source
        self._recogniser = recogniser
        self._hand_on = hand_on
        self._own_voice = own_voice
        self._on_end = on_end
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
        try:
            while not self._stopping.is_set():
                block = self._source.read()
                if block is None:
                    if self._source.ended:
                        break
                    continue
                heard_until = block.began + block.seconds
                self._stamps.append((heard_until, block.arrived - heard_until))
                self._take(self._recogniser.feed(block.pcm))
            else:
                return
            self._take(self._recogniser.finish())
        except Exception as error:
            failure = error
        self._on_end(failure)

    def _take(self, utterances: Sequence[Utterance]) -> None:
        for utterance in utterances:
            if not self._own_voice(self._clock(utterance.began), self._clock(utterance.ended)):
                self._hand_on(utterance)

    def _clock(self, seconds: float) -> float:
        """Return the clock time of a moment of the sound: gaps between blocks are kept."""
        offset = next((offset for end, offset in self._stamps if end >= seconds), None)
        if offset is None:
            offset = self._stamps[-1][1] if self._stamps else 0.0
        return seconds + offset
