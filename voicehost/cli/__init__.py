"""The command line: the only place where the rooms are wired together."""

from __future__ import annotations


def main() -> None:
    """Run the program and leave with its exit status."""
    from voicehost.cli.app import run

    raise SystemExit(run())
