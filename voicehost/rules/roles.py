"""Roles, colours and the deck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

CITY = "city"
SHERIFF = "sheriff"
MAFIA = "mafia"
DON = "don"
ROLES = (CITY, SHERIFF, MAFIA, DON)
BLACK = frozenset({MAFIA, DON})


def is_black(role: str | None) -> bool:
    """Tell whether a known role belongs to the mafia's team."""
    return role in BLACK


def composition(players: int, blacks: int) -> dict[str, int]:
    """Return how many cards of each role a deck has: one Don, one Sheriff, the other blacks, the city."""
    return {DON: 1, MAFIA: blacks - 1, SHERIFF: 1, CITY: players - blacks - 1}


def deck(players: int, blacks: int) -> tuple[str, ...]:
    """Return the unshuffled deck."""
    cards = composition(players, blacks)
    return tuple(role for role in (DON, MAFIA, SHERIFF, CITY) for _ in range(cards[role]))


def fits(roles: Sequence[str | None], players: int, blacks: int) -> bool:
    """Tell whether the roles known so far can belong to one deck."""
    return all(list(roles).count(role) <= count for role, count in composition(players, blacks).items())


def deal(cards: Sequence[str], pinned: Mapping[int, str]) -> tuple[str, ...]:
    """Give out ``cards`` in seat order, but so that each pinned seat gets its role; others swap cards with it."""
    dealt = list(cards)
    for seat, role in pinned.items():
        if dealt[seat - 1] == role:
            continue
        other = next(i for i, card in enumerate(dealt) if card == role and pinned.get(i + 1) != role)
        dealt[seat - 1], dealt[other] = dealt[other], dealt[seat - 1]
    return tuple(dealt)
