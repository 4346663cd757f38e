"""Sound devices by name, and PortAudio itself, which knows only the devices that were there when it started.

Devices are remembered by name: PortAudio's numbers point elsewhere after something was plugged in or out.
"""

from __future__ import annotations

import atexit
import sys
from dataclasses import dataclass, replace
from threading import RLock
from typing import Any, Protocol
from weakref import WeakSet

from voicehost.audio import pulse
from voicehost.errors import UserError

_NO_PORTAUDIO = {"linux": "audio.no-portaudio-linux", "darwin": "audio.no-portaudio-macos"}
_NO_MICROPHONE = {
    "linux": "audio.no-microphone-linux",
    "darwin": "audio.no-microphone-macos",
    "win32": "audio.no-microphone-windows",
}
_NO_SPEAKER = {
    "linux": "audio.no-speaker-linux",
    "darwin": "audio.no-speaker-macos",
    "win32": "audio.no-speaker-windows",
}
_WINDOWS_ORDER = ("Windows WASAPI", "Windows DirectSound", "MME", "Windows WDM-KS")

PORTAUDIO = RLock()
"""Held while streams are opened or closed and while PortAudio starts anew."""


@dataclass(frozen=True, slots=True)
class Device:
    """A microphone or a speaker.

    Attributes:
        name: as the system calls it.
        interface: the way to it: ALSA, Windows WASAPI, Core Audio.
        index: PortAudio's number, good until PortAudio starts anew.
        rate: samples a second that it runs at by itself.
        channels: how many it has.
        default: whether the system uses it by default.
        source: the sound server's own name for it, if it is reached through one; see ``pulse``.
        cancels_echo: whether the loudspeaker's sound is taken out of what it hears.
    """

    name: str
    interface: str
    index: int
    rate: int
    channels: int
    default: bool
    source: str = ""
    cancels_echo: bool = False


class StreamOwner(Protocol):
    """Something that holds a stream and opens it again by itself when it is gone."""

    @property
    def busy(self) -> bool:
        """Whether its stream is needed this moment."""

    def release(self) -> None:
        """Close the stream, for PortAudio is about to start anew."""


_owners: WeakSet[Any] = WeakSet()


def sound_library() -> Any:
    """The module ``sounddevice``.

    Raises:
        UserError: ``audio.no-portaudio-…`` or ``audio.no-sounddevice``: a library is missing; the text says how to
            install it on this system. ``audio.server-hangs``: loading it would hang as well.
    """
    if "sounddevice" not in sys.modules:
        pulse.check()
    try:
        import sounddevice
    except OSError as error:
        raise UserError(_NO_PORTAUDIO.get(sys.platform, "audio.no-sounddevice"), detail=error) from error
    except ImportError as error:
        raise UserError("audio.no-sounddevice", detail=error) from error
    return sounddevice


def microphones() -> list[Device]:
    """Every microphone, the default one first. Raises like ``sound_library``."""
    return _devices("input")


def speakers() -> list[Device]:
    """Every speaker, the default one first. Raises like ``sound_library``."""
    return _devices("output")


def find_microphone(name: str | None = None) -> Device:
    """The microphone whose name is or contains ``name``, or the default one.

    PulseAudio's and PipeWire's sources count as well, by name or description.

    Raises:
        UserError: ``audio.no-microphone-…`` (there is none), ``audio.unknown-device``, or as ``sound_library`` and
            ``server_sources``.
    """
    devices = microphones()
    if name is not None and not _like(devices, name):
        devices += server_sources(devices)
    return _find(devices, name, _NO_MICROPHONE)


def server_sources(devices: list[Device] | None = None) -> list[Device]:
    """The sound server's microphones, the default one first; none where PortAudio has no way to a server.

    Raises:
        UserError: ``audio.server-hangs``, or as ``sound_library``.
    """
    listed = microphones() if devices is None else devices
    bridges = [device for device in listed if device.name in pulse.BRIDGES]
    if not bridges:
        return []
    bridge = min(bridges, key=lambda device: pulse.BRIDGES.index(device.name))
    return [
        replace(
            bridge,
            name=source.name,
            interface="PulseAudio",
            default=source.default,
            source=source.id,
            cancels_echo=source.cancels_echo,
        )
        for source in pulse.sources()
    ]


def called(device: Device) -> str:
    """What a microphone is called: behind «default» stands one of the sound server's. Raises like ``pulse.check``."""
    if device.source or device.name not in pulse.BRIDGES:
        return device.name
    source = pulse.default_source()
    return device.name if source is None else source.name


def find_speaker(name: str | None = None) -> Device:
    """The speaker whose name is or contains ``name``, or the default one.

    Raises:
        UserError: ``audio.no-speaker-…`` (there is none), ``audio.unknown-device``, or as ``sound_library``.
    """
    return _find(speakers(), name, _NO_SPEAKER)


def own_stream(owner: StreamOwner) -> None:
    """Tell that ``owner`` holds a stream, for as long as it lives."""
    _owners.add(owner)


def rescan() -> bool:
    """Let PortAudio look for devices again, which ends every stream; their owners open them anew.

    Returns:
        Whether it did; not while somebody speaks or listens undisturbed.
    """
    with PORTAUDIO:
        if any(owner.busy for owner in _owners):
            return False
        library = sound_library()
        for owner in list(_owners):
            owner.release()
        library._terminate()
        library._initialize()
        return True


def leave_open() -> None:
    """Let the program end without closing PortAudio, which would wait for ever for a server that hangs."""
    library = sys.modules.get("sounddevice")
    ending = getattr(library, "_exit_handler", None)
    if ending is not None:
        atexit.unregister(ending)


def _devices(kind: str) -> list[Device]:
    library = sound_library()
    with PORTAUDIO:
        try:
            interfaces = library.query_hostapis()
            listed = library.query_devices()
            default = library.query_devices(kind=kind)["index"]
        except library.PortAudioError:
            default = -1
            try:
                interfaces, listed = library.query_hostapis(), library.query_devices()
            except library.PortAudioError:
                return []
    found = [
        Device(
            name=entry["name"],
            interface=interfaces[entry["hostapi"]]["name"],
            index=entry["index"],
            rate=round(entry["default_samplerate"]) or 48_000,
            channels=entry[f"max_{kind}_channels"],
            default=entry["index"] == default,
        )
        for entry in listed
        if entry[f"max_{kind}_channels"] > 0
    ]
    return sorted(found, key=_preference)


def _preference(device: Device) -> tuple[bool, int]:
    order = _WINDOWS_ORDER.index(device.interface) if device.interface in _WINDOWS_ORDER else 0
    return (not device.default, order)


def _find(devices: list[Device], name: str | None, missing: dict[str, str]) -> Device:
    if not devices:
        raise UserError(missing.get(sys.platform, missing["linux"]))
    if name is None:
        return devices[0]
    found = _like(devices, name)
    if found:
        return found[0]
    known = ", ".join(dict.fromkeys(device.name for device in devices))
    raise UserError("audio.unknown-device", name=name, known=known)


def _like(devices: list[Device], name: str) -> list[Device]:
    """The devices of that name, or else those whose names hold it."""
    wanted = name.casefold()
    exact = [device for device in devices if wanted in {device.name.casefold(), device.source.casefold()} and wanted]
    return exact or [
        device
        for device in devices
        if wanted and (wanted in device.name.casefold() or wanted in device.source.casefold())
    ]
