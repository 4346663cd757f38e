"""Keys, places and PINs: who may open which page. What is secret is compared in constant time and kept as a hash."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

HOST = "host"
JOIN = "join"
SCREEN = "screen"
DOORS = (HOST, JOIN, SCREEN)
"""What a key opens: the host's remote; a place at the table; the join code on a screen elsewhere."""

ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"
"""Letters of a key that a person may have to type: nothing that looks like something else."""

JOIN_LENGTH = 10
"""Typed by hand in need: 31 ** 10 possibilities, with a few tries a second at most."""

PIN_DIGITS = 4
KEPT_GAMES = 5
"""Games whose places are remembered, so that one that was interrupted goes on with the same phones."""


def _hash(value: str) -> str:
    return hashlib.sha256(value.encode()).hexdigest()


def same(given: str, wanted: str) -> bool:
    """Compare in a time that tells nothing."""
    return hmac.compare_digest(given.encode(), wanted.encode())


def short_key() -> str:
    """Return a key that can be typed: five letters, a dash, five letters."""
    letters = "".join(secrets.choice(ALPHABET) for _ in range(JOIN_LENGTH))
    return f"{letters[:5]}-{letters[5:]}"


@dataclass(slots=True)
class Place:
    """One seat's phone: its PIN, and hashes of the tokens that may act for it."""

    pin: str
    token: str = ""
    """The phone's."""
    helper: str = ""
    """The host's device acting for a lost phone."""


@dataclass(slots=True)
class Keys:
    """All keys of one evening."""

    host: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    join: str = field(default_factory=short_key)
    screen: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    passes: dict[str, str] = field(default_factory=lambda: {door: secrets.token_urlsafe(16) for door in DOORS})
    """What a browser keeps once a key was right."""
    places: dict[int, Place] = field(default_factory=dict)

    def open(self, door: str, key: str) -> str | None:
        """Return the pass behind ``door`` for its key, or None; takes as long for a wrong door as for a wrong key."""
        wanted = {HOST: self.host, JOIN: self.join, SCREEN: self.screen}.get(door, "")
        given = key.strip().lower().replace(" ", "") if door == JOIN else key
        if door == JOIN and "-" not in given:
            given = f"{given[:5]}-{given[5:]}"
        right = same(given, wanted) and bool(wanted)
        return self.passes[door] if right else None

    def passed(self, door: str, token: str | None) -> bool:
        """Tell whether a browser has been let through ``door``."""
        return same(token or "", self.passes[door])

    def take(self, seat: int) -> tuple[str, str]:
        """Give the seat to a new phone; return its token and PIN."""
        token = secrets.token_urlsafe(16)
        pin = "".join(secrets.choice("0123456789") for _ in range(PIN_DIGITS))
        self.places[seat] = Place(pin, _hash(token))
        return token, pin

    def claim(self, seat: int, pin: str, *, helper: bool) -> str | None:
        """Return a token for another device of the same player, or None when the PIN is wrong.

        A second phone puts the first one out; the host's device (``helper``) acts beside it.
        """
        place = self.places.get(seat)
        if not same(pin, place.pin if place else "-" * PIN_DIGITS) or place is None:
            return None
        token = secrets.token_urlsafe(16)
        if helper:
            place.helper = _hash(token)
        else:
            place.token, place.helper = _hash(token), ""
        return token

    def free(self, seat: int) -> None:
        """Forget the seat's phone."""
        self.places.pop(seat, None)

    def seat_of(self, token: str | None) -> tuple[int, bool] | None:
        """Return the seat a token acts for, and whether it is the host's device; looks at every place."""
        given = _hash(token or "")
        found = None
        for seat, place in self.places.items():
            if same(given, place.token):
                found = (seat, False)
            if place.helper and same(given, place.helper):
                found = (seat, True)
        return found

    @property
    def joined(self) -> Iterable[int]:
        """Seats that have a phone."""
        return self.places.keys()

    # --- across a restart

    def to_mapping(self) -> dict[str, Any]:
        """Return JSON values; ``keys_from`` is the inverse."""
        return asdict(self)


def keys_from(data: dict[str, Any]) -> Keys:
    """Return keys that were kept.

    Raises:
        ValueError, KeyError, TypeError: that is not what was kept.
    """
    places = {int(seat): Place(**place) for seat, place in data.pop("places").items()}
    return Keys(places=places, **data)


class Keyring:
    """The keys of the latest games in one file that only its owner reads."""

    def __init__(self, path: Path | None) -> None:
        """Keep keys in ``path``; None = nowhere."""
        self._path = path

    def _all(self) -> dict[str, Any]:
        if self._path is None:
            return {}
        try:
            found = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def load(self, game: str | None) -> Keys:
        """Return the keys of a game that goes on, or new ones."""
        try:
            return keys_from(self._all()[game or ""])
        except (KeyError, ValueError, TypeError, AttributeError):
            return Keys()

    def save(self, game: str, keys: Keys) -> None:
        """Keep the keys of ``game``; a folder that cannot be written costs only the way back after a restart."""
        if self._path is None:
            return
        kept = {name: data for name, data in self._all().items() if name != game}
        kept[game] = keys.to_mapping()
        latest = dict(list(kept.items())[-KEPT_GAMES:])
        draft = self._path.with_suffix(".new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
                json.dump(latest, file)
            draft.replace(self._path)
        except OSError:
            return
