"""The bench tells the model's time from that of our own code, and only what passes after the end of speech."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from tests.cli.helpers import Call
from tests.components import RECORDINGS, require
from voicehost.cli import bench, hearing_bench
from voicehost.cli.hearing_bench import BLOCK, Cost, ModelWatch, Times, decision_figures, listen
from voicehost.stt.recogniser import Utterance


class Clock:
    """Passes only when a part of the test works."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.passed = Times()
        monkeypatch.setattr(Times, "now", staticmethod(lambda: self.passed))

    def work(self, cpu: float) -> None:
        self.passed += Times(cpu, 2 * cpu)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


class Decoder:
    """The decoder of a model that takes whole seconds."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def listen(self) -> None:
        self.clock.work(2)

    def start(self) -> None:
        self.listen()
        self.clock.work(1)

    def step(self, rows: int) -> int:
        self.clock.work(rows)
        return rows

    def judge(self) -> None:
        self.clock.work(3)


def model_of(clock: Clock) -> Any:
    encoder = SimpleNamespace(encode=lambda: clock.work(4), device="cpu")
    return SimpleNamespace(_encoder=encoder, decoder=Decoder(clock))


def test_calls_of_the_model_are_added_up_and_one_within_another_counts_once(clock: Clock) -> None:
    model = model_of(clock)
    watch = ModelWatch(model)
    model._encoder.encode()
    clock.work(100)
    model.decoder.start()
    assert model.decoder.step(8) == 8
    assert model._encoder.device == "cpu"
    model.decoder.judge()
    assert watch.spent == Times(18, 36)


def test_a_call_that_fails_counts_too(clock: Clock) -> None:
    def fails() -> None:
        clock.work(3)
        raise RuntimeError

    model = model_of(clock)
    model.decoder.listen = fails
    watch = ModelWatch(model)
    for _ in range(2):
        with pytest.raises(RuntimeError):
            model.decoder.listen()
    assert watch.spent.cpu == 6


def test_only_what_passes_after_the_end_of_speech_counts(clock: Clock) -> None:
    model = model_of(clock)
    watch = ModelWatch(model)
    fed: list[bytes] = []

    def feed(pcm: bytes) -> list[Utterance]:
        fed.append(pcm)
        clock.work(1)
        if len(fed) == 30:  # 0.87 s: the model is asked
            model._encoder.encode()
        if len(fed) % 40 == 0:  # 1.2 s, 2.4 s
            began = 0.03 * (len(fed) - 40)
            return [Utterance("дальше", began + 0.1, began + 0.6, began + 1.2)]
        return []

    costs = listen(feed, watch, bytes(BLOCK * 80))
    assert b"".join(fed) == bytes(BLOCK * 80)
    assert [(cost.whole.cpu, cost.model.cpu, cost.own.cpu) for cost in costs] == [(24, 4, 20), (20, 0, 20)]
    assert costs[0].own.wall == 40


def test_all_figures_are_printed_with_words_and_as_json(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    costs = [Cost(Times(0.3, 0.5), Times(0.25, 0.4)), Cost(Times(0.2, 0.3), Times(0.19, 0.28))] * 2
    monkeypatch.setattr(hearing_bench, "_costs", lambda language, recordings: costs)
    monkeypatch.setattr(bench, "ROUNDS", 1)
    monkeypatch.setattr(bench, "_recogniser", lambda language: None)
    figures = json.loads(call("bench", "--json").out)
    assert set(hearing_bench.FIGURES) <= set(figures)
    assert figures["decision_utterances"] == 4
    assert figures["own_cpu_ms"] == pytest.approx(30)
    assert figures["own_cpu_ms_most"] == pytest.approx(50)
    printed = call("bench").out
    assert len(printed.splitlines()) == len(figures)
    assert "bench." not in printed


def test_without_whisper_there_is_nothing_to_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicehost.models.preferred", lambda kind, language: None)
    assert decision_figures("ru", RECORDINGS) == dict.fromkeys(hearing_bench.FIGURES)


@pytest.mark.slow
def test_real_recordings_have_a_model_and_a_rest() -> None:
    require("whisper model", "soundfile", "voice check")
    figures = decision_figures("ru", RECORDINGS)
    assert figures["decision_utterances"] is not None
    assert figures["decision_utterances"] >= 10
    model, own, whole = (figures[f"{part}_cpu_ms"] for part in ("model", "own", "decision"))
    assert model is not None
    assert own is not None
    assert whole is not None
    assert 0 < own < model < whole
