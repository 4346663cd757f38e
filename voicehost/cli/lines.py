"""Typed lines: from a pipe, or from a keyboard beside a game that prints."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from voicehost.hosting.inputs import Input, Skip, read_line

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
async def keyboard(put: Put, status: Callable[[], str]) -> AsyncIterator[None]:
    """Let a person type under the lines that the game prints; Ctrl+D ends the input."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.formatted_text import FormattedText
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.patch_stdout import patch_stdout

    keys = KeyBindings()
    keys.add("escape", eager=True)(lambda event: put(Skip()))
    session: PromptSession[str] = PromptSession(key_bindings=keys)
    stopped = asyncio.Event()

    async def type_on() -> None:
        while True:
            try:
                line = await session.prompt_async(
                    "> ",
                    bottom_toolbar=lambda: FormattedText([("", f" {status()} ")]),
                    refresh_interval=0.5,
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
