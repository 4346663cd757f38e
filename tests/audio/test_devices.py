from __future__ import annotations

import sys
from dataclasses import dataclass

import pytest

from tests.audio.portaudio import Entry, PortAudioError, ScriptedPortAudio
from voicehost.audio import devices
from voicehost.errors import UserError


@dataclass(eq=False)
class Owner:
    busy: bool = False
    released: int = 0

    def release(self) -> None:
        self.released += 1


def test_lists_microphones_and_speakers_with_the_default_first(portaudio: ScriptedPortAudio) -> None:
    portaudio.entries.append(Entry("Headset", inputs=1, outputs=1, rate=8000, interface="JACK"))
    assert [(device.name, device.default) for device in devices.microphones()] == [
        ("Desk microphone", True),
        ("Headset", False),
    ]
    assert [device.name for device in devices.speakers()] == ["Speakers", "Headset"]
    assert devices.microphones()[1] == devices.Device("Headset", "JACK", 2, 8000, 1, False)


def test_finds_by_whole_name_before_part_of_one_and_in_any_case(portaudio: ScriptedPortAudio) -> None:
    portaudio.entries += [Entry("USB Mic Pro", inputs=1), Entry("USB mic", inputs=1)]
    assert devices.find_microphone().name == "Desk microphone"
    assert devices.find_microphone("usb MIC").index == 3
    assert devices.find_microphone("pro").index == 2


@pytest.mark.parametrize("name", ["Kitchen", ""])
def test_an_unknown_name_is_told_with_those_that_are_known(portaudio: ScriptedPortAudio, name: str) -> None:
    with pytest.raises(UserError) as caught:
        devices.find_microphone(name)
    assert caught.value.key == "audio.unknown-device"
    assert caught.value.params["known"] == "Desk microphone"


@pytest.mark.parametrize(
    ("platform", "microphone", "speaker"),
    [
        ("linux", "audio.no-microphone-linux", "audio.no-speaker-linux"),
        ("darwin", "audio.no-microphone-macos", "audio.no-speaker-macos"),
        ("win32", "audio.no-microphone-windows", "audio.no-speaker-windows"),
        ("freebsd14", "audio.no-microphone-linux", "audio.no-speaker-linux"),
    ],
)
def test_no_device_is_told_for_this_system(
    portaudio: ScriptedPortAudio, monkeypatch: pytest.MonkeyPatch, platform: str, microphone: str, speaker: str
) -> None:
    portaudio.entries.clear()
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(UserError) as caught:
        devices.find_microphone()
    assert caught.value.key == microphone
    with pytest.raises(UserError) as caught:
        devices.find_speaker("any")
    assert caught.value.key == speaker


def test_a_sound_system_that_refuses_to_list_has_no_devices(
    portaudio: ScriptedPortAudio, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(kind: str | None = None) -> None:
        raise PortAudioError("Error querying device -1")

    monkeypatch.setattr(portaudio, "query_devices", refuse)
    assert devices.microphones() == []


class _NoLibrary:
    """An import hook for a machine without libportaudio."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name == "sounddevice":
            raise OSError("PortAudio library not found")


@pytest.mark.parametrize(
    ("platform", "key"),
    [
        ("linux", "audio.no-portaudio-linux"),
        ("darwin", "audio.no-portaudio-macos"),
        ("win32", "audio.no-sounddevice"),
    ],
)
def test_a_missing_library_is_told_for_this_system(monkeypatch: pytest.MonkeyPatch, platform: str, key: str) -> None:
    monkeypatch.delitem(sys.modules, "sounddevice", raising=False)
    monkeypatch.setattr(sys, "meta_path", [_NoLibrary(), *sys.meta_path])
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(UserError) as caught:
        devices.find_microphone()
    assert caught.value.key == key


def test_a_missing_package_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    with pytest.raises(UserError) as caught:
        devices.sound_library()
    assert caught.value.key == "audio.no-sounddevice"


def test_rescan_starts_portaudio_anew_and_releases_the_streams(portaudio: ScriptedPortAudio) -> None:
    idle = Owner()
    devices.own_stream(idle)
    assert devices.rescan()
    assert idle.released == 1
    assert portaudio.starts == 1


def test_rescan_does_not_disturb_who_speaks_or_listens(portaudio: ScriptedPortAudio) -> None:
    idle, busy = Owner(), Owner(busy=True)
    devices.own_stream(idle)
    devices.own_stream(busy)
    assert not devices.rescan()
    assert idle.released == 0
    assert portaudio.starts == 0
