"""A plain table for a terminal or a pipe."""

from __future__ import annotations

from collections.abc import Sequence

import click


def show_columns(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows under a dimmed head, each column as wide as its longest cell."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    for number, row in enumerate([head, *rows]):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        line = "  ".join(cells).rstrip()
        click.echo(line if number else click.style(line, dim=True))
