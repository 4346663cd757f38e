"""A microphone that hears the host over the program's own voice: only what stops it is taken."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from tests.hosting.live import LiveGame, SlowSpeaker, play
from tests.hosting.test_edge_cases_i_host import Block, Recogniser, Source, Speaking, Utterance
from voicehost.hosting.hearing import Ear
from voicehost.hosting.inputs import Said
from voicehost.hosting.push import Push
from voicehost.hosting.words import Words
from voicehost.language.lint import widest_legal
from voicehost.language.pack import load_pack

START = [(0.0, "начинаем игру"), (20.0, "дальше")]


def over(text: str) -> Said:
    return Said(text, spoken=True, over_voice=True)


def test_with_echo_cancelled_the_recogniser_hears_on_and_is_told_apart() -> None:
    found = [
        [Utterance("до", 0.1, 0.9)],
        [Utterance("стоп", 1.0, 1.9)],
        [Utterance("после", 2.3, 2.8)],
    ]
    taken: list[str] = []
    over_voice: list[str] = []
    recogniser = Recogniser(found)
    ear = Ear(
        Source([Block(float(second)) for second in range(3)]),
        recogniser,
        lambda utterance: taken.append(utterance.text),
        own_voice=Speaking(),
        interrupt=lambda utterance: over_voice.append(utterance.text),
    )
    ear.start()
    ear._thread.join(10)
    assert (taken, over_voice) == (["до", "после"], ["стоп"])
    assert all(recogniser.fed), "nothing was silenced"


@dataclass(slots=True)
class Skipping(SlowSpeaker):
    skipped: list[float] = field(default_factory=list)

    @property
    def lead(self) -> float:
        return 0.0

    def say(self, text: str, *, urgent: bool = False, at: float | None = None, firm: bool = False):  # type: ignore[no-untyped-def, override]
        return SlowSpeaker.say(self, text, urgent=urgent)

    def length(self, text: str) -> float:
        return self.seconds

    def signal(self, name: str, at: float | None = None) -> None:
        return None

    def prepare(self, lines: object) -> None: ...

    def music(self, *, plays: bool) -> None: ...

    def skip(self) -> None:
        import asyncio

        self.skipped.append(asyncio.get_running_loop().time())


@pytest.mark.parametrize("word", ["стоп", "Стоп!", "хватит"])
def test_stop_ends_the_line_and_changes_nothing(word: str) -> None:
    speaker = Skipping()
    game = play([*START, (40.0, over(word))], 50.0, speaker)
    assert [moment for moment in speaker.skipped if moment >= 40] == [40.0]
    assert not [told for told in game.told if told.at >= 40 and told.message["type"] in {"event", "unrecognised"}]


@pytest.mark.parametrize(
    ("text", "event"), [("пауза", "paused"), ("дальше", "speech-ended"), ("повтори", None), ("не слушай", None)]
)
def test_commands_that_interrupt_are_taken(text: str, event: str | None) -> None:
    game = play([*START, (40.0, over(text))], 50.0, Skipping())
    assert game.when("heard", text=text)[-1] == 40.0
    assert event is None or 40.0 in game.when("event", name=event)


@pytest.mark.parametrize("text", ["выставляю номер пять", "фол третьему", "спасибо", "отмена", "игрок номер один"])
def test_everything_else_over_the_own_voice_is_dropped_without_a_word(text: str) -> None:
    game = play([*START, (40.0, over(text))], 50.0, Skipping())
    assert [told.message for told in game.told if 40 <= told.at < 50 and told.message["type"] != "timer"] == []


def test_a_stop_said_in_silence_is_no_command() -> None:
    game = play([*START, (40.0, Said("стоп", spoken=True))], 50.0, Skipping())
    assert game.when("unrecognised", text="стоп") == [40.0]


def test_stop_words_are_expected_only_where_they_may_be_heard() -> None:
    conductor = LiveGame().conductor
    assert conductor.beside() == []
    conductor.interruptible = True
    assert "стоп" in conductor.beside()


@pytest.mark.parametrize("language", ["ru", "bg"])
def test_no_stop_word_is_a_command_by_itself(language: str) -> None:
    """It would do more than end a line."""
    words = Words(load_pack(language), "sport")
    assert words.stop_words()
    for word in words.stop_words():
        assert words.parse(word, widest_legal("speech")) is None
        assert words.means_stop(word)


def test_with_a_key_only_what_is_said_while_it_is_held_is_fed() -> None:
    now = [100.0]
    push = Push(lambda: now[0])
    recogniser = Recogniser([[] for _ in range(20)])
    ear = Ear(Source([Block(float(second)) for second in range(4)]), recogniser, lambda utterance: None)
    ear.push = push
    now[0] = 101.5
    push.press()
    now[0] = 102.5
    push.let_go()
    ear.start()
    ear._thread.join(10)
    # The second block ends while the key is held, the third begins then; the fourth waits, in case it is pressed again.
    assert recogniser.fed == [bytes(5), b"sound", b"sound"]
