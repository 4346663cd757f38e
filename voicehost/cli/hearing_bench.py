"""How long Whisper takes from the end of speech to the decision, and how much of that is our own code.

The model is what encodes and decodes: the encoder, and the decoder's ``listen``, ``start``, ``step`` and ``judge``.
Everything else is our own: finding the end of speech, telling voices from noises, the features, the search along what
may be said, the scores. The model's calls are timed from outside, by proxies in place of its parts.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voicehost.errors import UserError

if TYPE_CHECKING:
    from voicehost.stt.recogniser import Utterance
    from voicehost.stt.whisper import WhisperRecogniser
    from voicehost.stt.whisper_model import WhisperModel

BLOCK = 960
"""Bytes that are fed at once: 30 ms, as a microphone gives them."""

AFTER = 1.5
"""Seconds of a quiet room after each recording."""

SPOKEN = 12
"""Commands that a voice says when there are no recordings."""

MOMENTS = ("speech", "vote", "night-hunt")
"""Where those commands are from."""


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of the processor, of all threads, and of the clock."""

    cpu: float = 0.0
    wall: float = 0.0

    def __add__(self, other: Times) -> Times:
        return Times(self.cpu + other.cpu, self.wall + other.wall)

    def __sub__(self, other: Times) -> Times:
        return Times(self.cpu - other.cpu, self.wall - other.wall)

    @staticmethod
    def now() -> Times:
        """Return what has passed so far."""
        return Times(time.process_time(), time.perf_counter())


@dataclass(frozen=True, slots=True)
class Cost:
    """What one utterance took after its end: all of it, and the model's part."""

    whole: Times
    model: Times

    @property
    def own(self) -> Times:
        """The part of our own code."""
        return self.whole - self.model


class ModelWatch:
    """Adds up the time that is spent in a model's calls."""

    def __init__(self, model: WhisperModel) -> None:
        """Put proxies in place of the model's parts; only for a model that serves nothing but the measurement."""
        self.spent = Times()
        self._depth = 0
        model._encoder = _Proxy(model._encoder, {"encode": self.timed(model._encoder.encode)})
        decoder = model.decoder
        for name in ("listen", "start", "step", "judge"):
            setattr(decoder, name, self.timed(getattr(decoder, name)))

    def timed(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return a call that does the same and is timed; one within another counts once."""

        def proxy(*arguments: Any, **named: Any) -> Any:
            began = Times.now()
            self._depth += 1
            try:
                return call(*arguments, **named)
            finally:
                self._depth -= 1
                if not self._depth:
                    self.spent += Times.now() - began

        return proxy


class _Proxy:
    """Another object with some of its methods replaced."""

    def __init__(self, behind: object, methods: dict[str, Callable[..., Any]]) -> None:
        self._behind = behind
        self._methods = methods

    def __getattr__(self, name: str) -> Any:
        return self._methods[name] if name in self._methods else getattr(self._behind, name)


def decision_figures(language: str, recordings: Path | None) -> dict[str, float | None]:
    """Return the figures of ``bench``; ``None`` for all if there is no Whisper or nothing to listen to.

    Args:
        language: that is spoken.
        recordings: a folder as ``evaluate`` takes it; without one the installed voice speaks.

    Raises:
        UserError: the folder cannot be read.
    """
    costs = _costs(language, recordings)
    if not costs:
        return dict.fromkeys(FIGURES)
    figures: dict[str, float | None] = {"decision_utterances": len(costs)}
    for part, of in (("decision", lambda cost: cost.whole), ("model", lambda cost: cost.model), ("own", _own)):
        figures[f"{part}_cpu_ms"] = 1000 * statistics.median(of(cost).cpu for cost in costs)
        figures[f"{part}_wall_ms"] = 1000 * statistics.median(of(cost).wall for cost in costs)
    figures["own_cpu_ms_most"] = 1000 * max(cost.own.cpu for cost in costs)
    return {name: figures[name] for name in FIGURES}


FIGURES = (
    "decision_utterances",
    "decision_cpu_ms",
    "decision_wall_ms",
    "model_cpu_ms",
    "model_wall_ms",
    "own_cpu_ms",
    "own_wall_ms",
    "own_cpu_ms_most",
)
"""Names of the figures: medians over utterances, the last one the greatest."""


def _own(cost: Cost) -> Times:
    return cost.own


def _costs(language: str, recordings: Path | None) -> list[Cost]:
    from voicehost.cli.recognisers import can_run_whisper
    from voicehost.hosting.stakes import stake
    from voicehost.models import preferred
    from voicehost.stt.whisper import WhisperRecogniser
    from voicehost.stt.whisper_model import WhisperModel

    found = preferred("whisper", language)
    if found is None or not can_run_whisper():
        return []
    said = list(_recorded(recordings) if recordings is not None else _spoken(language))
    if not said:
        return []
    model = WhisperModel(found.folder, language)
    try:
        watch = ModelWatch(model)
        recogniser = WhisperRecogniser(model, language=language, care=stake)
        _measure(recogniser, watch, language, said[:1])  # the first one loads what is loaded late
        return _measure(recogniser, watch, language, said)
    finally:
        model.close()


def _measure(
    recogniser: WhisperRecogniser, watch: ModelWatch, language: str, said: list[tuple[bytes, str]]
) -> list[Cost]:
    """Let it hear each sound in its moment of the game, with what may be said worked out anew as in a game."""
    from voicehost.hosting.hearing import Expectation
    from voicehost.language.pack import load_pack
    from voicehost.rules.situations import legal_in

    pack = load_pack(language)
    costs: list[Cost] = []
    for pcm, state in said:
        expectation = Expectation(pack, legal_in(state))
        recogniser.expect(expectation.phrases, expectation)
        costs += listen(recogniser.feed, watch, pcm)
        recogniser.finish()
    return costs


def listen(feed: Callable[[bytes], list[Utterance]], watch: ModelWatch, pcm: bytes) -> list[Cost]:
    """Feed a sound and return what each utterance in it took from its end until it was given out."""
    from voicehost.stt.recogniser import SAMPLE_RATE

    costs: list[Cost] = []
    blocks: list[tuple[float, Cost]] = []
    for place in range(0, len(pcm), BLOCK):
        began, before = Times.now(), watch.spent
        utterances = feed(pcm[place : place + BLOCK])
        blocks.append((place / 2 / SAMPLE_RATE, Cost(Times.now() - began, watch.spent - before)))
        for utterance in utterances:
            after = [cost for moment, cost in blocks if moment >= utterance.ended]
            costs.append(Cost(_sum(cost.whole for cost in after), _sum(cost.model for cost in after)))
            blocks.clear()
    return costs


def _sum(times: Iterator[Times]) -> Times:
    total = Times()
    for part in times:
        total += part
    return total


def _quiet(pcm: bytes) -> bytes:
    """Return a sound with a quiet room after it."""
    import numpy as np

    from voicehost.stt.recogniser import SAMPLE_RATE

    room = np.random.default_rng(0).normal(0, 10, round(AFTER * SAMPLE_RATE))
    return pcm + room.astype("<i2").tobytes()


def _recorded(folder: Path) -> Iterator[tuple[bytes, str]]:
    from voicehost.audio.files import read_sound
    from voicehost.stt.recordings import read_manifest

    for recording in read_manifest(folder):
        if recording.command is not None:
            yield _quiet(read_sound(recording.path)), recording.state


def _spoken(language: str) -> Iterator[tuple[bytes, str]]:
    """Commands of typical moments, said by the installed voice."""
    import numpy as np

    from voicehost.audio.pcm import SAMPLE_RATE, Resampler
    from voicehost.language.commands import examples
    from voicehost.language.pack import load_pack
    from voicehost.rules.situations import legal_in
    from voicehost.tts.selection import choose

    try:
        voice = choose(language)
    except UserError:
        return
    assert voice is not None
    pack = load_pack(language)
    try:
        for state in MOMENTS:
            for text in list(examples(pack, legal_in(state)).values())[: SPOKEN // len(MOMENTS)]:
                sound = voice.render(text)
                resampler = Resampler(sound.rate, SAMPLE_RATE)
                samples = np.concatenate([resampler.feed(np.frombuffer(sound.pcm, "<i2")), resampler.flush()])
                yield _quiet(samples.astype("<i2").tobytes()), state
    finally:
        voice.close()
