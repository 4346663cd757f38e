"""Styles: other words for the host's free lines, several for each, and forms of address for players with names.

``phrases/LANG/styles/NAME.toml`` holds one table a cue: ``lines`` are wordings of which one is taken, never the same
twice running; ``named`` are those for a player whose name is known, ``minute`` more of them for sixty seconds. In
these ``{name}`` is the name, ``{name:dative}`` the name in a case, and ``{he?он|она}`` a choice by the player's gender:
a line with such a choice is not said to somebody whose gender the name does not tell. ``official`` is no file: it is
announcements.toml alone.

Formulas that the rules fix (votes, fouls, accepted nominations, numbers of the hunt …) are the same in every style:
only the cues in ``FREE`` may be reworded.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, cast

from voicehost.errors import UserError
from voicehost.language.announcements import fill, has
from voicehost.language.names import Case, decline, gender
from voicehost.language.pack import Pack, read_toml

OFFICIAL = "official"
"""The style that adds nothing."""

FREE = frozenset(
    {
        "greeting",
        "deal-seat",
        "night-zero",
        "night-falls",
        "morning-first",
        "morning-quiet",
        "morning-killed",
        "speech",
        "last-word",
        "shootout-speech",
        "no-vote-none",
        "no-vote-alone",
        "four-at-table",
        "voted-out",
        "win-city",
        "win-mafia",
        "win-draw",
        "game-stopped",
        "reason-three-misses",
        "reason-no-losses",
        "paused",
        "resumed",
        "undone",
        "redone",
        "cancelled",
        "time-none",
        "nominees-none",
        "before-start",
        "after-end",
        "not-understood",
        "refused-not-now",
        "refused-nothing-to-undo",
        "refused-nothing-to-redo",
        "refused-game-over",
        "best-move-asked",
        "best-move-none",
        "microphone-back",
    }
)
"""Cues that a style may put in other words."""

KEYS = ("lines", "named", "minute")
"""What a cue's table may hold."""

_NAME = re.compile(r"\{name(?::(\w+))?\}")
_GENDER = re.compile(r"\{he\?([^|{}]*)\|([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Wordings:
    """What a style has for one cue."""

    lines: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    minute: tuple[str, ...] = ()

    def choice(self, params: Mapping[str, Any], name: str | None, language: str) -> tuple[tuple[str, ...], bool]:
        """The wordings for a player, and whether they hold his name."""
        named = (*self.named, *self.minute) if params.get("seconds") == 60 else self.named
        if name and gender(name, language) is None:
            named = tuple(line for line in named if not _GENDER.search(line))
        return (named, True) if name and named else (self.lines, False)


@dataclass(slots=True)
class Style:
    """A style of one language, with a memory of which wordings were used."""

    name: str
    cues: Mapping[str, Wordings] = field(default_factory=dict)
    seed: int = 0
    _bags: dict[tuple[str, bool], list[int]] = field(default_factory=dict)
    _last: dict[tuple[str, bool], int] = field(default_factory=dict)

    def line(
        self, pack: Pack, manner: str, phrase: str, params: Mapping[str, Any], name: str | None = None
    ) -> str | None:
        """The words of a cue, another than the last time; None when the style leaves it to announcements.toml.

        ``name`` is that of the player in ``seat``. Where the manner is silent, every style is.
        """
        wordings = self.cues.get(phrase)
        if wordings is None or not has(pack, manner, phrase):
            return None
        choice, named = wordings.choice(params, name, pack.language)
        if not choice:
            return None
        line = choice[self._next((phrase, named), len(choice))]
        return filled(pack, line, params, name if named else None)

    def all_lines(
        self, pack: Pack, manner: str, phrase: str, params: Mapping[str, Any], name: str | None = None
    ) -> list[str]:
        """Every wording that ``line`` may choose from; empty when it gives None."""
        wordings = self.cues.get(phrase)
        if wordings is None or not has(pack, manner, phrase):
            return []
        choice, named = wordings.choice(params, name, pack.language)
        return [filled(pack, line, params, name if named else None) for line in choice]

    def _next(self, cue: tuple[str, bool], count: int) -> int:
        """The next wording from a bag that is filled anew when it is empty, its first never the last one used."""
        bag = [place for place in self._bags.get(cue, []) if place < count]
        if not bag:
            bag = list(range(count))
            random.Random(f"{self.seed} {cue} {self._last.get(cue)}").shuffle(bag)
            if count > 1 and bag[-1] == self._last.get(cue):
                bag.insert(0, bag.pop())
        self._bags[cue] = bag
        chosen = bag.pop()
        self._last[cue] = chosen
        return chosen


def filled(pack: Pack, line: str, params: Mapping[str, Any], name: str | None = None) -> str:
    """A style's line with its name and numbers."""
    return fill(pack, line if name is None else with_name(pack.language, line, name), params)


def with_name(language: str, line: str, name: str) -> str:
    """A line with its name, and with the choices by gender made.

    Raises:
        KeyError: there is no such case.
    """
    sex = gender(name, language)
    line = _GENDER.sub(lambda choice: choice[2] if sex == "feminine" else choice[1], line)
    return _NAME.sub(lambda place: decline(name, cast(Case, place[1] or "nominative"), language), line)


def load_style(pack: Pack, name: str, seed: int = 0) -> Style:
    """A style by name, fresh: nothing of it was used yet.

    Raises:
        UserError: ``styles.unknown-style``, or what ``read_toml`` raises.
    """
    if name == OFFICIAL:
        return Style(OFFICIAL)
    path = folder(pack) / f"{name}.toml"
    if not path.is_file():
        raise UserError("styles.unknown-style", status=2, style=name, known=", ".join(styles(pack)))
    return Style(name, _wordings(path), seed)


def styles(pack: Pack) -> tuple[str, ...]:
    """The names of the styles of a language."""
    return (OFFICIAL, *sorted(path.stem for path in folder(pack).glob("*.toml")))


def folder(pack: Pack) -> Path:
    """Where a pack's styles lie; it need not be there."""
    return pack.folder / "styles"


@cache
def _wordings(path: Path) -> Mapping[str, Wordings]:
    return {
        cue: Wordings(*(tuple(table.get(key, ())) for key in KEYS))
        for cue, table in read_toml(path).items()
        if isinstance(table, dict)
    }
