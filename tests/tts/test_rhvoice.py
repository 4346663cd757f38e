from __future__ import annotations

from pathlib import Path

import pytest

from tests.tts.helpers import Program, tone, wav_bytes
from voicehost.tts import rhvoice
from voicehost.tts.rhvoice import Installed, RHVoiceLibraryEngine, RHVoiceProgramEngine, find_installed
from voicehost.tts.voice import Reason, VoiceFailed

PROGRAM = """
    arguments = sys.argv[1:]
    text = sys.stdin.buffer.read().decode("utf-8")
    with open(os.path.join(here, "said"), "w", encoding="utf-8") as log:
        json.dump([arguments[:2], text], log)
    with open(arguments[arguments.index("-o") + 1], "wb") as file:
        file.write({sound!r})
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "RHVoice"
    for name, language in (("Anna", "Russian"), ("Pavel", "Russian"), ("Борис", "Russian"), ("Slt", "English")):
        info = folder / "voices" / name.lower() / "voice.info"
        info.parent.mkdir(parents=True)
        info.write_text(f"name={name}\nlanguage={language}\nformat=4\n", encoding="utf-8")
    return folder


def test_where_it_is_looked_for(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = data / "libRHVoice.so.5"
    library.touch()
    known = {"RHVOICEDATAPATH": str(data), "RHVOICECONFIGPATH": str(data.parent), "RHVOICELIBPATH": str(library)}
    assert find_installed(known) == Installed(data, data.parent, str(library))
    gone = find_installed({**known, "RHVOICELIBPATH": str(data / "absent.so")})
    assert gone is not None
    assert gone.library is None
    monkeypatch.setattr(rhvoice, "_DATA_PLACES", ())
    assert find_installed({}) is None


def test_the_clearest_voice_comes_first_with_its_licence(data: Path) -> None:
    engine = RHVoiceLibraryEngine(lambda: Installed(data, data, "lib.so"))
    infos = engine.voices("ru")
    assert [info.name for info in infos] == ["rhvoice:pavel", "rhvoice:anna", "rhvoice:борис"]
    assert [info.licence for info in infos] == ["CC-BY-NC-ND-4.0", "LGPL-2.1-or-later", "CC-BY-NC-ND-4.0"]
    assert engine.voices("bg") == []


def test_why_it_cannot_be_used(data: Path) -> None:
    without = Installed(data, data, None)
    assert RHVoiceLibraryEngine(lambda: None).available() == Reason("tts.rhvoice-missing")
    assert RHVoiceLibraryEngine(lambda: without).available() == Reason("tts.rhvoice-library-missing")
    assert RHVoiceLibraryEngine(lambda: without).voices("ru") == []
    assert RHVoiceProgramEngine(["program"], lambda: None).available() == Reason("tts.rhvoice-missing")
    assert RHVoiceProgramEngine(["program"], lambda: without).available() is None


def test_a_library_that_cannot_be_loaded_is_a_failure(data: Path) -> None:
    engine = RHVoiceLibraryEngine(lambda: Installed(data, data, str(data / "absent.so")))
    with pytest.raises(VoiceFailed, match="died"):
        engine.open(engine.voices("ru")[0]).render("раз")


def test_the_program_gets_the_text_by_stdin(data: Path, program: Program) -> None:
    argv = program(PROGRAM.format(sound=wav_bytes(tone(0.5))))
    engine = RHVoiceProgramEngine(argv, lambda: Installed(data, data, None))
    voice = engine.open(engine.voices("ru")[0])
    assert voice.render('Фол "игроку"\nтри').seconds == 0.5
    said = Path(argv[1]).with_name("said").read_text(encoding="utf-8")
    assert rhvoice_said(said) == (["-p", "Pavel"], 'Фол "игроку" три')


def rhvoice_said(text: str) -> tuple[list[str], str]:
    import json

    arguments, said = json.loads(text)
    return arguments, said


def test_a_program_that_writes_nothing(data: Path, program: Program) -> None:
    engine = RHVoiceProgramEngine(program("pass"), lambda: Installed(data, data, None))
    with pytest.raises(VoiceFailed, match="silent"):
        engine.open(engine.voices("ru")[0]).render("раз")
