"""Wires microphone, recogniser, voice and loudspeaker to a game, or says why there are none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from voicehost.cli.hints import Hints
from voicehost.cli.texts import interface
from voicehost.errors import UserError
from voicehost.hosting.inputs import Input, MicrophoneBack, MicrophoneGone, Overheard, Passed, Said
from voicehost.hosting.ports import SilentSpeaker, Speaker
from voicehost.hosting.trigger import TriggerKind

if TYPE_CHECKING:
    from voicehost.audio.player import Player
    from voicehost.audio.stream import DeviceEvent
    from voicehost.cli.play import Options
    from voicehost.hosting.conductor import Conductor
    from voicehost.hosting.speaking import LiveSpeaker
    from voicehost.stt.recogniser import Recogniser, Utterance
    from voicehost.tts.voice import VoiceFailed

Put = Callable[[Input | None], None]

FILE_STEP = 0.1
"""Seconds of a recording after which timers are looked at."""

LAST_LINES_SECONDS = 20.0
"""How long a game that ends waits for its last lines to be spoken."""


class Sound:
    """What a game hears with and speaks with; this one is deaf: typed lines only."""

    typed_lines = True
    """Whether typed lines are taken."""
    hears = False
    """Whether commands may come otherwise than by typed lines, so that their end does not end the game."""
    recogniser: Recogniser | None = None
    """What it hears with."""

    def __init__(self, mouth: Mouth) -> None:
        """Speak through ``mouth``."""
        self.mouth = mouth
        self.speaker = mouth.speaker

    def start(self, conductor: Conductor) -> None:
        """Begin to hear."""

    async def conduct(self, conductor: Conductor, inputs: asyncio.Queue[Input | None]) -> None:
        """Run the game to the end of its inputs."""
        await conductor.run(inputs)

    async def finish(self) -> None:
        """Let what is being said end."""
        await asyncio.get_running_loop().run_in_executor(None, self.mouth.wait)

    def close(self) -> None:
        """Give the devices back."""
        self.mouth.close()


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
        """Wait until all is said."""
        if self._live is not None:
            self._live.wait_until_said(LAST_LINES_SECONDS)

    def close(self) -> None:
        """Be silent and give the device back."""
        for part in (self._live, self._voice, self._player):
            if part is not None:
                part.close()


class Listening(Sound):
    """Hears a microphone; typed lines work beside it."""

    hears = True

    def __init__(
        self, mouth: Mouth, microphone: Any, recogniser: Recogniser, put: Put, *, cancels_echo: bool = False
    ) -> None:
        """Hand what ``recogniser`` finds in ``microphone`` to ``put``, from another thread.

        With ``cancels_echo`` the microphone does not hear the loudspeaker, and the host may interrupt it.
        """
        super().__init__(mouth)
        from voicehost.hosting.hearing import Ear

        self._microphone = microphone
        self.recogniser = self._recogniser = recogniser
        self._loop = asyncio.get_running_loop()
        self._put = put
        self._hints = Hints(recogniser)
        self._ear = Ear(
            microphone,
            recogniser,
            self._hand_on,
            own_voice=mouth.gate,
            on_end=self._ended,
            interrupt=self._interrupt if cancels_echo else None,
        )
        self._ear.drop = lambda utterance: self._give(Overheard(utterance))
        self._cancels_echo = cancels_echo

    def start(self, conductor: Conductor) -> None:
        """Expect what may be said now, always anew, and listen."""
        conductor.on_ready = lambda: self._hints.expect(conductor)
        conductor.interruptible = self._cancels_echo
        conductor.on_ready()
        if conductor.trigger.kind is TriggerKind.PUSH:
            self._ear.push = conductor.trigger.push
        self._ear.start()

    def _hand_on(self, utterance: Any) -> None:
        self._give(_said(utterance, began=self._ear.clock(utterance.began)))

    def _interrupt(self, utterance: Any) -> None:
        self._give(_said(utterance, began=self._ear.clock(utterance.began), over_voice=True))

    def _give(self, item: Input) -> None:
        self._loop.call_soon_threadsafe(self._put, item)

    def device_changed(self, event: DeviceEvent) -> None:
        """Tell the game that the microphone has gone or is back."""
        if event.what == "silent":
            _note(interface("audio.silent-microphone", device=event.device))
            return
        self._loop.call_soon_threadsafe(self._put, MicrophoneGone() if event.what == "lost" else MicrophoneBack())

    def _ended(self, error: Exception | None) -> None:
        if error is not None:
            from voicehost.cli.failures import sentence

            _note(sentence(error))

    def close(self) -> None:
        """Stop listening and give the devices back."""
        self._ear.stop()
        self._microphone.close()
        self._recogniser.close()
        super().close()


class Recorded(Sound):
    """Hears a recording, whose own time drives the virtual clock."""

    typed_lines = False
    hears = True

    def __init__(self, mouth: Mouth, path: Path, recogniser: Recogniser) -> None:
        """Open the recording."""
        super().__init__(mouth)
        from voicehost.audio.files import FileSource

        self._source = FileSource(path)
        self.recogniser = self._recogniser = recogniser
        self._hints = Hints(recogniser)

    async def conduct(self, conductor: Conductor, inputs: asyncio.Queue[Input | None]) -> None:
        """Feed the recording to its end, one utterance after another."""
        self._hints.expect(conductor)
        passed = 0.0
        while not conductor.closed and (block := self._source.read()) is not None:
            passed += block.seconds
            utterances = self._recogniser.feed(block.pcm)
            if utterances or passed >= FILE_STEP:
                await conductor.handle(Passed(passed))
                passed = 0.0
            await self._take(conductor, utterances)
        await conductor.handle(Passed(passed))
        await self._take(conductor, self._recogniser.finish())

    async def _take(self, conductor: Conductor, utterances: list[Utterance]) -> None:
        for utterance in utterances:
            if not conductor.closed:
                await conductor.handle(_said(utterance))
        self._hints.expect(conductor)

    def close(self) -> None:
        """Close recording and recogniser."""
        self._source.close()
        self._recogniser.close()
        super().close()


def _said(utterance: Utterance, **more: Any) -> Said:
    alternatives = tuple(utterance.alternatives)
    return Said(utterance.text, spoken=True, alternatives=alternatives, utterance=utterance, **more)


def open_sound(options: Options, language: str, put: Put, *, virtual: bool) -> Sound:
    """Return what the options ask for, as far as this machine has it; the rest is told on stderr.

    Raises:
        UserError: something that was asked for by name cannot be had.
    """
    mouth = _open_mouth(options, language, virtual=virtual)
    try:
        return _open_ears(options, language, mouth, put, virtual=virtual)
    except BaseException:
        mouth.close()
        raise


def _open_ears(options: Options, language: str, mouth: Mouth, put: Put, *, virtual: bool) -> Sound:
    source = options.input
    if source == "text" or (source == "auto" and virtual):
        if source == "auto" and not options.json:
            _note(interface("cli.input-text", why=interface("cli.why-virtual-clock")))
        return Sound(mouth)
    if source not in {"auto", "mic"}:
        from voicehost.cli.recognisers import open_recogniser

        recogniser = open_recogniser(options.recogniser, language, keep_sound=options.keep_audio is not None)
        return Recorded(mouth, Path(source), recogniser)
    try:
        return _open_microphone(options, language, mouth, put)
    except UserError as error:
        if source == "mic":
            raise
        _note(interface("cli.input-text", why=interface(error.key, **error.params)))
        return Sound(mouth)


def _open_microphone(options: Options, language: str, mouth: Mouth, put: Put) -> Sound:
    from voicehost.audio.capture import Microphone
    from voicehost.cli.recognisers import open_recogniser

    listeners: list[Listening] = []

    def changed(event: DeviceEvent) -> None:
        for listener in listeners:
            listener.device_changed(event)

    microphone = Microphone(options.device, changed)
    try:
        recogniser = open_recogniser(options.recogniser, language, keep_sound=options.keep_audio is not None)
    except BaseException:
        microphone.close()
        raise
    sound = Listening(mouth, microphone, recogniser, put)
    listeners.append(sound)
    _note(interface("cli.input-mic", device=microphone.name, recogniser=recogniser.name, model=recogniser.model))
    return sound


def _open_mouth(options: Options, language: str, *, virtual: bool) -> Mouth:
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
