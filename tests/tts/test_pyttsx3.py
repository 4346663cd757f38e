from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.tts.helpers import Program, tone, wav_bytes
from voicehost.tts.pyttsx3 import Pyttsx3Engine, Pyttsx3Renderer, speaks
from voicehost.tts.voice import Reason, Sound

LIST = [
    {"id": "zle/ru", "name": "Russian", "languages": ["ru"]},
    {"id": "zls/bg", "name": "Bulgarian", "languages": ["bg"]},
    {"id": "HKEY\\IRINA", "name": "Microsoft Irina Desktop", "languages": []},
]


@pytest.mark.parametrize(
    ("ident", "name", "languages", "spoken"),
    [
        ("zle/ru", "Russian", ["ru"], "ru"),
        ("x", "y", ["ru-RU"], "ru"),
        ("x", "y", ["ru_RU"], "ru"),
        ("x", "Irina reads English", ["en-US"], "en"),
        ("HKEY\\TTS_MS_RU-RU_IRINA_11.0", "Microsoft Irina", [], "ru"),
        ("x", "Microsoft Pavel", ["Unknown Locale: 1049"], "ru"),
        ("TTS_MS_bg-BG_IVAN", "Microsoft Ivan", [], "bg"),
        ("com.apple.voice.compact.bg-BG.Daria", "Daria", ["bg_BG"], "bg"),
    ],
)
def test_a_voice_is_known_by_its_language_or_else_by_its_name(
    ident: str, name: str, languages: list[str], spoken: str
) -> None:
    assert [language for language in ("ru", "bg", "en") if speaks(language, ident, name, languages)] == [spoken]


class Driver:
    """Behaves as pyttsx3's engine does: errors are swallowed and told to who listens."""

    made = 0
    keeps_voice = True
    error: Exception | None = None

    def __init__(self, driver: str) -> None:
        Driver.made += 1
        self._properties: dict[str, Any] = {"voice": "default"}
        self._file: tuple[str, str] | None = None
        self._listeners: dict[str, Any] = {}

    def getProperty(self, name: str) -> Any:
        if name == "voices":
            return [SimpleNamespace(id=v["id"], name=v["name"], languages=v["languages"]) for v in LIST]
        return self._properties[name]

    def setProperty(self, name: str, value: Any) -> None:
        if name != "voice" or self.keeps_voice:
            self._properties[name] = value

    def connect(self, topic: str, listener: Any) -> None:
        self._listeners[topic] = listener

    def save_to_file(self, text: str, path: str) -> None:
        self._file = (text, path)

    def runAndWait(self) -> None:
        assert self._file is not None
        text, path = self._file
        if self.error is not None:
            self._listeners["error"](name=None, exception=self.error)
            return
        Path(path).write_bytes(wav_bytes(tone(len(text) / 100)))
        self._listeners["finished-utterance"](name=None, completed=True)


@pytest.fixture
def renderer(monkeypatch: pytest.MonkeyPatch) -> Pyttsx3Renderer:
    engine = pytest.importorskip("pyttsx3.engine")
    monkeypatch.setattr(engine, "Engine", Driver)
    monkeypatch.setattr(Driver, "made", 0)
    return Pyttsx3Renderer()


def test_each_line_gets_a_fresh_engine(renderer: Pyttsx3Renderer) -> None:
    assert renderer.render("zle/ru", "а" * 50) == tone(0.5)
    assert renderer.render("zle/ru", "а" * 30) == tone(0.3)
    assert Driver.made == 2
    assert renderer.voices()[1] == LIST[1]


def test_an_unknown_voice_is_refused(renderer: Pyttsx3Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LookupError, match="boris"):
        renderer.render("boris", "раз")
    monkeypatch.setattr(Driver, "keeps_voice", False)
    with pytest.raises(LookupError, match="not taken"):
        renderer.render("zle/ru", "раз")


def test_swallowed_errors_come_out(renderer: Pyttsx3Renderer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Driver, "error", ValueError("EE_INTERNAL_ERROR"))
    with pytest.raises(ValueError, match="EE_INTERNAL_ERROR"):
        renderer.render("zle/ru", "раз")


@pytest.mark.parametrize(("platform", "intelligible"), [("linux", False), ("win32", True), ("darwin", True)])
def test_voices_of_the_system_are_better_than_espeak(
    program: Program, monkeypatch: pytest.MonkeyPatch, platform: str, intelligible: bool
) -> None:
    argv = program(f"sys.stdin.readline(); print(json.dumps({{'voices': {LIST!r}}}), flush=True)")
    monkeypatch.setattr("voicehost.tts.pyttsx3.sys", SimpleNamespace(platform=platform))
    infos = Pyttsx3Engine(argv).voices("ru")
    assert [info.name for info in infos] == ["pyttsx3:Russian", "pyttsx3:Microsoft Irina Desktop"]
    assert {info.intelligible for info in infos} == {intelligible}
    assert (infos[0].quality > 600) == intelligible


def test_a_library_that_does_not_start(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Pyttsx3Engine(program("sys.exit('libespeak.so.1: cannot open')"))
    assert broken.available() == Reason("tts.pyttsx3-broken", {"reason": "libespeak.so.1: cannot open"})
    assert broken.voices("ru") == []
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert Pyttsx3Engine([sys.executable]).available() == Reason("tts.pyttsx3-missing")


def test_the_worker_of_a_voice_renders(program: Program) -> None:
    argv = program(
        f"""
        for line in sys.stdin:
            request = json.loads(line)
            if request["op"] == "voices":
                print(json.dumps({{"voices": {LIST!r}}}), flush=True)
            else:
                print(json.dumps({{"rate": 22050, "bytes": 4}}), flush=True)
                sys.stdout.buffer.write(b"\\1\\0" * 2)
                sys.stdout.buffer.flush()
        """
    )
    engine = Pyttsx3Engine(argv)
    voice = engine.open(engine.voices("bg")[0])
    assert voice.render("раз") == Sound(b"\1\0\1\0", 22050)
    voice.close()
