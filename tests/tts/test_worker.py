from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
from typing import Any

import pytest

from tests.tts.helpers import Program, assert_gone, running, started, voice_info
from voicehost.tts.voice import Sound, VoiceFailed
from voicehost.tts.worker import serve
from voicehost.tts.worker_voice import Worker, WorkerVoice, command

SERVER = """
    import struct
    for line in sys.stdin:
        request = json.loads(line)
        text = request["text"]
        if text == "зависни":
            time.sleep(600)
        if text == "упади":
            os._exit(7)
        if text == "наври":
            print("Audio saved to /tmp/line.wav", flush=True)
            continue
        if text == "откажи":
            print(json.dumps({"refused": "LookupError: " + request["voice"]}), flush=True)
            continue
        pcm = struct.pack("<h", len(text)) * 16000
        print(json.dumps({"rate": 16000, "bytes": len(pcm)}), flush=True)
        sys.stdout.buffer.write(pcm)
        sys.stdout.buffer.flush()
"""


class Echo:
    """A library whose sound tells how long the text was."""

    def voices(self) -> list[dict[str, Any]]:
        return [{"id": "a", "name": "Анна", "languages": ["ru"]}]

    def render(self, voice: str, text: str) -> Sound:
        if voice != "a":
            raise LookupError(voice)
        return Sound(bytes([len(text), 0]) * 3, 22050)


def test_what_is_said_over_the_pipe() -> None:
    requests = [
        {"op": "voices"},
        {"op": "render", "voice": "a", "text": 'Ёж \n " 🎲'},
        {"op": "render", "voice": "нет", "text": "раз"},
        {"op": "render", "voice": "a", "text": "ё" * 100},
    ]
    answers = io.BytesIO()
    serve(Echo(), io.BytesIO(b"".join(json.dumps(r).encode() + b"\n" for r in requests)), answers)
    answers.seek(0)
    assert json.loads(answers.readline()) == {"voices": [{"id": "a", "name": "Анна", "languages": ["ru"]}]}
    assert json.loads(answers.readline()) == {"rate": 22050, "bytes": 6}
    assert answers.read(6) == b"\x08\0" * 3
    assert json.loads(answers.readline()) == {"refused": "LookupError: нет"}
    assert json.loads(answers.readline()) == {"rate": 22050, "bytes": 6}
    assert answers.read() == b"d\0" * 3


@pytest.fixture
def argv(program: Program) -> list[str]:
    return program(SERVER)


@pytest.fixture
def voice(argv: list[str]) -> Any:
    made = WorkerVoice(voice_info("echo:a", ident="a"), Worker("echo:a", argv, start=20.0))
    yield made
    made.close()
    if started(argv):
        assert_gone(started(argv))


def test_lines_follow_each_other_in_one_process(voice: WorkerVoice, argv: list[str]) -> None:
    for line in ("раз", "два три", "Ёж \"и\" 'дон'"):
        assert voice.render(line) == Sound(bytes([len(line), 0]) * 16000, 16000)
    assert len(started(argv)) == 1


def test_nothing_to_say_starts_nothing(voice: WorkerVoice, argv: list[str]) -> None:
    assert voice.render("🎲 …").pcm == b""
    assert started(argv) == []


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(("order", "why"), [("зависни", "hung"), ("упади", "died"), ("наври", "died")])
def test_after_a_failure_a_fresh_process_speaks(voice: WorkerVoice, argv: list[str], order: str, why: str) -> None:
    voice.render("раз")
    first = started(argv)
    with pytest.raises(VoiceFailed) as failed:
        voice.render(order)
    assert failed.value.why == why
    assert failed.value.voice == "echo:a"
    assert_gone(first)
    assert voice.render("два").pcm == b"\3\0" * 16000
    assert len(started(argv)) == 2


def test_a_refusal_keeps_the_process(voice: WorkerVoice, argv: list[str]) -> None:
    with pytest.raises(VoiceFailed, match="refused: LookupError: a"):
        voice.render("откажи")
    voice.render("раз")
    assert len(started(argv)) == 1


def test_closing_interrupts_a_line(voice: WorkerVoice) -> None:
    voice.render("раз")
    failures: list[str] = []

    def speak() -> None:
        try:
            voice.render("зависни")
        except VoiceFailed as failed:
            failures.append(failed.why)

    thread = threading.Thread(target=speak)
    thread.start()
    while thread.is_alive() and not failures:
        voice.close()
        thread.join(0.1)
    assert failures == ["died"]


def test_lines_from_two_threads_do_not_mix(voice: WorkerVoice) -> None:
    wrong: list[str] = []

    def speak(line: str) -> None:
        for _ in range(20):
            if voice.render(line).pcm != bytes([len(line), 0]) * 16000:
                wrong.append(line)

    threads = [threading.Thread(target=speak, args=("ё" * length,)) for length in (3, 7, 12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert wrong == []


def test_an_unknown_library_is_a_failure_not_a_hang() -> None:
    worker = Worker("absent", command("no-such-library"), start=20.0)
    with pytest.raises(VoiceFailed, match="died"):
        worker.ask({"op": "voices"}, 20.0)


@pytest.mark.skipif(os.name != "posix", reason="only on systems where a process sees its parent die")
def test_a_worker_that_hangs_does_not_outlive_its_parent() -> None:
    library = "import time, voicehost.tts.worker as w; w._leave_with_parent(); print('up', flush=True); time.sleep(600)"
    code = (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', {library!r}], stdout=subprocess.PIPE)\n"
        "child.stdout.readline()\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        assert running(worker)
        parent.send_signal(signal.SIGKILL)
    assert_gone([worker])
