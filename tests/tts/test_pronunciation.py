from __future__ import annotations

from pathlib import Path

import pytest

from tests.tts.helpers import SineVoice
from voicehost.errors import UserError
from voicehost.tts import pronunciation
from voicehost.tts.pronunciation import PronouncedVoice, entries_for, pronounced
from voicehost.tts.voice import ACCENT, speakable


@pytest.fixture(autouse=True)
def no_user_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "pronunciation.toml"
    monkeypatch.setattr(pronunciation, "user_file", lambda: path)
    return path


def test_whole_words_longest_first_in_any_case() -> None:
    voice = PronouncedVoice(SineVoice(), {"номера": "номера́", "против номера": "против но́мера", "дон": "дооон"})
    assert voice.spoken("Против  номера пять, номера два. Дона нет, Дон!") == (
        "Против но́мера пять, номера́ два. Дона нет, Дооон!"
    )


def test_the_inner_voice_gets_what_is_to_be_spoken() -> None:
    inner = SineVoice("rhvoice:x")
    voice = pronounced(inner, "rhvoice", "ru")
    voice.render("Номер пять набирает два голоса.")
    assert inner.said == ["Номер пять набирает два го́лоса."]
    assert voice.name == "rhvoice:x"
    voice.close()
    assert inner.closed == 1


def test_engines_without_accents_get_none() -> None:
    assert not any(ACCENT in spoken for spoken in entries_for("festival", "ru").values())
    assert any(ACCENT in spoken for spoken in entries_for("rhvoice", "ru").values())


def test_the_engines_own_entries_go_before_all_and_the_users_before_both(no_user_file: Path) -> None:
    assert entries_for("espeak-ng", "ru")["глаза"] == "глаза́"
    assert "глаза" not in entries_for("rhvoice", "ru")
    no_user_file.write_text('[any.ru]\n"голоса" = "голосочки"\n[piper.bg]\n"глас" = "гласс"\n', encoding="utf-8")
    assert entries_for("rhvoice", "ru")["голоса"] == "голосочки"
    assert entries_for("piper", "bg") == {"глас": "гласс"}


@pytest.mark.parametrize("text", ["[", '[any]\nru = "x"', "[any.ru]\nслово = 1", '[any.ru]\n"слово" = 1'])
def test_a_broken_file_of_the_user_is_told(text: str, no_user_file: Path) -> None:
    no_user_file.write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as caught:
        entries_for("rhvoice", "ru")
    assert caught.value.key == "tts.pronunciation-broken"


def test_without_entries_the_voice_is_left_as_it_is() -> None:
    voice = SineVoice()
    assert pronounced(voice, "say", "bg") is voice


def test_accents_reach_only_those_who_understand_them() -> None:
    assert speakable("но́мера") == "номера"
    assert speakable("но́мера", stressed=True) == "но́мера"
