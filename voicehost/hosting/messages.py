"""The lines that the outside sees: one JSON object each, the same for the terminal, the pipe and the pages."""

from __future__ import annotations

from typing import Any

from voicehost.hosting.timekeeper import Timekeeper
from voicehost.rules.commands import Command
from voicehost.rules.events import Event, NothingSecret
from voicehost.rules.game import Game, Step
from voicehost.rules.legal import legal
from voicehost.rules.view import alive_for, roles

Message = dict[str, Any]
"""A line of the JSON output; ``type`` tells which."""


def heard(text: str, command: Command) -> Message:
    """Understood and allowed."""
    return {"type": "heard", "text": text, "command": command.name, "slots": command.slots()}


def refused(text: str, command: str, reason: str) -> Message:
    """Understood, but not allowed now."""
    return {"type": "refused", "text": text, "command": command, "reason": reason}


def event(seq: int, happened: Event, *, host: bool) -> Message | None:
    """One event as the host, or as the table, may see it; None for what is never listed."""
    if happened.internal:
        looks_like = "" if host or not isinstance(happened, NothingSecret) else happened.looks_like
        return {"type": "event", "seq": seq, "name": looks_like} if looks_like else None
    hidden = not host and happened.quiet_now
    return {"type": "event", "seq": seq, "name": happened.name, **({} if hidden else happened.shown())}


def say(phrase: str, text: str) -> Message:
    """A spoken line."""
    return {"type": "say", "phrase": phrase, "text": text}


def timer(state: str, name: str | None, seat: int | None, seconds: float) -> Message:
    """A timer's change; ``seconds`` left after it."""
    return {"type": "timer", "name": name, "state": state, "seat": seat, "seconds": whole(seconds)}


def ask(question: str, options: list[Any], pending: Command | None) -> Message:
    """The program asks back."""
    return {"type": "ask", "question": question, "options": options, "pending": _pending(pending)}


def result(game: Game) -> Message:
    """How the game ended, or that it did not."""
    winner, reason = game.result or ("none", "unfinished")
    known = roles(game) if game.result or game.hosted else None  # a table without a host learns them at the end
    return {"type": "result", "winner": winner, "reason": reason, "roles": known}


def ready(game: Game, keeper: Timekeeper, cause: str | None = None) -> Message:
    """Where the game stands."""
    ballot = game.ballot
    hunted = game.step is Step.HUNT
    message: Message = {
        "type": "ready",
        "step": str(game.step),
        "seat": game.seat,
        "candidate": ballot.candidate if ballot and game.step is Step.VOTE else None,
        "called": keeper.tick if hunted else None,
        "day": game.day,
        "night": max(game.night, 0),
        "alive": list(alive_for(game, host=game.hosted)),
        "legal": {name: list(allowed.seats) for name, allowed in legal(game).items()},
        "paused": game.paused,
        "pending": _pending(game.pending),
        "timer": _running(game, keeper),
    }
    if cause is not None:
        message["cause"] = cause
    return message


def _running(game: Game, keeper: Timekeeper) -> Message | None:
    if keeper.name is None:
        return None
    if game.step is Step.HUNT and not game.hosted:
        return {"name": "hunt-number", "left": whole(keeper.tick_left)}
    return {"name": keeper.name, "left": whole(keeper.left)}


def _pending(command: Command | None) -> Message | None:
    return None if command is None else {"command": command.name, "slots": command.slots()}


def whole(seconds: float) -> int | float:
    """Return seconds as JSON likes them: to the millisecond, whole ones without a fraction."""
    rounded = round(seconds, 3)
    return int(rounded) if rounded == int(rounded) else rounded
