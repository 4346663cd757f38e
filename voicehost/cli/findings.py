"""What ``doctor`` finds out about microphones and loudspeakers: which there are, and what the chosen one hears."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from voicehost.cli.texts import interface
from voicehost.errors import UserError

if TYPE_CHECKING:
    from voicehost.audio.calibration import Take
    from voicehost.audio.devices import Device

LISTENS = 2.0
"""Seconds for which the microphone is heard."""
WARMS_UP = 0.5
"""Seconds before: some devices begin with a crack or with zeros."""
NOISY = -45.0
"""A noise floor in dB below full scale from which on hearing suffers."""
DEAF = -75.0
"""A peak below which hardly anything comes in."""

GOOD, BAD, NOTE = "good", "bad", "note"
MARKS = {GOOD: ("✓", "green"), BAD: ("✗", "red"), NOTE: ("·", "yellow")}


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report: ``verdict`` is good, bad or note; a ``detail`` is shown only when asked for."""

    verdict: str
    text: str
    detail: bool = False


def microphone_findings(name: str | None) -> Iterator[Finding]:
    """Yield the microphones: the chosen one with what it hears, then the others."""
    from voicehost.audio.devices import called, find_microphone, microphones, server_sources
    from voicehost.audio.pulse import BRIDGES

    chosen = find_microphone(name)
    listed = microphones()
    sources = server_sources(listed)
    yield from _chosen_microphone(name)
    used = {chosen.name, called(chosen)}
    # Where the sound server tells its microphones, PortAudio's way to it is none of its own.
    used |= set(BRIDGES) if sources else set()
    yield from _others([device for device in [*listed, *sources] if device.name not in used])


def speaker_findings() -> Iterator[Finding]:
    """Yield the loudspeakers, the chosen one first."""
    from voicehost.audio.devices import find_speaker, speakers

    chosen = find_speaker()
    yield Finding(GOOD, chosen.name)
    yield from _others([device for device in speakers() if device != chosen])


def _chosen_microphone(name: str | None) -> Iterator[Finding]:
    from voicehost.audio.calibration import load, path
    from voicehost.audio.capture import Microphone
    from voicehost.audio.reading import Reading

    microphone = Microphone(name)
    try:
        label = microphone.name
        reading = Reading(microphone)
        reading.room(WARMS_UP)
        take = reading.room(LISTENS)
        overflows = microphone.overflows
    finally:
        microphone.close()
    verdict, text = judged(label, take)
    yield Finding(verdict, text)
    if overflows:
        yield Finding(NOTE, interface("doctor.overflows", count=overflows))
    try:
        known = load(label)
    except UserError as error:
        yield Finding(BAD, interface(error.key, **error.params))
        return
    if known is None:
        yield Finding(NOTE, interface("doctor.not-calibrated"))
    else:
        text = interface(
            "doctor.calibrated",
            date=known.measured,
            gain=f"{known.gain:+.0f}",
            above=f"{known.above_noise:.0f}",
            level=f"{known.level:.0f}",
            path=path(),
        )
        yield Finding(GOOD, text)


def judged(name: str, take: Take) -> tuple[str, str]:
    """Return the verdict on what a microphone heard, and a line with what to do."""
    from voicehost.audio.calibration import CLIPPED

    figures = {"noise": f"{take.noise:.0f}", "peak": f"{take.peak:.0f}", "clipped": f"{100 * take.clipped:.1f}"}
    if take.silent:
        return BAD, interface("audio.silent-microphone", device=name)
    if take.clipped > CLIPPED:
        return BAD, interface("doctor.clipped", name=name, **figures)
    if take.peak < DEAF:
        return NOTE, interface("doctor.deaf", name=name, **figures)
    if take.noise > NOISY:
        return NOTE, interface("doctor.noisy", name=name, **figures)
    return GOOD, interface("doctor.hears", name=name, **figures)


def _others(devices: Sequence[Device]) -> Iterator[Finding]:
    names = list(dict.fromkeys(device.name for device in devices))
    if names:
        yield Finding(NOTE, interface("doctor.others", names=", ".join(names)))
    for device in devices:
        text = device.source or interface("doctor.device", name=device.name, rate=device.rate)
        yield Finding(NOTE, f"{text}, {device.interface}", detail=True)
