"""Numbers as words, in the case, gender and kind that a sentence needs.

A *form* names one declension: ``cardinal.<case>[.<gender>]`` or ``ordinal.<case>[.<gender>]``, with the cases
nominative, genitive, dative, accusative, instrumental and the genders feminine and neuter (masculine has no
suffix). A language may have more forms of its own (``nickname.nominative``: «пятёрка»). The tables are data:
``phrases/LANG/numbers.toml``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

HIGHEST = 999
"""The largest number that the tables can say."""


@dataclass(frozen=True, slots=True)
class Noun:
    """A counted noun: 1 голос, 2 голоса, 5 голосов."""

    gender: str
    one: str
    few: str
    many: str
    accusative: str
    """The singular after a verb: «минуту»."""


@dataclass(frozen=True, slots=True)
class Numerals:
    """The number words of one language."""

    tables: Mapping[str, tuple[Mapping[int, str], Mapping[int, str], Mapping[int, str]]]
    """By form: the words for 0–19, for 20, 30 … 90 and for 100, 200 … 900."""
    nouns: Mapping[str, Noun]
    joiner: str = ""
    """A word before the last part of a compound: «двадесет и едно»."""
    ordinal_lead: str = "cardinal.nominative"
    """The form of every part of an ordinal but the last."""
    last: str = "и"
    """The word before the last of several numbers."""
    slavic_few: bool = True
    """Whether 2, 3, 4 take a noun form of their own, as in Russian."""
    _spelled: dict[tuple[int, str], str] = field(default_factory=dict, repr=False, compare=False)

    def spell(self, number: int, form: str = "cardinal.nominative") -> str:
        """Return ``number`` (0 to 999) in words: ``spell(21, "cardinal.accusative.feminine")`` is «двадцать одну».

        A form that the language lacks falls back to a nearer one: without its gender, then in the nominative.

        Raises:
            ValueError: the number is out of range, or the form has no word for it (there is no collective of 11).
        """
        known = self._spelled.get((number, form))
        if known is None:
            if not 0 <= number <= HIGHEST:
                raise ValueError(f"no words for {number}")
            known = self._spelled[number, form] = self._compose(number, form)
        return known

    def forms(self) -> tuple[str, ...]:
        """Return the names of the language's own forms."""
        return tuple(self.tables)

    def words(self, form: str, numbers: Iterable[int]) -> dict[int, str]:
        """Return the words of one form for those of ``numbers`` that have one in it."""
        found: dict[int, str] = {}
        for number in numbers:
            try:
                found[number] = self.spell(number, form)
            except ValueError:
                continue
        return found

    def plural(self, number: int, noun: str) -> str:
        """Return the form of ``noun`` that follows ``number`` in the nominative: 1 голос, 2 голоса, 5 голосов.

        Raises:
            KeyError: ``numbers.toml`` does not know the noun.
        """
        forms = self.nouns[noun]
        if not self.slavic_few:
            return forms.one if number == 1 else forms.many
        if number % 10 == 1 and number % 100 != 11:
            return forms.one
        if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14):
            return forms.few
        return forms.many

    def counted(self, number: int, noun: str, case: str = "nominative") -> str:
        """Return number and noun, agreeing: «одна минута», in the accusative «одну минуту».

        Only the nominative and the accusative of things are known, which is what counting needs.
        """
        forms = self.nouns[noun]
        gender = "" if forms.gender == "masculine" else f".{forms.gender}"
        word = self.plural(number, noun)
        if case == "accusative" and word == forms.one:
            word = forms.accusative
        return f"{self.spell(number, f'cardinal.{case}{gender}')} {word}"

    def listed(self, numbers: Iterable[int], form: str = "cardinal.nominative") -> str:
        """Return several numbers as one spoken list: «первый, третий и шестой»."""
        words = [self.spell(number, form) for number in numbers]
        if len(words) < 2:
            return "".join(words)
        return f"{', '.join(words[:-1])} {self.last} {words[-1]}"

    def _compose(self, number: int, form: str) -> str:
        parts = [number - number % 100] if number >= 100 else []
        rest = number % 100
        if rest >= 20:
            parts.append(rest - rest % 10)
            rest %= 10
        if rest or not parts:
            parts.append(rest)
        lead = self.ordinal_lead if form.startswith("ordinal") else form
        words = [self._word(part, lead) for part in parts[:-1]] + [self._word(parts[-1], form)]
        if self.joiner and len(words) > 1:
            words.insert(-1, self.joiner)
        return " ".join(words)

    def _word(self, number: int, form: str) -> str:
        column = 0 if number < 20 else 1 if number < 100 else 2
        for name in _fallbacks(form):
            word = self.tables[name][column].get(number) if name in self.tables else None
            if word is not None:
                return word
        raise ValueError(f"no {form} of {number}")


def read_numerals(data: Mapping[str, Any]) -> Numerals:
    """Build the numerals from the parsed ``numbers.toml``.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: the file lacks something or has a wrong type.
    """
    compound = data.get("compound", {})
    nouns = {
        name: Noun(
            gender=entry["gender"],
            one=entry["one"],
            few=entry.get("few", entry["many"]),
            many=entry["many"],
            accusative=entry.get("accusative", entry["one"]),
        )
        for name, entry in data.get("nouns", {}).items()
    }
    tables = {
        form: (
            _column(entry.get("units", {}), 0, 1),
            _column(entry.get("tens", {}), 20, 10),
            _column(entry.get("hundreds", {}), 100, 100),
        )
        for form, entry in data.items()
        if form not in ("compound", "lists", "nouns")
    }
    if "cardinal.nominative" not in tables:
        raise KeyError("cardinal.nominative")
    return Numerals(
        tables=tables,
        nouns=nouns,
        joiner=compound.get("joiner", ""),
        ordinal_lead=compound.get("ordinal_lead", "cardinal.nominative"),
        last=data.get("lists", {}).get("last", ""),
        slavic_few=any(noun.few != noun.many for noun in nouns.values()),
    )


def _column(words: list[str] | Mapping[str, str], first: int, step: int) -> dict[int, str]:
    if isinstance(words, list):
        return {first + step * place: word for place, word in enumerate(words)}
    return {int(number): word for number, word in words.items()}


@cache
def _fallbacks(form: str) -> list[str]:
    """Return ``form`` and the forms to take a missing word from, nearest first."""
    kind, *rest = form.split(".")
    names = [".".join([kind, *rest[:length]]) for length in range(len(rest), 0, -1)]
    if kind in ("cardinal", "ordinal") and rest and rest[0] in ("genitive", "dative", "accusative", "instrumental"):
        names += [".".join([kind, "nominative", *rest[1:length]]) for length in range(len(rest), 0, -1)]
    return names or [form]
