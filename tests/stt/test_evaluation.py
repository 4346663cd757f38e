from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.components import RECORDINGS, require
from voicehost.errors import UserError
from voicehost.stt.evaluation import (
    SILENCE_AFTER,
    Evaluation,
    Result,
    Understood,
    end_of_speech,
    evaluate,
    figures,
    judge,
    percentile,
)
from voicehost.stt.recogniser import Recogniser, Utterance
from voicehost.stt.recordings import Recording, read_manifest
from voicehost.stt.vosk import VoskRecogniser
from voicehost.stt.vosk_model import VoskModel


class Scripted:
    """A recogniser that answers as the test says, a second after each recording began."""

    name = "scripted"
    model = "none"
    sample_rate = 16_000

    def __init__(self, answers: Sequence[Sequence[Utterance]]) -> None:
        self._answers = list(answers)
        self._fed = 0
        self.expected: list[tuple[tuple[str, ...], object]] = []
        self.seconds: list[float] = []

    def expect(self, phrases: Sequence[str], grammar: object | None = None) -> None:
        self.expected.append((tuple(phrases), grammar))

    def feed(self, pcm: bytes) -> list[Utterance]:
        before, self._fed = self._fed, self._fed + len(pcm)
        return list(self._answers[0]) if before < 32_000 <= self._fed else []

    def finish(self) -> list[Utterance]:
        self.seconds.append(self._fed / 32_000)
        self._fed = 0
        self._answers.pop(0)
        return []

    def close(self) -> None:
        pass


def said(text: str, endpoint: float = 1.0, *others: str) -> Utterance:
    return Utterance(text, 0.1, 0.8, endpoint, alternatives=others)


def line(number: int, command: str | None, state: str = "speech", label: str = "a", **slots: Any) -> Recording:
    return Recording(number, f"{number}.wav", Path(f"{number}.wav"), "text", command, slots, state, label)


def understand(text: str, state: str) -> Understood | None:
    """«foul 3» is a foul of seat 3, in every state but one."""
    words = text.split()
    return ("foul", {"seat": int(words[1])}) if words[0] == "foul" and state != "vote" else None


def recorded(tmp_path: Path, *lines: Recording, seconds: float = 0.8) -> list[Recording]:
    require("soundfile")
    import soundfile

    for number in {recording.line for recording in lines}:
        soundfile.write(tmp_path / f"{number}.wav", np.full(round(16_000 * seconds), 0.3), 16_000)
    return [Recording(r.line, r.file, tmp_path / r.file, r.text, r.command, r.slots, r.state, r.set) for r in lines]


def run(tmp_path: Path, answers: Sequence[Sequence[Utterance]], *lines: Recording) -> Evaluation:
    recogniser: Recogniser = Scripted(answers)
    return evaluate(recorded(tmp_path, *lines), recogniser, lambda state: [state], understand)


def test_every_verdict(tmp_path: Path) -> None:
    evaluation = run(
        tmp_path,
        [
            [said("foul 3")],
            [said("foul 4")],
            [],
            [said("[unk]")],
            [said("foul 3"), said("foul 3")],
            [said("noise 1"), said("foul 3")],
            [said("noise 1")],
            [said("foul 1")],
        ],
        *(line(number, "foul", seat=3) for number in range(6)),
        line(6, None),
        line(7, None),
    )
    assert [result.verdict for result in evaluation.results] == [
        "right",
        "wrong",
        "rejected",
        "rejected",
        "wrong",
        "right",
        "right",
        "false-accept",
    ]


def test_another_reading_that_is_as_likely_must_mean_the_same(tmp_path: Path) -> None:
    evaluation = run(
        tmp_path,
        [[said("foul 3", 1.0, "foul 9")], [said("foul 3", 1.0, "foul 3", "noise 1")]],
        line(0, "foul", seat=3),
        line(1, "foul", seat=3),
    )
    assert [result.verdict for result in evaluation.results] == ["rejected", "right"]


def test_figures_of_each_set_and_of_all(tmp_path: Path) -> None:
    answers = [[said("foul 3")], [said("foul 4")], [], [said("foul 5")]]
    lines = [
        line(0, "foul", label="clean", seat=3),
        line(1, "foul", label="noisy", seat=3),
        line(2, "foul", label="noisy", seat=3),
        line(3, None, label="talk"),
    ]
    made = run(tmp_path, answers, *lines).as_json()
    assert list(made) == ["sets", "overall", "recogniser", "model"]
    assert list(made["sets"]) == ["clean", "noisy", "talk"]
    keys = ["n", "accuracy", "wrong", "false_accepts", "rejected", "cpu_per_audio_second", "latency_p50", "latency_p95"]
    assert all(list(part) == keys for part in [*made["sets"].values(), made["overall"]])
    counts = {name: [part[key] for key in keys[:5]] for name, part in made["sets"].items()}
    assert counts == {"clean": [1, 1.0, 0, 0, 0], "noisy": [2, 0.0, 1, 0, 1], "talk": [1, 0.0, 0, 1, 0]}
    assert [made["overall"][key] for key in keys[:5]] == [4, 0.25, 1, 1, 1]
    assert (made["recogniser"], made["model"]) == ("scripted", "none")
    assert json.loads(json.dumps(made)) == made


def test_latency_counts_from_the_end_of_speech_to_the_decision(tmp_path: Path) -> None:
    evaluation = run(
        tmp_path,
        [[said("noise 1", 0.9), said("foul 3", 1.3), said("noise 1", 2.0)], [said("noise 1", 1.5)], []],
        *(line(number, "foul", seat=3) for number in range(3)),
    )
    decided, refused, nothing = (result.latency for result in evaluation.results)
    # Speech lasts 0.8 s; computing takes next to nothing.
    assert decided == pytest.approx(0.5, abs=0.1)
    assert refused == pytest.approx(0.7, abs=0.1)
    assert nothing is None


def test_each_recording_is_followed_by_silence_and_a_new_stream(tmp_path: Path) -> None:
    recogniser = Scripted([[], []])
    evaluation = evaluate(
        recorded(tmp_path, line(0, None), line(1, None)), recogniser, lambda state: [state], understand
    )
    assert recogniser.seconds == pytest.approx([0.8 + SILENCE_AFTER] * 2)
    assert [result.audio_seconds for result in evaluation.results] == pytest.approx([0.8, 0.8])


def test_states_are_played_one_after_another_and_told_in_the_given_order(tmp_path: Path) -> None:
    recogniser = Scripted([[said("foul 0")], [said("foul 2")], [said("foul 1")]])
    seen: list[tuple[int, int]] = []
    evaluation = evaluate(
        recorded(tmp_path, line(0, None), line(1, None, state="vote"), line(2, None)),
        recogniser,
        lambda state: [f"phrase of {state}"],
        understand,
        grammar_for=lambda state: f"grammar of {state}",
        progress=lambda done, total: seen.append((done, total)),
    )
    assert recogniser.expected == [
        (("phrase of speech",), "grammar of speech"),
        (("phrase of vote",), "grammar of vote"),
    ]
    assert [result.heard for result in evaluation.results] == [("foul 0",), ("foul 1",), ("foul 2",)]
    # The text is a command only where the state allows it.
    assert [result.verdict for result in evaluation.results] == ["false-accept", "right", "false-accept"]
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_errors_are_written_as_a_table(tmp_path: Path) -> None:
    evaluation = run(
        tmp_path,
        [[said("foul 3")], [said("foul\t4"), said("шум")], []],
        *(line(number, "foul", seat=3) for number in range(3)),
    )
    evaluation.write_errors(tmp_path / "errors.tsv")
    with (tmp_path / "errors.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert [row["file"] for row in rows] == ["1.wav", "2.wav"]
    assert rows[0]["heard"] == "foul 4 | шум"
    assert json.loads(rows[0]["understood"]) == [{"command": "foul", "slots": {"seat": 4}}]
    assert json.loads(rows[0]["slots"]) == {"seat": 3}
    assert (rows[1]["verdict"], rows[1]["heard"], rows[1]["understood"]) == ("rejected", "", "")


def test_a_table_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        Evaluation("a", "b").write_errors(tmp_path / "missing" / "errors.tsv")
    assert caught.value.key == "stt.errors-unwritable"


def test_a_recording_that_cannot_be_read_is_told_with_its_line(tmp_path: Path) -> None:
    recordings = recorded(tmp_path, line(7, None))
    (tmp_path / "7.wav").write_bytes(b"no sound")
    with pytest.raises(UserError) as caught:
        evaluate(recordings, Scripted([[]]), lambda state: [], understand)
    assert caught.value.key == "stt.recording-unreadable"
    assert caught.value.params == {"line": 7, "file": "7.wav"}


@pytest.mark.parametrize(
    ("values", "percent", "found"),
    [
        ([], 50, None),
        ([0.3], 95, 0.3),
        ([0.1, 0.2, 0.3, 0.4], 50, 0.2),
        ([0.1, 0.2, 0.3, 0.4], 95, 0.4),
        ([n / 100 for n in range(1, 101)], 95, 0.95),
        ([0.12345], 50, 0.123),
    ],
)
def test_percentiles(values: list[float], percent: float, found: float | None) -> None:
    assert percentile(values, percent) == found


def test_no_recordings_have_no_shares() -> None:
    made = figures([])
    assert made["n"] == made["wrong"] == 0
    assert made["accuracy"] is made["latency_p50"] is made["cpu_per_audio_second"] is None


def test_cpu_time_is_counted_per_second_of_the_recordings() -> None:
    results = [
        Result(line(0, None), "right", (), (), 2.0, 0.1, None),
        Result(line(1, None), "right", (), (), 3.0, 0.4, None),
    ]
    assert figures(results)["cpu_per_audio_second"] == pytest.approx(0.1)


def test_slots_must_agree_whole() -> None:
    recording = line(0, "votes", seats=[1, 3])
    assert judge(recording, [("votes", {"seats": [1, 3]})]) == "right"
    assert judge(recording, [("votes", {"seats": [3, 1]})]) == "wrong"
    assert judge(recording, [("votes", {"seats": [1, 3], "count": 2})]) == "wrong"
    assert judge(recording, [("shot", {"seats": [1, 3]})]) == "wrong"


def test_where_speech_ends() -> None:
    loud, soft = np.full(16_000, 10_000, np.int16), np.full(16_000, 50, np.int16)
    assert end_of_speech(np.concatenate([soft, loud, soft])) == pytest.approx(2.0)
    assert end_of_speech(loud) == pytest.approx(1.0)
    assert end_of_speech(np.zeros(16_000, np.int16)) == pytest.approx(1.0)
    assert end_of_speech(np.zeros(0, np.int16)) == 0.0


def test_the_embedded_model_on_the_recordings_of_the_tests(tiny: VoskModel) -> None:
    recordings = read_manifest(RECORDINGS)
    said_there = {r.text: (r.command, dict(r.slots)) for r in recordings if r.command}
    phrases = {state: [r.text for r in recordings if r.command and r.state == state] for state in ("speech", "vote")}
    phrases["vote"] += ["один", "два", "три", "пять", "шесть", "восемь", "девять", "десять"]
    recogniser = VoskRecogniser(tiny)
    made = evaluate(
        recordings,
        recogniser,
        lambda state: phrases.get(state, list(said_there)),
        lambda text, state: said_there.get(text),  # type: ignore[arg-type, return-value]
    ).as_json()
    assert made["overall"]["accuracy"] == 1.0
    assert made["overall"]["latency_p50"] is not None
    assert (made["recogniser"], made["model"]) == ("vosk", "vosk-model-ru-tiny")
