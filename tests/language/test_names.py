from __future__ import annotations

import pytest

from voicehost.language.names import Case, Gender, decline, gender, spoken


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("Аня", "feminine"),
        ("Мария", "feminine"),
        ("Любовь", "feminine"),
        ("Анна Петровна", "feminine"),
        ("Борис", "masculine"),
        ("Илья", "masculine"),
        ("Никита", "masculine"),
        ("Дима", "masculine"),
        ("Андрей", "masculine"),
        ("Игорь", "masculine"),
        ("Саша", None),
        ("Женя", None),
        ("Саша (ж)", "feminine"),
        ("Саша (м)", "masculine"),
        ("Ли", None),
        ("Neo", None),
        ("", None),
    ],
)
def test_the_gender_a_name_tells(name: str, wanted: Gender | None) -> None:
    assert gender(name) == wanted


@pytest.mark.parametrize(("name", "wanted"), [("Никола", "masculine"), ("Иво", "masculine"), ("Ана", "feminine")])
def test_bulgarian_names(name: str, wanted: Gender) -> None:
    assert gender(name, "bg") == wanted
    assert decline(name, "dative", "bg") == name


@pytest.mark.parametrize(
    ("name", "case", "wanted"),
    [
        ("Аня", "genitive", "Ани"),
        ("Аня", "dative", "Ане"),
        ("Аня", "accusative", "Аню"),
        ("Аня", "instrumental", "Аней"),
        ("Ольга", "genitive", "Ольги"),
        ("Даша", "instrumental", "Дашей"),
        ("Мария", "dative", "Марии"),
        ("Любовь", "genitive", "Любови"),
        ("Любовь", "accusative", "Любовь"),
        ("Борис", "dative", "Борису"),
        ("Борис", "instrumental", "Борисом"),
        ("Андрей", "genitive", "Андрея"),
        ("Дмитрий", "dative", "Дмитрию"),
        ("Игорь", "accusative", "Игоря"),
        ("Лев", "genitive", "Льва"),
        ("Павел", "dative", "Павлу"),
        ("Пётр", "genitive", "Петра"),
        ("Илья", "dative", "Илье"),
        ("Кармен", "dative", "Кармен"),
        ("Neo", "dative", "Neo"),
        ("Анна Мария", "dative", "Анне Марии"),
        ("Саша (ж)", "dative", "Саше"),
        ("Ли", "genitive", "Ли"),
    ],
)
def test_a_name_in_a_case(name: str, case: Case, wanted: str) -> None:
    assert decline(name, case) == wanted


def test_a_name_cannot_be_a_placeholder() -> None:
    assert spoken("{seat}") == "seat"
    assert spoken("  Аня   Б. ") == "Аня Б."
