"""When the host held his key: a button that is pressed and let go, or a terminal's key, which tells only presses.

A terminal's key opens for one utterance. While it is held it repeats itself, and that keeps it open as a button would.
Nothing here needs a timer: what has become of the key follows from the moments of its presses whenever it is asked.
All moments are ``time.monotonic``'s, as the microphone's.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

PATIENCE = 8.0
"""Seconds without speech after which a key that was struck once closes by itself."""

REPEAT = 0.2
"""Seconds within which a key that is held strikes again; a person who strikes twice is slower."""

LONG_HOLD = 1.0
"""A key held for less than so many seconds was struck by a slow finger: it stays open for one utterance."""

LEAD = 0.3
"""Seconds before the press that count with it: people speak as they press."""

TAIL = 0.3
"""Seconds of sound after the key was let go that still belong to what was begun before."""

SETTLING = 1.0
"""Seconds after the key in which silence goes on at once, so that a command that has ended is taken quickly."""

MEMORY = 30
"""Openings that are remembered: utterances come a little later than they were said."""


class Push:
    """The key and the button by which the host opens listening, one for all places where it can be pressed."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """Begin closed."""
        self._now = now
        self._past: deque[tuple[float, float]] = deque(maxlen=MEMORY)
        self._opened: float | None = None
        self._button = False
        self._until = 0.0
        """When a key that was struck closes by itself."""
        self._struck = -REPEAT * 2
        self._held = False
        self._second: float | None = None
        """A press that is a second one unless the key goes on repeating."""

    @property
    def open(self) -> bool:
        """Whether the program listens now."""
        self._settle()
        return self._opened is not None

    def press(self) -> None:
        """Hold a button."""
        self._settle()
        self._button = True
        if self._opened is None:
            self._opened = self._now()

    def let_go(self) -> None:
        """Let the button go."""
        self._settle()
        self._button = False
        if self._opened is not None:
            self._close(self._now())

    def strike(self) -> None:
        """Take one press of a terminal's key, a person's or the keyboard's own repetition."""
        self._settle()
        now = self._now()
        repeated = now - self._struck < REPEAT
        self._struck = now
        if self._button:
            return
        if repeated:
            self._held, self._second = True, None
            if self._opened is None:
                self._opened = now
        elif self._opened is None:
            self._opened, self._until = now, now + PATIENCE
        else:
            self._second = now

    def heard(self, *, command: bool) -> None:
        """Note that an utterance came in: a command ends a single opening, talk gives it more time."""
        self._settle()
        if self._opened is None or self._button or self._held:
            return
        if command:
            self._close(self._now())
        else:
            self._until = self._now() + PATIENCE

    def held_at(self, moment: float | None) -> bool:
        """Tell whether what began to be said at a moment was meant for the program; None: now."""
        if moment is None:
            return self.open
        self._settle()
        if self._opened is not None and moment >= self._opened - LEAD:
            return True
        return any(began - LEAD <= moment <= ended for began, ended in self._past)

    def sounds_at(self, moment: float) -> bool:
        """Tell whether the sound of a moment is wanted: a last syllable outlasts the key a little."""
        return self.held_at(moment) or bool(self._past and self._past[-1][1] <= moment <= self._past[-1][1] + TAIL)

    def _settle(self) -> None:
        """Let happen what has happened since the last look."""
        now = self._now()
        if self._opened is None or self._button:
            return
        if self._second is not None and now - self._second >= REPEAT:
            self._close(self._second)
        elif self._held:
            if now - self._struck >= REPEAT:
                self._held = False
                if self._struck - self._opened >= LONG_HOLD:
                    self._close(self._struck)
                else:
                    self._until = self._struck + PATIENCE
        elif self._second is None and now >= self._until:
            self._close(self._until)

    def _close(self, moment: float) -> None:
        assert self._opened is not None
        self._past.append((self._opened, moment))
        self._opened, self._second, self._held = None, None, False


class PushGate:
    """Lets a recogniser hear only what is said while the key is held.

    What came just before the press is kept back and let through with it, so that a first syllable is not lost.
    """

    def __init__(self, push: Push) -> None:
        """Follow ``push``."""
        self._push = push
        self._kept: deque[tuple[bytes, float]] = deque()
        self._silent_until = 0.0

    def pass_through(self, pcm: bytes, arrived: float, seconds: float) -> list[bytes]:
        """Return what the recogniser is to be fed: all blocks come out once, in order, silent if nobody called."""
        if self._push.sounds_at(arrived - seconds):
            given = [*(kept for kept, _ in self._kept), pcm]
            self._kept.clear()
            self._silent_until = arrived + SETTLING
            return given
        if arrived < self._silent_until:
            return [bytes(len(pcm))]
        self._kept.append((pcm, arrived))
        given = []
        while self._kept[0][1] < arrived - LEAD:
            given.append(bytes(len(self._kept.popleft()[0])))
        return given
