"""How a game begins: rule set, seats, names, cards; kept whole in the journal, so that a game can be resumed."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from voicehost.errors import UserError
from voicehost.language.normal import normalise
from voicehost.rules import roles
from voicehost.rules.game import Game, Mode, new_game
from voicehost.rules.ruleset import Ruleset, from_mapping

RANDOM = "random"
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Setup:
    """All that a game needs to begin. ``cards`` are in seat order, or in deck order when players pick them."""

    rules: Ruleset
    players: int
    mode: Mode
    language: str
    names: tuple[str, ...]
    dealing: str
    """``random``, ``unknown``, or ``given``."""
    cards: tuple[str, ...]
    first_seq: int = 1

    @property
    def choose_cards(self) -> bool:
        """Whether each player picks a card by phone: in a home game whose roles nobody gave."""
        return self.mode is Mode.HOME and self.dealing == RANDOM

    def new_game(self) -> Game:
        """Return the game in its lobby."""
        return new_game(
            self.rules,
            self.players,
            mode=self.mode,
            names=self.names,
            cards=self.cards,
            choose_cards=self.choose_cards,
        )

    def again(self, names: tuple[str, ...], first_seq: int) -> Setup:
        """Return the setup of another game of the same people; random cards are shuffled anew."""
        cards = shuffled(self.rules, self.players, None) if self.dealing == RANDOM else self.cards
        return replace(self, names=names, cards=cards, first_seq=first_seq)

    def to_mapping(self) -> dict[str, Any]:
        """Return JSON values; ``from_setup_mapping`` is the inverse."""
        return {
            "rules": self.rules.to_mapping(),
            "players": self.players,
            "mode": str(self.mode),
            "language": self.language,
            "names": list(self.names),
            "dealing": self.dealing,
            "cards": list(self.cards),
            "first_seq": self.first_seq,
        }


def from_setup_mapping(data: Mapping[str, Any]) -> Setup:
    """Build a setup from what ``Setup.to_mapping`` gave."""
    return Setup(
        rules=from_mapping(data["rules"]),
        players=data["players"],
        mode=Mode(data["mode"]),
        language=data["language"],
        names=tuple(data["names"]),
        dealing=data["dealing"],
        cards=tuple(data["cards"]),
        first_seq=data["first_seq"],
    )


def shuffled(rules: Ruleset, players: int, seed: int | None) -> tuple[str, ...]:
    """Return a shuffled deck; the same one for the same seed, an unforeseeable one without."""
    cards = list(roles.deck(players, rules.blacks(players)))
    source = random.Random(seed) if seed is not None else random.SystemRandom()
    source.shuffle(cards)
    return tuple(cards)


def make_setup(
    rules: Ruleset,
    *,
    players: int | None = None,
    mode: Mode = Mode.HOSTED,
    language: str | None = None,
    names: Sequence[str] = (),
    dealing: str | None = None,
    seed: int | None = None,
) -> Setup:
    """Check the options of a game and return its setup.

    ``dealing`` is ``random``, ``unknown``, or roles in seat order joined by commas.

    Raises:
        UserError: the options do not fit together, or not the rule set.
    """
    given = [name.strip() for name in names]
    if players is None:
        players = len(given) if given else max(rules.players_min, min(10, rules.players_max))
    if not rules.players_min <= players <= rules.players_max:
        key = "hosting.players-exact" if rules.players_min == rules.players_max else "hosting.players-range"
        raise UserError(key, status=2, rules=rules.name, low=rules.players_min, high=rules.players_max, got=players)
    if given and len(given) != players:
        raise UserError("hosting.names-count", status=2, names=len(given), players=players)
    _check_names(given)
    if dealing is None:
        dealing = RANDOM if mode is Mode.HOME else UNKNOWN
    if mode is Mode.HOME and dealing == UNKNOWN:
        raise UserError("hosting.home-needs-roles", status=2)
    if seed is not None and dealing != RANDOM:
        raise UserError("hosting.seed-needs-random", status=2)
    if dealing == UNKNOWN:
        cards: tuple[str, ...] = ()
    elif dealing == RANDOM:
        cards = shuffled(rules, players, seed)
    else:
        cards, dealing = _given_cards(rules, players, dealing), "given"
    return Setup(rules, players, mode, language or rules.language, tuple(given or [""] * players), dealing, cards)


LONGEST_NAME = 40


def name_problem(name: str, others: Sequence[str]) -> str | None:
    """Return the message that says what is wrong with a player's name beside those of others, or None.

    Names that sound the same are the same: «Алёна» and «алена».
    """
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        return "hosting.bad-name"
    return "hosting.name-twice" if _said(name) in map(_said, others) else None


def _said(name: str) -> str:
    return normalise(name) or name.casefold()


def shown_name(name: str) -> str:
    """Return a name that may be anything as a message can show it: short, nothing that steers a terminal."""
    shown = "".join(letter if letter.isprintable() else "?" for letter in name)
    return shown if len(shown) <= LONGEST_NAME else f"{shown[:LONGEST_NAME]}…"


def _check_names(names: list[str]) -> None:
    for place, name in enumerate(names):
        problem = name_problem(name, names[:place])
        if problem is not None:
            raise UserError(problem, status=2, name=shown_name(name))


def _given_cards(rules: Ruleset, players: int, text: str) -> tuple[str, ...]:
    cards = tuple(word.strip().lower() for word in text.replace(";", ",").split(","))
    wrong = next((card for card in cards if card not in roles.ROLES), None)
    if wrong is not None:
        raise UserError("hosting.unknown-role", status=2, role=wrong, allowed=", ".join(roles.ROLES))
    wanted = roles.composition(players, rules.blacks(players))
    if len(cards) != players or any(cards.count(role) != count for role, count in wanted.items()):
        needed = ", ".join(f"{role} × {count}" for role, count in wanted.items())
        raise UserError("hosting.wrong-deck", status=2, players=players, needed=needed)
    return cards
