from __future__ import annotations

import sys

import pytest

from tests.audio.portaudio import Entry, ScriptedPortAudio
from tests.virtual_card import virtual_card
from voicehost.audio import devices

__all__ = ["portaudio", "virtual_card"]


@pytest.fixture
def portaudio(monkeypatch: pytest.MonkeyPatch) -> ScriptedPortAudio:
    """A sound system under the test's control, with one microphone and one loudspeaker."""
    library = ScriptedPortAudio([Entry("Desk microphone", inputs=2), Entry("Speakers", outputs=2)])
    monkeypatch.setitem(sys.modules, "sounddevice", library)
    monkeypatch.setattr(devices, "_owners", type(devices._owners)())
    return library
