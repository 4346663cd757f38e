"""Number words against the libraries that they were made with, and the agreement of nouns."""

from __future__ import annotations

import pytest
from num2words import num2words  # type: ignore[import-untyped]
from unicode_rbnf import RbnfEngine

from voicehost.language.numerals import HIGHEST, Numerals, read_numerals
from voicehost.language.pack import load_pack

RUSSIAN = load_pack("ru").numerals
BULGARIAN = load_pack("bg").numerals
CASES = {"nominative": "n", "genitive": "g", "dative": "d", "accusative": "a", "instrumental": "i"}
EVERY = range(HIGHEST + 1)


@pytest.mark.parametrize("case", ["nominative", "genitive", "dative", "instrumental"])
@pytest.mark.parametrize("gender", ["", "f"])
def test_russian_cardinals_are_num2words(case: str, gender: str) -> None:
    form = f"cardinal.{case}{'.feminine' if gender else ''}"
    options = {"gender": gender} if gender else {}
    for number in EVERY[1:]:
        assert RUSSIAN.spell(number, form) == num2words(number, lang="ru", case=CASES[case], **options)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("gender", ["", "f"])
def test_russian_ordinals_are_num2words(case: str, gender: str) -> None:
    form = f"ordinal.{case}{'.feminine' if gender else ''}"
    options = {"gender": gender} if gender else {}
    for number in EVERY:
        expected = num2words(number, lang="ru", to="ordinal", case=CASES[case], **options)
        # The library joins a compound ordinal's last part in a form of its own for round hundreds; ours agrees.
        assert RUSSIAN.spell(number, form) == expected


@pytest.mark.parametrize(
    ("number", "form", "words"),
    [
        (0, "cardinal.nominative", "ноль"),
        (0, "cardinal.genitive", "нуля"),
        (1, "cardinal.accusative.feminine", "одну"),
        (2, "cardinal.accusative", "два"),
        (2, "cardinal.accusative.feminine", "две"),
        (21, "cardinal.accusative.feminine", "двадцать одну"),
        (22, "cardinal.nominative.feminine", "двадцать две"),
        (1, "cardinal.nominative.neuter", "одно"),
        (40, "cardinal.instrumental", "сорока"),
        (3, "ordinal.dative", "третьему"),
        (4, "ordinal.accusative", "четвёртого"),
        (14, "ordinal.genitive", "четырнадцатого"),
        (20, "ordinal.nominative", "двадцатый"),
        (21, "ordinal.accusative.feminine", "двадцать первую"),
        (5, "nickname.accusative", "пятёрку"),
        (5, "collective", "пятеро"),
    ],
)
def test_russian_forms(number: int, form: str, words: str) -> None:
    assert RUSSIAN.spell(number, form) == words


@pytest.mark.parametrize(
    ("form", "rule"),
    [
        ("cardinal.nominative", "spellout-cardinal-masculine-financial"),
        ("cardinal.nominative.feminine", "spellout-cardinal-feminine-financial"),
        ("cardinal.nominative.neuter", "spellout-cardinal-neuter-financial"),
    ],
)
def test_bulgarian_cardinals_are_unicode(form: str, rule: str) -> None:
    engine = RbnfEngine.for_language("bg")
    for number in EVERY:
        expected = engine.format_number(number, ruleset_names=[rule]).text
        # Unicode leaves out the «и» between hundreds and a last part that is itself one word; the norm has it.
        assert BULGARIAN.spell(number, form).replace(" и ", " ") == expected.replace(" и ", " ")


@pytest.mark.parametrize(
    ("number", "form", "words"),
    [
        (1, "cardinal.nominative", "един"),
        (2, "cardinal.nominative.neuter", "две"),
        (21, "cardinal.nominative.feminine", "двадесет и една"),
        (112, "cardinal.nominative", "сто и дванадесет"),
        (121, "cardinal.nominative", "сто двадесет и един"),
        (3, "ordinal.nominative", "трети"),
        (12, "ordinal.nominative", "дванадесети"),
        (21, "ordinal.nominative.feminine", "двадесет и първа"),
        (5, "ordinal.dative", "пети"),
        (1, "ordinal.definite", "първият"),
        (1, "ordinal.definite.object", "първия"),
        (35, "cardinal.nominative.feminine.colloquial", "трийсет и пет"),
        (4, "collective", "четирима"),
    ],
)
def test_bulgarian_forms(number: int, form: str, words: str) -> None:
    assert BULGARIAN.spell(number, form) == words


@pytest.mark.parametrize(
    ("numerals", "form", "words"),
    [
        (RUSSIAN, "cardinal.nominative", "один два три четыре пять шесть семь восемь девять десять одиннадцать"),
        (RUSSIAN, "ordinal.accusative", "первого второго третьего четвёртого пятого шестого седьмого восьмого"),
        (RUSSIAN, "ordinal.dative", "первому второму третьему четвёртому пятому шестому седьмому восьмому"),
        (RUSSIAN, "ordinal.accusative.feminine", "первую вторую третью четвёртую пятую шестую седьмую восьмую"),
        (RUSSIAN, "nickname.nominative", "единица двойка тройка четвёрка пятёрка шестёрка семёрка восьмёрка"),
        (BULGARIAN, "ordinal.nominative", "първи втори трети четвърти пети шести седми осми девети десети"),
        (BULGARIAN, "ordinal.nominative.feminine", "първа втора трета четвърта пета шеста седма осма девета"),
    ],
)
def test_small_numbers_as_people_write_them(numerals: Numerals, form: str, words: str) -> None:
    assert [numerals.spell(number, form) for number in range(1, len(words.split()) + 1)] == words.split()


@pytest.mark.parametrize("numerals", [RUSSIAN, BULGARIAN], ids=["ru", "bg"])
def test_no_word_stands_for_two_numbers(numerals: Numerals) -> None:
    """Seats must never be mixed up, not even where е is written for ё."""
    meaning: dict[str, int] = {}
    for form in numerals.forms():
        for number, word in numerals.words(form, range(21)).items():
            assert " " not in word
            assert meaning.setdefault(word.replace("ё", "е"), number) == number


@pytest.mark.parametrize(
    ("number", "noun", "counted"),
    [
        (0, "голос", "ноль голосов"),
        (1, "голос", "один голос"),
        (2, "голос", "два голоса"),
        (5, "голос", "пять голосов"),
        (11, "голос", "одиннадцать голосов"),
        (12, "голос", "двенадцать голосов"),
        (21, "секунда", "двадцать одна секунда"),
        (22, "секунда", "двадцать две секунды"),
        (111, "секунда", "сто одиннадцать секунд"),
        (3, "фол", "три фола"),
        (1, "замечание", "одно замечание"),
    ],
)
def test_russian_nouns_agree(number: int, noun: str, counted: str) -> None:
    assert RUSSIAN.counted(number, noun) == counted
    assert RUSSIAN.plural(number, noun) == counted.rpartition(" ")[2]


def test_accusative_of_time() -> None:
    assert RUSSIAN.counted(1, "минута", "accusative") == "одну минуту"
    assert RUSSIAN.counted(31, "секунда", "accusative") == "тридцать одну секунду"
    assert RUSSIAN.counted(2, "минута", "accusative") == "две минуты"


@pytest.mark.parametrize(
    ("number", "noun", "counted"),
    [(1, "глас", "един глас"), (2, "глас", "два гласа"), (1, "секунда", "една секунда"), (21, "секунда", "секунди")],
)
def test_bulgarian_nouns_agree(number: int, noun: str, counted: str) -> None:
    assert BULGARIAN.counted(number, noun).endswith(counted)


def test_lists_are_spoken_with_a_last_word() -> None:
    assert RUSSIAN.listed([1, 3, 6], "ordinal.nominative") == "первый, третий и шестой"
    assert RUSSIAN.listed([7], "ordinal.dative") == "седьмому"
    assert RUSSIAN.listed([]) == ""
    assert BULGARIAN.listed([2, 5], "ordinal.nominative") == "втори и пети"


@pytest.mark.parametrize(
    ("number", "form"), [(-1, "cardinal.nominative"), (1000, "cardinal.nominative"), (11, "collective")]
)
def test_no_words(number: int, form: str) -> None:
    with pytest.raises(ValueError, match=r"no "):
        RUSSIAN.spell(number, form)


def test_a_table_without_the_first_form_is_refused() -> None:
    with pytest.raises(KeyError):
        read_numerals({"ordinal.nominative": {"units": ["нулевой"]}})
