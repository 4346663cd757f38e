"""A live game run from outside as a person would run it: the program with a microphone and a loudspeaker."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.audio.scene import RATE
from tests.components import Misheard
from tests.virtual_card import VirtualCard
from voicehost.language.commands import parse
from voicehost.language.pack import load_pack

RULES = """
parent = "classic"
title = "Короткая ночь"
check_seconds = {check}
hunt_number_seconds = 1
meeting_sheriff_seconds = 3
"""

TO_FIRST_SPEECH = ("начинаем игру", "дальше", "дальше", "дальше")


def rules_in(folder: Path, *, check: int = 7) -> list[str]:
    """Return the options of a game for seven with a short night; a check takes ``check`` seconds."""
    rules = folder / "short.toml"
    rules.write_text(RULES.format(check=check), encoding="utf-8")
    return ["--rules", str(rules), "--players", "7"]


def begun(folder: Path, options: Sequence[str] = (), lines: Sequence[str] = TO_FIRST_SPEECH) -> list[str]:
    """Type ``lines`` without a sound and return the options that go on with that game, which then is paused."""
    journal = ["--journal", str(folder / "games.db")]
    silent = ["--input", "text", "--voice", "none", "--clock", "virtual", *journal]
    subprocess.run(
        [sys.executable, "-m", "voicehost", "play", *silent, *options],
        input="".join(f"{line}\n" for line in (*lines, "/quit")),
        stdout=subprocess.DEVNULL,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    return [*journal, "--resume"]


def meaning(text: str) -> tuple[str, dict[str, Any]]:
    """Return the command that a line is, with its slots."""
    found = parse(load_pack("ru"), text)
    assert found is not None, text
    return found.command.name, found.command.slots()


class LiveGame:
    """voicehost on the virtual card."""

    def __init__(self, card: VirtualCard, options: Sequence[str], *, voice: str = "espeak-ng") -> None:
        """Start it; an option that is given twice counts as given last."""
        self.card = card
        arguments = ["--input", "mic", "--voice", voice, "--recogniser", "vosk", "--json", *options]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "voicehost", "play", *arguments],
            env=card.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        self.messages: list[dict[str, Any]] = []
        self.said_at = 0.0
        self.loud_at = time.monotonic()
        self._meter = subprocess.Popen(
            ["parec", "-d", "speaker.monitor", "--format=s16le", f"--rate={RATE}", "--channels=1", "--latency-msec=50"],
            env=card.environment,
            stdout=subprocess.PIPE,
        )
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._measure, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.messages.append(json.loads(line))
            if self.messages[-1]["type"] == "say":
                self.said_at = time.monotonic()

    def _measure(self) -> None:
        import numpy as np

        assert self._meter.stdout is not None
        while block := self._meter.stdout.read(1600):
            if np.abs(np.frombuffer(block[: len(block) // 2 * 2], np.int16)).max(initial=0) > 100:
                self.loud_at = time.monotonic()

    def wait_for(self, what: str, condition: Any, seconds: float = 60.0) -> None:
        """Wait until ``condition()``; fail with what the program printed last."""
        end = time.monotonic() + seconds
        while not condition():
            assert self.process.poll() is None, self.process.stderr.read() if self.process.stderr else ""
            assert time.monotonic() < end, f"{what}: {self.messages[-12:]}"
            time.sleep(0.05)

    def legal(self) -> dict[str, Any]:
        """Return what may be said, as last printed."""
        ready = [m for m in self.messages if m["type"] == "ready"]
        return ready[-1]["legal"] if ready else {}

    def quiet(self) -> bool:
        """Tell whether the program has said all it had to say: heard since its last line, and silent for a while."""
        kinds = ["said" if m["type"] == "say" else m.get("state") for m in list(self.messages)]
        timed = [kind for kind in kinds if kind in {"said", "started"}][-1:] == ["started"]
        now = time.monotonic()
        return now - self.loud_at > 0.6 if timed else self.loud_at > self.said_at and now - self.loud_at > 2.0

    def answers(self) -> list[dict[str, Any]]:
        """Return what the program has taken for a command so far."""
        return [m for m in list(self.messages) if m["type"] in {"heard", "refused"}]

    def type(self, text: str) -> None:
        """Type a line and wait until it is answered."""
        before = len(self.answers())
        assert self.process.stdin is not None
        self.process.stdin.write(f"{text}\n")
        self.process.stdin.flush()
        self.wait_for(f"an answer to «{text}»", lambda: len(self.answers()) > before)

    def say(self, text: str, *clips: bytes, attempts: int = 3) -> None:
        """Say a command when it is allowed and the program is silent.

        As a host would, say it again, in the following clip if there is one, when it was not heard or was asked back.

        Raises:
            Misheard: it was taken for another command.
        """
        command, slots = meaning(text)
        self.wait_for(f"«{text}» allowed", lambda: command in self.legal())
        before = len(self.answers())
        for attempt in range(attempts):
            asked = self._asked()
            self.wait_for("silence", self.quiet)
            self.card.play(clips[min(attempt, len(clips) - 1)])
            end = time.monotonic() + 20
            while time.monotonic() < end and len(self.answers()) == before and self._asked() == asked:
                time.sleep(0.05)
            if (answers := self.answers())[before:]:
                if (answers[before]["command"], answers[before].get("slots", slots)) != (command, slots):
                    raise Misheard(f"«{text}» was taken for {answers[before]}")
                return
        raise AssertionError(f"«{text}» was not heard: {self.messages[-8:]}")

    def check(self, lines: Sequence[str]) -> None:
        """See that nothing but these lines has been taken for a command, and none of them was refused.

        Raises:
            Misheard: something else was.
        """
        answered = [(m["command"], m.get("slots")) for m in self.answers() if m["type"] == "heard"]
        if answered != [meaning(line) for line in lines]:
            raise Misheard(f"said {lines}, heard {answered}")
        assert not [m for m in self.messages if m["type"] == "refused"]

    def _asked(self) -> int:
        return len([m for m in list(self.messages) if m["type"] == "ask"])

    def close(self) -> None:
        """End everything."""
        for process in (self.process, self._meter):
            process.kill()
            process.wait()
