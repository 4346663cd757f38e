"""A game that hears a microphone: what is said becomes inputs, and the host is told of the device and the model."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from voicehost.cli.calling import unheard_call
from voicehost.cli.failures import sentence
from voicehost.cli.hints import Hints
from voicehost.cli.mouth import Mouth
from voicehost.cli.sound import Put, Sound, note, said
from voicehost.cli.texts import interface
from voicehost.hosting.inputs import Input, MicrophoneBack, MicrophoneGone, Overheard, Quit
from voicehost.hosting.trigger import TriggerKind

if TYPE_CHECKING:
    from voicehost.audio.stream import DeviceEvent
    from voicehost.hosting.conductor import Conductor
    from voicehost.stt.loading import LoadingRecogniser
    from voicehost.stt.recogniser import Recogniser

AGAIN = 10.0
"""Seconds after which it is told again that the recogniser is being loaded."""


class Listening(Sound):
    """Hears a microphone as soon as its recogniser is loaded; typed lines work from the start and beside it."""

    hears = True

    def __init__(
        self,
        mouth: Mouth,
        microphone: Any,
        recogniser: LoadingRecogniser,
        put: Put,
        *,
        cancels_echo: bool = False,
        required: bool = False,
    ) -> None:
        """Hand what the recogniser finds in ``microphone`` to ``put``, from another thread.

        Args:
            mouth: what it speaks through.
            microphone: what it hears; see ``audio.capture.Microphone``.
            recogniser: what understands it, loaded or not.
            put: takes what was heard.
            cancels_echo: the microphone does not hear the loudspeaker, and the host may interrupt it.
            required: a game that cannot be heard is not to be played, typed lines or not.
        """
        super().__init__(mouth)
        from voicehost.hosting.hearing import Ear

        self._microphone = microphone
        self._loop = asyncio.get_running_loop()
        self._put = put
        self._required = required
        self._failure: Exception | None = None
        self._lines_over = False
        self._began = self._loop.time()
        self.recogniser = self._recogniser = recogniser
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
        self._closed = False
        self._late = recogniser.loading
        if not self._late:
            self._say_it_hears()

    def start(self, conductor: Conductor) -> None:
        """Expect what may be said now, always anew, and listen."""
        conductor.on_ready = lambda: self._hints.expect(conductor)
        conductor.interruptible = self._cancels_echo
        conductor.on_ready()
        if conductor.trigger.kind is TriggerKind.PUSH:
            self._ear.push = conductor.trigger.push
        self._ear.start()
        self._still_loading()
        self._recogniser.then(lambda loaded: self._in_loop(lambda: self._loaded(loaded, conductor)))

    async def conduct(self, conductor: Conductor, inputs: asyncio.Queue[Input | None]) -> None:
        """Run the game to the end of its inputs.

        Raises:
            Exception: the recogniser could not be loaded, and the game was not to be played without it.
        """
        await conductor.run(inputs)
        if self._failure is not None:
            raise self._failure

    def status(self) -> str:
        """Return for how long the recogniser has been loading; "" when it hears."""
        return interface("cli.recogniser-loading", seconds=self._waited) if self._recogniser.loading else ""

    def no_more_lines(self, put: Put) -> None:
        """End the game only if nothing will be heard either."""
        self._lines_over = True
        super().no_more_lines(put)

    @property
    def _waited(self) -> int:
        return round(self._loop.time() - self._began)

    def _say_it_hears(self) -> None:
        name, model = self._recogniser.name, self._recogniser.model
        note(interface("cli.input-mic", device=self._microphone.name, recogniser=name, model=model))

    def _loaded(self, recogniser: Recogniser, conductor: Conductor) -> None:
        """It hears from now on."""
        if self._late:
            self._say_it_hears()
        if (warning := unheard_call(conductor.trigger, recogniser)) is not None:
            click.echo(warning, err=True)

    def _still_loading(self) -> None:
        if self._recogniser.loading and not self._closed:
            key = "recogniser-loads" if self._waited < AGAIN else "recogniser-loading"
            note(interface(f"cli.{key}", model=self._recogniser.model, seconds=self._waited))
            self._loop.call_later(AGAIN, self._still_loading)

    def _hand_on(self, utterance: Any) -> None:
        self._give(said(utterance, began=self._ear.clock(utterance.began)))

    def _interrupt(self, utterance: Any) -> None:
        self._give(said(utterance, began=self._ear.clock(utterance.began), over_voice=True))

    def _give(self, item: Input) -> None:
        self._in_loop(lambda: self._put(item))

    def _in_loop(self, work: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop is closed: the game is over
            self._loop.call_soon_threadsafe(work)

    def device_changed(self, event: DeviceEvent) -> None:
        """Tell the game that the microphone has gone or is back."""
        if event.what in {"silent", "dumb"}:
            note(interface(f"audio.{event.what}-microphone", device=event.device))
        if event.what == "overflow":
            count = self._microphone.overflows
            note(interface("audio.sound-lost", count=count))
            self._in_loop(lambda: self.on_lost_sound(count))
        elif event.what != "silent":
            self._give(MicrophoneBack() if event.what == "back" else MicrophoneGone())

    def _ended(self, error: Exception | None) -> None:
        if error is not None and error is self._recogniser.failure:
            self._in_loop(lambda: self._not_loaded(error))
        elif error is not None:
            note(sentence(error))

    def _not_loaded(self, error: Exception) -> None:
        """Nothing will be heard: go on with typed lines, if there are any and that will do."""
        self.hears = False
        if self._required:
            self._failure = error
            self._put(Quit())
            return
        note(interface("cli.input-text", why=sentence(error)))
        if self._lines_over:
            self._put(None)

    def close(self) -> None:
        """Stop listening and give the devices back."""
        self._closed = True
        self._ear.stop()
        self._microphone.close()
        if self._microphone.overflows:
            note(interface("doctor.overflows", count=self._microphone.overflows))
        self._recogniser.close()
        super().close()
