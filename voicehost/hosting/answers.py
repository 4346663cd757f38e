"""Answers to the host's questions. They are spoken aloud, so they tell only what the table knows."""

from __future__ import annotations

import math
from collections.abc import Callable

from voicehost.hosting.messages import Message
from voicehost.hosting.script import Cue, cue
from voicehost.hosting.timekeeper import Timekeeper
from voicehost.hosting.words import Words
from voicehost.rules import commands as cmd
from voicehost.rules.game import Game, Step
from voicehost.rules.view import TABLE, view


def answer(command: cmd.Command, game: Game, keeper: Timekeeper, help_text: Callable[[], str]) -> list[Cue]:
    """Return the lines that answer a question; «повтори» is not one of them."""
    match command:
        case cmd.AskNominees():
            return [cue("nominees", seats=game.nominees) if game.nominees else cue("nominees-none")]
        case cmd.AskTime():
            return [cue("time-left", seconds=math.ceil(keeper.left)) if keeper.name else cue("time-none")]
        case cmd.AskFouls(seat=seat):
            return [cue("fouls-of", seat=seat, count=view(game, TABLE)["seats"][seat - 1]["fouls"])]
        case cmd.AskAlive():
            return [cue("alive", seats=game.table_alive)]
        case cmd.AskDay():
            return [_when(game)]
        case cmd.AskHelp():
            return [cue("help", phrases=help_text())]
        case cmd.Listen():
            return [cue("listening")]
        case cmd.StopListening():
            return [cue("not-listening")]
    return []


def look(of: str | int, game: Game, words: Words) -> Message:
    """Return the game as ``table``, ``host`` or a seat sees it, or that there is no such seat."""
    if isinstance(of, int) and of not in game.seats:
        return {"type": "error", "text": words.message("hosting.bad-seat", text=f"/view seat {of}")}
    return {"type": "view", "of": of if isinstance(of, str) else f"seat {of}", "view": view(game, of)}


def _when(game: Game) -> Cue:
    if game.step in {Step.LOBBY, Step.DEAL}:
        return cue("before-start")
    if game.step is Step.OVER:
        return cue("after-end")
    return cue("night", number=game.night) if game.is_night else cue("day", number=game.day)
