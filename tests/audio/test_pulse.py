"""What the sound server tells of its sources, and a server that hangs."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.audio.portaudio import Entry, ScriptedPortAudio
from tests.virtual_card import VirtualCard
from voicehost.audio import devices, pulse
from voicehost.audio.capture import Microphone
from voicehost.audio.pulse import PulseSource
from voicehost.errors import UserError

PULSEAUDIO = """Source #0
\tState: SUSPENDED
\tName: alsa_output.pci.monitor
\tDescription: Monitor of Built-in Audio
\tMonitor of Sink: alsa_output.pci
\tProperties:
\t\tdevice.description = "Monitor of Built-in Audio"
\t\tName: not this

Source #7
\tName: alsa_input.usb
\tDescription: USB PnP: Микрофон
\tMonitor of Sink: n/a

Source #9
\tName: alsa_input.usb.echo-cancel
\tDescription: USB PnP (echo cancelled with Built-in Audio)
\tMonitor of Sink: n/a
"""

PIPEWIRE = """Source #51
\tState: RUNNING
\tName: echo-cancel-source
\tDescription: Echo-Cancel Source
\tDriver: PipeWire
\tMonitor of Sink: n/a

Source #52
\tName: echo-cancel-sink.monitor
\tDescription: Monitor of Echo-Cancel Sink
\tMonitor of Sink: echo-cancel-sink
"""


def test_sources_are_read_with_what_they_are() -> None:
    assert pulse.parsed(PULSEAUDIO, "alsa_input.usb") == [
        PulseSource("alsa_output.pci.monitor", "Monitor of Built-in Audio", monitor=True),
        PulseSource("alsa_input.usb", "USB PnP: Микрофон", default=True),
        PulseSource("alsa_input.usb.echo-cancel", "USB PnP (echo cancelled with Built-in Audio)", cancels_echo=True),
    ]


def test_the_monitor_of_an_echo_cancelling_sink_cancels_nothing() -> None:
    assert [source.cancels_echo for source in pulse.parsed(PIPEWIRE)] == [True, False]


@pytest.mark.parametrize("text", ["", "Source #1", "Source #1\n\tState: x\n", "garbage\n\tName: x"])
def test_what_tells_nothing_gives_no_sources(text: str) -> None:
    assert pulse.parsed(text) == []


def test_a_source_is_chosen_only_for_the_stream_that_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PULSE_SOURCE", "before")
    monkeypatch.delenv("PIPEWIRE_NODE", raising=False)
    with pulse.chosen("mic"):
        assert (os.environ["PULSE_SOURCE"], os.environ["PIPEWIRE_NODE"]) == ("mic", "mic")
    assert os.environ["PULSE_SOURCE"] == "before"
    assert "PIPEWIRE_NODE" not in os.environ
    with pulse.chosen(""):
        assert os.environ["PULSE_SOURCE"] == "before"


def test_the_servers_sources_are_found_by_name(portaudio: ScriptedPortAudio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse, "sources", lambda: pulse.parsed(PULSEAUDIO, "alsa_input.usb"))
    portaudio.entries += [Entry("pulse", inputs=32), Entry("default", inputs=32)]
    found = devices.find_microphone("микрофон")
    assert (found.name, found.source, found.index) == ("USB PnP: Микрофон", "alsa_input.usb", 2)
    assert devices.find_microphone("echo-cancel").cancels_echo
    assert devices.called(devices.find_microphone("default")) == "USB PnP: Микрофон"
    assert devices.called(devices.find_microphone("desk")) == "Desk microphone"
    with pytest.raises(UserError) as caught:
        devices.find_microphone("none of these")
    assert "Desk microphone" in caught.value.params["known"]
    assert "USB PnP" in caught.value.params["known"]


@pytest.mark.usefixtures("portaudio")
def test_without_a_way_to_a_server_there_are_no_sources_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse, "sources", lambda: pulse.parsed(PULSEAUDIO))
    assert devices.server_sources() == []


def test_a_server_that_hangs_is_told_before_anything_is_opened(
    portaudio: ScriptedPortAudio, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "pactl"
    program.write_text("#!/bin/sh\nexec sleep 60\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(pulse, "PATIENCE", 0.2)
    monkeypatch.setattr("sys.platform", "linux")
    with pytest.raises(UserError) as caught:
        Microphone()
    assert caught.value.key == "audio.server-hangs"
    assert portaudio.streams == []


@pytest.mark.live
def test_the_virtual_cards_sources(virtual_card: VirtualCard) -> None:
    monitor = pulse.default_source()
    assert monitor is not None
    assert (monitor.id, monitor.monitor) == ("speaker.monitor", True)
    assert pulse.without_echo() is None
    load = ["pactl", "load-module", "module-remap-source", "master=speaker.monitor", "source_name=host"]
    named = "source_properties=device.description='Echo-Cancel\\ Source'"
    subprocess.run([*load, named], env=virtual_card.environment, check=True, capture_output=True)
    found = pulse.without_echo()
    assert found is not None
    assert (found.id, found.name) == ("host", "Echo-Cancel Source")
    microphone = Microphone("echo-cancel source")
    assert microphone.cancels_echo
    assert microphone.name == "Echo-Cancel Source"
    assert microphone.read(5) is not None
    microphone.close()
    ordinary = Microphone()
    assert (ordinary.name, ordinary.cancels_echo) == ("Monitor of Null Output", False)
    ordinary.close()


@pytest.mark.live
def test_a_real_server_that_hangs(virtual_card: VirtualCard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse, "PATIENCE", 1.0)
    assert virtual_card.server is not None
    virtual_card.server.send_signal(signal.SIGSTOP)
    try:
        with pytest.raises(UserError) as caught:
            Microphone()
        assert caught.value.key == "audio.server-hangs"
    finally:
        virtual_card.server.send_signal(signal.SIGCONT)
    microphone = Microphone()
    assert microphone.read(10) is not None
    microphone.close()
