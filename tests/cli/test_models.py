"""``voicehost models``: from the server, a stick or nothing to an installed model, and how each call ends."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.helpers import Call
from tests.components import RECORDINGS, TINY_MODEL, require
from tests.models.server import Manners, serving
from tests.models.test_installation import FILES, VOSK, packed, write
from voicehost import catalog, download, models

NAMES = ("whisper-quiet", "vosk-model-ru-loud")


@pytest.fixture
def manners() -> Manners:
    made = Manners()
    made.files |= {f"/hub/{name}": data for name, data in FILES.items()}
    made.files["/vosk.zip"] = packed(VOSK, "vosk-model-ru-loud-0.1/")
    return made


@pytest.fixture
def base(manners: Manners) -> Iterator[str]:
    with serving(manners) as address:
        yield address


@pytest.fixture(autouse=True)
def here(base: str, manners: Manners, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder of its own and a catalogue of small models; gives the folder with installed ones."""
    monkeypatch.setattr(models, "user_folder", lambda: tmp_path / "models")
    monkeypatch.setattr("voicehost.installation.user_folder", lambda: tmp_path / "models")
    monkeypatch.delenv(models.VARIABLE, raising=False)
    quick = download.Patience(timeout=2.0, tries=2, pause=0.01)
    monkeypatch.setattr(download, "Patience", lambda: quick)
    about = 'about = { ru = "маленькая", bg = "малка" }'
    archive = manners.files["/vosk.zip"]
    text = f"""
[{models.EMBEDDED}]
kind = "vosk"
embedded = true
languages = ["ru"]
licence = "MIT"
size = 2_800_000
{about}
[whisper-quiet]
kind = "whisper"
languages = ["ru", "bg"]
licence = "MIT"
size = {sum(map(len, FILES.values()))}
{about}
"""
    for name, data in FILES.items():
        digest = hashlib.sha256(data).hexdigest()
        text += f'[[whisper-quiet.files]]\nname = "{name}"\nsize = {len(data)}\nsha256 = "{digest}"\n'
    for place in ("nowhere", "hub"):
        text += f'[[whisper-quiet.sources]]\nkind = "files"\naddress = "{base}/{place}"\n'
    text += f"""
[vosk-model-ru-loud]
kind = "vosk"
languages = ["ru"]
licence = "Apache-2.0"
size = 1000
{about}
[[vosk-model-ru-loud.sources]]
kind = "zip"
address = "{base}/vosk.zip"
size = {len(archive)}
sha256 = "{hashlib.sha256(archive).hexdigest()}"
"""
    (tmp_path / "catalog.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(catalog, "catalogue_file", lambda: tmp_path / "catalog.toml")
    catalog.catalogue.cache_clear()
    yield tmp_path / "models"
    catalog.catalogue.cache_clear()


def states(call: Call) -> dict[str, str]:
    rows = [json.loads(line) for line in call("models", "list", "--json").out.splitlines()]
    return {row["name"]: row["state"] for row in rows}


def test_a_model_is_installed_listed_checked_and_removed(call: Call, here: Path) -> None:
    assert states(call) == {models.EMBEDDED: "embedded", NAMES[0]: "available", NAMES[1]: "available"}
    done = call("models", "install", *NAMES, NAMES[0])
    assert done.status == 0
    assert [str(here / name) in line for name, line in zip(NAMES, done.out.splitlines(), strict=True)] == [True, True]
    assert "код 404" in done.err  # the first source of the first model has nothing
    assert set(states(call).values()) == {"embedded", "installed"}
    assert call("models", "verify").status == 0
    for name in NAMES:
        assert call("models", "verify", name).out == f"{name}: файлы целы.\n"
        assert call("models", "remove", name).status == 0
    assert not list(here.iterdir())


def test_the_list_shows_each_model_with_its_licence_and_size(call: Call) -> None:
    done = call("models", "list")
    assert done.status == 0
    rows = {line.split()[0]: line for line in done.out.splitlines()[1:]}
    assert set(rows) == {models.EMBEDDED, *NAMES}
    assert "Apache-2.0" in rows["vosk-model-ru-loud"]
    assert "можно установить" in rows["whisper-quiet"]


def test_a_connection_that_breaks_is_taken_up_where_it_broke(call: Call, manners: Manners) -> None:
    manners.cut_after = [300, 100]
    assert call("models", "install", "vosk-model-ru-loud").status == 0
    assert manners.ranges == [None, "bytes=300-", "bytes=400-"]


def test_a_download_that_was_given_up_goes_on_next_time(call: Call, manners: Manners, here: Path) -> None:
    manners.cut_after = [300, 0, 0, 0, 0]
    done = call("models", "install", "vosk-model-ru-loud")
    assert done.status == 1
    assert "/vosk.zip" in done.err
    assert states(call)["vosk-model-ru-loud"] == "available"
    manners.cut_after, manners.ranges = [], []
    assert call("models", "install", "vosk-model-ru-loud").status == 0
    assert manners.ranges == ["bytes=300-"]
    assert [path.name for path in here.iterdir()] == ["vosk-model-ru-loud"]


def test_what_is_left_of_a_download_that_was_given_up_can_be_removed(call: Call, manners: Manners, here: Path) -> None:
    manners.cut_after = [300, 0, 0, 0, 0]
    assert call("models", "install", "vosk-model-ru-loud").status == 1
    assert list(here.iterdir())
    assert call("models", "remove", "vosk-model-ru-loud").status == 0
    assert not list(here.iterdir())


@pytest.mark.parametrize("trouble", ["wrong file", "larger", "smaller", "refuses", "is not there"])
def test_a_server_that_gives_no_model_is_told_in_a_sentence_and_installs_nothing(
    call: Call, manners: Manners, here: Path, trouble: str
) -> None:
    match trouble:
        case "wrong file":
            manners.files["/vosk.zip"] = manners.files["/vosk.zip"][:-1] + b"x"
        case "larger":
            manners.files["/vosk.zip"] += b"more"
        case "smaller":
            manners.lie_about_size = -5
        case "refuses":
            manners.statuses = [403] * 9
        case "is not there":
            del manners.files["/vosk.zip"]
    done = call("models", "install", "vosk-model-ru-loud")
    assert (done.status, done.out) == (1, "")
    sentence = done.err.splitlines()[-1]
    assert "vosk-model-ru-loud" in sentence
    assert "/vosk.zip" in sentence
    assert "Traceback" not in done.err
    assert not (here / "vosk-model-ru-loud").exists()


@pytest.mark.parametrize("what", ["folder", "archive", "folder of the archive"])
def test_without_a_network_a_model_comes_from_what_the_user_has(
    call: Call, manners: Manners, tmp_path: Path, what: str
) -> None:
    archive = manners.files["/vosk.zip"]
    manners.statuses = [500] * 20
    stick = tmp_path / "stick"
    if what == "folder":
        name, source = "whisper-quiet", write(stick / "whisper-quiet", FILES)
    else:
        name, source = "vosk-model-ru-loud", write(stick, {"loud.zip": archive})
        source = source / "loud.zip" if what == "archive" else source
    done = call("models", "install", name, "--from", source)
    assert (done.status, done.err) == (0, "")
    assert manners.ranges == []
    assert call("models", "verify", name).status == 0


def test_imports_that_do_not_fit_are_told(call: Call, tmp_path: Path) -> None:
    write(tmp_path / "stick", {"model.bin": b"other"})
    for source in (tmp_path / "stick", tmp_path / "nowhere"):
        done = call("models", "install", "whisper-quiet", "--from", source)
        assert (done.status, done.out, len(done.err.splitlines())) == (1, "", 1)
        assert str(source) in done.err
    assert call("models", "install", *NAMES, "--from", tmp_path / "stick").status == 2


def test_damage_is_named_and_mended_by_installing_anew(call: Call, here: Path) -> None:
    assert call("models", "install", "whisper-quiet").status == 0
    (here / "whisper-quiet" / "config.json").write_bytes(b"rot")
    for arguments in (("verify",), ("verify", "whisper-quiet")):
        done = call("models", *arguments)
        assert done.status == 1
        assert "config.json" in done.out
    assert call("models", "install", "whisper-quiet").status == 1  # it is there already
    assert call("models", "remove", "whisper-quiet").status == 0
    assert call("models", "install", "whisper-quiet").status == 0
    assert call("models", "verify").status == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("models", "install"),
        ("models", "verify"),
        ("models", "remove"),
        ("evaluate", ".", "--model"),
        ("evaluate", ".", "--recogniser", "both", "--model"),
    ],
)
def test_a_name_that_nobody_knows_ends_alike_everywhere(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    write(tmp_path / "set", {"a.wav": b""})
    (tmp_path / "set" / "manifest.tsv").write_text(
        "file\ttext\tcommand\tslots\tstate\tset\na.wav\tпас\tshot\t{}\tnight-hunt\tx\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path / "set")
    done = call(*arguments, "vosk-model-klingon")
    assert (done.status, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert "vosk-model-klingon" in done.err
    assert "whisper-quiet" in done.err


@pytest.mark.parametrize("verb", ["verify", "remove"])
def test_a_known_model_that_is_not_installed_is_no_wrong_usage(call: Call, verb: str) -> None:
    done = call("models", verb, "whisper-quiet")
    assert (done.status, done.out, len(done.err.splitlines())) == (1, "", 1)


@pytest.mark.parametrize("verb", ["install", "remove"])
def test_the_embedded_model_stays(call: Call, verb: str) -> None:
    done = call("models", verb, models.EMBEDDED)
    assert (done.status, len(done.err.splitlines())) == (1, 1)
    assert call("models", "verify", models.EMBEDDED).status == 0


@pytest.mark.parametrize("name", ["..", "../stick", "/"])
def test_nothing_but_models_is_removed(call: Call, tmp_path: Path, here: Path, name: str) -> None:
    write(tmp_path / "stick", FILES)
    here.mkdir()
    assert call("models", "remove", name).status in {1, 2}
    assert (tmp_path / "stick" / "model.bin").exists()


@pytest.mark.parametrize(("language", "missing"), [("ru", "whisper-base"), ("bg", "whisper-base")])
def test_hearing_with_both_says_which_model_is_missing(call: Call, tmp_path: Path, language: str, missing: str) -> None:
    write(tmp_path / "set", {"a.wav": b""})
    (tmp_path / "set" / "manifest.tsv").write_text(
        "file\ttext\tcommand\tslots\tstate\tset\na.wav\tпас\tshot\t{}\tnight-hunt\tx\n", encoding="utf-8"
    )
    done = call("evaluate", tmp_path / "set", "--recogniser", "both", "--language", language)
    assert (done.status, done.out, len(done.err.splitlines())) == (1, "", 1)
    assert f"voicehost models install {missing}" in done.err


def test_a_table_of_errors_that_cannot_be_written_is_told_before_the_work(call: Call, tmp_path: Path) -> None:
    write(tmp_path / "set", {"a.wav": b""})
    (tmp_path / "set" / "manifest.tsv").write_text(
        "file\ttext\tcommand\tslots\tstate\tset\na.wav\tпас\tshot\t{}\tnight-hunt\tx\n", encoding="utf-8"
    )
    table = tmp_path / "no such folder" / "errors.tsv"
    done = call("evaluate", tmp_path / "set", "--errors", table)
    assert (done.status, done.out, len(done.err.splitlines())) == (1, "", 1)
    assert str(table) in done.err


def test_figures_are_told_even_when_their_table_has_no_room(call: Call) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no disk here that is always full")
    require("vosk")
    done = call("evaluate", RECORDINGS, "--model", TINY_MODEL, "--errors", full)
    assert done.status == 1
    assert json.loads(done.out)["overall"]["n"] > 0
    assert str(full) in done.err


def test_hearing_with_both_in_a_language_that_vosk_does_not_know(call: Call, tmp_path: Path) -> None:
    assert call("models", "install", "whisper-quiet").status == 0
    write(tmp_path / "set", {"a.wav": b""})
    (tmp_path / "set" / "manifest.tsv").write_text(
        "file\ttext\tcommand\tslots\tstate\tset\na.wav\tпас\tshot\t{}\tnight-hunt\tx\n", encoding="utf-8"
    )
    done = call("evaluate", tmp_path / "set", "--recogniser", "both", "--language", "bg")
    assert (done.status, len(done.err.splitlines())) == (1, 1)
    assert "Vosk" in done.err
    assert "install" not in done.err
