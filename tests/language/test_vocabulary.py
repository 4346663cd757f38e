"""Which commands a recogniser with a given vocabulary can hear."""

from __future__ import annotations

from pathlib import Path

import pytest

from voicehost.language.commands import automaton, covering_phrases, parse
from voicehost.language.pack import load_pack
from voicehost.language.vocabulary import everything, sayable, spelling, spoken, unknown_words, words
from voicehost.rules.commands import COMMANDS

RUSSIAN = load_pack("ru")
EMBEDDED = Path(__file__).parents[2] / "models" / "vosk-model-ru-tiny" / "graph" / "words.txt"
SPOKEN = {name for name, command in COMMANDS.items() if command.spoken}


def embedded_words() -> set[str]:
    if not EMBEDDED.is_file():
        pytest.skip("the embedded recogniser is not here")
    return {line.split()[0] for line in EMBEDDED.read_text(encoding="utf-8").splitlines()}


def test_every_command_can_be_said_to_the_embedded_recogniser() -> None:
    found = sayable(RUSSIAN, embedded_words())
    assert set(found) == SPOKEN
    assert {name: voice.silent for name, voice in found.items() if voice.silent} == {}
    assert [name for name, voice in found.items() if not voice.phrases] == []


CANONICAL = """\
начинаем игру|дальше|спасибо|пас|выставляю номер пять|я выставляю пятого|выставляю на голосование игрока пять
отзываю номер пять|фол игроку три|третьему фол|снять фол с третьего|минус фол третьему|технический фол третьему
удалить игрока номер пять|подтверждаю|нет|поражение команды игрок пять|четыре голоса|четыре|голосует девятый
голосуют первый третий и шестой|убит седьмой|убит номер семь|промах|второй стреляет в седьмого|дон проверяет третьего
шериф проверяет шестого|комиссар проверяет номер шесть|лучший ход два пять восемь|пауза|продолжить|отмена|вернуть
добавить десять секунд|повтори|кто выставлен|сколько времени осталось|сколько фолов у третьего|кто жив|какой день
что можно сказать|слушай|не слушай|победа города|победили мирные|победа мафии|ничья|пятый шериф|играем ещё раз
закончить игру"""


@pytest.mark.parametrize("phrase", CANONICAL.replace("\n", "|").split("|"))
def test_the_embedded_recogniser_knows_the_canonical_wordings(phrase: str) -> None:
    assert spoken([phrase], embedded_words()) == [phrase]
    machine = automaton(RUSSIAN, everything())
    state = machine.follow(phrase.split())
    assert state is not None
    assert machine.accepts(state)


def test_with_every_word_known_nothing_is_lost() -> None:
    found = sayable(RUSSIAN, lambda word: True)
    assert all(voice.phrases and not voice.lost and not voice.silent for voice in found.values())
    assert unknown_words(RUSSIAN, lambda word: True) == []


def test_a_missing_word_is_told_with_its_place_and_its_commands() -> None:
    everything_known = {entry.word for entry in words(RUSSIAN)}
    (entry,) = unknown_words(RUSSIAN, everything_known - {"отзываю"})
    assert (entry.word, entry.commands) == ("отзываю", ("withdraw",))
    assert entry.file == RUSSIAN.folder / "commands.yaml"
    source = entry.file.read_text(encoding="utf-8").splitlines()
    assert "отзываю" in source[entry.line - 1]


def test_a_missing_number_silences_a_seat() -> None:
    known = {entry.word for entry in words(RUSSIAN)}
    seven = {word for form in RUSSIAN.numerals.forms() for word in RUSSIAN.numerals.words(form, [7]).values()}
    found = sayable(RUSSIAN, known - seven)
    assert found["nominate"].silent == (7,)
    assert found["nominate"].lost > 0
    assert found["pause"].silent == ()


def test_a_command_without_any_known_wording() -> None:
    known = {entry.word for entry in words(RUSSIAN)}
    found = sayable(RUSSIAN, known - {"пауза", "паузу", "стоп"})
    assert found["pause"].phrases == ()
    assert found["resume"].phrases


@pytest.mark.parametrize(
    ("word", "known", "spelled"),
    [
        ("четвёртого", {"четвёртого", "четвертого"}, "четвёртого"),
        ("четвёртого", {"четвертого"}, "четвертого"),
        ("четвертого", {"четвёртого"}, "четвёртого"),
        ("еще", {"ещё"}, "ещё"),
        ("пять", {"шесть"}, None),
    ],
)
def test_either_spelling_will_do(word: str, known: set[str], spelled: str | None) -> None:
    assert spelling(word, known) == spelled


def test_phrases_come_in_the_recognisers_spelling() -> None:
    phrases = ["снять фол с четвёртого", "снять фол с пятого"]
    assert spoken(phrases, {"снять", "фол", "с", "четвертого"}) == ["снять фол с четвертого"]
    assert spoken(phrases, set()) == []
    assert spoken([*phrases, phrases[0]], lambda word: True) == phrases


def test_what_is_heard_in_the_recognisers_spelling_is_understood() -> None:
    known = {entry.word.replace("ё", "е") for entry in words(RUSSIAN)}
    phrases = spoken(covering_phrases(RUSSIAN, everything()), known)
    assert phrases
    assert all(parse(RUSSIAN, phrase) is not None for phrase in phrases)
