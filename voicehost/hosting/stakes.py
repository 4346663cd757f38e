"""What a misheard command costs, so that recognisers can be as strict as that."""

from __future__ import annotations

from typing import Literal

Stake = Literal["query", "answer", "plain", "word", "grave"]

_QUERIES = frozenset({"ask-nominees", "ask-time", "ask-fouls", "ask-alive", "ask-day", "ask-help", "repeat", "listen"})
_ANSWERS = frozenset({"votes", "shot", "shooter", "don-check", "sheriff-check", "best-move"})
"""They are legal only when the game waits for them."""
_GRAVE = frozenset({"remove-player", "team-defeat", "declare-winner", "end-game", "stop-listening", "confirm"})


def stake(command: str) -> Stake:
    """What it costs to take something else for this command: a reply, the awaited answer, a step to undo, or worse."""
    if command in _QUERIES:
        return "query"
    if command in _ANSWERS:
        return "answer"
    return "grave" if command in _GRAVE else "plain"
