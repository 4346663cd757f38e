"""Everything a host may have to say by one rule set: what a voice pack holds, and what is made ready before a game.

A line with one number is there whole for every number it may have. Lists of seats are too many for that; of these the
pieces are named: what stands before the list, each number with its comma, with «and», and what stands after.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple

from voicehost.hosting.script import Cue
from voicehost.hosting.words import Words
from voicehost.language.announcements import Placeholder, line_of, parts_of, shared
from voicehost.language.cues import CUES
from voicehost.rules.ruleset import Ruleset

_EXTENSIONS = (5, 10, 15, 20, 30, 60)
_DAYS = 9
_LEFT_OUT = frozenset({"help"})
"""Cues with ready text."""
_SAMPLE = (2, 3, 4)
"""A list whose words are looked for in the line."""

ESSENTIAL = (
    "hunt-number",
    "ten-seconds",
    "time-over",
    "thanks",
    "speech",
    "nomination-accepted",
    "foul",
    "candidate",
    "hunt-begins",
    "hunt-ends",
    "don-wakes",
    "don-sleeps",
    "sheriff-wakes",
    "sheriff-sleeps",
    "paused",
    "resumed",
    "night-falls",
    "last-word",
)
"""Cues that must sound at once, the most urgent first."""


class Said(NamedTuple):
    """A line or a piece, and how it is given to the engine when that differs ("" = as it is)."""

    text: str
    spoken: str = ""


def repertoire(words: Words, rules: Ruleset, players: int) -> list[Said]:
    """Return all that may be said, each once: the cues in their order, then the pieces of lists."""
    whole: dict[str, Said] = {}
    pieces: dict[str, Said] = {}
    for phrase in CUES:
        if phrase in _LEFT_OUT:
            continue
        for cue in _cues(phrase, rules, players):
            for line in words.lines(cue):
                whole.setdefault(line.casefold(), Said(line))
        if "seats" in CUES[phrase]:
            for piece in _pieces(words, phrase, rules, players):
                pieces.setdefault(piece.text.casefold(), piece)
    return [*whole.values(), *(piece for key, piece in pieces.items() if key not in whole)]


def essential(words: Words, rules: Ruleset, players: int) -> list[str]:
    """Return the lines that must come at once when their moment is there."""
    found: dict[str, None] = {}
    for phrase in ESSENTIAL:
        for cue in _cues(phrase, rules, players):
            found.update(dict.fromkeys(words.lines(cue)))
    return list(found)


def _cues(phrase: str, rules: Ruleset, players: int) -> Iterator[Cue]:
    """Every set of numbers that a cue may have; lists of one only."""
    values = {name: list(_values(phrase, name, rules, players)) for name in CUES[phrase]}
    for numbers in product(*values.values()):
        params = dict(zip(values, numbers, strict=True))
        if _possible(phrase, params, players):
            yield Cue(phrase, params)


def _values(phrase: str, name: str, rules: Ruleset, players: int) -> Iterable[Any]:
    match name:
        case "seat":
            return range(1, players + 1)
        case "seats":
            return [(seat,) for seat in range(1, players + 1)]
        case "number":
            return range(1, _DAYS + 1)
        case "needed":
            return range(2, players // 2 + 2)
        case "seconds":
            return _seconds(phrase, rules)
    return _counts(phrase, rules, players)


def _counts(phrase: str, rules: Ruleset, players: int) -> range:
    limit = rules.foul_limit or 4
    counts = {
        "foul": range(1, limit),
        "foul-removed": range(limit),
        "fouls-of": range(limit + 1),
        "technical-foul": range(1, (rules.technical_foul_limit or 4) + 1),
    }
    return counts.get(phrase, range(players + 1))


def _seconds(phrase: str, rules: Ruleset) -> list[int]:
    longest = max(rules.speech_seconds, rules.contract_seconds, rules.last_word_voted_seconds, 60)
    seconds: dict[str, list[int]] = {
        "mafia-meets": [rules.contract_seconds],
        "free-seating": [rules.free_seating_seconds],
        "speech": [rules.speech_seconds, rules.third_foul_small_table_seconds],
        "nominate-only": [rules.nominate_only_seconds],
        "last-word": [rules.last_word_voted_seconds, rules.last_word_shot_seconds],
        "shootout-speech": [rules.shootout_seconds],
        "best-move-asked": [rules.best_move_seconds],
        "time-added": list(_EXTENSIONS),
        "time-left": list(range(1, longest + 1)),
    }
    return [second for second in dict.fromkeys(seconds[phrase]) if second]


def _possible(phrase: str, params: dict[str, Any], players: int) -> bool:
    if phrase == "lift-failed":
        return bool(params["count"] < params["needed"])
    return phrase != "lift-passed" or bool(params["count"] >= params["needed"])


def _pieces(words: Words, phrase: str, rules: Ruleset, players: int) -> Iterator[Said]:
    """What a cue with a list is put together from."""
    numbers = range(1, players + 1)
    pack = words.pack
    for part in parts_of(line_of(pack, words.manner, phrase)):
        if not isinstance(part, Placeholder) or part.name != "seats":
            continue
        form = part.form or shared(pack, "seat")
        last = shared(pack, "or") if part.either else pack.numerals.last
        said = {number: pack.numerals.spell(number, form) for number in numbers}
        sample = f"{said[2]}, {said[3]} {last} {said[4]}"
        for params in _others(phrase, rules, players):
            line = words.lines(Cue(phrase, {**params, "seats": _SAMPLE}))
            place = line[0].casefold().find(sample.casefold()) if line else -1
            if place < 0:
                continue
            before, after = line[0][:place].strip(), line[0][place + len(sample) :]
            end = after.strip() if not any(c.isalnum() for c in after) else ""
            yield from _around(before, "" if end else after.strip())
            for number in numbers:
                yield Said(f"{said[number]},")
                yield Said(said[number], f"{said[number]},")
                yield Said(f"{last} {said[number]}{end}", "" if end else f"{last} {said[number]},")


def _around(before: str, after: str) -> Iterator[Said]:
    # A sentence before the list is a piece of its own: it stands in other lines as well.
    head, dot, tail = before.rpartition(". ")
    if dot:
        yield Said(f"{head}.")
    if tail:
        yield Said(tail, "" if tail.endswith((":", ",")) else f"{tail},")
    if after:
        yield Said(after)


def _others(phrase: str, rules: Ruleset, players: int) -> Iterator[dict[str, Any]]:
    """The values of the other numbers of a cue with a list."""
    names = [name for name in CUES[phrase] if name != "seats"]
    for numbers in product(*(_values(phrase, name, rules, players) for name in names)):
        params = dict(zip(names, numbers, strict=True))
        if _possible(phrase, params, players):
            yield params
