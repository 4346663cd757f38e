"""Wires microphone, recogniser, voice and loudspeaker to a game, or says why there are none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from voicehost.hosting.inputs import Input
from voicehost.hosting.ports import SilentSpeaker, Speaker

if TYPE_CHECKING:
    from voicehost.cli.play import Options
    from voicehost.hosting.conductor import Conductor


class Sound:
    """What a game hears with and speaks with; this one is silent and deaf: text only."""

    typed_lines = True
    """Whether typed lines are taken."""
    hears = False
    """Whether commands may come otherwise than by typed lines, so that their end does not end the game."""

    def __init__(self, speaker: Speaker) -> None:
        """Speak through ``speaker``."""
        self.speaker = speaker

    def listen_to(self, conductor: Conductor) -> None:
        """Learn whose commands are to be recognised."""

    def start(self) -> None:
        """Begin to hear."""

    async def finish(self) -> None:
        """Let what is being said end."""

    def close(self) -> None:
        """Give the devices back."""


def open_sound(
    options: Options,
    language: str,
    loop: asyncio.AbstractEventLoop,
    put: Callable[[Input | None], None],
    *,
    virtual: bool,
) -> Sound:
    """Return what the options ask for, as far as this machine has it."""
    return Sound(SilentSpeaker())
