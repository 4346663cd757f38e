"""The microphone of a game: which one, without echo or not, with what is known of it from ``calibrate``."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from voicehost.cli.texts import interface
from voicehost.errors import UserError

if TYPE_CHECKING:
    from voicehost.audio.calibration import Calibration
    from voicehost.audio.capture import Microphone
    from voicehost.audio.stream import DeviceEvent


@dataclass(frozen=True, slots=True)
class Opened:
    """An open microphone.

    ``cancels_echo``: whether it hears the host while the program speaks; ``known``: what was calibrated, or None.
    """

    microphone: Microphone
    cancels_echo: bool
    known: Calibration | None


def choose_without_echo(device: str | None, echo_cancel: str) -> str | None:
    """Return the microphone to open when echo is to be cancelled where it can be; ``device`` if that is to stay.

    The voice must be played where the canceller listens: the environment is set so before a loudspeaker is opened.

    Raises:
        UserError: ``audio.no-echo-cancel``: it was asked for and there is no such source; ``audio.server-hangs``.
    """
    from voicehost.audio import pulse

    if device is not None or echo_cancel == "off":
        return device
    try:
        source = pulse.without_echo()
    except UserError:
        if echo_cancel == "on":
            raise
        return None
    if source is None:
        if echo_cancel == "on":
            raise UserError("audio.no-echo-cancel")
        return None
    sink = pulse.sink_with_echo_cancelling()
    if sink:
        os.environ.setdefault("PULSE_SINK", sink)
    return source.id


def open_microphone(
    device: str | None, echo_cancel: str, on_event: Callable[[DeviceEvent], None], note: Callable[[str], None]
) -> Opened:
    """Open a microphone with its own gain; ``note`` is told what could not be read.

    Raises:
        UserError: see ``Microphone``.
    """
    from voicehost.audio.capture import Microphone

    def gain_of(name: str) -> float:
        known = calibrated(name, note)
        return known.gain if known else 0.0

    microphone = Microphone(device, on_event, gain_of=gain_of)
    # Whoever names a device and says «on» vouches for it: a conference microphone cancels echo by itself.
    cancels = microphone.cancels_echo and echo_cancel != "off"
    return Opened(microphone, cancels or echo_cancel == "on", calibrated(microphone.name, note))


def calibrated(name: str, note: Callable[[str], None] = lambda text: None) -> Calibration | None:
    """Return what is known of a device, or None."""
    from voicehost.audio import calibration

    try:
        return calibration.load(name)
    except UserError as error:
        note(interface(error.key, **error.params))
        return None
