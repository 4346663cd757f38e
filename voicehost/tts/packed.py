"""A voice pack that speaks, with a living voice behind it for what the pack does not hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from voicehost.tts.pack import VoicePack
from voicehost.tts.voice import Sound, VoiceFailed


class ReadyVoice(Protocol):
    """A voice whose lines are finished sounds, and which makes them ahead; what ``choose`` gives."""

    @property
    def name(self) -> str:
        """The voice that will say the next line."""

    @property
    def language(self) -> str:
        """Language code."""

    def ready(self, text: str) -> bool:
        """Whether a line would come at once."""

    def render(self, text: str) -> Sound:
        """Text to sound, blocking. Raises VoiceFailed."""

    def prerender(self, lines: Iterable[str]) -> None:
        """Make lines ready in the background."""

    def close(self) -> None:
        """End every process it keeps."""


class PackedVoice:
    """Says what the pack holds exactly as it lies there; the rest, and what is damaged, is synthesised."""

    def __init__(
        self,
        pack: VoicePack,
        behind: ReadyVoice | None,
        on_change: Callable[[VoiceFailed, str], None] | None = None,
    ) -> None:
        """``behind`` is None where no engine is installed: such lines fail, and stay on the screen."""
        self._pack = pack
        self._behind = behind
        self._on_change = on_change
        self._told = False
        self.language = pack.about.language

    @property
    def name(self) -> str:
        """The pack's name."""
        return self._pack.name

    @property
    def behind(self) -> str:
        """The name of the voice for the other lines, or ""."""
        return self._behind.name if self._behind is not None else ""

    def ready(self, text: str) -> bool:
        """Whether a line would come at once."""
        return self._pack.has(text) or (self._behind is not None and self._behind.ready(text))

    def render(self, text: str) -> Sound:
        """See Voice."""
        try:
            sound = self._pack.sound(text)
        except VoiceFailed as failed:
            sound = None
            if self._on_change is not None and not self._told:
                self._told = True
                self._on_change(failed, self.behind)
        if sound is not None:
            return sound
        if self._behind is None:
            raise VoiceFailed(self.name, "missing")
        return self._behind.render(text)

    def prerender(self, lines: Iterable[str]) -> None:
        """Make ready what is not in the pack."""
        missing = [line for line in lines if not self._pack.has(line)]
        if missing and self._behind is not None:
            self._behind.prerender(missing)

    def close(self) -> None:
        """End the engines' processes."""
        if self._behind is not None:
            self._behind.close()
