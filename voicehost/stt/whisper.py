"""Whisper that can only hear what may be said now.

The sound of an utterance is cut out by its energy (``audio.vad``), must hold a voice (``audio.voice_check``), is
encoded once in a short window by CTranslate2 and decoded along the automaton of what may be said, beside a free
reading to compare with. It is decoded as soon as a short silence begins; if it goes on after that, it is decoded
again, so that a finished command need not wait for a long silence.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Protocol, runtime_checkable

import numpy as np

from voicehost.audio.vad import Endpointer, SpeechSettings
from voicehost.audio.voice_check import VoiceCheck
from voicehost.stt.nearness import Nearest, Sounded
from voicehost.stt.patience import PatienceSettings
from voicehost.stt.recogniser import SAMPLE_RATE, UNKNOWN, Candidate, Grammar, Utterance
from voicehost.stt.whisper_decoder import Heard
from voicehost.stt.whisper_model import WhisperModel
from voicehost.stt.whisper_scoring import Care, Decision, ScoreSettings, decide
from voicehost.stt.whisper_search import Search, SearchSettings
from voicehost.stt.whisper_tokens import TokenAutomaton

_STEP = SAMPLE_RATE // 50 * 2
"""Bytes of 20 ms: how often silence is looked at, however large the blocks are."""

_LONGEST_COMMAND = 12.0
"""Seconds; whatever is longer is talk and is not decoded at all."""


@runtime_checkable
class WalkableGrammar(Protocol):
    """What may be said, as ``expect`` wants it here; see ``stt.recogniser.Grammar`` for ``ends``."""

    def automaton(self, *, digits: bool = False) -> Any:
        """Return the word automaton (``WordAutomaton`` with ``heard``), numbers in digits too if asked."""


@runtime_checkable
class PromptedGrammar(Protocol):
    """One that knows what commands sound like at its moment."""

    def prompt(self) -> str:
        """Return a text as it might have been heard just before; a handful of different ones in all."""


@runtime_checkable
class FilledGrammar(Protocol):
    """One that knows what stands before or behind a command and means nothing: «так, дальше»."""

    fillers: Sequence[str]

    def automaton(self, *, digits: bool = False, fillers: bool = False) -> Any:
        """Return the word automaton, with fillers around each command if asked."""


@dataclass(frozen=True, slots=True)
class _Expected:
    words: Any = None
    automaton: TokenAutomaton | None = None
    grammar: object | None = None
    prompt: str = ""


class WhisperRecogniser:
    """A recogniser (see ``stt.recogniser.Recogniser``) over one Whisper model."""

    name = "whisper"
    sample_rate = SAMPLE_RATE

    def __init__(
        self,
        model: WhisperModel | Path,
        *,
        language: str = "ru",
        speech: SpeechSettings | None = None,
        patience: PatienceSettings | None = None,
        voices: VoiceCheck | None = None,
        search: SearchSettings | None = None,
        scores: ScoreSettings | None = None,
        care: Callable[[str], Care] = lambda command: "plain",
        keep_sound: bool = False,
        host_level: float | None = None,
    ) -> None:
        """Load the model, if it is not loaded yet.

        Args:
            model: a loaded model or its folder.
            language: code of the language that is spoken.
            speech: when a sound is speech.
            patience: how long silence must last.
            voices: tells voices from noises.
            search: how far to look.
            scores: weights and thresholds.
            care: what a mistake about a command of this name would cost.
            keep_sound: give the sound out with each utterance.
            host_level: how loud the host is, if that was calibrated; see ``stt.nearness``.

        Raises:
            UserError: see ``WhisperModel``.
        """
        self._owns = not isinstance(model, WhisperModel)
        self._model = model if isinstance(model, WhisperModel) else WhisperModel(model, language)
        self.model = self._model.name
        self._patience = patience or PatienceSettings()
        self._endpoints = Endpointer(speech)
        self._voices = voices or VoiceCheck()
        self._scores = scores or ScoreSettings()
        self._search = search or SearchSettings(expectation=self._scores.expectation)
        self._care = care
        self._keep_sound = keep_sound
        self._nearest = Nearest(host_level=host_level)
        self._sound = bytearray()
        self._rest = b""
        self._lock = Lock()
        self._closed = False
        self._expected = _Expected()
        self._next: _Expected | None = None
        self._automata: dict[int, tuple[object, TokenAutomaton]] = {}
        self._early: tuple[float, Decision | None] | None = None
        """The end of the speech that was decoded before the utterance was over, and what it was."""

    def expect(self, phrases: Sequence[str], grammar: object | None = None) -> None:
        """Hear only this from the next utterance on. Without a grammar that can be walked, exactly the phrases."""
        if not phrases:
            self._next = _Expected()
            return
        words = grammar.automaton(digits=True) if isinstance(grammar, WalkableGrammar) else PhraseAutomaton(phrases)
        prompt = grammar.prompt() if isinstance(grammar, PromptedGrammar) else ""
        self._next = _Expected(words, self._tokens(words), grammar, prompt)

    def _tokens(self, words: Any) -> TokenAutomaton:
        known = self._automata.get(id(words))
        if known is None or known[0] is not words:
            if len(self._automata) > 40:
                self._automata.clear()
            known = self._automata[id(words)] = (words, TokenAutomaton(words, self._model.vocabulary))
            # Now there is time for the first two steps; when speech has ended somebody waits.
            for state in known[1].edges(TokenAutomaton.start).targets:
                known[1].edges(state)
        return known[1]

    def feed(self, pcm: bytes) -> list[Utterance]:
        """Take 16-bit mono samples and return the utterances that were finished in them."""
        with self._lock:
            if self._closed:
                raise ValueError("the recogniser is closed")
            data = self._rest + pcm
            whole = len(data) // 2 * 2
            self._rest = data[whole:]
            heard = [self._step(data[place : min(place + _STEP, whole)]) for place in range(0, whole, _STEP)]
            return [utterance for utterance in heard if utterance is not None]

    def finish(self) -> list[Utterance]:
        """End the stream; the next ``feed`` begins a new one at 0 seconds."""
        with self._lock:
            last = self._end() if self._endpoints.speech and not self._closed else None
            self._endpoints.reset()
            self._nearest.forget()
            self._sound.clear()
            self._rest = b""
            return [last] if last else []

    def close(self) -> None:
        """Let the model go. May be called twice."""
        with self._lock:
            self._closed = True
            self._automata.clear()
            if self._owns:
                self._model.close()

    def _step(self, pcm: bytes) -> Utterance | None:
        running = self._endpoints.speech is not None
        speech = self._endpoints.feed(pcm)
        if not speech:
            return None
        if not running:
            self._early = None
            self._voices.begin()
            if self._next is not None:
                self._expected, self._next = self._next, None
        if len(self._sound) < (_LONGEST_COMMAND + 1) * 2 * SAMPLE_RATE:
            self._sound += speech
            if self._expected.automaton is not None:
                self._voices.follow(self._sound)
        return self._end() if self._over() else None

    def _over(self) -> bool:
        speech, silence = self._endpoints.speech, self._endpoints.silence
        if speech is None or silence >= self._patience.other:
            return True
        if self._endpoints.time - speech.began >= self._patience.longest:
            return True
        if silence < self._patience.finished or self._expected.automaton is None:
            return False
        if self._early is None or self._early[0] != speech.ended:
            self._early = (speech.ended, self._decode())
        decision = self._early[1]
        if decision is None or decision.accepted is None:
            return False
        grammar = self._expected.grammar
        ends = grammar.ends(decision.accepted.text.lower()) if isinstance(grammar, Grammar) else False
        return silence >= (self._patience.finished if ends else self._patience.open)

    def _end(self) -> Utterance | None:
        """Close the utterance that runs; ``None`` if nothing was said that anybody wants to know."""
        now = self._endpoints.time
        running = self._endpoints.speech
        if running is not None and self._early is not None and self._early[0] == running.ended:
            decision = self._early[1]
        else:
            decision = self._decode()
        speech = self._endpoints.close()
        sound = bytes(self._sound)
        self._sound.clear()
        self._early = None
        if speech is None or decision is None:
            return None
        self._nearest.note(sound, speech.ended)
        best = decision.accepted
        return Utterance(
            text=best.text if best else UNKNOWN,
            began=speech.began,
            ended=speech.ended,
            endpoint=now,
            confidence=(best or decision.candidates[0]).confidence if decision.candidates else 0.0,
            alternatives=tuple(other.text for other in decision.others),
            candidates=tuple(Candidate(known.text, known.score, known.confidence) for known in decision.candidates),
            sound=sound if self._keep_sound else None,
        )

    def _decode(self) -> Decision | None:
        """What the sound so far is; ``None``: no voice, or nothing is listened for."""
        expected, speech = self._expected, self._endpoints.speech
        sound = bytes(self._sound)
        if expected.automaton is None or speech is None:
            return None
        seconds = speech.ended - speech.began
        if not self._voices.has_heard(seconds):
            return None
        if seconds > _LONGEST_COMMAND:
            return Decision(None, (), ())
        sounded = self._nearest.sounded(sound, speech.began, speech.ended)
        samples = np.frombuffer(sound, "<i2").astype(np.float32) / np.float32(32768)
        heard = self._model.heard(samples)
        decision, free = self._decided(heard, expected.words, expected.automaton, sounded)
        grammar = expected.grammar
        if decision.accepted is None and isinstance(grammar, FilledGrammar) and _filled(free, grammar.fillers):
            # They are looked for only where one was heard: beside everything they would take places in the beam.
            words = grammar.automaton(digits=True, fillers=True)
            decision, _ = self._decided(heard, words, self._tokens(words), sounded)
        return decision

    def _decided(self, heard: Heard, words: Any, automaton: TokenAutomaton, sounded: Sounded) -> tuple[Decision, str]:
        """What was said of all that the automaton holds, and the free reading."""
        model, prompt = self._model, self._expected.prompt
        run, first = model.begin(heard, prompt)
        found = Search(model.decoder, automaton, model.vocabulary, model.prior(prompt), self._search).found(run, first)
        free = model.vocabulary.text(found.free.tokens)

        def said(tokens: tuple[int, ...]) -> tuple[str, Hashable] | None:
            text = model.vocabulary.text(tokens)
            meaning = words.heard([text])
            return None if meaning is None else (" ".join(text.lower().replace(",", " ").split()), meaning.command)

        def again(texts: Sequence[tuple[int, ...]]) -> list[float]:
            return model.evidence(heard, texts, self._scores.expectation)

        return decide(found, free, said, sounded, self._careful, _alike, again, self._scores), free

    def _careful(self, command: Hashable, text: str) -> Care:
        care = self._care(getattr(command, "name", ""))
        # «пять» answers a question; «дальше» has nothing but itself to be known by.
        bare = len(text.split()) == 1 and not (is_dataclass(command) and fields(command))
        return "word" if bare and care != "grave" else care


class PhraseAutomaton:
    """A list of phrases as a word automaton; a phrase is its own meaning."""

    def __init__(self, phrases: Sequence[str]) -> None:
        self._edges: list[dict[str, int]] = [{}]
        self._ends: set[int] = set()
        for phrase in phrases:
            state = 0
            for word in phrase.split():
                if word not in self._edges[state]:
                    self._edges[state][word] = len(self._edges)
                    self._edges.append({})
                state = self._edges[state][word]
            self._ends.add(state)

    def edges(self, state: int) -> dict[str, int]:
        """Return the words that may come next, each with the state after it."""
        return self._edges[state]

    def accepts(self, state: int) -> bool:
        """Tell whether a phrase may end here."""
        return state in self._ends and state != 0

    def heard(self, words: Sequence[str]) -> _Phrase:
        """Return the phrase as its own meaning."""
        return _Phrase(" ".join(words).lower().replace(",", ""))


@dataclass(frozen=True, slots=True)
class _Phrase:
    command: str


def _filled(text: str, fillers: Sequence[str]) -> bool:
    """Whether a text begins or ends with a filler."""
    words = "".join(letter if letter.isalnum() else " " for letter in text.lower()).split()
    return bool(words) and (words[0] in fillers or words[-1] in fillers)


def _alike(first: Hashable, second: Hashable) -> bool:
    """Whether two commands are of one name, so that only a seat or a number tells them apart."""
    return type(first) is type(second) and not isinstance(first, str)
