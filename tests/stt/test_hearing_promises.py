"""What people who used such recognisers had trouble with: it must not happen here."""

from __future__ import annotations

import pytest

from tests.components import require
from tests.stt.conftest import quiet, recording
from voicehost.cli.evaluate import Situations
from voicehost.stt.vosk import VoskRecogniser
from voicehost.stt.vosk_model import VoskModel


@pytest.fixture(scope="module")
def game() -> Situations:
    return Situations("ru")


def test_the_first_words_right_after_loading_are_heard(tiny: VoskModel, game: Situations) -> None:
    require("voice check")
    recogniser = VoskRecogniser(tiny)
    expectation = game.expectation("speech")
    recogniser.expect(expectation.phrases, expectation)
    heard = recogniser.feed(recording("000_festival") + quiet(1.0))
    assert [game.parse(u.text, "speech") for u in heard] == [("nominate", {"seat": 5})]


def test_nothing_is_given_out_before_an_utterance_is_over(tiny: VoskModel, game: Situations) -> None:
    """What is heard half-way may still become something else, so that nobody may act on it."""
    recogniser = VoskRecogniser(tiny)
    expectation = game.expectation("speech")
    recogniser.expect(expectation.phrases, expectation)
    said = recording("000_festival")
    for cut in range(len(said) // 4, len(said) * 3 // 4, 6_400):
        assert recogniser.feed(said[: cut // 2 * 2]) == []
        recogniser.finish()


@pytest.mark.parametrize(
    "text",
    [
        "выставляю игроку три",
        "фол номер пять голосов",
        "сколько времени жив",
        "выставляю номер",
        "фол игроку",
        "удалить игрока",
        "добавить секунд",
        "дальше пауза",
        "фол игроку три голоса",
        "[unk] фол игроку три",
        "фол игроку три [unk]",
        "выставляю номер пять шесть",
    ],
)
def test_words_of_several_commands_or_half_of_one_are_none(game: Situations, text: str) -> None:
    """A recogniser that thinks in pairs of words strings any of them together."""
    assert game.parse(text, "any") is None


@pytest.mark.parametrize(
    ("text", "seat"),
    [("семь", 7), ("восемь", 8), ("девять", 9), ("десять", 10), ("два", 2), ("один", 1), ("шесть", 6)],
)
def test_a_number_is_itself_and_never_a_neighbour(game: Situations, text: str, seat: int) -> None:
    assert game.parse(f"выставляю номер {text}", "speech") == ("nominate", {"seat": seat})
    for longer in ("двенадцать", "двадцать", "семнадцать", "восемьдесят"):
        assert game.parse(f"выставляю номер {longer}", "speech") is None


def test_phrases_that_are_not_expected_any_more_leave_nothing_behind(tiny: VoskModel, game: Situations) -> None:
    """Half a command before listening stops is not finished by what comes after."""
    recogniser = VoskRecogniser(tiny)
    speech = game.expectation("speech")
    recogniser.expect(speech.phrases, speech)
    said = recording("000_festival")
    recogniser.feed(said[: len(said) // 4 * 2])
    recogniser.expect([])
    heard = recogniser.feed(quiet(1.5))
    recogniser.feed(recording("031_festival") + quiet(1.0))
    recogniser.expect(speech.phrases, speech)
    heard += recogniser.feed(quiet(1.5))
    assert [u for u in heard if game.parse(u.text, "speech") == ("nominate", {"seat": 5})] == []
    heard = recogniser.feed(recording("024_festival") + quiet(1.0))
    assert [game.parse(u.text, "speech") for u in heard] == [("pause", {})]
