from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

from tests.tts.helpers import BrokenVoice, OneVoiceEngine, SineVoice, voice_info
from voicehost.errors import UserError
from voicehost.tts import selection
from voicehost.tts.selection import check, choose, engines, installed, missing
from voicehost.tts.voice import Engine, Reason, VoiceFailed

LINE = "Игрок номер пять, ваша минута."
PHRASES = Path(__file__).parents[2] / "phrases"


def _engine(name: str, quality: int, voice: SineVoice | None = None, language: str = "ru") -> OneVoiceEngine:
    return OneVoiceEngine(voice_info(name, quality, language), voice)


@pytest.fixture
def known() -> list[Engine]:
    return [
        _engine("bad:ru", 100),
        _engine("good:pavel", 900),
        _engine("fair:nsh", 600),
        _engine("bad:bg", 100, language="bg"),
    ]


def test_voices_are_listed_best_first_and_each_name_once(known: list[Engine]) -> None:
    known.append(_engine("good:pavel", 880))
    assert [info.name for info in installed("ru", known)] == ["good:pavel", "fair:nsh", "bad:ru"]
    assert installed("ru", known)[0].quality == 900
    assert [info.name for info in installed("bg", known)] == ["bad:bg"]


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("auto", "good:pavel"),
        ("fair:nsh", "fair:nsh"),
        ("NSH", "fair:nsh"),
        ("bad", "bad:ru"),
        ("Good:Pavel", "good:pavel"),
    ],
)
def test_a_voice_is_chosen_by_any_of_its_names(known: list[Engine], wanted: str, name: str) -> None:
    voice = choose("ru", wanted, known=known)
    assert voice is not None
    assert voice.name == name
    assert voice.language == "ru"


def test_no_voice_when_none_is_wanted() -> None:
    assert choose("ru", "none", known=[]) is None


def test_behind_the_chosen_voice_stand_the_others(known: list[Engine]) -> None:
    told: list[tuple[str, str]] = []
    broken = BrokenVoice("fair:nsh", "died")
    known[2] = _engine("fair:nsh", 600, broken)
    voice = choose("ru", "nsh", known=known, rate=16000, on_change=lambda f, name: told.append((f.voice, name)))
    assert voice is not None
    assert voice.render(LINE).rate == 16000
    assert told == [("fair:nsh", "good:pavel")]


def test_an_unknown_name_lists_those_there_are(known: list[Engine]) -> None:
    with pytest.raises(UserError) as error:
        choose("ru", "левитан", known=known)
    assert error.value.key == "tts.unknown-voice"
    assert error.value.params == {"name": "левитан", "voices": "good:pavel, fair:nsh, bad:ru"}


@pytest.mark.parametrize("wanted", ["auto", "pavel"])
@pytest.mark.parametrize(
    ("platform", "language", "key"),
    [
        ("linux", "ru", "tts.no-voice-ru-linux"),
        ("freebsd14", "ru", "tts.no-voice-ru-linux"),
        ("darwin", "bg", "tts.no-voice-bg-mac"),
        ("win32", "bg", "tts.no-voice-bg-windows"),
        ("linux", "uk", "tts.no-voice-other"),
    ],
)
def test_no_voice_for_the_language(
    monkeypatch: pytest.MonkeyPatch, wanted: str, platform: str, language: str, key: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(UserError) as error:
        choose(language, wanted, known=[])
    assert error.value.key == key


def test_a_file_of_the_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tmp_path / "мой голос.onnx"
    model.touch()
    with pytest.raises(UserError) as error:
        choose("ru", str(model))
    assert error.value.key == "tts.voice-file"
    (tmp_path / "мой голос.onnx.json").write_text('{"language": {"code": "ru_RU"}}', encoding="utf-8")
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}" if name == "piper" else None)
    voice = choose("ru", str(model))
    assert voice is not None
    assert voice.name == "piper:мой голос"
    with pytest.raises(UserError):
        choose("bg", str(model))


def test_why_engines_are_missing() -> None:
    info = voice_info("one:a")
    gone, other = Reason("tts.espeak-missing"), Reason("tts.festival-missing")
    here = OneVoiceEngine(info)
    assert missing([OneVoiceEngine(info, reason=gone), here]) == {}
    assert missing([OneVoiceEngine(info, reason=gone), OneVoiceEngine(voice_info("two:a"), reason=other), here]) == {
        "two": other
    }


def test_a_trial_speaks_twice_with_that_voice_alone() -> None:
    voice = SineVoice("one:a")
    engine = _engine("one:a", 500, voice)
    trial = check(voice_info("one:a"), LINE, [_engine("other:b", 900), engine])
    assert voice.said == [LINE, f"{LINE} {LINE}"]
    assert voice.closed == 1
    assert trial.name == "one:a"
    assert trial.sound == pytest.approx(0.07 * 61, abs=0.01)
    assert trial.peak == pytest.approx(0.5, abs=0.01)
    assert min(trial.first, trial.later) > 0


class SecondLineLost(SineVoice):
    def render(self, text: str):  # type: ignore[no-untyped-def]
        if self.said:
            raise VoiceFailed(self.name, "hung", "6 s")
        return super().render(text)


def test_a_trial_of_a_broken_voice() -> None:
    voice = SecondLineLost("one:a")
    with pytest.raises(UserError) as error:
        check(voice_info("one:a"), LINE, [_engine("one:a", 500, voice)])
    assert error.value.key == "tts.voice-broken"
    assert error.value.params == {"name": "one:a", "why": "tts.failed-hung", "detail": "6 s"}
    assert voice.closed == 1


def test_the_engines_are_those_of_the_design() -> None:
    assert [engine.name for engine in engines()] == [
        "piper",
        "rhvoice",
        "rhvoice",
        "say",
        "pyttsx3",
        "speech-dispatcher",
        "festival",
        "espeak-ng",
    ]


def _sentences(language: str) -> dict[str, str]:
    return tomllib.loads((PHRASES / language / "messages" / "tts.toml").read_text(encoding="utf-8"))


def test_every_sentence_is_there_in_both_languages_with_the_same_gaps() -> None:
    russian, bulgarian = _sentences("ru"), _sentences("bg")
    assert list(russian) == list(bulgarian)
    for key, sentence in russian.items():
        gaps = {
            name
            for name in ("name", "voices", "path", "language", "why", "detail", "following", "reason")
            if f"{{{name}}}" in sentence
        }
        assert all(f"{{{name}}}" in bulgarian[key] for name in gaps), key
        assert sentence.count("{") == bulgarian[key].count("{"), key


def test_every_key_that_the_code_names_has_a_sentence() -> None:
    import re

    folder = Path(selection.__file__).parent
    named = {
        key
        for module in folder.glob("*.py")
        for key in re.findall(r'"tts\.([a-z0-9-]+)"', module.read_text(encoding="utf-8"))
    }
    named |= {f"failed-{why}" for why in ("hung", "died", "silent", "refused", "missing")}
    named |= {f"no-voice-{language}-{where}" for language in ("ru", "bg") for where in ("linux", "mac", "windows")}
    assert len(named) > 20
    assert named <= set(_sentences("ru"))
