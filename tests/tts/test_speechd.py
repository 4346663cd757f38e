from __future__ import annotations

import os
import signal
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.components import require
from tests.tts.helpers import SineVoice, assert_gone
from voicehost.tts.fallback import FallbackVoice
from voicehost.tts.speechd import SpeechDispatcherEngine, SpeechDispatcherVoice, unescaped
from voicehost.tts.voice import Reason, Sound, VoiceFailed

MODULE = r"""
#!{python}
import os, sys, time
here = {here!r}
open(os.path.join(here, "pid-%d" % os.getpid()), "w").close()
out, lines = sys.stdout.buffer, iter(sys.stdin.buffer.readline, b"")
{settings}
def say(data):
    out.write(data + b"\n")
    out.flush()
def body():
    found = []
    for line in lines:
        if line.strip() == b".":
            return found
        found.append(line.strip().decode())
def hidden(data):
    return b"".join(bytes([0x7D, b ^ 0x20]) if b in b"\n}}" else bytes([b]) for b in data)
for line in lines:
    command = line.strip().decode()
    if command == "INIT":
        say(b"299-Ready\n299 OK LOADED SUCCESSFULLY" if works else b"399-No synthesiser\n399 ERR CANT INIT MODULE")
    elif command == "AUDIO":
        say(b"207 OK RECEIVING AUDIO SETTINGS")
        assert body() == ["audio_output_method=server"]
        say(b"203 OK AUDIO INITIALIZED" if gives else b"400-Cannot open a playback stream\n400 ERROR")
    elif command == "LIST VOICES":
        say(b"200-Anna\tru\tnone\n200-Boris\tru-RU\tnone\n200-Carl\ten\tnone\n200 OK VOICE LIST SENT")
    elif command == "SET":
        say(b"203 OK RECEIVING SETTINGS")
        open(os.path.join(here, "settings"), "w", encoding="utf-8").write("\n".join(body()))
        say(b"203 OK SETTINGS RECEIVED")
    elif command == "SPEAK":
        say(b"202 OK RECEIVING MESSAGE")
        text = "\n".join(body())
        with open(os.path.join(here, "said"), "a", encoding="utf-8") as log:
            log.write(text + "\n")
        if "откажись" in text:
            say(b"301 ERROR CANT SPEAK")
            continue
        say(b"200 OK SPEAKING\n701 BEGIN")
        for part in parts:
            if "умри" in text:
                os._exit(3)
            if "зависни" in text:
                time.sleep(600)
            head = b"705-bits=%d\n705-num_channels=1\n705-sample_rate=16000\n705-num_samples=%d\n705-big_endian=0\n"
            say(head % (bits, len(part) // 2) + b"705-AUDIO\0" + hidden(part) + b"\n705 AUDIO")
        say(b"700-mark\n700 INDEX MARK\n702 END")
"""
EVERY_BYTE = bytes(range(256))
"""Among them those that are hidden: line ends and what hides them."""
PARTS = [EVERY_BYTE * 40, b"\x01\n\x02\r", b"}\n" * 50 + b"\r\r", b"\x00\x40" * 3000]

Make = Callable[..., SpeechDispatcherEngine]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """An engine of one module, which is a script here."""

    def made(
        name: str = "sd_fake", works: bool = True, gives: bool = True, bits: int = 16, parts: list[bytes] = PARTS
    ) -> SpeechDispatcherEngine:
        settings = f"works, gives, bits, parts = {works}, {gives}, {bits}, {parts!r}"
        script = textwrap.dedent(MODULE).lstrip()
        text = script.format(python=sys.executable, here=str(tmp_path), settings=settings)
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        file.chmod(0o755)
        return SpeechDispatcherEngine([tmp_path], [tmp_path])

    return made


def pids(folder: Path) -> list[int]:
    return [int(file.name[4:]) for file in folder.glob("pid-*")]


def test_hidden_bytes_come_back() -> None:
    assert unescaped(b"") == b""
    assert unescaped(b"\x00\x7f") == b"\x00\x7f"
    assert unescaped(b"}*}]x}*") == b"\n}x\n"


def test_the_voices_of_a_module(make: Make) -> None:
    engine = make()
    assert engine.available() is None
    assert [(v.name, v.quality, v.intelligible) for v in engine.voices("ru")] == [
        ("speech-dispatcher:Anna", 700, True),
        ("speech-dispatcher:Boris", 699, True),
    ]
    assert engine.voices("bg") == []


def test_of_espeak_there_is_one_voice_and_it_is_among_the_last(make: Make) -> None:
    [voice] = make("sd_espeak-ng").voices("ru")
    assert (voice.name, voice.intelligible) == ("speech-dispatcher:espeak-ng", False)
    assert voice.quality < 200


@pytest.mark.parametrize(
    "wrong", [{"works": False}, {"gives": False}, {"name": "sd_generic"}, {"name": "sd_rhvoice"}], ids=str
)
def test_modules_that_do_not_start_or_play_by_themselves_do_not_serve(make: Make, wrong: dict[str, object]) -> None:
    engine = make(**wrong)
    assert engine.voices("ru") == []
    assert engine.available() in (Reason("tts.speechd-missing"), Reason("tts.speechd-without-voice"))


def test_nothing_installed(tmp_path: Path) -> None:
    engine = SpeechDispatcherEngine([tmp_path / "none"], [])
    assert engine.available() == Reason("tts.speechd-missing")
    assert engine.voices("ru") == []


def test_a_line_becomes_the_very_samples(make: Make, tmp_path: Path) -> None:
    engine = make()
    voice = engine.open(engine.voices("ru")[1])
    try:
        assert voice.render("Фол <третьему>\nи & пятому. 🎲") == Sound(b"".join(PARTS), 16000)
        assert voice.render(".") == Sound(b"", 22050)
        assert voice.render("…ещё") == Sound(b"".join(PARTS), 16000)
    finally:
        voice.close()
    said = (tmp_path / "said").read_text(encoding="utf-8").splitlines()
    assert said == ["<speak>Фол &lt;третьему&gt; и &amp; пятому.</speak>", "<speak>…ещё</speak>"]
    settings = (tmp_path / "settings").read_text(encoding="utf-8").splitlines()
    assert settings[:2] == ["language=ru", "synthesis_voice=Boris"]
    assert_gone(pids(tmp_path))


def test_the_dispatchers_settings_for_the_module_are_used(make: Make, tmp_path: Path) -> None:
    engine = make()
    (tmp_path / "fake.conf").touch()
    assert engine._command("fake") == [str(tmp_path / "sd_fake"), str(tmp_path / "fake.conf")]


@pytest.mark.parametrize(("text", "why"), [("умри", "died"), ("зависни", "hung"), ("откажись", "refused")])
@pytest.mark.usefixtures("impatient")
def test_when_it_dies_hangs_or_refuses_the_next_voice_says_the_same_line(
    make: Make, tmp_path: Path, text: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("voicehost.tts.speechd._START", 3.0)
    engine = make()
    voice = engine.open(engine.voices("ru")[0])
    second = SineVoice("second")
    told: list[str] = []
    both = FallbackVoice([voice, second], lambda failed, following: told.append(f"{failed.why}>{following}"))
    try:
        assert both.render(f"Игрок пять, {text}.") == second.render(f"Игрок пять, {text}.")
        assert told == [f"{why}>second"]
        assert_gone(pids(tmp_path))
        assert voice.render("Живой голос.") == Sound(b"".join(PARTS), 16000)
    finally:
        voice.close()


def test_samples_of_an_unknown_form_are_no_noise(make: Make) -> None:
    engine = make(bits=8)
    voice = engine.open(engine.voices("ru")[0])
    with pytest.raises(VoiceFailed, match="unknown form"):
        voice.render("да")
    voice.close()


@pytest.mark.parametrize("signal_number", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "hanging"])
@pytest.mark.usefixtures("impatient")
def test_a_real_module_that_ends_in_mid_game_leaves_its_line_to_the_next(signal_number: int) -> None:
    require("speech-dispatcher")
    engine = SpeechDispatcherEngine()
    voice = engine.open(engine.voices("ru")[0])
    second = SineVoice("second")
    told: list[str] = []
    both = FallbackVoice([voice, second], lambda failed, following: told.append(following))
    try:
        line = "Игрок номер пять, ваша минута."
        assert both.render(line).seconds > 1
        assert told == []
        assert isinstance(voice, SpeechDispatcherVoice)
        assert voice._module is not None
        os.kill(voice._module._child.process.pid, signal_number)
        time.sleep(0.2)
        heard = both.render(line)
        # One that has ended is simply started anew.
        assert told == ([] if signal_number == signal.SIGKILL else ["second"])
        assert (heard == second.render(line)) == (signal_number == signal.SIGSTOP)
        assert voice.render(line).seconds > 1
    finally:
        voice.close()
