"""While a recogniser is being loaded nothing waits for it, and what was said a moment ago is not lost."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from time import monotonic, sleep

import pytest

from voicehost.errors import UserError
from voicehost.stt.loading import KEPT, LoadingRecogniser
from voicehost.stt.recogniser import Recogniser, Utterance

SECOND = bytes(32_000)


class Slow:
    """A recogniser that takes each second that it is fed for an utterance."""

    name, model, sample_rate = "slow", "large", 16_000

    def __init__(self) -> None:
        self.fed = 0
        self.expected: list[Sequence[str]] = []
        self.closed = False

    def expect(self, phrases: Sequence[str], grammar: object | None = None) -> None:
        self.expected.append(phrases)

    def feed(self, pcm: bytes) -> list[Utterance]:
        heard = []
        for _ in range(len(pcm) // len(SECOND)):
            heard.append(Utterance("дальше", self.fed + 0.25, self.fed + 0.5, self.fed + 1.0))
            self.fed += 1
        return heard

    def finish(self) -> list[Utterance]:
        return []

    def close(self) -> None:
        self.closed = True


class Loading:
    """One that is loaded when the test says so."""

    def __init__(self, problem: Exception | None = None) -> None:
        self.go = threading.Event()
        self.slow = Slow()
        self.problem = problem
        self.loading = LoadingRecogniser("slow", "large", self.load)
        self.recogniser: Recogniser = self.loading

    def load(self) -> Recogniser:
        self.go.wait(20)
        if self.problem is not None:
            raise self.problem
        return self.slow

    def done(self) -> None:
        self.go.set()
        assert self.loading.wait(20)


def test_nothing_waits_for_it() -> None:
    parts = Loading()
    assert (parts.recogniser.name, parts.recogniser.model, parts.loading.loading) == ("slow", "large", True)
    parts.recogniser.expect(["пауза"])
    assert parts.recogniser.feed(SECOND) == []
    assert parts.recogniser.finish() == []
    assert not parts.loading.wait(0.01)
    parts.done()
    assert not parts.loading.loading


def test_it_expects_what_was_expected_last() -> None:
    parts = Loading()
    parts.recogniser.expect(["пауза"])
    parts.recogniser.expect(["дальше"])
    parts.done()
    parts.recogniser.expect(["спасибо"])
    assert parts.slow.expected[-2:] == [["дальше"], ["спасибо"]]


def test_what_changes_while_it_is_told_counts() -> None:
    parts = Loading()
    parts.recogniser.expect(["пауза"])
    told = parts.slow.expect

    def slowly(phrases: Sequence[str], grammar: object | None = None) -> None:
        told(phrases, grammar)
        if len(parts.slow.expected) == 1:
            parts.recogniser.expect(["дальше"])

    parts.slow.expect = slowly  # type: ignore[method-assign]
    parts.done()
    assert parts.slow.expected == [["пауза"], ["дальше"]]


def test_the_last_seconds_are_heard_and_all_times_are_those_of_the_stream() -> None:
    parts = Loading()
    for _ in range(10):
        assert parts.recogniser.feed(SECOND) == []
    parts.done()
    heard = parts.recogniser.feed(SECOND)
    assert len(heard) == KEPT + 1
    assert [utterance.began for utterance in heard] == [6.25, 7.25, 8.25, 9.25, 10.25]
    assert (heard[-1].ended, heard[-1].endpoint) == (10.5, 11.0)
    assert [utterance.began for utterance in parts.recogniser.feed(SECOND)] == [11.25]


def test_memory_does_not_grow_while_it_is_loaded() -> None:
    parts = Loading()
    for _ in range(600):
        parts.recogniser.feed(SECOND)
    assert len(parts.loading._waiting) == KEPT * len(SECOND)
    parts.done()


def test_whoever_wants_to_know_is_told_once_however_late_he_asks() -> None:
    parts = Loading()
    told: list[object] = []
    parts.loading.then(told.append)
    assert told == []
    parts.done()
    assert told == [parts.slow]
    parts.loading.then(told.append)
    assert told == [parts.slow, parts.slow]


def test_why_it_cannot_be_loaded_is_kept_and_raised() -> None:
    broken = UserError("models.broken", file="model.bin", detail="-")
    parts = Loading(broken)
    assert parts.recogniser.feed(SECOND) == []
    parts.done()
    assert parts.loading.failure is broken
    with pytest.raises(UserError):
        parts.recogniser.feed(SECOND)
    parts.recogniser.close()


def test_closed_before_it_is_there_it_lets_the_model_go_without_waiting() -> None:
    parts = Loading()
    began = monotonic()
    parts.recogniser.close()
    parts.recogniser.close()
    assert monotonic() - began < 10
    parts.done()
    while not parts.slow.closed:
        sleep(0.001)


def test_closed_afterwards_it_closes_what_was_loaded() -> None:
    parts = Loading()
    parts.done()
    parts.recogniser.close()
    assert parts.slow.closed
