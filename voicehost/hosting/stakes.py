"""What a misheard command costs, so that recognisers can be as strict as that."""

from __future__ import annotations

from typing import Literal

Stake = Literal["query", "plain", "word", "grave"]

_QUERIES = frozenset({"ask-nominees", "ask-time", "ask-fouls", "ask-alive", "ask-day", "ask-help", "repeat", "listen"})
_GRAVE = frozenset({"remove-player", "team-defeat", "declare-winner", "end-game", "stop-listening", "confirm"})


def stake(command: str) -> Stake:
    """How bad it is to take something else for this command: a mere answer, a step to undo, or worse."""
    if command in _QUERIES:
        return "query"
    return "grave" if command in _GRAVE else "plain"
