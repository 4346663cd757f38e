"""What a game speaks with: the voice, the loudspeaker, music, and the file that it is recorded to."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from voicehost.cli.texts import interface
from voicehost.errors import UserError
from voicehost.hosting.ports import SilentSpeaker, Speaker

if TYPE_CHECKING:
    from voicehost.audio.player import Player
    from voicehost.cli.play import Options
    from voicehost.hosting.speaking import LiveSpeaker
    from voicehost.tts.voice import VoiceFailed

LAST_LINES_SECONDS = 20.0
"""How long a game that ends waits for its last lines to be spoken."""


class Mouth:
    """The voice, the loudspeaker and the file that what is spoken goes to."""

    def __init__(
        self, speaker: Speaker, live: LiveSpeaker | None = None, voice: Any = None, player: Any = None
    ) -> None:
        """Speak through ``speaker``; ``live``, ``voice`` and ``player`` are closed at the end."""
        self.speaker = speaker
        self._live = live
        self._voice = voice
        self._player = player
        self.gate: Any = None

    def wait(self) -> None:
        """Wait until all is said, or until it is plain that nobody would hear it: the loudspeaker is gone."""
        end = monotonic() + LAST_LINES_SECONDS
        while self._live is not None and not self._live.wait_until_said(0.5):
            if monotonic() > end or getattr(self._player, "lost", False):
                return

    def close(self) -> None:
        """Be silent and give the device back."""
        for part in (self._live, self._voice, self._player):
            if part is not None:
                part.close()


def open_mouth(options: Options, language: str, *, virtual: bool) -> Mouth:
    """Return what the options ask for, as far as this machine has it; the rest is told on stderr.

    Raises:
        UserError: something that was asked for by name cannot be had.
    """
    if options.voice == "none" or (virtual and options.record is None):
        return Mouth(SilentSpeaker())
    from voicehost.tts.selection import choose

    try:
        voice = choose(language, options.voice, on_change=_voice_changed)
        player, music = _open_player(options, virtual=virtual)
    except UserError as error:
        if options.voice != "auto" or options.record is not None:
            raise
        _note(interface("cli.voice-none", why=interface(error.key, **error.params)))
        return Mouth(SilentSpeaker())
    assert voice is not None
    return _speaking(options, voice, player, music, virtual=virtual)


def _voice_changed(failure: VoiceFailed, following: str) -> None:
    if not following:
        _note(interface("tts.voice-lost"))
        return
    why = interface(f"tts.failed-{failure.why}")
    _note(interface("tts.voice-changed", name=failure.voice, why=why, following=following))


def _speaking(options: Options, voice: Any, player: Player, music: Any, *, virtual: bool) -> Mouth:
    from voicehost.audio.gate import Gate
    from voicehost.audio.signals import SIGNALS
    from voicehost.cli.volumes import SofterVoice, softer, volumes
    from voicehost.hosting.speaking import LiveSpeaker

    gate = Gate()
    loud = volumes(options.volume)
    signals = {name: softer(make(), loud.signals) for name, make in SIGNALS.items()} if loud.signals else {}
    if loud.voice < 1:
        voice = SofterVoice(voice, loud.voice)
    live = LiveSpeaker(
        voice,
        player,
        asyncio.get_running_loop(),
        takes_time=not virtual,
        watch=gate.watch,
        on_failure=lambda error: _note(str(error)),
        signals=signals,
        music=music,
    )
    mouth = Mouth(live, live, voice, player)
    mouth.gate = gate
    return mouth


def _open_player(options: Options, *, virtual: bool) -> tuple[Player, Any]:
    from voicehost.audio.player import SilentPlayer
    from voicehost.audio.recorder import RecordingPlayer

    player: Player
    music = None
    if virtual:
        player = SilentPlayer(takes_time=False)
    else:
        from voicehost.audio.music import Music
        from voicehost.audio.playback import StreamPlayer
        from voicehost.cli.volumes import volumes

        if options.music is not None:
            music = Music(options.music, volume=volumes(options.volume).music)
        try:
            player = StreamPlayer(music=music)
        except UserError as error:
            if options.record is None:
                raise
            _note(interface(error.key, **error.params))
            player = SilentPlayer()
    if options.record is not None:
        player = RecordingPlayer(player, options.record, lambda error: _note(interface(error.key, **error.params)))
    return player, music


def _note(text: str) -> None:
    click.echo(click.style(text, dim=True), err=True)
