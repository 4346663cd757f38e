"""Vosk with a list of phrases that changes while it listens.

The library ends the process when its grammar is changed in the middle of an utterance, so that this class keeps the
new phrases until the utterance is over. What the energy of the sound tells (``audio.vad``) decides what is decoded
at all and when an utterance is over; Vosk's own endpoint counts as well, for speech among other sounds. What it
takes for words must also be a voice (``audio.voice_check``).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from voicehost.audio.vad import Endpointer, SpeechSettings
from voicehost.audio.voice_check import VoiceCheck
from voicehost.stt.patience import Patience, PatienceSettings
from voicehost.stt.recogniser import SAMPLE_RATE, UNKNOWN, Candidate, Utterance
from voicehost.stt.vosk_model import VoskModel, grammar_text

_STEP = SAMPLE_RATE // 50 * 2
"""Bytes of 20 ms: how often silence is looked at, however large the blocks are."""

_NEAR = 4.5
"""How much less likely (natural logarithm) than the likeliest a reading may be that is a whole command."""

_RIVAL = 1.0
"""How much less likely than the one that is believed a reading may be to be named beside it."""

_CERTAIN = 0.25
"""Seconds for which the library must go on saying that an utterance is over."""

_WARM_UP = 0.5
"""Seconds of silence decoded at the start: the first decoding reads the model into memory."""


@dataclass(frozen=True, slots=True)
class _Expected:
    """The phrases to hear, in the model's spelling."""

    phrases: tuple[str, ...] = ()
    patience: Patience = field(default_factory=Patience)


class VoskRecogniser:
    """A recogniser (see ``stt.recogniser.Recogniser``) over one Vosk model."""

    name = "vosk"
    sample_rate = SAMPLE_RATE

    def __init__(
        self,
        model: VoskModel | Path,
        *,
        speech: SpeechSettings | None = None,
        patience: PatienceSettings | None = None,
        voices: VoiceCheck | None = None,
        keep_sound: bool = False,
    ) -> None:
        """Load the model, if it is not loaded yet, and warm it up; ``keep_sound`` gives it out with each utterance.

        Raises:
            UserError: see ``VoskModel``.
        """
        self._model = model if isinstance(model, VoskModel) else VoskModel(model)
        self.model = self._model.name
        self._settings = patience or PatienceSettings()
        self._endpoints = Endpointer(speech)
        self._voices = voices or VoiceCheck()
        self._sound = bytearray()
        self._keep_sound = keep_sound
        self._lock = Lock()
        self._expected = _Expected()
        self._next: _Expected | None = None
        self._rest = b""
        self._outdated_since: float | None = None
        self._silent_since: float | None = None
        self._decoder: Any = self._model.recogniser((), SAMPLE_RATE)
        self._decoder.AcceptWaveform(bytes(round(_WARM_UP * SAMPLE_RATE) * 2))
        self._decoder.FinalResult()

    def expect(self, phrases: Sequence[str], grammar: object | None = None) -> None:
        """Hear only these phrases from the next utterance on; one with a word the model does not know is left out.

        Of ``grammar`` only ``Grammar.ends`` is used, if it has that.
        """
        spelled = tuple(dict.fromkeys(filter(None, map(self._model.spelled, phrases))))
        self._next = _Expected(spelled, Patience(spelled, grammar, self._settings))

    def unknown(self, phrase: str) -> list[str]:
        """Return the words of a phrase that the model does not know and so can never hear."""
        return self._model.unknown([phrase])

    def feed(self, pcm: bytes) -> list[Utterance]:
        """Take 16-bit mono samples and return the utterances that were finished in them."""
        with self._lock:
            if self._decoder is None:
                raise ValueError("the recogniser is closed")
            data = self._rest + pcm
            whole = len(data) // 2 * 2
            self._rest = data[whole:]
            heard = [self._step(data[place : min(place + _STEP, whole)]) for place in range(0, whole, _STEP)]
            return [utterance for utterance in heard if utterance is not None]

    def finish(self) -> list[Utterance]:
        """End the stream; the next ``feed`` begins a new one at 0 seconds."""
        with self._lock:
            if self._decoder is None:
                return []
            last = self._end(self._decoder.FinalResult()) if self._endpoints.speech else None
            self._endpoints.reset()
            self._sound.clear()
            self._rest = b""
            return [last] if last else []

    def close(self) -> None:
        """Let the decoder go. May be called twice."""
        with self._lock:
            self._decoder = None

    def _step(self, pcm: bytes) -> Utterance | None:
        running = self._endpoints.speech is not None
        speech = self._endpoints.feed(pcm)
        if not speech:
            return None
        if not running:
            self._renew()
            self._voices.begin()
        self._sound += speech
        if self._expected.phrases:
            self._voices.follow(self._sound)
        over = self._silent_to_vosk(speech) if self._expected.phrases else False
        return self._end(self._decoder.FinalResult()) if over or self._over() else None

    def _silent_to_vosk(self, speech: bytes) -> bool:
        """Decode; whether the library has taken the utterance for finished for a while.

        It says so late, sometimes when the next word has already begun, and may then be left unanswered.
        """
        if not self._decoder.AcceptWaveform(speech):
            self._silent_since = None
        elif self._silent_since is None:
            self._silent_since = self._endpoints.time
        return self._silent_since is not None and self._endpoints.time - self._silent_since >= _CERTAIN

    def _renew(self) -> None:
        """Bring new phrases into force. Only between utterances: nothing was decoded since the last result."""
        self._outdated_since = self._silent_since = None
        new, self._next = self._next, None
        if new is None:
            return
        if new.phrases != self._expected.phrases:
            self._decoder.SetGrammar(grammar_text(new.phrases))
        self._expected = new

    def _over(self) -> bool:
        """Whether the utterance that runs is over."""
        now, silence, settings = self._endpoints.time, self._endpoints.silence, self._settings
        speech = self._endpoints.speech
        if speech is None or now - speech.began >= settings.longest or silence >= settings.other:
            return True
        if self._next is not None:
            # What is decoded now is judged by phrases that no longer hold.
            if self._outdated_since is None:
                self._outdated_since = now
            return silence >= settings.finished or now - self._outdated_since >= settings.outdated
        if silence < settings.finished or not self._expected.phrases:
            return False
        partial = json.loads(self._decoder.PartialResult()).get("partial", "")
        return silence >= self._expected.patience.after(partial)

    def _end(self, result: str) -> Utterance | None:
        """Close the utterance that runs with the library's result; nothing was said if that is empty or was a noise."""
        now = self._endpoints.time
        speech = self._endpoints.close()
        sound = bytes(self._sound)
        self._sound.clear()
        given = _given(result)
        readings = self._readings(given)
        if speech is None or not readings or not self._voices.has_heard(speech.ended - speech.began):
            return None
        return Utterance(
            text=readings[0],
            began=speech.began,
            ended=speech.ended,
            endpoint=now,
            alternatives=tuple(readings[1:]),
            candidates=tuple(Candidate(text, score) for text, score in given.items()),
            sound=sound if self._keep_sound else None,
        )

    def _readings(self, given: Mapping[str, float]) -> list[str]:
        """The readings, of all that the library gave with their scores, the one to believe first.

        The library thinks in pairs of words, so that an echo may hang a word onto a command: the likeliest reading
        that is a whole command is believed if it is hardly less likely. Not where talk was heard. After it come
        other whole commands that are about as likely («девять» for «десять»).
        """
        if not given:
            return []
        likeliest, best = next(iter(given.items()))
        if UNKNOWN in likeliest:
            return [likeliest]
        whole = {text: sure for text, sure in given.items() if self._expected.patience.whole(text)}
        first = next((text for text, sure in whole.items() if best - sure <= _NEAR), likeliest)
        return [first, *(text for text, sure in whole.items() if text != first and given[first] - sure <= _RIVAL)]


def _given(result: str) -> dict[str, float]:
    """The readings of the library, each with the logarithm of its likelihood, the likeliest first."""
    return {entry["text"]: entry["confidence"] for entry in json.loads(result)["alternatives"] if entry["text"]}
