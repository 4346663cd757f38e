"""Mistakes of users: one clear sentence, the right exit status, never a traceback; and outputs of every kind."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

import voicehost.cli.app as app
from tests.cli.helpers import Call
from voicehost.language.pack import load_pack
from voicehost.tts.selection import installed

ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(sys.platform == "win32", reason="only on systems with POSIX terminals and pipes")


def voicehost(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    """Run the program as a process of its own."""
    environment = {**os.environ, "VOICEHOST_LANG": "ru", **options.pop("env", {})}  # type: ignore[dict-item]
    settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 60, **options}
    command = [sys.executable, "-m", "voicehost", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, encoding="utf-8", check=False, **settings)  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("pley", ["pley", "Возможно, play", "voicehost --help"]),
        ("xyzzy", ["xyzzy", "voicehost --help"]),
        ("rules", ["list, show, check", "voicehost rules --help"]),
        ("rules lst", ["lst", "Возможно, list", "voicehost rules --help"]),
        ("games", ["list, show, resume, export, delete"]),
        ("rules show", ["NAME|FILE", "voicehost rules show --help"]),
        ("rules show sport fsm", ["fsm", "voicehost rules show --help"]),
        ("rules list now", ["now", "voicehost rules list --help"]),
        ("rules show sport --jsn", ["--jsn", "Возможно, --json", "voicehost rules show --help"]),
        ("rules show sport --json=1", ["--json", "без значения", "voicehost rules show --help"]),
        ("play --players", ["--players", "voicehost play --help"]),
        ("play --players ten", ["--players", "ten", "число"]),
        ("play --mode house", ["--mode", "hosted, home"]),
        ("play --nosuch", ["--nosuch", "voicehost play --help"]),
        ("--nosuch", ["--nosuch", "voicehost --help"]),
        ("games export x --format pdf", ["--format", "html, json, csv, text"]),
        ("phrases show", ["LANG", "voicehost phrases show --help"]),
    ],
)
def test_wrong_usage_is_told_in_one_sentence_with_status_two(call: Call, line: str, named: list[str]) -> None:
    done = call(*line.split())
    assert (done.status, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    assert all(word in done.err for word in named)
    assert not re.search(r"No such|Missing|Invalid|Got un|requires|does not|Usage|Error", done.err)


@pytest.mark.parametrize("clock", ["real", "virtual"])
@pytest.mark.parametrize(
    ("options", "named"),
    [
        ("--voice nosuch", ["nosuch", "--voice"]),
        ("--voice nosuch.onnx", ["nosuch.onnx", "Piper"]),
        ("--voice none --record x.wav", ["x.wav", "--voice none"]),
        ("--record x.mp3", ["x.mp3", ".wav"]),
        ("--record .", [".wav"]),
        ("--record nowhere/x.wav", ["nowhere/x.wav", "Папки nowhere нет"]),
        ("--volume 900", ["900", "--volume"]),
        ("--style nosuch", ["nosuch", "noir"]),
    ],
)
def test_what_is_wrong_with_the_sound_is_told_whatever_the_clock(
    call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, clock: str, options: str, named: list[str]
) -> None:
    if "nosuch" in options and "--voice" in options and not installed("ru"):
        pytest.skip("no Russian voice here")
    monkeypatch.chdir(tmp_path)
    done = call("play", "--input", "text", "--clock", clock, "--journal", tmp_path / "j.db", *options.split())
    assert (done.status, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    assert all(word in done.err for word in named)
    assert sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith("j.db")) == []


@pytest.mark.parametrize("clock", ["real", "virtual"])
def test_music_that_is_not_there_is_told_whatever_the_clock(call: Call, tmp_path: Path, clock: str) -> None:
    done = call("play", "--input", "text", "--clock", clock, "--journal", tmp_path / "j.db", "--music", tmp_path)
    assert (done.status, done.out) == (2, "")
    assert str(tmp_path) in done.err


def test_the_sentences_come_in_bulgarian_too(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOICEHOST_LANG", "bg")
    assert "Няма команда „pley“" in call("pley").err


def test_the_bare_program_shows_its_page_and_asks_for_a_command(call: Call) -> None:
    done = call()
    assert (done.status, done.out) == (2, "")
    assert done.err == call("--help").out


def test_numbers_out_of_range_and_paths_of_a_wrong_kind_are_told(
    call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    @click.command(name="doctor")
    @click.option("--count", type=click.IntRange(1, 5))
    @click.option("--file", type=click.Path(exists=True, dir_okay=False))
    def probe(count: int, file: str) -> None:
        """Nothing."""

    monkeypatch.setattr(app.Commands, "get_command", lambda self, ctx, name: probe)
    assert "1…5" in call("doctor", "--count", "9").err
    assert "папка" in call("doctor", "--file", tmp_path).err
    assert "нет" in call("doctor", "--file", tmp_path / "no").err


@pytest.mark.parametrize(
    ("error", "status", "told"),
    [
        (KeyboardInterrupt(), 130, "Остановлено"),
        (PermissionError(13, "Permission denied", "/x/y"), 1, "/x/y"),
        (OSError(28, "No space left on device"), 1, "место"),
        (ValueError("hm"), 1, "--debug"),
        (MemoryError(), 1, "voicehost: "),
    ],
)
def test_whatever_happens_ends_in_a_sentence(
    call: Call, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int, told: str
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr("voicehost.cli.columns.show_columns", fail)
    done = call("rules", "list")
    assert done.status == status
    assert told in done.err
    assert "Traceback" not in done.err
    assert "Permission denied" not in done.err


INTERRUPTED = """
import sys
class Stop:
    at = sys.argv.pop()
    def find_spec(self, name, path=None, target=None):
        if name == self.at:
            self.at = ""
            raise KeyboardInterrupt
sys.meta_path.insert(0, Stop())
from voicehost.cli import main
sys.argv += ["rules", "list"]
main()
"""
"""Ctrl+C while a module is being read."""


@pytest.mark.parametrize(
    "module", ["voicehost.cli.app", "click", "voicehost.cli.rules", "voicehost.cli.columns", "voicehost.language.pack"]
)
def test_ctrl_c_while_the_program_is_still_loading_is_no_accident(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, module], capture_output=True, encoding="utf-8", check=False, timeout=60
    )
    assert (done.returncode, "Traceback" in done.stderr) == (130, False)
    assert len(done.stderr.strip().splitlines()) <= 1


def test_debug_shows_where_it_happened(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ValueError("hm")

    monkeypatch.setattr("voicehost.cli.columns.show_columns", fail)
    with pytest.raises(ValueError, match="hm"):
        call("rules", "list", "--debug")
    monkeypatch.setenv("VOICEHOST_DEBUG", "1")
    with pytest.raises(ValueError, match="hm"):
        call("rules", "list")


def test_a_broken_file_of_sentences_is_told_without_them(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    from voicehost.errors import UserError
    from voicehost.language.pack import Pack

    def broken(self: Pack) -> None:
        raise UserError("language.broken-file", file="cli.toml", line=1, problem="]")

    monkeypatch.setattr(Pack, "messages", property(broken))
    done = call("pley")
    assert done.status == 2
    assert "cli.toml" in done.err


@pytest.mark.parametrize("language", ["ru", "bg"])
@pytest.mark.parametrize("module", ["app", "columns", "games", "phrases", "rules", "topics", "usage"])
def test_every_sentence_that_is_asked_for_exists(module: str, language: str) -> None:
    source = (Path(app.__file__).parent / f"{module}.py").read_text(encoding="utf-8")
    messages = load_pack(language).messages
    keys = [key.split(".") for key in re.findall(r'"([a-z]+\.[a-z-]+)"', source)]
    assert [f"{file}.{name}" for file, name in keys if name not in {"toml", *messages.get(file, {name})}] == []


@pytest.mark.parametrize("language", ["ru", "bg"])
def test_sentences_end_like_sentences(language: str) -> None:
    for name, text in load_pack(language).messages["usage"].items():
        assert re.search(r"[.]$|\{help\}$", text), name


# --- as a process


def test_a_mistake_leaves_no_traceback_and_its_status() -> None:
    done = voicehost("rules", "show", "nothing.toml")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("voicehost: ")
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" in voicehost("rules", "show", "nothing.toml", "--debug").stderr


@pytest.mark.parametrize("locale", ["C", "POSIX", "en_US.ISO-8859-1"])
def test_cyrillic_is_utf8_whatever_the_locale(locale: str) -> None:
    done = voicehost("rules", "list", env={"LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"})
    assert done.returncode == 0
    assert "Спортивная мафия" in done.stdout
    wrong = voicehost("rules", "shw", env={"LC_ALL": locale, "PYTHONUTF8": "0"})
    assert "Команды «shw» нет" in wrong.stderr


@posix
@pytest.mark.parametrize(
    "line", ["rules show fsm", "rules list", "phrases show ru", "--help", "help", "help commands", "games --help"]
)
def test_a_reader_that_leaves_is_no_fault(line: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = voicehost(*line.split(), stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


@posix
def test_streams_may_be_closed_from_the_start() -> None:
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        command = f'"{sys.executable}" -m voicehost rules list {closed}'
        done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
        assert (done.returncode, done.stderr) == (0, ""), closed


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only on systems with /dev/full")
@pytest.mark.parametrize("line", ["rules list", "--help", "games list"])
def test_a_full_disk_is_told(line: str) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = voicehost(*line.split(), stdout=full)
    assert done.returncode == 1
    assert done.stderr == "voicehost: Не записано: на диске кончилось место. Освободите его и повторите.\n"


def on_terminal(*arguments: str, **environment: str) -> str:
    """Run the program on a terminal of its own; return what it shows."""
    import pty

    master, slave = pty.openpty()
    try:
        done = subprocess.Popen(
            [sys.executable, "-m", "voicehost", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=ROOT,
            env={**os.environ, "TERM": "xterm", "VOICEHOST_LANG": "ru", **environment},
        )
        os.close(slave)
        shown = b""
        while True:
            try:
                block = os.read(master, 65536)
            except OSError:  # Linux' way to say that nobody writes any more
                break
            if not block:
                break
            shown += block
        done.wait(timeout=60)
        return shown.decode("utf-8")
    finally:
        os.close(master)


@posix
@pytest.mark.parametrize("line", ["rules list", "rules shw", "rules show fsm", "phrases show ru"])
def test_colour_is_for_terminals_and_can_be_refused(line: str) -> None:
    assert "\x1b[" in on_terminal(*line.split(), NO_COLOR="")
    assert "\x1b" not in on_terminal(*line.split(), NO_COLOR="1")
    assert "\x1b" not in voicehost(*line.split()).stdout


@posix
def test_a_pager_gets_the_topic_in_letters_that_it_can_show() -> None:
    shown = on_terminal("help", "home", PAGER="cat", LC_ALL="C")
    assert "Игра без ведущего" in shown


def test_the_help_of_the_program_needs_none_of_its_rooms() -> None:
    code = (
        "import sys, voicehost.cli.app as app; app.run(['--help']);"
        "print(*sorted(name for name in sys.modules if name.startswith('voicehost.')), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    loaded = set(done.stderr.split())
    assert loaded == {
        f"voicehost.{name}" for name in ("cli", "cli.app", "cli.examples", "cli.texts", "cli.usage", "errors")
    }
