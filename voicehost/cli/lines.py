"""Typed lines: from a pipe, or from a keyboard beside a game that prints."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from voicehost.hosting.inputs import Input, Skip, read_line

if TYPE_CHECKING:
    from voicehost.cli.calling import PushKey

Put = Callable[[Input | None], None]
"""Takes inputs in the event loop's thread; None = no more will come."""

LONGEST_LINE = 10_000
"""Characters; a longer line is cut: it cannot be an utterance."""


def read_pipe(loop: asyncio.AbstractEventLoop, put: Put) -> threading.Thread:
    """Read standard input line by line in a thread of its own, so that the game goes on meanwhile."""

    def read() -> None:
        try:
            while line := sys.stdin.readline():
                loop.call_soon_threadsafe(put, read_line(line[:LONGEST_LINE]))
            loop.call_soon_threadsafe(put, None)
        except (RuntimeError, ValueError):
            return  # the loop is closed: the game is over

    thread = threading.Thread(target=read, name="lines", daemon=True)
    thread.start()
    return thread


@asynccontextmanager
async def keyboard(put: Put, status: Callable[[], str], push: PushKey | None = None) -> AsyncIterator[None]:
    """Let a person type under the lines that the game prints; Ctrl+D ends the input.

    ``push`` is the key that opens listening; one that means something in a line does so only in an empty one.
    """
    from prompt_toolkit import PromptSession
    from prompt_toolkit.formatted_text import FormattedText
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.patch_stdout import patch_stdout

    keys = KeyBindings()
    keys.add("escape", eager=True)(lambda event: put(Skip()))
    session: PromptSession[str] = PromptSession(key_bindings=keys)
    if push is not None:
        _watch_key(keys, push, lambda: not session.default_buffer.text)

    def toolbar() -> Any:
        if push is None:
            return FormattedText([("", f" {status()} ")])
        style = "bg:ansired fg:ansiwhite bold" if push.push.open else ""
        return FormattedText([(style, f" {push.status()} "), ("", f" {status()} ")])

    stopped = asyncio.Event()

    async def type_on() -> None:
        while True:
            try:
                line = await session.prompt_async(
                    "> ",
                    bottom_toolbar=toolbar,
                    refresh_interval=0.5 if push is None else 0.2,
                )
            except EOFError:
                put(None)
                return
            except KeyboardInterrupt:
                stopped.set()
                put(None)
                return
            put(read_line(line[:LONGEST_LINE]))

    with patch_stdout(raw=True):
        typing = asyncio.ensure_future(type_on())
        try:
            yield
        finally:
            typing.cancel()
            await asyncio.gather(typing, return_exceptions=True)
    if stopped.is_set():
        raise KeyboardInterrupt


def _watch_key(keys: Any, push: PushKey, line_is_empty: Callable[[], bool]) -> None:
    from prompt_toolkit.filters import Condition

    free = Condition(line_is_empty) if push.types else Condition(lambda: True)

    def struck(event: Any) -> None:
        push.push.strike()
        event.app.invalidate()

    keys.add(push.code, filter=free, eager=True)(struck)
