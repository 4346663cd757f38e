"""``voicehost voices`` with a voice that any machine has: sines."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.helpers import Call
from tests.components import require
from tests.tts.helpers import OneVoiceEngine, SineVoice, voice_info
from voicehost.audio.booth import Take, judge
from voicehost.tts.pack import VoicePack

INFO = voice_info("sine:one")


@pytest.fixture(autouse=True)
def sines(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> OneVoiceEngine:
    require("soundfile")
    engine = OneVoiceEngine(INFO, SineVoice("sine:one"))
    monkeypatch.setattr("voicehost.tts.selection.engines", lambda places=(): [engine])
    monkeypatch.setattr("voicehost.tts.pack.user_folder", lambda: tmp_path / "voices")
    return engine


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule set of which only some lines are rendered."""
    from voicehost.cli import voice_lines

    whole = voice_lines.all_lines

    def some(**what: str) -> object:
        language, lines = whole(**what)  # type: ignore[arg-type]
        return language, lines[:5]

    monkeypatch.setattr(voice_lines, "all_lines", some)


def test_the_list_names_voices_and_packs_with_their_licences(call: Call, few: None) -> None:
    assert call("voices", "render", "--rules", "fsm").status == 0
    done = call("voices", "list", "--language", "ru", "--json")
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert [(row["name"], row["licence"]) for row in rows] == [("ru-sine-one", "MIT"), ("sine:one", "MIT")]
    assert "fsm" in rows[0]["note"]
    table = call("voices", "list", "--language", "ru").out
    assert table.splitlines()[0].split() == ["имя", "язык", "лицензия", "о", "голосе"]


def test_render_fills_a_folder_goes_on_and_adds_another_rule_set(call: Call, few: None, tmp_path: Path) -> None:
    folder = tmp_path / "pack"
    assert call("voices", "render", folder).status == 0
    pack = VoicePack.open(folder)
    assert (pack.about.voice, pack.about.licence, pack.about.rules) == ("sine:one", "MIT", ("sport",))
    assert len(pack.clips) == 5
    done = call("voices", "render", folder)
    assert "новых реплик 0, прежних 5" in done.out
    assert call("voices", "render", folder, "--rules", "club").status == 0
    again = VoicePack.open(folder)
    assert again.about.rules == ("sport", "club")
    assert len(again.clips) > 5
    assert call("voices", "verify", folder).status == 0


def test_verify_names_what_is_damaged(call: Call, few: None, tmp_path: Path) -> None:
    call("voices", "render", tmp_path / "pack")
    pack = VoicePack.open(tmp_path / "pack")
    clip = next(iter(pack.clips.values()))
    (pack.folder / clip.file).write_bytes(b"x")
    done = call("voices", "verify", tmp_path / "pack")
    assert done.status == 1
    assert clip.text in done.out
    assert "повреждено звуков: 1" in done.err
    assert call("voices", "verify", "nobody").status == 2


def test_a_folder_of_another_voice_is_left_alone(call: Call, few: None, tmp_path: Path, sines: OneVoiceEngine) -> None:
    call("voices", "render", tmp_path / "pack")
    sines._info = voice_info("sine:two")
    sines.name = "sine"
    done = call("voices", "render", tmp_path / "pack")
    assert done.status == 1
    assert "sine:one" in done.err
    assert VoicePack.open(tmp_path / "pack").about.voice == "sine:one"


def test_test_measures_and_writes_what_it_heard(call: Call, tmp_path: Path) -> None:
    done = call("voices", "test", "--silent", "--line", "Проверка.", "--record", tmp_path / "x.wav")
    assert done.status == 0
    assert "sine:one: «Проверка.»" in done.out
    assert "-18.0 LUFS" in done.out
    assert (tmp_path / "x.wav").stat().st_size > 1000


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("voices", "test", "nobody"), "Голоса «nobody» нет"),
        (("voices", "render", "x", "--style", "barock"), "Стиля «barock» нет"),
        (("voices", "render", "x", "--rules", "nobody"), "nobody"),
    ],
)
def test_mistakes_are_told_in_a_sentence(call: Call, arguments: tuple[str, ...], word: str) -> None:
    done = call(*arguments)
    assert done.status in (1, 2)
    assert word in done.err
    assert "Traceback" not in done.err


class FakeBooth:
    """Gives the takes that the test wants."""

    takes: list[Take] = []  # noqa: RUF012

    def __init__(self, name: str | None) -> None: ...

    def start(self) -> None: ...

    def stop(self) -> Take:
        return self.takes.pop(0)

    def close(self) -> None: ...


def tone(level: float, seconds: float = 1.0, noise: float = -80.0) -> Take:
    rng = np.random.default_rng(1)
    samples = 10 ** (level / 20) * np.sin(2 * np.pi * 300 * np.arange(round(seconds * 48000)) / 48000)
    samples = np.concatenate([samples, np.zeros(24000)])
    return Take((samples + rng.normal(0, 10 ** (noise / 20), len(samples))).astype(np.float32), 48000)


@pytest.mark.parametrize(
    ("take", "what"),
    [
        (tone(-12), "good"),
        (tone(-45), "quiet"),
        (tone(-0.1), "loud"),
        (tone(-20, noise=-30), "noisy"),
        (Take(np.zeros(48000, np.float32), 48000), "empty"),
        (Take(np.zeros(0, np.float32), 48000), "empty"),
    ],
)
def test_a_take_is_judged_by_its_level(take: Take, what: str) -> None:
    assert judge(take).what == what


def test_recording_walks_through_the_lines_and_asks_again_when_it_is_bad(
    call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("voicehost.audio.booth.Booth", FakeBooth)
    FakeBooth.takes = [tone(-12), tone(-40), tone(-12), tone(-40)]
    # good; too quiet, once more, good; skipped; too quiet but kept; leave
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\n" + "\n\n\n" + "\n\n" + "s\n" + "\n\nk\n" + "q\n"))
    done = call("voices", "record", tmp_path / "own", "--by", "Аня", "--licence", "CC0-1.0")
    assert done.status == 0
    pack = VoicePack.open(tmp_path / "own")
    assert [clip.text for clip in pack.clips.values()] == ["Один.", "Два.", "Четыре."]
    assert (pack.about.engine, pack.about.voice, pack.about.licence) == ("recorded", "recorded:Аня", "CC0-1.0")
    assert all(clip.loudness == pytest.approx(-18, abs=1) for clip in pack.clips.values())
    FakeBooth.takes = [tone(-12)]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\n"))
    assert call("voices", "record", tmp_path / "own", "--by", "Аня").status == 0
    assert "Три." in [clip.text for clip in VoicePack.open(tmp_path / "own").clips.values()]
