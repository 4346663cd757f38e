"""From sound to utterances of the game: what the recogniser expects, and what is dropped as the program's own."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from voicehost.language.automaton import Automaton
from voicehost.language.commands import automaton, covering_phrases, parse
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


MOST_CONTINUATIONS = 60
"""Continuations of a command that are looked at before it counts as one that may go on."""


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
        """Tell whether a text is a whole command: True it is decided, False it may become another, None it is none.

        «Выставляю номер пять» is decided although «на голосование» may follow; «голосует первый» is not.
        """
        known = self.automaton()
        state = known.follow(text.split())
        if state is None or not known.accepts(state):
            return None
        return self._decided(text, state)

    def _decided(self, text: str, state: int) -> bool:
        known = self.automaton()
        meant = parse(self._pack, text, self.legal)
        waiting, tried = [(text, state)], 0
        while waiting and meant is not None:
            said, place = waiting.pop()
            for word, after in known.edges(place).items():
                tried += 1
                longer = f"{said} {word}"
                if tried > MOST_CONTINUATIONS:
                    return False
                if known.accepts(after):
                    heard = parse(self._pack, longer, self.legal)
                    if heard is None or heard.command != meant.command:
                        return False
                waiting.append((longer, after))
        return meant is not None


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
    ) -> None:
        """Prepare; ``start`` begins.

        ``source.read()`` gives blocks with ``pcm``, ``began`` (seconds of sound) and ``arrived`` (clock time of the
        end). ``own_voice`` knows in that clock when the program itself was to be heard.
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
                voice = self._own_voice
                pcm = block.pcm if voice is None else voice.pass_through(block.pcm, block.arrived)
                self._take(self._recogniser.feed(pcm))
            else:
                return
            self._take(self._recogniser.finish())
        except Exception as error:
            failure = error
        self._on_end(failure)

    def _take(self, utterances: Sequence[Utterance]) -> None:
        for utterance in utterances:
            voice = self._own_voice
            if voice is None or not voice.overlaps(self._clock(utterance.began), self._clock(utterance.ended)):
                self._hand_on(utterance)

    def _clock(self, seconds: float) -> float:
        """Return the clock time of a moment of the sound: gaps between blocks are kept."""
        offset = next((offset for end, offset in self._stamps if end >= seconds), None)
        if offset is None:
            offset = self._stamps[-1][1] if self._stamps else 0.0
        return seconds + offset
