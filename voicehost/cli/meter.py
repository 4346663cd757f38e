"""A level meter: one line of the terminal that moves while somebody speaks."""

from __future__ import annotations

import sys
from time import monotonic

import click

WIDTH = 40
LOUD, TOO_LOUD = -12.0, -3.0
"""From where on the meter is yellow, and red: levels of 30 ms, whose peaks are higher."""
_EVERY = 0.08
_FALL = 25.0
"""Decibels a second by which the bar falls, so that the eye can follow."""


class Meter:
    """Draws levels on stderr, if that is a terminal."""

    def __init__(self) -> None:
        """Draw nothing yet."""
        self._drawn = sys.stderr.isatty()
        self._level = -100.0
        self._last = 0.0

    def show(self, level: float) -> None:
        """Draw a level in dB below full scale."""
        now = monotonic()
        self._level = max(level, self._level - _FALL * min(1.0, now - self._last) if self._last else level)
        if self._drawn and now - self._last >= _EVERY:
            click.echo(f"\r{bar(self._level)}\x1b[K", nl=False, err=True)
            self._last = now

    def clear(self) -> None:
        """Leave the line empty for words."""
        if self._drawn:
            click.echo("\r\x1b[K", nl=False, err=True)


def bar(level: float) -> str:
    """Return a level as a coloured bar with its number."""
    from voicehost.audio.reading import share_of_scale

    full = round(WIDTH * share_of_scale(level))
    edges = [round(WIDTH * share_of_scale(edge)) for edge in (LOUD, TOO_LOUD)]
    parts = []
    for colour, low, high in (("green", 0, edges[0]), ("yellow", edges[0], edges[1]), ("red", edges[1], WIDTH)):
        parts.append(click.style("█" * max(0, min(full, high) - low), fg=colour))
    return f"  {''.join(parts)}{'·' * (WIDTH - full)} {level:4.0f}"
