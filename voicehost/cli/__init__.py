"""The command line: the only place where the rooms are wired together."""

from __future__ import annotations


def main() -> None:
    """Run the program and leave with its exit status."""
    try:
        from voicehost.cli.app import run
    except KeyboardInterrupt:  # so early that no sentence can be found yet
        raise SystemExit(130) from None

    raise SystemExit(run())
