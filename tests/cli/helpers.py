"""What the tests of the command line share: a game's events, and how a call ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from voicehost.rules import events as ev

ROLES = ("don", "mafia", "mafia", "sheriff", "city", "city", "city", "city", "city", "city")
NAMES = ("Аня", "Борис", "Вера", "Глеб", "Дина", "Егор", "Жанна", "Зоя", "Илья", "Катя")

NIGHT_AND_DAY: tuple[ev.Event, ...] = (
    ev.GameStarted(),
    ev.RolesDealt(ROLES),
    ev.NightFell(0),
    ev.MafiaMet(),
    ev.DayBroke(1),
    ev.FoulGiven(3, 1),
    ev.NightFell(1),
    ev.SeatShot(9),
    ev.DonChecked(4, True),
)


@dataclass(frozen=True, slots=True)
class Done:
    """How a call ended."""

    status: int
    out: str
    err: str


Call = Callable[..., Done]
