"""Wires microphone, recogniser, voice and loudspeaker to a game, or says why there are none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from voicehost.cli.hints import Hints
from voicehost.cli.microphone import choose_without_echo, open_microphone
from voicehost.cli.mouth import Mouth, open_mouth
from voicehost.cli.texts import interface
from voicehost.errors import UserError
from voicehost.hosting.inputs import Input, MicrophoneBack, MicrophoneGone, Overheard, Passed, Said
from voicehost.hosting.trigger import TriggerKind

if TYPE_CHECKING:
    from voicehost.audio.stream import DeviceEvent
    from voicehost.cli.play import Options
    from voicehost.hosting.conductor import Conductor
    from voicehost.stt.recogniser import Recogniser, Utterance

Put = Callable[[Input | None], None]

FILE_STEP = 0.1
"""Seconds of a recording after which timers are looked at."""


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
        if event.what in {"silent", "dumb"}:
            _note(interface(f"audio.{event.what}-microphone", device=event.device))
        if event.what != "silent":
            self._give(MicrophoneBack() if event.what == "back" else MicrophoneGone())

    def _ended(self, error: Exception | None) -> None:
        if error is not None:
            from voicehost.cli.failures import sentence

            _note(sentence(error))

    def close(self) -> None:
        """Stop listening and give the devices back."""
        self._ear.stop()
        self._microphone.close()
        if self._microphone.overflows:
            _note(interface("doctor.overflows", count=self._microphone.overflows))
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
    device = options.device
    if not virtual and options.input in {"auto", "mic"}:
        device = choose_without_echo(device, options.echo_cancel)
    mouth = open_mouth(options, language, virtual=virtual)
    try:
        return _open_ears(options, language, mouth, put, device, virtual=virtual)
    except BaseException:
        mouth.close()
        raise


def _open_ears(options: Options, language: str, mouth: Mouth, put: Put, device: str | None, *, virtual: bool) -> Sound:
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
        return _open_microphone(options, language, mouth, put, device)
    except UserError as error:
        if source == "mic":
            raise
        _note(interface("cli.input-text", why=interface(error.key, **error.params)))
        return Sound(mouth)


def _open_microphone(options: Options, language: str, mouth: Mouth, put: Put, device: str | None) -> Sound:
    from voicehost.cli.recognisers import open_recogniser

    listeners: list[Listening] = []

    def changed(event: DeviceEvent) -> None:
        for listener in listeners:
            listener.device_changed(event)

    opened = open_microphone(device, options.echo_cancel, changed, _note)
    microphone, known = opened.microphone, opened.known
    try:
        recogniser = open_recogniser(
            options.recogniser,
            language,
            keep_sound=options.keep_audio is not None,
            speech=known.speech if known is not None else None,
            host_level=known.level if known is not None else None,
        )
    except BaseException:
        microphone.close()
        raise
    sound = Listening(mouth, microphone, recogniser, put, cancels_echo=opened.cancels_echo)
    listeners.append(sound)
    _note(interface("cli.input-mic", device=microphone.name, recogniser=recogniser.name, model=recogniser.model))
    if known is None:
        _note(interface("cli.not-calibrated"))
    if opened.cancels_echo:
        _note(interface("cli.echo-cancelled"))
    return sound


def _note(text: str) -> None:
    click.echo(click.style(text, dim=True), err=True)
