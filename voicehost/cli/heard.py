"""What the microphone heard in a game, as lines for its host; and forgetting it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voicehost.cli.texts import interface

if TYPE_CHECKING:
    from voicehost.record.entries import Utterance

RIVALS = 3
"""Candidates beside the text that are shown."""


def heard_lines(utterance: Utterance) -> Iterator[str]:
    """Yield what was said, when, and what became of it; below it what else was thought of, and the sound."""
    minutes, seconds = divmod(int(utterance.clock), 60)
    verdict = interface(f"games.verdict-{utterance.verdict}")
    reason = f" ({utterance.reason})" if utterance.reason else ""
    sure = utterance.details.get("confidence")
    certainty = f" [{float(sure):.2f}]" if isinstance(sure, int | float) else ""
    yield (
        f"{minutes:3}:{seconds:02}  {utterance.state:<16}  {verdict}{reason}: {_printable(utterance.text)}{certainty}"
    )
    listed = utterance.details.get("candidates")
    others = [_candidate(other) for other in listed if isinstance(other, dict)] if isinstance(listed, list) else []
    if len(others) > 1 or (others and others[0].split(" [")[0] != utterance.text):
        yield " " * 26 + interface("games.candidates", candidates="; ".join(others[: RIVALS + 1]))
    if utterance.sound is not None:
        yield " " * 26 + _printable(utterance.sound)


def delete_sounds(sounds: Sequence[str]) -> list[Path]:
    """Delete the sounds of a game; return those that are still there."""
    if not sounds:
        return []
    from voicehost.stt.keeping import delete_kept

    return delete_kept(sounds)


def _candidate(candidate: Mapping[str, Any]) -> str:
    numbers = [candidate.get("score"), candidate.get("confidence")]
    shown = ", ".join(f"{float(number):.2f}" for number in numbers if isinstance(number, int | float))
    return f"{_printable(str(candidate.get('text', '')))} [{shown}]"


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)
