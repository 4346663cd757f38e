"""Wires microphone, recogniser, voice and loudspeaker to a game, or says why there are none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from voicehost.cli.calling import unheard_call
from voicehost.cli.hints import Hints
from voicehost.cli.microphone import choose_without_echo, open_microphone
from voicehost.cli.mouth import Mouth, open_mouth
from voicehost.cli.texts import interface
from voicehost.errors import UserError
from voicehost.hosting.inputs import Input, Passed, Said
from voicehost.hosting.ports import SilentSpeaker

if TYPE_CHECKING:
    from voicehost.audio.stream import DeviceEvent
    from voicehost.cli.listening import Listening
    from voicehost.cli.play import Options
    from voicehost.hosting.conductor import Conductor
    from voicehost.stt.recogniser import Recogniser, Utterance

Put = Callable[[Input | None], None]

FILE_STEP = 0.1
"""Seconds of a recording after which timers are looked at."""

PATIENCE = 3.0
"""Seconds for which a game waits for its recogniser; what takes longer is loaded while it goes on."""


class Sound:
    """What a game hears with and speaks with; this one is deaf: typed lines only."""

    typed_lines = True
    """Whether typed lines are taken."""
    hears = False
    """Whether commands may come otherwise than by typed lines, so that their end does not end the game."""
    recogniser: Recogniser | None = None
    """What it hears with."""
    on_lost_sound: Callable[[int], None] = staticmethod(lambda count: None)
    """Told, in the event loop, how often sound has been lost because the computer is too slow."""

    def __init__(self, mouth: Mouth) -> None:
        """Speak through ``mouth``."""
        self.mouth = mouth
        self.speaker = mouth.speaker

    def start(self, conductor: Conductor) -> None:
        """Begin to hear."""

    def status(self) -> str:
        """Return what the host must know of the hearing now, for his status line; "" if nothing."""
        return ""

    def no_more_lines(self, put: Put) -> None:
        """Typed lines have ended: so does the game, unless something else is heard."""
        if not self.hears:
            put(None)

    async def conduct(self, conductor: Conductor, inputs: asyncio.Queue[Input | None]) -> None:
        """Run the game to the end of its inputs."""
        await conductor.run(inputs)

    async def finish(self) -> None:
        """Let what is being said end."""
        await asyncio.get_running_loop().run_in_executor(None, self.mouth.wait)

    def close(self) -> None:
        """Give the devices back."""
        self.mouth.close()


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
        if (warning := unheard_call(conductor.trigger, self._recogniser)) is not None:
            click.echo(warning, err=True)
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
                await conductor.handle(said(utterance))
        self._hints.expect(conductor)

    def close(self) -> None:
        """Close recording and recogniser."""
        self._source.close()
        self._recogniser.close()
        super().close()


def said(utterance: Utterance, **more: Any) -> Said:
    """Return an utterance as an input of the game."""
    alternatives = tuple(utterance.alternatives)
    return Said(utterance.text, spoken=True, alternatives=alternatives, utterance=utterance, **more)


def open_sound(options: Options, language: str, put: Put, *, virtual: bool) -> Sound:
    """Return what the options ask for, as far as this machine has it; the rest is told on stderr.

    Raises:
        UserError: something that was asked for by name cannot be had.
    """
    device = options.device
    if not virtual:
        try:
            _try_out(options)
        except UserError as error:
            if options.input == "mic" or options.record is not None:
                raise
            note(interface(error.key, **error.params))
            return Sound(Mouth(SilentSpeaker()))
    if not virtual and options.input in {"auto", "mic"}:
        device = choose_without_echo(device, options.echo_cancel)
    mouth = open_mouth(options, language, virtual=virtual)
    try:
        return _open_ears(options, language, mouth, put, device, virtual=virtual)
    except BaseException:
        mouth.close()
        raise


def _try_out(options: Options) -> None:
    """Let another process be the first to open the sound devices, if any are wanted and the library is there.

    Raises:
        UserError: it crashed.
    """
    from importlib.util import find_spec

    from voicehost.audio import trial

    if find_spec("sounddevice") is not None and find_spec("numpy") is not None:
        trial.check(options.device, hears=options.input in {"auto", "mic"}, speaks=options.voice != "none")


def _open_ears(options: Options, language: str, mouth: Mouth, put: Put, device: str | None, *, virtual: bool) -> Sound:
    source = options.input
    if source == "text" or (source == "auto" and virtual):
        if source == "auto" and not options.json:
            note(interface("cli.input-text", why=interface("cli.why-virtual-clock")))
        return Sound(mouth)
    if source not in {"auto", "mic"}:
        from voicehost.cli.recognisers import open_recogniser

        recogniser = open_recogniser(options.recogniser, language, keep_sound=options.keep_audio is not None)
        return Recorded(mouth, Path(source), recogniser)
    try:
        return _open_microphone(options, language, mouth, put, device)
    except UserError as error:
        if source == "mic":
            raise
        note(interface("cli.input-text", why=interface(error.key, **error.params)))
        return Sound(mouth)


def _open_microphone(options: Options, language: str, mouth: Mouth, put: Put, device: str | None) -> Sound:
    from voicehost.cli.listening import Listening
    from voicehost.cli.recognisers import begin_recogniser

    listeners: list[Listening] = []

    def changed(event: DeviceEvent) -> None:
        for listener in listeners:
            listener.device_changed(event)

    opened = open_microphone(device, options.echo_cancel, changed, note)
    microphone, known = opened.microphone, opened.known
    try:
        recogniser = begin_recogniser(
            options.recogniser,
            language,
            keep_sound=options.keep_audio is not None,
            speech=known.speech if known is not None else None,
            host_level=known.level if known is not None else None,
        )
        recogniser.wait(PATIENCE)
        if recogniser.failure is not None:
            raise recogniser.failure
    except BaseException:
        microphone.close()
        raise
    required = options.input == "mic"
    sound = Listening(mouth, microphone, recogniser, put, cancels_echo=opened.cancels_echo, required=required)
    listeners.append(sound)
    if known is None:
        note(interface("cli.not-calibrated"))
    if opened.cancels_echo:
        note(interface("cli.echo-cancelled"))
    return sound


def note(text: str) -> None:
    """Tell the host something beside the game."""
    click.echo(click.style(text, dim=True), err=True)
