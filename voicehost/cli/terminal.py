"""How a game looks to a person at a terminal, and to a program at the other end of a pipe."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from typing import Any

import click

from voicehost.hosting.messages import Message
from voicehost.hosting.script import cue
from voicehost.hosting.timekeeper import Timekeeper
from voicehost.hosting.words import Words

TIMES = {"started": "▶", "warning": "…", "paused": "‖", "resumed": "▶", "extended": "+", "elapsed": "■"}
"""Signs of a timer's changes."""

LINE_BREAKS = {ord(mark): f"\\u{ord(mark):04x}" for mark in "\u0085\u2028\u2029"}
"""What some readers take for the end of a line, as JSON escapes."""


CHECKS_OF_THE_DEAD = frozenset({"refused-seat-out-don-check", "refused-seat-out-sheriff-check"})
"""Sentences for the host who names a check although it is the one who would check that has left."""


def json_line(message: Message) -> None:
    """Write a message as one line of JSON."""
    sys.stdout.write(json.dumps(message, ensure_ascii=False).translate(LINE_BREAKS) + "\n")
    sys.stdout.flush()


class Terminal:
    """Prints messages as a host reads them; colour only where the output takes it."""

    def __init__(self, words: Words, *, host: bool = True, echo: Callable[[str], None] = click.echo) -> None:
        """Print in the language of the game; with no ``host`` the screen is everybody's."""
        self._words = words
        self._host = host
        self._echo = echo
        self.status = ""
        """Where the game stands, in one short line."""
        self.suggest: Callable[[str], str | None] = lambda text: None
        """Returns what a mistyped line may have been meant to be."""
        self._stands: Message | None = None

    def where(self, keeper: Timekeeper) -> str:
        """Return where the game stands, with the time that is left."""
        if keeper.name is None:
            return self.status
        return f"{self.status} · {_clock(keeper.left)}"

    def resumed(self, keeper: Timekeeper) -> None:
        """Say where a game goes on that was interrupted, and with which words; nothing that the table may not know."""
        stands = self._stands
        if stands is None or stands["step"] == "over":
            return
        parts = [self._text(f"stands-{stands['step']}", seat=stands["seat"], candidate=stands["candidate"])]
        if stands["step"] not in {"lobby", "deal"}:
            dark = self._dark(stands["step"])
            parts.insert(
                0, self._text("status-night" if dark else "status-day", number=stands["night" if dark else "day"])
            )
        if keeper.name is not None:
            parts.append(self._text("time-left", time=_clock(keeper.left)))
        how = self._text("say-resume" if stands["paused"] else "say-on")
        self._print("  " + self._text("resumed", where=", ".join(parts), how=how), bold=True)

    def __call__(self, message: Message) -> None:
        """Print one message."""
        kind = message["type"]
        shower = getattr(self, f"_{kind}", None)
        if shower is not None:
            shower(message)

    def _print(self, text: str, **style: Any) -> None:
        self._echo(click.style(text, **style) if style else text)

    def _text(self, name: str, **params: object) -> str:
        return self._words.message(f"hosting.{name}", **params)

    def _ask(self, message: Message) -> None:
        self._print(f"  {message['question']}", fg="cyan", bold=True)

    def _say(self, message: Message) -> None:
        if message["phrase"].startswith("confirm-"):
            return  # shown by ``_ask``, which also comes when the question is not spoken
        self._print(f"  {message['text']}", fg="cyan", bold=True)

    def _refused(self, message: Message) -> None:
        key = f"refused-{message['reason']}-{message['command']}"
        why = self._text(key) if self._host and key in CHECKS_OF_THE_DEAD else self._reason(message["reason"])
        if why:
            self._print(f"  ✗ {why}", fg="yellow")

    def _reason(self, reason: str) -> str:
        """Return why not; of what may not be said aloud only the host reads."""
        aloud = self._words.plain(cue(f"refused-{reason}"))
        return aloud or (self._text(f"refused-{reason}") if self._host else "")

    def _unrecognised(self, message: Message) -> None:
        near = self.suggest(message["text"])
        key = "not-understood" if near is None else "perhaps"
        self._print("  " + self._text(key, text=message["text"], near=near), fg="yellow")

    def _error(self, message: Message) -> None:
        self._print("  " + str(message["text"]), fg="yellow")

    def _timer(self, message: Message) -> None:
        if message["name"] == "hunt-number" or message["state"] not in TIMES:
            return
        seconds = message["seconds"]
        self._print(f"  {TIMES[message['state']]} {int(seconds) // 60}:{int(seconds) % 60:02d}", dim=True)

    def _event(self, message: Message) -> None:
        line = self._secret(message) if self._host else None
        if line is not None:
            self._print(f"  ({line})", dim=True)

    def _secret(self, message: Message) -> str | None:
        """Return what only the host may read, for events that are not spoken."""
        match message:
            case {"name": "don-checked", "seat": seat, "sheriff": found}:
                answer = {True: "yes", False: "no", None: "unknown"}[found]
                return self._text(f"checked-sheriff-{answer}", seat=seat)
            case {"name": "sheriff-checked", "seat": seat, "answer": answer}:
                return self._text(f"checked-{answer or 'unknown'}", seat=seat)
            case {"name": "seat-shot", "seat": seat}:
                return self._text("shot", seat=seat)
            case {"name": "shot-missed"}:
                return self._text("missed")
            case {"name": "shooter-shot", "shooter": shooter, "target": target}:
                return self._text("shooter-shot", shooter=shooter, target=target)
        return None

    def _view(self, message: Message) -> None:
        from voicehost.cli.board import board

        for line in board(message["view"], self._words):
            self._print(f"  {line}")

    def _result(self, message: Message) -> None:
        if message["roles"] and message["reason"] != "unfinished":
            named = ", ".join(f"{seat} — {self._text(f'role-{role}')}" for seat, role in message["roles"].items())
            self._print("  " + self._text("roles-line", roles=named), bold=True)

    def _ready(self, message: Message) -> None:
        self._stands = message
        self.status = self._where(message)

    def _where(self, message: Message) -> str:
        step = message["step"]
        if step in {"lobby", "over"}:
            return self._text(f"status-{step}")
        time = ("night", message["night"]) if self._dark(step) else ("day", message["day"])
        parts = [self._text(f"status-{time[0]}", number=time[1])]
        if message["seat"] is not None:
            parts.append(self._text("status-seat", seat=message["seat"]))
        if message["candidate"] is not None:
            parts.append(self._text("status-candidate", seat=message["candidate"]))
        if message["paused"]:
            parts.append(self._text("status-paused"))
        return " · ".join(parts)

    @staticmethod
    def _dark(step: str) -> bool:
        day = {"speech", "nominate-only", "vote", "shootout-speech", "lift", "last-word"}
        return step not in day


def _clock(seconds: float) -> str:
    """Return seconds as minutes and seconds."""
    whole = math.ceil(seconds)
    return f"{whole // 60}:{whole % 60:02d}"
