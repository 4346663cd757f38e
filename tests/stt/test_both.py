"""Two recognisers as one: agreement, conflict, silence of one, and what belongs together in time."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.components import require
from tests.stt.conftest import quiet, recording
from voicehost.cli.evaluate import Situations
from voicehost.stt.both import BothRecogniser
from voicehost.stt.recogniser import UNKNOWN, Candidate, Recogniser, Utterance
from voicehost.stt.vosk import VoskRecogniser
from voicehost.stt.vosk_model import VoskModel

PHRASES = ("фол третьему", "фол седьмому", "фол восьмому", "дальше", "пауза", "спасибо")


class Scripted:
    """A recogniser that gives what it was told to, when that much has been fed."""

    name = "scripted"
    sample_rate = 16_000

    def __init__(self, model: str, utterances: Sequence[Utterance]) -> None:
        self.model = model
        self.left = list(utterances)
        self.fed = 0.0
        self.closed = 0

    def expect(self, phrases: Sequence[str], grammar: object | None = None) -> None:
        pass

    def feed(self, pcm: bytes) -> list[Utterance]:
        self.fed += len(pcm) / 32_000
        given = [utterance for utterance in self.left if utterance.endpoint <= self.fed + 1e-6]
        self.left = [utterance for utterance in self.left if utterance not in given]
        return given

    def finish(self) -> list[Utterance]:
        given, self.left, self.fed = self.left, [], 0.0
        return given

    def close(self) -> None:
        self.closed += 1


def said(
    text: str, began: float, ended: float, after: float = 0.4, confidence: float | None = 0.95, **more: object
) -> Utterance:
    return Utterance(text, began, ended, round(ended + after, 3), confidence, **more)  # type: ignore[arg-type]


def heard(first: Sequence[Utterance], second: Sequence[Utterance], seconds: float = 20.0) -> list[Utterance]:
    both = BothRecogniser(Scripted("one", first), Scripted("two", second))
    both.expect(PHRASES)
    return [u for _ in range(round(seconds / 0.03)) for u in both.feed(bytes(960))] + both.finish()


def test_says_what_it_is() -> None:
    one, two = Scripted("one", []), Scripted("two", [])
    both: Recogniser = BothRecogniser(one, two)
    assert (both.name, both.model, both.sample_rate) == ("both", "one+two", 16_000)
    both.close()
    both.close()
    assert (one.closed, two.closed) == (2, 2)


def test_what_both_hear_is_believed_as_soon_as_the_later_one_has_said_it() -> None:
    [found] = heard([said("фол третьему", 2.0, 3.0)], [said("фол третьему", 2.1, 3.0, after=0.6)])
    assert (found.text, found.alternatives) == ("фол третьему", ())
    assert found.endpoint == pytest.approx(3.6, abs=0.04)


def test_two_different_commands_are_both_named_so_that_one_can_ask() -> None:
    [found] = heard([said("фол седьмому", 2.0, 3.0)], [said("фол восьмому", 2.0, 3.0)])
    assert (found.text, found.alternatives) == ("фол седьмому", ("фол восьмому",))


@pytest.mark.parametrize("second", [[], [said(UNKNOWN, 2.0, 3.0)], [said(f"{UNKNOWN} фол", 1.5, 3.4)]])
@pytest.mark.parametrize(
    ("text", "confidence", "taken"),
    [("фол третьему", 0.4, True), ("дальше", 0.95, True), ("дальше", 0.8, False), ("дальше", None, False)],
)
def test_the_first_alone_is_believed_unless_it_is_unsure_of_a_single_word(
    second: list[Utterance], text: str, confidence: float | None, taken: bool
) -> None:
    [found] = heard([said(text, 2.0, 3.0, confidence=confidence)], second)
    assert found.text == (text if taken else UNKNOWN)


@pytest.mark.parametrize(
    ("first", "text"),
    [
        ([], UNKNOWN),
        ([said(UNKNOWN, 2.0, 3.0)], UNKNOWN),
        ([said(UNKNOWN, 2.0, 3.0, candidates=(Candidate("пауза", -1.0, 0.3),))], UNKNOWN),
        ([said(UNKNOWN, 2.0, 3.0, candidates=(Candidate("пауза", 2.0, 0.3), Candidate("дальше", 1.0, 0.2)))], "дальше"),
    ],
)
def test_the_second_alone_is_believed_only_if_the_first_thought_of_it(first: list[Utterance], text: str) -> None:
    assert [found.text for found in heard(first, [said("дальше", 2.0, 3.0, confidence=None)])] == [text]


def test_each_settles_what_the_other_is_in_doubt_about() -> None:
    doubtful = [said("фол седьмому", 2.0, 3.0, alternatives=("фол восьмому",))]
    sure = [said("фол восьмому", 2.0, 3.0)]
    assert [(u.text, u.alternatives) for u in heard(doubtful, sure)] == [("фол восьмому", ())]
    assert [(u.text, u.alternatives) for u in heard(sure, doubtful)] == [("фол восьмому", ())]
    [asked] = heard(doubtful, doubtful)
    assert (asked.text, asked.alternatives) == ("фол седьмому", ("фол восьмому",))
    [alone] = heard(doubtful, [])
    assert (alone.text, alone.alternatives) == ("фол седьмому", ("фол восьмому",))


def test_what_belongs_together_is_told_by_time_not_by_order() -> None:
    first = [said("фол третьему", 5.0, 6.0), said("пауза", 8.0, 8.5)]
    second = [said(UNKNOWN, 1.0, 2.0), said("фол третьему", 5.1, 6.1), said("пауза", 8.0, 8.6)]
    found = heard(first, second)
    assert [u.text for u in found] == [UNKNOWN, "фол третьему", "пауза"]
    assert found[1].endpoint <= 6.6


def test_one_long_utterance_over_two_short_ones_makes_no_third() -> None:
    first = [said("фол третьему", 2.0, 3.0), said("пауза", 4.0, 4.5)]
    assert [u.text for u in heard(first, [said(UNKNOWN, 1.9, 5.0)])] == ["фол третьему", "пауза"]
    assert [u.text for u in heard(first, [said("фол третьему", 1.9, 8.0, after=0.7)])] == ["фол третьему", "пауза"]


def test_the_same_command_said_twice_counts_twice() -> None:
    both = [said("фол третьему", 2.0, 3.0), said("фол третьему", 4.0, 5.0)]
    assert [u.text for u in heard(both, both)] == ["фол третьему"] * 2


def test_the_first_is_not_waited_for_longer_than_it_takes() -> None:
    [found] = heard([said("фол третьему", 2.0, 3.0)], [])
    assert 3.7 <= found.endpoint <= 3.85


def test_the_end_of_the_stream_gives_what_waits_and_begins_anew() -> None:
    both = BothRecogniser(Scripted("one", [said("пауза", 0.5, 1.0, after=0.2)]), Scripted("two", []))
    both.expect(PHRASES)
    assert both.feed(bytes(41_600)) == []
    assert [u.text for u in both.finish()] == ["пауза"]
    assert both.finish() == []


def test_candidates_and_sound_of_both_are_kept() -> None:
    first = said("пауза", 2.0, 3.0, candidates=(Candidate("пауза", 3.0, 0.9),), sound=b"12")
    second = said("пауза", 2.0, 3.0, candidates=(Candidate("пауза", -5.0),), sound=b"1234")
    [found] = heard([first], [second])
    assert found.candidates == (*first.candidates, *second.candidates)
    assert found.sound == b"1234"


def test_digits_and_words_are_one_command_by_the_grammar() -> None:
    expectation = Situations("ru").expectation("speech")
    both = BothRecogniser(
        Scripted("one", [said("фол игроку 3", 2.0, 3.0)]), Scripted("two", [said("фол третьему", 2.0, 3.0)])
    )
    both.expect(expectation.phrases, expectation)
    found = both.feed(bytes(32_000 * 4))
    assert [(u.text, u.alternatives) for u in found] == [("фол игроку 3", ())]


def test_with_real_recognisers_commands_come_once_and_talk_is_none(tiny: VoskModel) -> None:
    require("vosk", "soundfile")

    class Sure(VoskRecogniser):
        """Gives the confidence that the first of two must have."""

        def feed(self, pcm: bytes) -> list[Utterance]:
            from dataclasses import replace

            return [replace(utterance, confidence=1.0) for utterance in super().feed(pcm)]

    both = BothRecogniser(Sure(tiny), VoskRecogniser(tiny))
    both.expect(["выставляю номер пять", "фол игроку три", "пауза", "дальше"])
    sound = b"".join(recording(name) + quiet(1.0) for name in ("000_festival", "039_festival", "024_festival"))
    found = [u.text for place in range(0, len(sound), 960) for u in both.feed(sound[place : place + 960])]
    assert [text for text in found if UNKNOWN not in text] == ["выставляю номер пять", "пауза"]
    assert both.finish() == []
    both.close()
