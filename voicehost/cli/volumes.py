"""How loud each kind of sound is: ``--volume "voice=100,music=25,signals=100"``, in percent."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from voicehost.errors import UserError

if TYPE_CHECKING:
    from voicehost.tts.packed import ReadyVoice
    from voicehost.tts.voice import Sound


@dataclass(frozen=True, slots=True)
class Volumes:
    """Shares of full volume, 0 to 1; music's is that when nobody speaks."""

    voice: float = 1.0
    music: float = 0.25
    signals: float = 1.0


def volumes(text: str | None) -> Volumes:
    """Return the volumes that a text names; a bare number is the voice's.

    >>> volumes("80,music=10")
    Volumes(voice=0.8, music=0.1, signals=1.0)

    Raises:
        UserError: ``tts.bad-volume``, status 2.
    """
    known = [field.name for field in fields(Volumes)]
    found: dict[str, float] = {}
    for part in filter(None, (text or "").replace(" ", "").split(",")):
        name, _, number = part.rpartition("=")
        name = name or "voice"
        if name not in known or not number.isdecimal() or int(number) > 100:
            raise UserError("tts.bad-volume", status=2, part=part, known=", ".join(known))
        found[name] = int(number) / 100
    return Volumes(**found)


class SofterVoice:
    """A voice turned down; at full volume it is not needed, and every bit stays as it was."""

    def __init__(self, voice: ReadyVoice, gain: float) -> None:
        """``gain`` from 0 to 1."""
        self._voice = voice
        self._gain = gain

    def render(self, text: str) -> Sound:
        """Render a line and turn it down."""
        sound: Sound = softer(self._voice.render(text), self._gain)
        return sound

    def __getattr__(self, name: str) -> Any:
        """All else is the voice's own."""
        return getattr(self._voice, name)


def softer(sound: Any, gain: float) -> Any:
    """Return a sound turned down."""
    from voicehost.tts import shaping

    return shaping.sound_of(shaping.samples_of(sound) * gain, sound.rate)
