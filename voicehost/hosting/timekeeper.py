"""The one running timer, kept by deadline, so that a busy or sleeping machine does not make it drift."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from voicehost.hosting.clock import Clock

EPSILON = 1e-6
"""Seconds below which two moments are one; sums of floats differ by less."""

WARNING_LEFT = 10.0
"""Seconds left when a timer warns."""

WARNED = frozenset({"speech", "shootout", "last-word", "contract", "free-seating", "best-move"})
"""Timers that warn, when they are longer than the warning."""


@dataclass(slots=True)
class _Running:
    name: str
    seat: int | None
    seconds: float
    left: float
    """Seconds left at ``since``, or for ever while it stands."""
    since: float | None
    """The moment from which it runs; None while it stands."""
    tick: float | None
    ticked: int = 0
    warned: bool = False


class Timekeeper:
    """Starts, pauses and extends the timer of the present step."""

    def __init__(self, clock: Clock, lead: float = 0.0) -> None:
        """Keep time by ``clock``; no timer runs yet.

        ``lead``: how many seconds before its moment a tick or the end is given out, so that what is said then can be
        on its way when the moment comes.
        """
        self._clock = clock
        self._lead = lead
        self._timer: _Running | None = None

    def start(
        self,
        name: str,
        seconds: float,
        seat: int | None = None,
        *,
        left: float | None = None,
        tick: float | None = None,
        paused: bool = False,
    ) -> None:
        """Start a timer in place of any other. ``tick`` = seconds between ticks, the first of which is at once.

        With a lead a timer that ticks begins that much later, when its first tick can be heard.
        """
        left = seconds if left is None else left
        since = None if paused else self._clock.now() + (self._lead if tick is not None else 0.0)
        ticked = 0 if tick is None else int((seconds - left + EPSILON) / tick)
        self._timer = _Running(name, seat, seconds, left, since, tick, ticked, warned=left <= WARNING_LEFT + EPSILON)

    def drop(self) -> None:
        """Forget the timer."""
        self._timer = None

    @property
    def name(self) -> str | None:
        """The timer's name, or None when there is none."""
        return self._timer.name if self._timer else None

    @property
    def seat(self) -> int | None:
        """The seat the timer is for."""
        return self._timer.seat if self._timer else None

    @property
    def seconds(self) -> float:
        """The timer's whole length, extensions included."""
        return self._timer.seconds if self._timer else 0.0

    @property
    def runs(self) -> bool:
        """Whether a timer is there and not paused."""
        return self._timer is not None and self._timer.since is not None

    @property
    def left(self) -> float:
        """Seconds left, never below zero; 0 when there is no timer."""
        timer = self._timer
        if timer is None:
            return 0.0
        gone = 0.0 if timer.since is None else max(0.0, self._clock.now() - timer.since)
        left = timer.left - gone
        return 0.0 if left < EPSILON else left

    @property
    def tick(self) -> int | None:
        """The number of the tick that is on, from 1; None when the timer does not tick."""
        timer = self._timer
        if timer is None or timer.tick is None:
            return None
        last = round(timer.seconds / timer.tick)
        return min(int((timer.seconds - self.left + EPSILON) / timer.tick) + 1, last)

    @property
    def called(self) -> int:
        """The number of the latest tick that was given out."""
        return self._timer.ticked if self._timer else 0

    @property
    def called_at(self) -> float | None:
        """The moment of the latest tick that was given out."""
        timer, end = self._timer, self.end
        if timer is None or timer.tick is None or end is None:
            return None
        return end - timer.seconds + (timer.ticked - 1) * timer.tick

    @property
    def tick_left(self) -> float:
        """Seconds left of the present tick."""
        timer = self._timer
        if timer is None or timer.tick is None or self.tick is None:
            return 0.0
        return max(0.0, self.left - (timer.seconds - self.tick * timer.tick))

    @property
    def end(self) -> float | None:
        """The moment at which a running timer elapses."""
        timer = self._timer
        return None if timer is None or timer.since is None else timer.since + timer.left

    @property
    def began(self) -> float:
        """The moment since which a running timer runs; 0 when none does."""
        return self._timer.since or 0.0 if self._timer else 0.0

    @property
    def tick_end(self) -> float | None:
        """The moment at which the present tick of a running timer is over."""
        timer, end = self._timer, self.end
        if timer is None or timer.tick is None or end is None or self.tick is None:
            return end
        return end - timer.seconds + self.tick * timer.tick

    def pause(self) -> bool:
        """Stop the timer; tell whether one ran."""
        timer = self._timer
        if timer is None or timer.since is None:
            return False
        timer.left, timer.since = self.left, None
        return True

    def resume(self) -> bool:
        """Let a paused timer run; tell whether there was one."""
        timer = self._timer
        if timer is None or timer.since is not None:
            return False
        timer.since = self._clock.now()
        return True

    def extend(self, seconds: float) -> bool:
        """Lengthen the timer; tell whether there is one."""
        timer = self._timer
        if timer is None:
            return False
        timer.left += seconds
        timer.seconds += seconds
        timer.warned = timer.warned and self.left <= WARNING_LEFT + EPSILON
        return True

    def state(self) -> Mapping[str, Any] | None:
        """Return what is needed to put the timer back later, as JSON values."""
        timer = self._timer
        if timer is None:
            return None
        return {"name": timer.name, "seat": timer.seat, "left": round(self.left, 3), "seconds": timer.seconds}

    def due(self) -> float | None:
        """Return the moment of the next tick, warning or end; None when nothing will come."""
        timer = self._timer
        if timer is None or timer.since is None:
            return None
        end = timer.since + timer.left
        moments = [end - self._lead]
        if timer.name in WARNED and not timer.warned:
            moments.append(end - WARNING_LEFT)
        if timer.tick is not None and timer.ticked * timer.tick < timer.seconds - EPSILON:
            moments.append(end - timer.seconds + timer.ticked * timer.tick - self._lead)
        return min(moments)

    def take(self) -> str | None:
        """Return the next thing whose moment has come: tick, warning or elapsed; None when there is none yet."""
        timer = self._timer
        due = self.due()
        if timer is None or due is None or due > self._clock.now() + EPSILON:
            return None
        end = self.end
        assert end is not None
        soon = self._clock.now() + self._lead + EPSILON
        if (
            timer.tick is not None
            and timer.ticked * timer.tick < timer.seconds - EPSILON
            and soon >= end - timer.seconds + timer.ticked * timer.tick
        ):
            timer.ticked += 1
            return "tick"
        if soon >= end:
            timer.left, timer.since = 0.0, None
            return "elapsed"
        timer.warned = True
        return "warning"
