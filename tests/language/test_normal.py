"""Spelling does not matter: case, ё, punctuation, digits, fillers; and no text whatever breaks the parser."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voicehost.language.commands import covering, parse
from voicehost.language.normal import normalise
from voicehost.language.pack import load_pack
from voicehost.language.vocabulary import everything
from voicehost.rules.commands import Command

LANGUAGES = ("ru", "bg")
PHRASES = {language: list(covering(load_pack(language), everything())) for language in LANGUAGES}
NUMBER_WORDS = {
    language: {
        word: number
        for form in load_pack(language).numerals.forms()
        for number, word in load_pack(language).numerals.words(form, range(21)).items()
    }
    for language in LANGUAGES
}


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("Выставляю №5!", "выставляю номер 5"),
        ("ЧЕТВЁРТОМУ — фол…", "четвертому фол"),
        ("фол 3-му", "фол 3"),
        ("5-го, 12-го", "5 12"),
        ("10 секунд", "10 секунд"),
        ("10секунд", "10 секунд"),
        ("  пас\t\n", "пас"),
        ("из-за стола", "из за стола"),
        ("выста́вляю пе́рвого", "выставляю первого"),
        ("е\u0308", "е"),
        ("и\u0306", "й"),
        ("ѝ", "и"),
        ("snake_case", "snake case"),
        ("１２", "12"),
        ("\u202eпас\u202c", "пас"),
        ("па\u00adс", "пас"),
        ("", ""),
        ("…!?", ""),
    ],
)
def test_normalise(text: str, normal: str) -> None:
    assert normalise(text) == normal


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


def respell(phrase: str, language: str, draw: st.DrawFn) -> str:
    """The phrase as somebody else would write it."""
    words = []
    for word in phrase.split():
        if draw(st.booleans()):
            word = word.replace("ё", "е")
        if word in NUMBER_WORDS[language] and draw(st.booleans()):
            word = str(NUMBER_WORDS[language][word])
        words.append(draw(st.sampled_from([word, word.upper(), word.capitalize()])))
    marks = [draw(st.sampled_from([" ", ", ", "  ", " — ", "; ", ": ", "\t", "… "])) for _ in words]
    text = "".join(word + mark for word, mark in zip(words, marks, strict=True))
    return draw(st.sampled_from(["", "«", " ", "- "])) + text + draw(st.sampled_from(["", ".", "!", "?", "»"]))


@st.composite
def respelled(draw: st.DrawFn, language: str) -> tuple[str, str, Command]:
    phrase, command = draw(st.sampled_from(PHRASES[language]))
    return phrase, respell(phrase, language, draw), command


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=250, deadline=None)
@given(data=st.data())
def test_spelling_does_not_change_the_command(language: str, data: st.DataObject) -> None:
    _, text, command = data.draw(respelled(language))
    heard = parse(load_pack(language), text)
    assert heard is not None, text
    assert heard.command == command, text


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_fillers_may_stand_anywhere(language: str, data: st.DataObject) -> None:
    pack = load_pack(language)
    phrase, command = data.draw(st.sampled_from(PHRASES[language]))
    words = phrase.split()
    for _ in range(data.draw(st.integers(1, 3))):
        words.insert(data.draw(st.integers(0, len(words))), data.draw(st.sampled_from(sorted(pack.commands.skip))))
    heard = parse(pack, " ".join(words))
    assert heard is not None, words
    assert heard.command == command, words


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_left_over_word_makes_it_no_command(language: str, data: st.DataObject) -> None:
    phrase, _ = data.draw(st.sampled_from(PHRASES[language]))
    words = phrase.split()
    other = data.draw(st.sampled_from(["потому", "бы", "думаю", "стол", "бих", "защото", "unk"]))
    words.insert(data.draw(st.integers(0, len(words))), other)
    assert parse(load_pack(language), " ".join(words)) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_fillers_alone_are_nothing(language: str) -> None:
    pack = load_pack(language)
    assert parse(pack, " ".join(pack.commands.skip)) is None
    assert all(parse(pack, word) is None for word in pack.commands.skip)


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=250, deadline=None)
@given(text=st.text(max_size=200))
def test_no_text_breaks_the_parser(language: str, text: str) -> None:
    parse(load_pack(language), text)


@st.composite
def word_salad(draw: st.DrawFn, language: str) -> str:
    words = sorted({word for phrase, _ in PHRASES[language][::7] for word in phrase.split()})
    return " ".join(draw(st.lists(st.one_of(st.sampled_from(words), st.sampled_from(["3", "20", "и"])), max_size=70)))


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_no_order_of_known_words_breaks_the_parser(language: str, data: st.DataObject) -> None:
    heard = parse(load_pack(language), data.draw(word_salad(language)))
    assert heard is None or heard.command.name


@pytest.mark.parametrize(
    "text",
    [
        "а" * 100_000,
        "фол " * 25_000,
        "лучший ход " + "два " * 25_000,
        "голосуют " + "первый и " * 12_000,
        "9" * 100_000,
        "выставляю номер " + "9" * 5_000,
        "\u0301" * 100_000,
        "\x00\x01\x1b[31m\x7f",
        "выставляю\x00номер\x00пять\x00и",
        "\ud800",
        "пас\ufeff нет",
        "½ ² Ⅷ ٣",
    ],
    ids=lambda text: f"{text[:10]!r} x {len(text)}",
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_monsters_are_no_commands(language: str, text: str) -> None:
    assert parse(load_pack(language), text) is None


def test_long_seat_lists_do_not_explode() -> None:
    """Sixty numbers fit many templates at once; the walk must stay small, whatever the answer."""
    pack = load_pack("ru")
    tokens = re.findall(r"\S+", "лучший ход " + "два " * 58)
    assert len(pack.graph.walk(tokens)) < 50
