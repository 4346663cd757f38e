"""Hours of playback: no drift, no gap, nothing that grows."""

from __future__ import annotations

import gc
import subprocess
import sys
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic, sleep
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.audio.portaudio import ScriptedPortAudio
from tests.virtual_card import RATE, VirtualCard
from voicehost.audio import playback, player, stream
from voicehost.audio.gate import Gate
from voicehost.audio.playback import StreamPlayer
from voicehost.audio.player import Playback

CYCLE = 2.0
"""Seconds from one cue to the next on the card."""


@dataclass(frozen=True)
class Sound:
    pcm: bytes
    rate: int = RATE


def rattle(seconds: float, seed: int) -> np.ndarray:
    """Samples no two of which can be mistaken for each other, none of them silent."""
    samples = np.random.default_rng(seed).integers(1, 20_000, round(seconds * RATE))
    return (samples * np.random.default_rng(seed + 1).choice([-1, 1], len(samples))).astype("<i2")


# --- on the virtual card, in real time


@dataclass(frozen=True)
class Heard:
    """What came of a run.

    Attributes:
        broken: cues that were not heard whole, sample for sample.
        errors: by how many seconds each cue was late, the first one's lateness left out.
        told: by how many seconds what the player says of each cue's beginning differs from what was heard.
        underflows: gaps that PortAudio has told of.
        lost: samples that the capture should have and has not.
    """

    broken: int
    errors: list[float]
    told: list[float]
    underflows: int
    lost: int


@contextmanager
def captured(card: VirtualCard, file: Path) -> Iterator[None]:
    """Another program writes down what the loudspeaker plays."""
    command = ["parec", "-d", "speaker.monitor", "--raw", "--format=s16le", f"--rate={RATE}", "--channels=1"]
    with file.open("wb") as out:
        program = subprocess.Popen(command, env=card.environment, stdout=out)
        try:
            sleep(1)
            yield
            sleep(1)
        finally:
            program.terminate()
            program.wait(10)


def play_cues(card: VirtualCard, file: Path, seconds: float) -> Heard:
    """Play a cue at every second second, each nearly two seconds long, and look for all of them in the capture."""
    count = round(seconds / CYCLE)
    cues: list[tuple[float, Playback]] = []
    with captured(card, file):
        speaker = StreamPlayer(rate=RATE)
        try:
            sleep(1)
            begin = monotonic() + 1
            for number in range(count):
                moment = begin + number * CYCLE
                sleep(max(0.0, moment - 0.5 - monotonic()))
                cues.append((moment, speaker.play(Sound(rattle(1.9, number).tobytes()), moment)))
            assert cues[-1][1].wait(30)
            underflows = speaker.underflows
        finally:
            speaker.close()
    heard = np.fromfile(file, "<i2")
    return compare(heard, cues, underflows)


def compare(heard: np.ndarray, cues: list[tuple[float, Playback]], underflows: int) -> Heard:
    """Find each cue about where it should be."""
    first = int(np.nonzero(heard)[0][0])
    broken, errors, told = 0, [], []
    started = cues[0][1].started
    assert started is not None
    for number, (moment, cue) in enumerate(cues):
        expected = first + round((moment - cues[0][0]) * RATE)
        begin = max(0, expected - RATE)
        wanted = rattle(1.9, number)
        place = heard[begin : expected + 4 * RATE].tobytes().find(wanted[:400].tobytes())
        if place < 0 or place % 2:
            broken += 1
            continue
        at = begin + place // 2
        broken += not np.array_equal(heard[at : at + len(wanted)], wanted)
        errors.append((at - expected) / RATE)
        assert cue.started is not None
        told.append(cue.started - started - (at - first) / RATE)
    last = int(np.nonzero(heard)[0][-1])
    expected_length = (cues[-1][0] - cues[0][0] + 1.9) * RATE
    return Heard(broken, errors, told, underflows, round(expected_length - (last + 1 - first)))


@pytest.mark.live
@pytest.mark.slow
def test_twelve_seconds_on_the_card_have_no_gap_and_do_not_drift(virtual_card: VirtualCard, tmp_path: Path) -> None:
    # A computer that is busy with something else leaves a gap now and then.
    for _ in range(4):
        heard = play_cues(virtual_card, tmp_path / "heard.raw", 12)
        good = not heard.broken and max(map(abs, heard.errors)) < 0.05 and max(map(abs, heard.told)) < 0.05
        if good and abs(heard.lost) < 0.05 * RATE:
            return
    pytest.fail(f"in four attempts: {heard}")


@pytest.mark.live
@pytest.mark.long
def test_ten_minutes_on_the_card_have_no_gap_and_do_not_drift(virtual_card: VirtualCard, tmp_path: Path) -> None:
    heard = play_cues(virtual_card, tmp_path / "heard.raw", 600)
    errors = np.array(heard.errors) * 1000
    drift = np.polyfit(np.arange(len(errors)), errors, 1)[0] * len(errors)
    print(f"broken {heard.broken} of {len(errors)}, underflows {heard.underflows}, samples lost {heard.lost}")
    print(f"late {errors.min():.1f} to {errors.max():.1f} ms, told wrong by {max(map(abs, heard.told)) * 1000:.1f} ms")
    print(f"drift over the run {drift:.2f} ms")
    assert heard.broken == 0
    assert heard.underflows == 0
    assert np.abs(errors).max() < 50
    assert abs(drift) < 5
    assert abs(heard.lost) < 0.05 * RATE


# --- three hours, as fast as it goes


class SlowDevice:
    """A loudspeaker with a clock of its own, which asks for its blocks in bursts; its time is the only time there is.

    Attributes:
        passed: samples taken so far.
        now: what ``monotonic`` says: the computer's clock.
    """

    BLOCK = 1024
    LATENCY = 0.1

    def __init__(self, portaudio: ScriptedPortAudio, wrong: float) -> None:
        """``wrong``: by which share its second is longer than the computer's."""
        self._portaudio = portaudio
        self._wrong = wrong
        self._chance = Random(3)
        self.passed = 0
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def heard_at(self, sample: int) -> float:
        """When a sample is in the air, by the computer's clock."""
        return 1000.0 + sample / RATE * (1 + self._wrong) + self.LATENCY

    def pull(self) -> np.ndarray:
        """Ask for the next block, up to 15 ms later than it could."""
        late = self._chance.random() * 0.015
        self.now = max(self.now, self.heard_at(self.passed) - self.LATENCY + late)
        told = self.heard_at(self.passed) - self.now
        buffer = bytearray(2 * self.BLOCK)
        times = SimpleNamespace(outputBufferDacTime=told, currentTime=0.0)
        flags = SimpleNamespace(input_overflow=False, output_underflow=False)
        stream: Any = self._portaudio.streams[-1]
        stream._callback(memoryview(buffer), self.BLOCK, times, flags)
        self.passed += self.BLOCK
        return np.frombuffer(buffer, "<i2")


@pytest.mark.slow
def test_three_hours_on_a_device_whose_clock_is_wrong_by_two_seconds(
    portaudio: ScriptedPortAudio, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = SlowDevice(portaudio, wrong=2e-4)
    for module in (playback, player, stream):
        monkeypatch.setattr(module, "monotonic", device.monotonic)
    speaker, gate = StreamPlayer(rate=RATE), Gate()
    # A cue every three seconds at its moment, and a line without one before it; each begins with its own number.
    line, cue = np.full(RATE, 77, "<i2"), np.full(RATE // 2, 99, "<i2")
    errors, told = array("d"), array("d")
    objects: list[int] = []
    moment, due, last = 1003.0, None, None
    taken = 0
    try:
        while device.passed < 3 * 3600 * RATE:
            if due is None and device.now >= moment - 0.6:
                gate.watch(speaker.play(Sound(line[: RATE // 4].tobytes())))
                last = speaker.play(Sound(cue.tobytes()), moment)
                gate.watch(last)
                due = moment
            begun = device.passed
            block = device.pull()
            found = np.flatnonzero(block == 99)
            taken += len(found)
            if len(found) and due is not None and last is not None:
                assert last.started is not None
                errors.append(device.heard_at(begun + int(found[0])) - due)
                told.append(last.started - device.heard_at(begun + int(found[0])))
                moment, due = moment + 3.0, None
                while device.heard_at(device.passed) < errors[-1] + moment - 3.0 + 0.6:
                    taken += int(np.count_nonzero(device.pull() == 99))
                if len(errors) in {200, 3500}:
                    gc.collect()
                    objects.append(sys.getallocatedblocks())
    finally:
        speaker.close()
    assert len(errors) >= 3550
    assert taken == len(errors) * len(cue), "every sample of every cue, once"
    print(f"late {min(errors) * 1000:.2f} to {max(errors) * 1000:.2f} ms, told {max(map(abs, told)) * 1000:.2f} ms")
    print(f"{len(errors)} cues; {objects[1] - objects[0]} more objects after 3300 of them")
    assert max(map(abs, errors)) < 0.05
    assert max(map(abs, told)) < 0.05
    assert abs(np.mean(errors[-100:]) - np.mean(errors[100:200])) < 0.005
    assert objects[1] - objects[0] < 1000, "something is kept of each cue"
    assert speaker.underflows == 0
    assert not speaker._ending
    assert not speaker._queue
