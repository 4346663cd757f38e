"""Lines that belong to a moment of a timer: they begin, or end, exactly then and not when a voice has got ready."""

from __future__ import annotations

from voicehost.hosting.clock import Clock
from voicehost.hosting.lines import Lines
from voicehost.hosting.script import cue
from voicehost.hosting.timekeeper import WARNING_LEFT, Timekeeper
from voicehost.rules.game import Step

TIMER_NAMES = {
    Step.CONTRACT: "contract",
    Step.MEETING_DON: "meeting",
    Step.MEETING_SHERIFF: "meeting",
    Step.FREE_SEATING: "free-seating",
    Step.SPEECH: "speech",
    Step.NOMINATE_ONLY: "nominate-only",
    Step.SHOOTOUT_SPEECH: "shootout",
    Step.LAST_WORD: "last-word",
    Step.HUNT: "hunt",
    Step.DON_CHECK: "check",
    Step.SHERIFF_CHECK: "check",
    Step.BEST_MOVE: "best-move",
}
"""The timer of each timed step."""

TEN_SECONDS_TOLD = frozenset({"speech", "shootout", "last-word"})
"""Timers whose last ten seconds are announced in words; at the others' a signal sounds."""


class TimedCues:
    """The warning before a timer ends and the numbers of the hunt."""

    def __init__(self, lines: Lines, keeper: Timekeeper, clock: Clock) -> None:
        """Say ``lines`` by the timer of ``keeper``."""
        self._lines = lines
        self._keeper = keeper
        self._clock = clock
        self._warned = False

    def begin(self) -> None:
        """Another timer begins."""
        self._warned = False

    def due(self) -> float | None:
        """When to give «ten seconds» so that the words end as ten seconds are left; None when that is not to be.

        With the virtual clock, or a speaker that does not know how long they take, they come at that moment instead.
        """
        end = self._keeper.end
        if self._clock.virtual or end is None or self._keeper.name not in TEN_SECONDS_TOLD:
            return None
        early = self._lines.length(_WARNING) + self._lines.lead
        moment = end - WARNING_LEFT - early
        if self._warned and moment > self._clock.now() + early:
            self._warned = False  # the time was extended since
        late = self._clock.now() > end - WARNING_LEFT or moment < self._keeper.began
        return None if self._warned or not early or late else moment

    def warn(self) -> None:
        """Give the words now, to end at their moment."""
        self._warned = True
        end = self._keeper.end
        with self._lines.at(None if end is None else end - WARNING_LEFT - self._lines.length(_WARNING)):
            self._lines.say([_WARNING])

    def warning(self) -> None:
        """Ten seconds are left: say so, unless it was said; a time without speech gets a signal."""
        if self._keeper.name not in TEN_SECONDS_TOLD:
            self._lines.signal("tick")
        elif not self._warned:
            self._warned = True
            self._lines.say([_WARNING])

    def number(self) -> None:
        """Call the number of the hunt whose tick was given out."""
        with self._lines.at(self._keeper.called_at):
            self._lines.say([cue("hunt-number", seat=self._keeper.called)])


_WARNING = cue("ten-seconds")
