from __future__ import annotations

import pytest

from tests.tts.helpers import Program, started, tone, wav_bytes
from voicehost.tts.festival import FestivalEngine, pieces, plain
from voicehost.tts.voice import Reason, VoiceFailed

LISP = r"""
    import re
    sound = {sound!r}
    for line in sys.stdin:
        if "voice.list" in line:
            print("(msu_ru_nsh_clunits kal_diphone)", flush=True)
        elif line.startswith("(voice_"):
            print("LTS rules loaded", flush=True)
        elif line.startswith("(utt.save.wave"):
            text, path = re.findall(r'"([^"]*)"', line)
            with open(os.path.join(here, "said"), "a", encoding="utf-8") as log:
                log.write(text + "\n")
            if "молчи" in text:
                print("SIOD ERROR", flush=True)
                continue
            if "зависни" in text:
                time.sleep(600)
            with open(path, "wb") as file:
                file.write(sound)
        elif "(format t" in line:
            print("\n@@done@@", flush=True)
"""


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('Он сказал: "фол" (третий)', "Он сказал, фол, третий"),
        ("Дон — чёрный… 100%", "Дон, чёрный. 100"),
        ('") (quit) (print "', "quit, print"),
        ("раз\\два\nтри+четыре", "раз два три четыре"),
        ("Café №5", "Caf номер 5"),
    ],
)
def test_only_signs_that_the_rules_know_are_left(text: str, kept: str) -> None:
    assert plain(text) == kept


def test_long_texts_are_cut_at_sentences_then_commas_then_spaces() -> None:
    assert pieces("Раз. Два, три. Четыре", 12) == ["Раз.", "Два, три.", "Четыре"]
    assert pieces("один, два три", 8) == ["один,", "два три"]
    assert pieces("а" * 25, 10) == ["а" * 10, "а" * 10, "а" * 5]
    assert pieces("…, ! ?") == []
    text = " ".join(f"Игрок номер {n}, ваша минута." for n in range(100))
    assert " ".join(pieces(text)) == text
    assert max(map(len, pieces(text))) <= 300


@pytest.fixture
def argv(program: Program) -> list[str]:
    return program(LISP.format(sound=wav_bytes(tone(0.5))))


def test_it_asks_the_program_for_its_voices(argv: list[str]) -> None:
    engine = FestivalEngine(argv)
    assert engine.available() is None
    assert [info.name for info in engine.voices("ru")] == ["festival:msu_ru_nsh"]
    assert engine.voices("bg") == []


def test_why_it_cannot_be_used(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    silent = FestivalEngine(program("print('()')"))
    assert silent.voices("ru") == []
    assert silent.available() == Reason("tts.festival-without-voice")
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert FestivalEngine().available() == Reason("tts.festival-missing")
    assert FestivalEngine().voices("ru") == []


def test_one_program_speaks_all_lines_and_long_ones_in_pieces(argv: list[str]) -> None:
    engine = FestivalEngine(argv)
    (info,) = engine.voices("ru")
    before = len(started(argv))
    voice = engine.open(info)
    try:
        assert voice.render("Раз").seconds == 0.5
        assert voice.render("Два. " * 100).seconds == 1.0
        assert voice.render("…").seconds == 0.0
    finally:
        voice.close()
    assert len(started(argv)) == before + 1


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(("text", "why"), [("молчи", "silent"), ("зависни", "hung")])
def test_after_a_failure_it_starts_anew(argv: list[str], text: str, why: str) -> None:
    engine = FestivalEngine(argv)
    voice = engine.open(engine.voices("ru")[0])
    try:
        with pytest.raises(VoiceFailed) as failed:
            voice.render(text)
        assert failed.value.why == why
        assert voice.render("Раз").seconds == 0.5
    finally:
        voice.close()
