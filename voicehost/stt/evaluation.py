"""What a recogniser is worth on recordings: right, wrong, rejected, and how long it takes.

The game's knowledge comes from outside: what may be said at a moment, and which command a text is there.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any, Literal

from voicehost.errors import UserError
from voicehost.stt.recogniser import SAMPLE_RATE, Recogniser, Utterance
from voicehost.stt.recordings import Recording

if TYPE_CHECKING:
    from voicehost.audio.pcm import Samples

BLOCK = 0.03
"""Seconds of one block that is fed."""
SILENCE_AFTER = 2.0
"""Seconds of silence after each recording, as a microphone would go on."""
SPEECH_RANGE = 30.0
"""Speech ends with the last 10 ms that are no further than this (dB) below the loudest twentieth of a recording."""

Understood = tuple[str, Mapping[str, Any]]
"""A command's name and slots."""
Parse = Callable[[str, str], Understood | None]
"""From a text and a state to the command, or ``None``."""
PhrasesFor = Callable[[str], Sequence[str]]
GrammarFor = Callable[[str], object]
Progress = Callable[[int, int], None]
"""Told how many recordings are done, and of how many."""

Verdict = Literal["right", "wrong", "false-accept", "rejected"]


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one recording.

    Attributes:
        recording: the line of the manifest.
        verdict: ``right``; ``wrong``: another command, or more than one; ``rejected``: no command where there was
            one, or two that are as likely; ``false-accept``: talk taken for a command.
        heard: the texts of all utterances.
        understood: the commands among them.
        audio_seconds: the length of the recording.
        cpu_seconds: what that took of all processors.
        latency: seconds from the end of speech to the last decision, computing included; ``None`` if nothing was
            heard.
    """

    recording: Recording
    verdict: Verdict
    heard: tuple[str, ...]
    understood: tuple[Understood, ...]
    audio_seconds: float
    cpu_seconds: float
    latency: float | None


@dataclass(slots=True)
class Evaluation:
    """The results of a whole folder."""

    recogniser: str
    model: str
    results: list[Result] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The figures of every set, in the manifest's order, and of all together."""
        labels = dict.fromkeys(result.recording.set for result in self.results)
        return {
            "sets": {label: figures(r for r in self.results if r.recording.set == label) for label in labels},
            "overall": figures(self.results),
            "recogniser": self.recogniser,
            "model": self.model,
        }

    def errors(self) -> list[Result]:
        """Whatever was not right."""
        return [result for result in self.results if result.verdict != "right"]

    def write_errors(self, path: Path) -> None:
        """Write whatever was not right as a tab-separated table.

        Raises:
            UserError: ``stt.errors-unwritable``.
        """
        try:
            with path.open("w", encoding="utf-8", newline="") as file:
                table = csv.writer(file, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None)
                table.writerow(("file", "set", "state", "verdict", "text", "command", "slots", "heard", "understood"))
                table.writerows(_error_row(result) for result in self.errors())
        except OSError as error:
            raise UserError("stt.errors-unwritable", path=path, detail=error.strerror or error) from error


def check_writable(path: Path) -> None:
    """See that the table of errors can be written there, before the work is done; what is there stays.

    Raises:
        UserError: ``stt.errors-unwritable``.
    """
    try:
        with path.open("a", encoding="utf-8"):
            pass
    except OSError as error:
        raise UserError("stt.errors-unwritable", path=path, detail=error.strerror or error) from error


def evaluate(
    recordings: Sequence[Recording],
    recogniser: Recogniser,
    phrases_for: PhrasesFor,
    parse: Parse,
    *,
    grammar_for: GrammarFor = lambda state: None,
    progress: Progress = lambda done, total: None,
) -> Evaluation:
    """Play every recording to the recogniser as a microphone would, only faster, and judge what it hears.

    Recordings of one state are played one after another, since a real game does not change it at every word; the
    results stand in the order of ``recordings``.

    Raises:
        UserError: ``stt.recording-unreadable``: a recording cannot be read, with the line of the manifest.
    """
    results: dict[int, Result] = {}
    for state in dict.fromkeys(recording.state for recording in recordings):
        recogniser.expect(phrases_for(state), grammar_for(state))
        for place, recording in enumerate(recordings):
            if recording.state != state:
                continue
            results[place] = _listen(recording, recogniser, parse)
            progress(len(results), len(recordings))
    return Evaluation(recogniser.name, recogniser.model, [results[place] for place in range(len(recordings))])


def figures(results: Iterable[Result]) -> dict[str, Any]:
    """The figures of the contract for some results; shares and times are rounded, and ``null`` where there are none."""
    given = list(results)
    count = {
        verdict: sum(r.verdict == verdict for r in given) for verdict in ("right", "wrong", "false-accept", "rejected")
    }
    audio = sum(result.audio_seconds for result in given)
    latencies = sorted(result.latency for result in given if result.latency is not None)
    return {
        "n": len(given),
        "accuracy": round(count["right"] / len(given), 4) if given else None,
        "wrong": count["wrong"],
        "false_accepts": count["false-accept"],
        "rejected": count["rejected"],
        "cpu_per_audio_second": round(sum(r.cpu_seconds for r in given) / audio, 4) if audio else None,
        "latency_p50": percentile(latencies, 50),
        "latency_p95": percentile(latencies, 95),
    }


def percentile(ordered: Sequence[float], percent: float) -> float | None:
    """The smallest of the ordered values that at least ``percent`` of them do not exceed, to a millisecond."""
    if not ordered:
        return None
    place = -(-len(ordered) * percent // 100) - 1
    return round(ordered[max(0, int(place))], 3)


def judge(recording: Recording, understood: Sequence[Understood]) -> Verdict:
    """Compare what was understood with what was said."""
    if recording.command is None:
        return "false-accept" if understood else "right"
    if not understood:
        return "rejected"
    return "right" if list(understood) == [(recording.command, dict(recording.slots))] else "wrong"


def end_of_speech(samples: Samples) -> float:
    """Seconds to the end of the last sound in a recording that is not far softer than its loudest."""
    import numpy as np

    frame = SAMPLE_RATE // 100
    frames = samples[: len(samples) // frame * frame].astype(np.float32).reshape(-1, frame)
    power = np.mean(frames * frames, axis=1) if len(frames) else np.zeros(0)
    if not power.any():
        return len(samples) / SAMPLE_RATE
    floor = np.percentile(power, 95) * 10 ** (-SPEECH_RANGE / 10)
    return float(np.nonzero(power > floor)[0][-1] + 1) / 100


def _listen(recording: Recording, recogniser: Recogniser, parse: Parse) -> Result:
    import numpy as np

    from voicehost.audio.files import read_sound

    try:
        pcm = read_sound(recording.path)
    except UserError as error:
        if error.key != "audio.file-unreadable":
            raise
        raise UserError("stt.recording-unreadable", line=recording.line, file=recording.file) from error
    speech_end = end_of_speech(np.frombuffer(pcm, "<i2").astype(np.int16))
    audio_seconds = len(pcm) / 2 / SAMPLE_RATE
    pcm += bytes(round(SILENCE_AFTER * SAMPLE_RATE) * 2)
    heard: list[tuple[Utterance, float]] = []
    size = round(BLOCK * SAMPLE_RATE) * 2
    cpu = process_time()
    for place in range(0, len(pcm), size):
        _timed(heard, lambda block: recogniser.feed(block), pcm[place : place + size])
    _timed(heard, lambda _: recogniser.finish(), b"")
    cpu = process_time() - cpu
    commands = [(utterance, computing, _agreed(utterance, recording.state, parse)) for utterance, computing in heard]
    understood = tuple((command[0], dict(command[1])) for _, _, command in commands if command is not None)
    deciding = [entry for entry in commands if entry[2] is not None] or commands
    return Result(
        recording=recording,
        verdict=judge(recording, understood),
        heard=tuple(utterance.text for utterance, _ in heard),
        understood=understood,
        audio_seconds=audio_seconds,
        cpu_seconds=cpu,
        latency=max(0.0, deciding[-1][0].endpoint - speech_end) + deciding[-1][1] if deciding else None,
    )


def _agreed(utterance: Utterance, state: str, parse: Parse) -> Understood | None:
    """The command of an utterance, unless other readings that are as likely are another one: a game would ask."""
    meant = parse(utterance.text, state)
    others = [other for text in utterance.alternatives if (other := parse(text, state)) is not None]
    return meant if all(other == meant for other in others) else None


def _timed(heard: list[tuple[Utterance, float]], call: Callable[[bytes], list[Utterance]], block: bytes) -> None:
    """Note with each utterance how long the call took that returned it."""
    began = perf_counter()
    utterances = call(block)
    heard.extend((utterance, perf_counter() - began) for utterance in utterances)


def _error_row(result: Result) -> tuple[str, ...]:
    said = result.recording
    understood = [{"command": name, "slots": slots} for name, slots in result.understood]
    cells = (
        said.file,
        said.set,
        said.state,
        result.verdict,
        said.text,
        said.command or "",
        json.dumps(said.slots, ensure_ascii=False) if said.command else "",
        " | ".join(result.heard),
        json.dumps(understood, ensure_ascii=False) if understood else "",
    )
    return tuple(" ".join(cell.split()) for cell in cells)
