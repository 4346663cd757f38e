"""``voicehost doctor``: one line for what works, what to do about the rest."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep

import numpy as np
import pytest

from tests.audio.portaudio import Entry, ScriptedPortAudio
from tests.cli.helpers import Call, Done
from tests.virtual_card import RATE, VirtualCard
from voicehost.audio import calibration
from voicehost.audio.calibration import Calibration, measure
from voicehost.cli.doctor import _place
from voicehost.cli.findings import BAD, GOOD, NOTE, judged
from voicehost.language.vocabulary import PackWord

BLOCK = round(0.03 * 16_000)


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def noise(level: float, seconds: float = 1.0) -> np.ndarray:
    samples = np.random.default_rng(2).normal(0, 32768 * 10 ** (level / 20), round(seconds * RATE))
    return np.clip(np.rint(samples), -32768, 32767).astype("<i2")


@pytest.mark.parametrize(
    ("sound", "verdict", "words"),
    [
        (noise(-60), GOOD, ["шум -6", "пик -4"]),
        (np.zeros(16_000, "<i2"), BAD, ["тишина", "разрешите"]),
        (noise(-1), BAD, ["перегрузка", "% отсчётов", "отодвиньте"]),
        (noise(-30), NOTE, ["шумно", "ближе"]),
        (noise(-95), NOTE, ["почти ничего", "Прибавьте"]),
    ],
)
def test_what_a_microphone_hears_is_judged_with_what_to_do(sound: np.ndarray, verdict: str, words: list[str]) -> None:
    found, text = judged("Петличка", measure(sound.tobytes()))
    assert found == verdict
    assert "Петличка" in text
    assert [word for word in words if word not in text] == []


@contextmanager
def fed(portaudio: ScriptedPortAudio, sound: np.ndarray) -> Iterator[None]:
    """A sound system whose microphone hears a sound over and over."""
    stop = threading.Event()

    def feed() -> None:
        place = 0
        while not stop.is_set():
            for stream in portaudio.streams:
                if not stream.closed and stream.entry.inputs:
                    stream.feed(sound[place : place + BLOCK].tobytes())
                    place = (place + BLOCK) % (len(sound) - BLOCK)
            sleep(0.002)

    thread = threading.Thread(target=feed, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def part(done: Done, title: str) -> list[str]:
    """The lines below a heading."""
    lines = done.out.splitlines()
    below = lines[lines.index(title) + 1 :]
    return [line for line in below[: next((i for i, x in enumerate(below) if not x.startswith("  ")), None)]]


def test_the_chosen_microphone_is_marked_and_heard(call: Call, portaudio: ScriptedPortAudio) -> None:
    portaudio.entries.append(Entry("USB headset", inputs=1))
    with fed(portaudio, noise(-60)):
        done = call("doctor")
        other = call("doctor", "--device", "usb")
    assert done.status == 0
    first, *rest = part(done, "Микрофоны")
    assert first.startswith("  ✓ Desk microphone: шум -6")
    assert "calibrate" in rest[0]
    assert rest[1:] == ["  · ещё есть: USB headset"]
    assert part(other, "Микрофоны")[0].startswith("  ✓ USB headset")
    assert part(done, "Колонки") == ["  ✓ Speakers"]


def test_a_calibrated_microphone_says_so(call: Call, portaudio: ScriptedPortAudio) -> None:
    known = Calibration(gain=7, above_noise=9, level=-23, noise=-60, measured="2026-05-01")
    calibration.save("Desk microphone", known)
    with fed(portaudio, noise(-60)):
        lines = part(call("doctor"), "Микрофоны")
    assert lines[1] == "  ✓ Настроен 2026-05-01: усиление +7 дБ, порог 9 дБ над шумом."


def test_a_silent_microphone_is_a_fault_and_the_exit_status_stays(call: Call, portaudio: ScriptedPortAudio) -> None:
    with fed(portaudio, np.zeros(2000, "<i2")):
        done = call("doctor")
    assert done.status == 0
    assert part(done, "Микрофоны")[0].startswith("  ✗ От микрофона «Desk microphone» идёт одна тишина")
    assert "✗" in done.out.splitlines()[-1]


def test_a_microphone_that_stops_is_told(
    call: Call, portaudio: ScriptedPortAudio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("voicehost.audio.reading.GONE", 0.3)
    lines = part(call("doctor"), "Микрофоны")
    assert len(lines) == 1
    assert lines[0].startswith("  ✗ Микрофон «Desk microphone» перестал давать звук")


def test_what_works_takes_one_line_and_more_only_when_asked(call: Call, portaudio: ScriptedPortAudio) -> None:
    with fed(portaudio, noise(-60)):
        short, long = call("doctor"), call("doctor", "--verbose")
    assert len(long.out.splitlines()) > len(short.out.splitlines()) + 3
    assert len(short.out.splitlines()) <= 20
    assert "Desk microphone, 16000 Гц" not in short.out
    assert "Python" in short.out


def test_no_devices_at_all(call: Call, portaudio: ScriptedPortAudio) -> None:
    portaudio.entries.clear()
    done = call("doctor")
    assert done.status == 0
    assert part(done, "Микрофоны")[0].startswith("  ✗")
    assert part(done, "Колонки")[0].startswith("  ✗")


@pytest.mark.live
def test_on_the_virtual_card(virtual_card: VirtualCard, tmp_path: Path) -> None:
    environment = virtual_card.environment | {"XDG_CONFIG_HOME": str(tmp_path), "VOICEHOST_LANG": "ru"}
    with virtual_card.hum(noise(-50, 60).tobytes()):
        done = subprocess.run(
            [sys.executable, "-m", "voicehost", "doctor", "--verbose"],
            env=environment,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=True,
        )
    lines = part(Done(0, done.stdout, done.stderr), "Микрофоны")
    assert lines[0].startswith("  ✓ Monitor of Null Output: шум -5"), lines
    assert lines[1:] == ["  · Не настроен под комнату и голос: voicehost calibrate."]


def test_a_word_that_the_model_does_not_know_is_told_with_the_one_that_it_does() -> None:
    word = PackWord("выставлаю", Path("ru/commands.yaml"), 12, ("nominate",))
    assert _place(word, "выставляю") == "выставлаю (commands.yaml:12; модель знает «выставляю»)"
    assert _place(word, None) == "выставлаю (commands.yaml:12)"
