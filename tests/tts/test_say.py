from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.tts.helpers import Program, tone, wav_bytes
from voicehost.tts.say import SayEngine
from voicehost.tts.voice import Reason, VoiceFailed

PROGRAM = """
    if sys.argv[1:] == ["-v", "?"]:
        sys.stdout.buffer.write({listing!r}.encode("utf-8"))
        sys.exit()
    arguments = dict(zip(sys.argv[1::2], sys.argv[2::2]))
    flags = [a for a in sys.argv if a.startswith("--")]
    source = sys.argv[sys.argv.index("-f") + 1]
    with open(os.path.join(here, "said"), "w", encoding="utf-8") as log:
        json.dump([sys.argv[2], flags, open(source, encoding="utf-8").read()], log)
    with open(sys.argv[sys.argv.index("-o") + 1], "wb") as file:
        file.write({sound!r})
"""
LISTING = """\
Alex                en_US    # Most people recognize me by my voice.
Daria               bg_BG    # Здравейте! Казвам се Дария.
Milena              ru_RU    # Здравствуйте! Меня зовут Милена.
Milena (Enhanced)   ru_RU    # Здравствуйте! Меня зовут Милена.
Eddy (Russian (Russia)) ru_RU    # Здравствуйте! Меня зовут Eddy.
"""


@pytest.fixture
def argv(program: Program) -> list[str]:
    return program(PROGRAM.format(listing=LISTING, sound=wav_bytes(tone(0.5, 22050))))


def test_the_voices_of_the_system(argv: list[str]) -> None:
    engine = SayEngine(argv)
    assert engine.available() is None
    names = [info.name for info in engine.voices("ru")]
    assert names == ["say:Milena", "say:Milena (Enhanced)", "say:Eddy (Russian (Russia))"]
    assert [info.ident for info in engine.voices("bg")] == ["Daria"]
    assert engine.voices("uk") == []


def test_text_goes_by_a_file(argv: list[str]) -> None:
    engine = SayEngine(argv)
    voice = engine.open(engine.voices("ru")[0])
    assert voice.render('Фол "третьему" [[volm 0]]\n🎲').seconds == 0.5
    said = json.loads(Path(argv[1]).with_name("said").read_text(encoding="utf-8"))
    assert said == ["Milena", ["--file-format=WAVE", "--data-format=LEI16@22050"], 'Фол "третьему" ((volm 0))']


def test_a_program_that_cannot_be_used(program: Program) -> None:
    broken = SayEngine(program("sys.exit(1)"))
    assert broken.voices("ru") == []
    lying = SayEngine(program(f"sys.argv[1:] == ['-v', '?'] and sys.stdout.buffer.write({LISTING!r}.encode())"))
    with pytest.raises(VoiceFailed, match="silent"):
        lying.open(lying.voices("ru")[0]).render("раз")


@pytest.mark.skipif(sys.platform == "darwin", reason="only on other systems than macOS")
def test_it_is_missing_elsewhere() -> None:
    assert SayEngine().available() == Reason("tts.say-missing")
