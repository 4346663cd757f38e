"""Two clocks with one face: the real one, and one that moves only when told."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """Game time in seconds, from an arbitrary zero."""

    virtual: bool

    def now(self) -> float:
        """Return the present time."""
        ...

    async def sleep_until(self, moment: float, stirred: asyncio.Event) -> None:
        """Return when the clock shows ``moment`` or later, or earlier when ``stirred`` is set."""
        ...


class RealClock:
    """The machine's monotonic clock."""

    virtual = False

    def now(self) -> float:
        """Return the present time."""
        return time.monotonic()

    async def sleep_until(self, moment: float, stirred: asyncio.Event) -> None:
        """Sleep until ``moment`` or until something stirs."""
        left = moment - self.now()
        if left > 0:
            try:
                await asyncio.wait_for(stirred.wait(), left)
            except TimeoutError:
                return


class VirtualClock:
    """A clock for typed games, recordings and tests: sleeping on it moves it."""

    virtual = True

    def __init__(self) -> None:
        """Start at zero."""
        self._now = 0.0

    def now(self) -> float:
        """Return the present time."""
        return self._now

    async def sleep_until(self, moment: float, stirred: asyncio.Event) -> None:
        """Jump to ``moment``; never back."""
        self._now = max(self._now, moment)
