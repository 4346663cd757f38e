"""Mistakes of Bulgarian grammar that can be found without understanding the sentence."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from voicehost.language.cues import CUES
from voicehost.language.pack import load_pack

FOLDER = Path(__file__).parents[2] / "phrases" / "bg"
SPOKEN = [FOLDER / "announcements.toml", *sorted((FOLDER / "styles").glob("*.toml"))]
FILES = [*SPOKEN, *sorted((FOLDER / "messages").glob("*.toml"))]

PREPOSITIONS = (
    "без|в|във|върху|до|за|зад|заради|из|към|между|на|над|от|пред|през|при|по|под|покрай|с|със|след|сред|срещу|у|чрез"
)
FULL_ARTICLE = re.compile(rf"\b(?:{PREPOSITIONS})\s+(?!\w*път\b)\w+(?:ът|ят)\b", re.IGNORECASE)
"""The full article is the subject's alone; after a preposition stands the short one."""

SUBJECTS = "града|дона|шерифа|гласа|реда|файла|дневника|микрофона|модела|набора|дъжда|часовника|номера|хода|лова|звука"
SHORT_SUBJECT = re.compile(
    rf"(?:^|[.!?:]\s+)(?:{SUBJECTS}|комисаря|водещия|деня)\s+"
    r"(?:се|е|не|ще|вече|има|няма|заспива|решава|остава|спи|казва|работи|свърши|реши)\b",
    re.IGNORECASE,
)
"""A sentence that begins with a masculine noun needs the full article there: «Градът заспива»."""

NUMBERS = "два|три|четири|пет|шест|седем|осем|девет|десет|колко|толкова|няколко"
PLURAL_AFTER_NUMBER = re.compile(rf"\b(?:{NUMBERS})\s+(?:\w+ове|\w+еве|дние)\b", re.IGNORECASE)
"""After a number things that are masculine have the count form: «толкова гласа», not «толкова гласове»."""

POLITE = re.compile(r"\b(?:вие|ви|вас|вам|ваш(?:ата|ия|ият|ето|ите|а|е|и)?)\b")
"""To one person these are written with a capital."""
TO_ONE = {name for name, params in CUES.items() if "seat" in params} | {"time-over", "refused-already-nominated-by-you"}

RUSSIAN = re.compile(r"[ыэёЫЭЁ]|\w[ъ]\b(?<!път)|«|»|\bчто\b|\bили\s+нет\b")
"""Letters and quotation marks that Bulgarian has not."""


def strings(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """All texts of a file, with where they stand."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for item in value:
            yield from strings(item, path)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from strings(item, f"{path}.{key}" if path else str(key))


def variants(text: str) -> list[str]:
    """A line with each of its choices made."""
    found = re.search(r"\{\w+\?([^|}]*)\|([^}]*)\}", text)
    if not found:
        return [text]
    made = (text[: found.start()] + choice + text[found.end() :] for choice in found.groups())
    return [variant for one in made for variant in variants(one)]


def texts(files: list[Path]) -> list[tuple[str, str]]:
    found = []
    for file in files:
        for path, text in strings(tomllib.loads(file.read_text(encoding="utf-8"))):
            found += [(f"{file.stem} {path}", variant) for variant in variants(text)]
    return found


@pytest.mark.parametrize(
    ("rule", "wrong", "right"),
    [
        (FULL_ARTICLE, "Вината е на градът.", "Вината е на града."),
        (FULL_ARTICLE, "Слушаме следващия, после с първият.", "По път към града."),
        (SHORT_SUBJECT, "Града заспива.", "Градът заспива."),
        (SHORT_SUBJECT, "Утро. Комисаря се събужда.", "Утро. Комисарят се събужда."),
        (PLURAL_AFTER_NUMBER, "Не останаха толкова гласове.", "Не останаха толкова гласа."),
        (PLURAL_AFTER_NUMBER, "Имате три фалове.", "Имате три фала и много фалове."),
        (POLITE, "Времето ви изтече.", "Времето Ви изтече."),
        (POLITE, "Думата е ваша.", "Думата е Ваша."),
        (RUSSIAN, "Няма файл «x».", "Няма файл „x“."),
        (RUSSIAN, "Градъ спи.", "Градът е на път."),
    ],
)
def test_the_rules_find_what_they_should(rule: re.Pattern[str], wrong: str, right: str) -> None:
    assert rule.search(wrong)
    assert not rule.search(right)


@pytest.mark.parametrize("rule", [FULL_ARTICLE, SHORT_SUBJECT, PLURAL_AFTER_NUMBER, RUSSIAN], ids=lambda rule: "")
def test_no_text_has_them(rule: re.Pattern[str]) -> None:
    assert [(where, text) for where, text in texts(FILES) if rule.search(text)] == []


def test_one_player_is_spoken_to_politely() -> None:
    to_one = [(where, text) for where, text in texts(SPOKEN) if where.split()[1].partition(".")[0] in TO_ONE]
    assert len(to_one) > 60
    assert [(where, text) for where, text in to_one if POLITE.search(text)] == []


def test_quotation_marks_come_in_pairs() -> None:
    for where, text in texts(FILES):
        assert text.count("„") == text.count("“"), f"{where}: {text}"


def test_counted_nouns_take_the_count_form() -> None:
    """Things that are masculine end in -а or -я after a number, people and other genders in their plural."""
    people = {"играч", "кандидат", "човек"}
    for name, noun in load_pack("bg").numerals.nouns.items():
        if noun.gender == "masculine" and name not in {*people, "ден"}:
            assert noun.many == name + "а", name
    # People would want «двама», so no line counts them with «два».
    for where, text in texts(SPOKEN):
        assert not re.search(rf":(?:{'|'.join(people)})[.}}]", text), f"{where}: {text}"


def test_verbs_agree_with_one_seat_and_with_several() -> None:
    """Where a line chooses a verb by the number of seats, the first is singular, the second plural."""
    pairs = [pair for _, text in plain() for pair in re.findall(r"\{seats\?([^|}]*)\|([^}]*)\}", text)]
    assert len(pairs) > 10
    plural = re.compile(r"\b(?:са|номерата|играчите|\w+ха|\w+ват|\w+скат|\w+ени|\w+ури)\b", re.IGNORECASE)
    for one, several in pairs:
        assert not plural.search(one), one
        assert plural.search(several), several


def plain() -> list[tuple[str, str]]:
    return [
        (f"{file.stem} {path}", text)
        for file in SPOKEN
        for path, text in strings(tomllib.loads(file.read_text(encoding="utf-8")))
    ]
