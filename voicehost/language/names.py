"""Players' names in a sentence: their gender, and in Russian their cases.

A name says its own form of address: «Саша (ж)» and «Саша (м)» are told apart by what stands in brackets, which is not
spoken. Otherwise the ending decides, with a list of men's names that end like women's; a name that both bear has no
gender, and lines that would need one are not said to it.
"""

from __future__ import annotations

import re
from typing import Literal

Gender = Literal["feminine", "masculine"]

_MARKED = re.compile(r"^(?P<name>.*?)\s*\((?P<mark>[^()]*)\)\s*$")
_MARKS: dict[str, Gender] = {"ж": "feminine", "м": "masculine", "f": "feminine", "m": "masculine"}

_EITHER = frozenset(["саша", "женя", "валя", "шура", "сима", "мика"])
_MEN = {
    "ru": frozenset(
        [
            "никита",
            "илья",
            "фома",
            "лука",
            "кузьма",
            "савва",
            "данила",
            "гаврила",
            "добрыня",
            "слава",
            "паша",
            "миша",
            "гриша",
            "лёша",
            "леша",
            "алёша",
            "алеша",
            "серёжа",
            "сережа",
            "костя",
            "петя",
            "ваня",
            "витя",
            "коля",
            "толя",
            "митя",
            "дима",
            "рома",
            "тёма",
            "тема",
            "вова",
            "вася",
            "гена",
            "федя",
            "сеня",
            "лёня",
            "леня",
            "юра",
            "боря",
            "жора",
            "антоша",
            "андрюша",
            "стёпа",
            "степа",
            "тима",
            "кеша",
            "гоша",
            "яша",
            "лёва",
            "лева",
            "сева",
            "сёма",
            "сема",
            "эдя",
            "ильюша",
            "игорёша",
            "тоша",
            "филя",
            "мустафа",
            "иса",
            "муса",
            "абдулла",
        ]
    ),
    "bg": frozenset(
        [
            "никола",
            "илия",
            "тома",
            "лука",
            "сава",
            "коста",
            "мито",
            "ботьо",
            "груйо",
            "бойчо",
            "фома",
            "иса",
            "муса",
            "мустафа",
        ]
    ),
}
_WOMEN = frozenset(
    [
        "любовь",
        "нинель",
        "адель",
        "николь",
        "мишель",
        "кармен",
        "ирен",
        "эллен",
        "рахиль",
        "юдифь",
        "эсфирь",
        "жаклин",
        "катрин",
    ]
)
_FLEETING = {"лев": "льв", "павел": "павл", "пётр": "петр", "петр": "петр"}
_HUSHING = frozenset("гкхжшчщ")

Case = Literal["nominative", "genitive", "dative", "accusative", "instrumental"]
_ENDINGS: dict[str, dict[str, str]] = {
    # how the nominative ends, and what takes the place of that end
    "ия": {"genitive": "ии", "dative": "ии", "accusative": "ию", "instrumental": "ией"},
    "а": {"genitive": "ы", "dative": "е", "accusative": "у", "instrumental": "ой"},
    "я": {"genitive": "и", "dative": "е", "accusative": "ю", "instrumental": "ей"},
    "ь-": {"genitive": "и", "dative": "и", "accusative": "ь", "instrumental": "ью"},
    "ь": {"genitive": "я", "dative": "ю", "accusative": "я", "instrumental": "ем"},
    "ий": {"genitive": "ия", "dative": "ию", "accusative": "ия", "instrumental": "ием"},
    "й": {"genitive": "я", "dative": "ю", "accusative": "я", "instrumental": "ем"},
    "": {"genitive": "а", "dative": "у", "accusative": "а", "instrumental": "ом"},
}


def spoken(name: str) -> str:
    """A name as it is said: without what stands in brackets, or would be a placeholder.

    >>> spoken("Саша (ж)")
    'Саша'
    """
    found = _MARKED.match(name)
    return " ".join((found["name"] if found else name).translate(str.maketrans("", "", "{}|?")).split())


def gender(name: str, language: str = "ru") -> Gender | None:
    """The gender a name is spoken to in; None when it could be either.

    >>> gender("Аня"), gender("Никита"), gender("Саша"), gender("Саша (ж)")
    ('feminine', 'masculine', None, 'feminine')
    """
    found = _MARKED.match(name)
    if found is not None and (mark := found["mark"].strip().casefold()[:1]) in _MARKS:
        return _MARKS[mark]
    first = (spoken(name).split() or [""])[0].casefold()
    if not first or first in _EITHER:
        return None
    if first in _MEN.get(language, frozenset()):
        return "masculine"
    if first in _WOMEN or first[-1] in "ая":
        return "feminine"
    if first[-1] in "бвгджзйклмнпрстфхцчшщь" or (language == "bg" and first[-1] in "оиь"):
        return "masculine"
    return None


def decline(name: str, case: Case, language: str = "ru") -> str:
    """A name in a case; Bulgarian and names that Russian does not decline stay as they are.

    >>> decline("Аня", "dative"), decline("Лев", "genitive"), decline("Мария", "accusative")
    ('Ане', 'Льва', 'Марию')
    """
    name_spoken = spoken(name)
    if case == "nominative" or language != "ru" or not name_spoken:
        return name_spoken
    sex = gender(name, language)
    return " ".join(_declined(word, case, sex) for word in name_spoken.split())


def _declined(word: str, case: Case, sex: Gender | None) -> str:
    low = word.casefold()
    if not re.fullmatch(r"[а-яё]+", low):
        return word
    if low in _FLEETING:
        return word[0] + _FLEETING[low][1:] + _ENDINGS[""][case]
    for end in ("ия", "а", "я"):
        if low.endswith(end):
            new = _ENDINGS[end][case]
            stem = word[: -len(end)]
            if end == "а" and case == "genitive" and stem[-1:].casefold() in _HUSHING:
                new = "и"
            if end == "а" and case == "instrumental" and stem[-1:].casefold() in "жшчщц":
                new = "ей"
            return stem + new
    if low.endswith("ь"):
        return word[:-1] + _ENDINGS["ь-" if sex == "feminine" else "ь"][case]
    for end in ("ий", "й"):
        if low.endswith(end):
            return word[: -len(end)] + _ENDINGS[end][case]
    if sex == "masculine" and low[-1] in "бвгджзклмнпрстфхцчшщ":
        soft = case == "instrumental" and low[-1] in "жшчщц"
        return word + ("ем" if soft else _ENDINGS[""][case])
    return word
