"""``voicehost calibrate``: gain and threshold of a microphone for the room and the voice of the host."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from voicehost.cli.texts import interface, language
from voicehost.errors import UserError
from voicehost.rules.switches import CHOICES

if TYPE_CHECKING:
    from voicehost.audio.calibration import Calibration, Take
    from voicehost.audio.reading import Reading
    from voicehost.stt.recogniser import Recogniser

ROOM_SECONDS = 3.0

STATES = (
    "speech",
    "any",
    "any",
    "vote",
    "vote",
    "night-hunt",
    "best-move",
    "speech",
    "any",
    "any",
    "speech",
    "any",
)
"""The moment of a game at which each of the phrases is said."""

ATTEMPTS = 3
"""How often a phrase is asked for that was too quiet or overdriven."""

ENOUGH = 6
"""Phrases without which nothing can be worked out."""

NOISY = -45.0
"""A room that is louder than this is told so."""

EPILOG = """\b
Примеры:
  voicehost calibrate                           микрофон по умолчанию
  voicehost calibrate --device "петличка"       другой, по части названия
  voicehost calibrate --input zapis.wav         посчитать по записи: три секунды тишины, потом фразы"""


@click.command(name="calibrate", epilog=EPILOG)
@click.option("--device", metavar="NAME", help="Микрофон: часть названия. [микрофон по умолчанию]")
@click.option(
    "--language", "chosen", type=click.Choice(CHOICES["language"]), help="Язык игры. [язык системы, иначе ru]"
)
@click.option("--recogniser", type=click.Choice(["auto", "vosk", "whisper", "both"]), default="auto", help="[auto]")
@click.option("--input", "recording", type=click.Path(path_type=Path), metavar="FILE", help="Запись вместо микрофона.")
def command(device: str | None, chosen: str | None, recogniser: str, recording: Path | None) -> None:
    """Настроить микрофон под комнату и голос ведущего: три секунды тишины и двенадцать фраз вслух.

    Усиление и порог запоминаются для этого микрофона; play берёт их сам.
    """
    from voicehost.cli.recognisers import open_recogniser

    source = _open(device, recording)
    try:
        heard_with = open_recogniser(recogniser, chosen or language())
        try:
            walk = Walk(source, heard_with, chosen or language(), live=recording is None)
            click.echo(interface("calibrate.device", device=source.name))
            found = walk.run()
        finally:
            heard_with.close()
    finally:
        source.close()
    _keep(source.name if recording is None else device, found, walk)


def _open(device: str | None, recording: Path | None) -> Any:
    from voicehost.audio.capture import Microphone
    from voicehost.audio.files import FileSource

    return Microphone(device) if recording is None else FileSource(recording)


def _keep(device: str | None, found: Calibration, walk: Walk) -> None:
    from voicehost.audio import calibration

    click.echo(
        interface(
            "calibrate.result",
            gain=f"{found.gain:+.0f}",
            level=f"{found.level:.0f}",
            above=f"{found.above_noise:.0f}",
            understood=walk.understood,
            count=len(walk.takes),
        )
    )
    if walk.understood < len(walk.takes) / 2:
        click.echo(interface("calibrate.hardly-understood"))
    if device is None:
        click.echo(interface("calibrate.not-kept"))
        return
    calibration.save(device, found)
    click.echo(interface("calibrate.kept", device=device, path=calibration.path()))


class Walk:
    """The way through the phrases with one microphone."""

    def __init__(self, source: Any, recogniser: Recogniser, spoken: str, *, live: bool) -> None:
        """Read ``source``, understand with ``recogniser`` in the language ``spoken``."""
        from voicehost.audio.reading import Reading
        from voicehost.cli.meter import Meter
        from voicehost.language.pack import load_pack

        self._source = source
        self._recogniser = recogniser
        self._pack = load_pack(spoken)
        self._meter = Meter()
        self._reading: Reading = Reading(source, self._meter.show, live=live)
        self.takes: list[Take] = []
        """The phrases that can be used."""
        self.understood = 0
        """How many of them were recognised."""

    def run(self) -> Calibration:
        """Measure the room, hear the phrases and work out what this microphone needs.

        Raises:
            UserError: too few phrases could be used, the device is gone or dumb, or the host has stopped.
        """
        from voicehost.audio.calibration import work_out

        click.echo(interface("calibrate.be-quiet", seconds=f"{ROOM_SECONDS:.0f}"))
        room = self._reading.room(ROOM_SECONDS)
        self._meter.clear()
        how = "noisy" if room.noise > NOISY else "quiet"
        click.echo(interface(f"calibrate.room-{how}", noise=f"{room.noise:.0f}"))
        click.echo(interface("calibrate.read-aloud", count=len(STATES)))
        for number, phrase in enumerate(phrases(self._pack), start=1):
            try:
                self._read(number, phrase, room)
            except KeyboardInterrupt:
                raise UserError("calibrate.stopped", status=130, number=number) from None
        if len(self.takes) < ENOUGH:
            raise UserError("calibrate.not-enough", count=len(self.takes), needed=ENOUGH, device=self._source.name)
        return work_out(room, self.takes)

    def _read(self, number: int, phrase: str, room: Take) -> None:
        """Ask for one phrase until it can be used, or it is clear that it cannot."""
        from voicehost.audio.calibration import measure, speech_level, verdict

        for attempt in range(ATTEMPTS):
            self._reading.forget()
            click.echo(click.style(f"{number:2}/{len(STATES)}  «{phrase}»", bold=True))
            sound = self._reading.phrase(room.noise)
            self._meter.clear()
            take = measure(sound)
            word = verdict(take, room.noise) if sound else "nothing"
            level = f"{speech_level(take, room.noise):.0f}"
            if word == "fine":
                self.takes.append(take)
                heard = self._heard(sound, phrase, STATES[number - 1], room)
                self.understood += heard == ""
                what = interface("calibrate.heard-other", text=heard) if heard else interface("calibrate.heard-right")
                click.echo("       " + click.style(interface("calibrate.fine", level=level), fg="green") + what)
                return
            if word == "nothing" and room.silent and number == 1 and attempt == ATTEMPTS - 1:
                raise UserError("audio.silent-microphone", device=self._source.name)
            click.echo("       " + click.style(interface(f"calibrate.{word}", level=level), fg="red"))

    def _heard(self, sound: bytes, phrase: str, state: str, room: Take) -> str:
        """Return what the recogniser took a phrase for; "" when it is the phrase's command."""
        from voicehost.audio.calibration import work_out
        from voicehost.audio.pcm import SAMPLE_RATE
        from voicehost.audio.reading import louder
        from voicehost.hosting.expectation import Expectation
        from voicehost.language.commands import parse
        from voicehost.rules.situations import legal_in

        legal = legal_in(state)
        expected = Expectation(self._pack, legal)
        self._recogniser.expect(expected.phrases, expected)
        gain = work_out(room, self.takes).gain
        given = self._recogniser.feed(louder(sound, gain) + bytes(2 * SAMPLE_RATE))
        texts = [utterance.text for utterance in [*given, *self._recogniser.finish()]]
        meant = parse(self._pack, phrase, legal)
        for text in texts:
            found = parse(self._pack, text, legal)
            if found is not None and meant is not None and found.command == meant.command:
                return ""
        return " ".join(texts) or "…"


def phrases(pack: Any) -> Sequence[str]:
    """Return what is read aloud, in the language that is spoken at the table."""
    from voicehost.language.messages import message

    return [message(pack, f"calibrate.phrase-{number}") for number in range(1, len(STATES) + 1)]
