"""What people who used such recognisers had trouble with: it must not happen here."""

from __future__ import annotations

import pytest

from tests.components import require
from tests.stt.conftest import quiet, recording
from voicehost.cli.evaluate import Situations
from voicehost.language.pack import load_pack
from voicehost.rules.situations import SITUATIONS
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


@pytest.mark.parametrize("language", ["ru", "bg"])
def test_numbers_said_several_times_are_no_list(language: str) -> None:
    """A recogniser loses one of two equal words as easily as it doubles one: «два два пять» may have been any three."""
    game = Situations(language)
    numerals = load_pack(language).numerals
    words = [numerals.spell(seat) for seat in range(1, 11)]
    lists = {
        "ru": ("{0} {0}", "{0} {0} {0}", "{0} {0} {1}", "{0} {1} {1}", "{0} {1} {0}", "лучший ход {0} {0} {1}",
               "лучший ход {0} {1} {1}", "голосуют {0} {0}", "голосуют {0} {0} {1}", "голосуют {0} и {0}"),
        "bg": ("{0} {0}", "{0} {0} {0}", "{0} {0} {1}", "{0} {1} {1}", "{0} {1} {0}", "най-добър ход {0} {0} {1}",
               "гласуват {0} {0}", "гласуват {0} {0} {1}", "гласуват {0} и {0}"),
    }[language]  # fmt: skip
    heard = [
        (state, text, game.parse(text, state))
        for state in SITUATIONS
        for first, second in zip(words, words[3:] + words[:3], strict=True)
        for text in (pattern.format(first, second) for pattern in lists)
    ]
    assert [found for found in heard if found[2] is not None] == []


@pytest.mark.parametrize(
    ("text", "state", "seats"),
    [("голосуют два пять", "vote", [2, 5]), ("два пять девять", "best-move", [2, 5, 9])],
)
def test_lists_of_different_numbers_are(game: Situations, text: str, state: str, seats: list[int]) -> None:
    heard = game.parse(text, state)
    assert heard is not None
    assert heard[1] == {"seats": seats}
