"""When nothing that may follow changes what was said, there is no need to wait."""

from __future__ import annotations

import pytest

from voicehost.hosting.hearing import Expectation
from voicehost.language.pack import load_pack
from voicehost.rules.situations import legal_in


@pytest.mark.parametrize(
    ("state", "text", "ends"),
    [
        ("speech", "выставляю номер пять", True),
        ("speech", "выставляю", None),
        ("speech", "спасибо", True),
        ("vote", "четыре", True),
        ("vote", "голосуют первый и третий", False),
        ("best-move", "лучший ход два пять восемь", True),
        ("speech", "мне кажется", None),
    ],
)
def test_an_end_is_known_by_what_may_follow(state: str, text: str, ends: bool | None) -> None:
    assert Expectation(load_pack("ru"), legal_in(state)).ends(text) is ends


def expected(state: str, beside: tuple[str, ...] = (), calls: tuple[str, ...] = ()) -> Expectation:
    return Expectation(load_pack("ru"), legal_in(state), beside=beside, calls=calls)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("ведущий выставляю номер пять", True),
        ("ведущий пауза", True),
        ("ведущий", None),
        ("выставляю номер пять", None),
        ("пауза", None),
        ("ведущий ведущий пауза", None),
        ("эй судья пауза", True),
        ("эй пауза", None),
    ],
)
def test_with_a_wake_word_nothing_is_heard_without_it(text: str, ends: bool | None) -> None:
    assert expected("speech", calls=("ведущий", "эй судья")).ends(text) is ends


def test_the_wake_word_is_no_part_of_the_meaning() -> None:
    bare, called = expected("speech"), expected("speech", calls=("ведущий",))
    meant = bare.automaton().heard(["фол", "третьему"])
    heard = called.automaton(digits=True).heard(["Ведущий, фол третьему"])
    assert meant is not None
    assert heard is not None
    assert heard.command == meant.command


def test_recognisers_of_word_pairs_know_the_wake_word_before_every_beginning() -> None:
    known = expected("speech", calls=("ведущий",))
    pairs = {(phrase.split()[0], phrase.split()[1]) for phrase in known.phrases if phrase.startswith("ведущий ")}
    assert pairs >= {("ведущий", phrase.split()[0]) for phrase in expected("speech").phrases if " " not in phrase}


def test_answers_and_stop_words_stand_beside_the_commands() -> None:
    known = expected("speech", beside=("седьмой", "стоп"))
    assert known.ends("седьмой") is False, "a foul may follow"
    assert known.ends("стоп") is False, "«стоп таймер» may follow"
    assert known.ends("стоп таймер") is True
    assert known.ends("выставляю номер пять") is True
    meaning = known.automaton().heard(["стоп"])
    assert meaning is not None
    assert meaning.command == "стоп"


@pytest.mark.parametrize("language", ["ru", "bg"])
def test_one_filler_may_stand_before_a_command_and_one_behind(language: str) -> None:
    pack = load_pack(language)
    expected = Expectation(pack, legal_in("speech"))
    words = expected.automaton(digits=True, fillers=True)
    command = expected.phrases[0]
    assert words.heard([command]) is not None
    for filler in pack.fillers:
        for text in (f"{filler} {command}", f"{command} {filler}", f"{filler} {command} {filler}"):
            state = words.follow(text.split())
            assert state is not None, text
            assert words.accepts(state), text
            assert words.heard([text]).command == words.heard([command]).command
            assert expected.ends(text) == expected.ends(command)
        for text in (f"{filler} {filler} {command}", f"{command} {filler} {filler}"):
            state = words.follow(text.split())
            assert state is None or not words.accepts(state), text


def test_calling_the_host_is_talk() -> None:
    """«Ведущий» alone is not «следующий»."""
    meaning = Expectation(load_pack("ru"), legal_in("speech")).automaton(digits=True).heard(["ведущий"])
    assert meaning is not None
    assert meaning.command == "ведущий"


@pytest.mark.parametrize("language", ["ru", "bg"])
def test_a_filler_is_a_word_that_the_parser_skips(language: str) -> None:
    pack = load_pack(language)
    assert pack.fillers
    assert set(pack.fillers) <= set(pack.commands.skip)


def test_talk_that_begins_with_a_filler_stays_talk() -> None:
    pack = load_pack("ru")
    words = Expectation(pack, legal_in("speech"), beside=("ну и что",)).automaton(digits=True, fillers=True)
    meaning = words.heard(["ну и что"])
    state = words.follow(["ну", "и", "что"])
    assert state is not None
    assert words.accepts(state)
    assert meaning is not None
    assert meaning.command == "ну и что"
