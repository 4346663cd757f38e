"""What people say, in both languages: every command and wording, and the talk that is no command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from voicehost.language.commands import Heard, parse
from voicehost.language.pack import load_pack
from voicehost.rules.commands import COMMANDS, Foul, Nominate
from voicehost.rules.legal import Allowed

HERE = Path(__file__).parent
LANGUAGES = ("ru", "bg")
SEATS = tuple(range(1, 21))


def wordings(language: str) -> Iterator[tuple[str, str, dict[str, Any] | None, str]]:
    """Language, command, slots and utterance of each line of the wordings file."""
    command, slots = "", None
    for line in (HERE / f"wordings_{language}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]") and not line.startswith("[unk"):
            command, _, data = line[1:-1].partition(" ")
            slots = json.loads(data) if data else None
        elif line and not line.startswith("#"):
            yield language, command, slots, line


ALL = [case for language in LANGUAGES for case in wordings(language)]


@pytest.mark.parametrize(("language", "command", "slots", "text"), ALL, ids=[f"{case[0]}: {case[3]}" for case in ALL])
def test_wording(language: str, command: str, slots: dict[str, Any] | None, text: str) -> None:
    heard = parse(load_pack(language), text)
    if not command:
        assert heard is None
        return
    assert heard is not None
    assert (heard.command.name, heard.command.slots(), heard.text) == (command, slots, text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_is_in_the_table(language: str) -> None:
    spoken = {name for name, command in COMMANDS.items() if command.spoken}
    assert {case[1] for case in ALL if case[0] == language} - {""} == spoken


@pytest.mark.parametrize("text", [case[3] for case in ALL if not case[1] and case[0] == "ru"])
def test_talk_is_never_a_command_whatever_is_legal(text: str) -> None:
    legal = {name: Allowed(name, SEATS, SEATS, SEATS) for name, command in COMMANDS.items() if command.spoken}
    assert parse(load_pack("ru"), text, legal) is None


SEAT_PHRASES = {
    "ru": {
        "cardinal.nominative": ["выставляю номер {}", "выставляю {}", "фол игроку {}", "фол игроку номер {}"],
        "ordinal.nominative": ["выставляю {} номер", "убит {}", "голосует {}"],
        "ordinal.accusative": ["выставляю {}", "я выставляю {} на голосование", "дон проверяет {}"],
        "ordinal.accusative.feminine": ["выставляю {}", "шериф проверяет {}"],
        "ordinal.genitive": ["снять фол с {}", "сколько фолов у {}"],
        "ordinal.genitive.feminine": ["снять фол с {}", "сколько фолов у {}"],
        "ordinal.dative": ["фол {}", "{} фол", "минус фол {}", "технический фол {}"],
        "ordinal.nominative.feminine": ["убита {}", "{} мирная"],
    },
    "bg": {
        "cardinal.nominative.neuter": ["номинирам номер {}", "фал на играч {}", "отстранявам играч {}"],
        "cardinal.nominative": ["номинирам номер {}"],
        "cardinal.nominative.neuter.colloquial": ["номинирам номер {}"],
        "ordinal.nominative": ["номинирам {}", "убит {}", "гласува {}", "донът проверява {}"],
        "ordinal.definite": ["убит е {}"],
        "ordinal.definite.object": ["номинирам {}", "фал на {}"],
    },
}
NUMBER_CASES = [
    (language, template, form)
    for language, forms in SEAT_PHRASES.items()
    for form, templates in forms.items()
    for template in templates
]


@pytest.mark.parametrize(("language", "template", "form"), NUMBER_CASES)
def test_every_seat_in_every_form(language: str, template: str, form: str) -> None:
    pack = load_pack(language)
    for seat in SEATS:
        word = pack.numerals.spell(seat, form)
        for text in (template.format(word), template.format(word.replace("ё", "е")), template.format(seat)):
            heard = parse(pack, text)
            assert heard is not None, text
            found = heard.command.slots()
            assert found.get("seat", found.get("seats")) in (seat, [seat]), text


@pytest.mark.parametrize(
    ("language", "one", "few", "many"), [("ru", "голос", "голоса", "голосов"), ("bg", "глас", "гласа", "гласа")]
)
def test_every_count(language: str, one: str, few: str, many: str) -> None:
    pack = load_pack(language)
    noun = {"ru": "голос", "bg": "глас"}[language]
    for count in range(21):
        agreeing = pack.numerals.counted(count, noun)
        assert agreeing.split()[-1] in (one, few, many)
        for text in (agreeing, pack.numerals.spell(count), str(count), f"{count} {many}"):
            heard = parse(pack, text)
            assert heard is not None, text
            assert heard.command.slots() == {"count": count}, text


@pytest.mark.parametrize(("language", "noun", "verb"), [("ru", "секунда", "добавить"), ("bg", "секунда", "добави")])
def test_every_number_of_seconds(language: str, noun: str, verb: str) -> None:
    pack = load_pack(language)
    for seconds in range(1, 301):
        for text in (f"{verb} {pack.numerals.counted(seconds, noun, 'accusative')}", f"{verb} {seconds} секунди"):
            if language == "ru":
                text = text.replace("секунди", "секунд")
            heard = parse(pack, text)
            assert heard is not None, text
            assert heard.command.slots() == {"seconds": seconds}, text


def test_a_legal_command_wins_where_words_fit_several(tmp_path: Path) -> None:
    (tmp_path / "numbers.toml").write_bytes((load_pack("ru").folder / "numbers.toml").read_bytes())
    (tmp_path / "commands.yaml").write_text(
        "intents:\n"
        "  nominate: {data: [{sentences: ['номер {seat}']}]}\n"
        "  foul: {data: [{sentences: ['номер {seat}']}]}\n"
        "lists:\n"
        "  seat: {numbers: [cardinal.nominative], from: 1, to: 20}\n",
        encoding="utf-8",
    )
    pack = load_pack(tmp_path)
    assert parse(pack, "номер три") == Heard(Nominate(3), "номер три")
    assert parse(pack, "номер три", {"foul": Allowed("foul", (3,), counts=(1,))}) == Heard(Foul(3), "номер три")
    both = {"nominate": Allowed("nominate", (5,)), "foul": Allowed("foul", (3,), counts=(1,))}
    assert parse(pack, "номер три", both) == Heard(Foul(3), "номер три")
    assert parse(pack, "номер пять", both) == Heard(Nominate(5), "номер пять")
    assert parse(pack, "номер семь", both) == Heard(Nominate(7), "номер семь")
    assert parse(pack, "номер три", {}) == Heard(Nominate(3), "номер три")
