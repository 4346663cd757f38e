"""Rule sets: the switches, their allowed values, and the loader of rule files.

Nothing about one rule set stands in code; a rule set is a TOML file of switches, which may name a ``parent`` and
override some of its values. A ``[source]`` table says where each value comes from.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, get_args, get_type_hints

from voicehost.rules.switches import CHOICES, RANGES

SHIPPED = ("sport", "professional", "classic", "club", "virtual", "fsm")
"""The rule sets that come with the program, the default first."""


PARENTS = ", ".join((*SHIPPED, "*.toml"))
"""What a parent may be: a shipped rule set, or a file beside this one."""


class RulesetError(ValueError):
    """A rule file cannot be used.

    ``code`` is stable: not-found, not-toml, unknown-switch, wrong-type, wrong-value, missing-switch, parent-loop.
    ``details`` name the file, the switch and what is allowed.
    """

    def __init__(self, code: str, **details: str) -> None:
        super().__init__(f"{code}: {details}")
        self.code = code
        self.details = details


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The switches of one rule set; ``rules show`` prints each one's meaning and source."""

    name: str
    title: str
    language: str
    manner: str
    # table
    players_min: int
    players_max: int
    black_cards: int | str
    seating: str
    # night zero
    contract_seconds: int
    meeting_don_seconds: int
    meeting_sheriff_seconds: int
    free_seating_seconds: int
    # day
    speech_seconds: int
    opener: str
    withdrawal: str
    alone_on_day_one: str
    alone_later: str
    shootout_seconds: int
    revote_order: str
    tie_at_four: str
    repeated_tie: str
    lift_three_of_nine: bool
    vote_after_removal: str
    last_word_voted_seconds: int
    last_word_shot_seconds: int
    # discipline
    third_foul: str
    nominate_only_seconds: int
    third_foul_small_table_seconds: int
    foul_limit: int
    technical_foul_limit: int
    team_defeat: bool
    outside_hint: bool
    foul_reasons: tuple[str, ...]
    removal_reasons: tuple[str, ...]
    # night
    hunt_number_seconds: int
    check_seconds: int
    sheriff_answer: str
    miss_told_at_night: bool
    best_move_seconds: int
    best_move_lost_after: int
    best_move_counts: str
    # end
    misses_city_wins: int
    quiet_nights_draw: int
    sources: Mapping[str, str] = field(default_factory=dict, compare=False, hash=False)

    def blacks(self, players: int) -> int:
        """Return how many black cards, the Don's included, a table of that many players has."""
        return players // 3 if self.black_cards == "third" else int(self.black_cards)

    def to_mapping(self) -> dict[str, Any]:
        """Return every switch as plain values; ``from_mapping`` is the inverse."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return {
            key: list(v) if isinstance(v, tuple) else dict(v) if key == "sources" else v for key, v in values.items()
        }


SWITCHES = tuple(f.name for f in fields(Ruleset) if f.name not in {"name", "sources"})
"""Names of all switches in the order in which they are shown."""


def from_mapping(values: Mapping[str, Any]) -> Ruleset:
    """Build a rule set from what ``Ruleset.to_mapping`` gave."""
    plain: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in values.items()}
    return Ruleset(**plain)


@cache
def shipped(name: str) -> Ruleset:
    """Return one of the ``SHIPPED`` rule sets.

    Raises:
        RulesetError: there is none of that name.
    """
    if name not in SHIPPED:
        raise RulesetError("not-found", name=name, allowed=", ".join(SHIPPED))
    text = (resources.files(__package__) / "rulesets" / f"{name}.toml").read_text(encoding="utf-8")
    return _build(name, f"{name}.toml", _parse(f"{name}.toml", text), chain=(name,), folder=None)


def load(name_or_file: str) -> Ruleset:
    """Return the shipped rule set of that name, or read a rule file.

    Raises:
        RulesetError: no such rule set or file, or the file is not a rule set.
    """
    if name_or_file in SHIPPED:
        return shipped(name_or_file)
    path = Path(name_or_file)
    if not path.is_file():
        raise RulesetError("not-found", name=name_or_file, allowed=", ".join(SHIPPED))
    return _from_file(path, chain=(str(path.resolve()),))


def _from_file(path: Path, chain: tuple[str, ...]) -> Ruleset:
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors put a mark before the first letter
    except (UnicodeDecodeError, OSError) as error:
        raise RulesetError("not-toml", file=str(path), problem=str(error)) from error
    return _build(path.stem, str(path), _parse(str(path), text), chain, path.parent)


def _parse(file: str, text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesetError("not-toml", file=file, problem=str(error)) from error


def _build(name: str, file: str, data: dict[str, Any], chain: tuple[str, ...], folder: Path | None) -> Ruleset:
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    parent = data.pop("parent", None)
    if parent is not None:
        above = _parent(parent, file, chain, folder)
        values = {key: getattr(above, key) for key in SWITCHES}
        sources = dict(above.sources)
        sources.update({key: file for key in data if key in SWITCHES})
    own_sources = data.pop("source", {})
    if not isinstance(own_sources, dict):
        raise RulesetError("wrong-type", file=file, switch="source", allowed="table")
    for key, value in data.items():
        if key not in SWITCHES:
            raise RulesetError("unknown-switch", file=file, switch=key, allowed=_near(key))
        values[key] = _checked(file, key, value)
    for key, value in own_sources.items():
        if key not in SWITCHES:
            raise RulesetError("unknown-switch", file=file, switch=f"source.{key}", allowed=_near(key))
        sources[key] = str(value)
    missing = [key for key in SWITCHES if key not in values]
    if missing:
        raise RulesetError("missing-switch", file=file, switch=missing[0], allowed=_allowed(missing[0]))
    ruleset = Ruleset(name=name, sources=sources, **values)
    _consistent(file, ruleset)
    return ruleset


def _parent(parent: object, file: str, chain: tuple[str, ...], folder: Path | None) -> Ruleset:
    if not isinstance(parent, str):
        raise RulesetError("wrong-type", file=file, switch="parent", allowed=PARENTS)
    if parent in SHIPPED:
        return shipped(parent)
    path = (folder or Path()) / parent
    if not path.is_file():
        raise RulesetError("wrong-value", file=file, switch="parent", allowed=PARENTS)
    key = str(path.resolve())
    if key in chain:
        raise RulesetError("parent-loop", file=file, switch="parent", allowed=PARENTS)
    return _from_file(path, (*chain, key))


def _checked(file: str, key: str, value: Any) -> Any:
    hint = get_type_hints(Ruleset)[key]
    if hint == tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise RulesetError("wrong-type", file=file, switch=key, allowed=_allowed(key))
        return tuple(value)
    types = get_args(hint) or (hint,)
    if type(value) not in types:
        raise RulesetError("wrong-type", file=file, switch=key, allowed=_allowed(key))
    if isinstance(value, str) and key in CHOICES and value not in CHOICES[key]:
        raise RulesetError("wrong-value", file=file, switch=key, allowed=_allowed(key))
    if type(value) is int and key in RANGES and not RANGES[key][0] <= value <= RANGES[key][1]:
        raise RulesetError("wrong-value", file=file, switch=key, allowed=_allowed(key))
    return value


def _consistent(file: str, rules: Ruleset) -> None:
    if rules.players_min > rules.players_max:
        raise RulesetError(
            "wrong-value", file=file, switch="players_min", allowed=f"≤ players_max = {rules.players_max}"
        )
    for players in range(rules.players_min, rules.players_max + 1):
        if 2 * rules.blacks(players) >= players:
            allowed = f"< {players}/2"
            raise RulesetError("wrong-value", file=file, switch="black_cards", allowed=allowed)


def _allowed(key: str) -> str:
    parts = []
    if key in RANGES:
        parts.append(f"{RANGES[key][0]}…{RANGES[key][1]}")
    parts.extend(f'"{choice}"' for choice in CHOICES.get(key, ()))
    if parts:
        return " | ".join(parts)
    hint = get_type_hints(Ruleset)[key]
    return {bool: "true | false", str: '"…"'}.get(hint, '["…", …]')


def _near(key: str) -> str:
    import difflib

    close = difflib.get_close_matches(key, SWITCHES, n=3, cutoff=0.5)
    return ", ".join(close) or ", ".join(SWITCHES)
