"""An engine that fails in the middle of a line, heard through a virtual sound card: the next one says the same line."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import sleep
from typing import Any

import numpy as np
import pytest

from tests.audio.test_live import Listening
from tests.components import require
from tests.tts.helpers import Program, SineVoice, assert_gone, running, started
from tests.virtual_card import RATE
from voicehost.audio.capture import Microphone
from voicehost.audio.playback import StreamPlayer
from voicehost.hosting.speaking import LiveSpeaker
from voicehost.tts.cache import CachedVoice
from voicehost.tts.espeak import EspeakEngine
from voicehost.tts.fallback import FallbackVoice
from voicehost.tts.festival import FestivalEngine
from voicehost.tts.piper import PiperEngine
from voicehost.tts.pyttsx3 import Pyttsx3Engine
from voicehost.tts.rhvoice import RHVoiceLibraryEngine
from voicehost.tts.speechd import SpeechDispatcherEngine
from voicehost.tts.voice import Engine, Voice

pytestmark = [pytest.mark.live, pytest.mark.usefixtures("impatient", "virtual_card")]

LINE = "Игрок номер пять, одна минута."
NEXT = "Десять секунд."

# Speaks as the piper program does: a line on stdin, samples on stdout; half of them, then what the test wants.
PIPER = """
    text = sys.stdin.buffer.read().decode("utf-8")
    half = b"\\x55\\x11" * 8000
    sys.stdout.buffer.write(half)
    sys.stdout.buffer.flush()
    {then}
    sys.stdout.buffer.write(half)
"""


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    made = asyncio.new_event_loop()
    yield made
    made.close()


def hear(
    voices: Sequence[Voice], loop: asyncio.AbstractEventLoop, lines: Sequence[str]
) -> tuple[np.ndarray, list[str]]:
    """Say lines with these voices, one behind the other; return what was heard, and who stepped in."""
    told: list[str] = []
    voice = CachedVoice(FallbackVoice(voices, lambda failed, name: told.append(f"{failed.why}>{name}")), RATE)
    microphone, player = Microphone(rate=RATE), StreamPlayer(rate=RATE)
    speaker = LiveSpeaker(voice, player, loop)
    listening = Listening(microphone)
    try:
        sleep(0.5)
        for line in lines:
            speaker.say(line)
        assert speaker.wait_until_said(60)
        sleep(0.5)
    finally:
        heard = listening.stop()
        speaker.close()
        player.close()
        microphone.close()
        voice.close()
    return heard, told


def places(heard: np.ndarray, voice: Voice, lines: Sequence[str]) -> list[int]:
    """Where the voice's lines were heard, sample for sample; -1: nowhere."""
    finished = CachedVoice(voice, RATE)
    return [heard.astype("<i2").tobytes().find(finished.render(line).pcm[400:-400]) for line in lines]


def check(broken: Callable[[], Voice], following: Voice, loop: asyncio.AbstractEventLoop, expected: str) -> None:
    """Both lines are heard whole from the last voice, one after the other, and nothing else."""
    # A computer that is busy with something else leaves a gap now and then.
    for attempt in range(4):
        heard, told = hear([broken(), following], loop, [LINE, NEXT])
        assert told == [expected]
        found = places(heard, following, [LINE, NEXT])
        if 0 <= found[0] < found[1] or attempt == 3:
            break
    assert 0 <= found[0] < found[1]
    length = sum(len(CachedVoice(following, RATE).render(line).pcm) // 2 for line in (LINE, NEXT))
    assert np.count_nonzero(heard) <= length, "no other sound"


@pytest.mark.parametrize(
    ("then", "expected"),
    [("time.sleep(600)", "hung>second"), ("os._exit(3)", "died>second"), ("os.kill(os.getpid(), 9)", "died>second")],
)
def test_a_piper_that_fails_in_mid_line_leaves_the_whole_line_to_the_next_voice(
    then: str,
    expected: str,
    program: Program,
    tmp_path: Path,
    loop: asyncio.AbstractEventLoop,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("voicehost.tts.piper._START", 0.5)
    model = tmp_path / "ru_RU-test-medium.onnx"
    model.write_bytes(b"onnx")
    settings = {"language": {"code": "ru_RU"}, "audio": {"sample_rate": RATE}}
    model.with_name(f"{model.name}.json").write_text(json.dumps(settings), encoding="utf-8")
    argv = program(PIPER.format(then=then))
    engine = PiperEngine([tmp_path], argv)
    check(lambda: engine.open(engine.voices("ru")[0]), SineVoice("second"), loop, expected)
    assert_gone(started(argv))


def _pid(voice: Any) -> int:
    """The process that a real voice speaks through."""
    for path in (("_worker", "_child"), ("_module", "_child"), ("_child",)):
        owner = voice
        for name in path:
            owner = getattr(owner, name, None)
        if owner is not None:
            return int(owner.process.pid)
    raise AssertionError("no process")


REAL: list[tuple[str, type[Engine]]] = [
    ("rhvoice", RHVoiceLibraryEngine),
    ("pyttsx3", Pyttsx3Engine),
    ("speech-dispatcher", SpeechDispatcherEngine),
    ("festival", FestivalEngine),
]


@pytest.mark.parametrize("name", [name for name, engine in REAL if name != "rhvoice" or engine().voices("ru")])
def test_a_real_engine_that_stops_in_mid_line_leaves_the_whole_line_to_the_next(
    name: str, loop: asyncio.AbstractEventLoop
) -> None:
    require("espeak-ng")
    engine, second = dict(REAL)[name](), EspeakEngine()
    if not engine.voices("ru"):
        pytest.skip(f"{name} has no Russian voice here")
    voice, following = engine.open(engine.voices("ru")[0]), second.open(second.voices("ru")[0])
    pids: list[int] = []

    def stopped() -> Voice:
        voice.render(NEXT)
        pids.append(_pid(voice))
        os.kill(pids[-1], signal.SIGSTOP)
        return voice

    # Whoever asks it from now on waits for ever; that it is dead in the end is the fallback's doing.
    check(stopped, following, loop, f"hung>{following.name}")
    assert not any(map(running, pids))


@pytest.mark.parametrize("name", ["pyttsx3"])
def test_a_real_engine_that_is_killed_while_it_renders_leaves_its_line_to_the_next(
    name: str, loop: asyncio.AbstractEventLoop
) -> None:
    require("espeak-ng")
    engine, second = dict(REAL)[name](), EspeakEngine()
    if not engine.voices("ru"):
        pytest.skip(f"{name} has no Russian voice here")
    voice, following = engine.open(engine.voices("ru")[0]), second.open(second.voices("ru")[0])

    def dying() -> Voice:
        voice.render(NEXT)
        pid = _pid(voice)
        os.kill(pid, signal.SIGSTOP)
        # The line is asked for half a second after this, and a second later it would count as hung.
        threading.Timer(1.0, os.kill, (pid, signal.SIGKILL)).start()
        return voice

    check(dying, following, loop, f"died>{following.name}")
