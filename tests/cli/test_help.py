"""Help: topics and pages that tell the truth. What they quote is understood, what they show is taken."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import click
import pytest

import voicehost.cli.app as app
from tests.cli.helpers import Call
from voicehost.cli.app import COMMANDS as MODULES
from voicehost.cli.app import root
from voicehost.cli.topics import TOPICS, text_of
from voicehost.hosting.inputs import PHONE_VERBS, Phone, Unclear, read_line
from voicehost.language.commands import parse
from voicehost.language.pack import load_pack
from voicehost.rules.commands import COMMANDS

ENGLISH = re.compile(r"Usage:|Options:|Commands:|Arguments|Show |exit\.|\[OPTIONS\]|COMMAND|ARGS|default:|required")
"""What click would put into help pages by itself."""


def tree(command: click.Command, *path: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command with its path."""
    yield path, command
    if isinstance(command, click.Group):
        ctx = click.Context(command)
        for name in command.list_commands(ctx):
            if not path and find_spec(f"voicehost.cli.{MODULES[name]}") is None:
                continue  # one test tells, the others still run
            below = command.get_command(ctx, name)
            assert below is not None
            yield from tree(below, *path, name)


TREE = list(tree(root))
EXAMPLES = [
    line.strip()
    for _, command in TREE
    for line in (command.epilog or "").splitlines()
    if line.strip().startswith("voicehost")
]


def accept(line: str) -> None:
    """Let click read a command line, without running it."""
    command_line = re.split(r"\s{2,}| [>|] ", line)[0]
    program, *arguments = shlex.split(command_line)
    assert program == "voicehost"
    command: click.Command = root
    ctx = click.Context(root, info_name="voicehost")
    while isinstance(command, click.Group):
        assert arguments, f"{line}: a command is missing"
        name, *arguments = arguments
        found = command.get_command(ctx, name)
        assert found is not None, f"{line}: no command {name}"
        command = found
    try:
        command.make_context(command.name, arguments, ctx)
    except click.BadParameter as error:
        if not isinstance(getattr(error.param, "type", None), click.Path):  # an example's file need not be there
            raise


def test_every_command_has_a_page() -> None:
    assert {path[0] for path, _ in TREE if path} == set(MODULES)


@pytest.mark.parametrize(("path", "command"), TREE, ids=[" ".join(path) or "root" for path, _ in TREE])
def test_every_page_is_russian_and_says_what_the_command_does(
    call: Call, path: tuple[str, ...], command: click.Command
) -> None:
    done = call(*path, "--help")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith(f"Использование: voicehost{''.join(f' {name}' for name in path)}")
    assert not ENGLISH.search(done.out)
    assert command.help
    assert re.search("[а-я]", command.help)
    assert done.out == call(*path, "-h").out
    examples = [line for line in done.out.splitlines() if line.strip().startswith("voicehost ")]
    assert len(examples) >= 2
    if path:
        own = [line for line in examples if line.split()[1 : len(path) + 1] == list(path)]
        assert len(own) >= 2, "the examples are those of this command"


@pytest.mark.parametrize("line", EXAMPLES)
def test_examples_of_the_pages_are_taken(line: str) -> None:
    accept(line)


def test_there_are_examples_to_try() -> None:
    assert len(EXAMPLES) > 20


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("voicehost rules show", click.MissingParameter),
        ("voicehost play --ruls fsm", click.NoSuchOption),
        ("voicehost play --mode house", click.BadParameter),
    ],
)
def test_the_trial_of_examples_can_fail(line: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        accept(line)


# --- topics


def test_without_a_topic_all_are_listed_with_their_titles(call: Call) -> None:
    done = call("help")
    assert done.status == 0
    rows = [line.split(maxsplit=1) for line in done.out.splitlines()]
    assert tuple(row[0] for row in rows[: len(TOPICS)]) == TOPICS
    assert all(re.search("[а-я]", row[1]) for row in rows)


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_goes_to_a_pipe_as_it_is_written(call: Call, topic: str) -> None:
    done = call("help", topic)
    assert (done.status, done.err) == (0, "")
    assert done.out == text_of(topic)
    assert done.out.startswith("# ")
    assert "\x1b" not in done.out


def test_on_a_terminal_a_topic_is_rendered_and_goes_through_a_pager(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    paged: list[str] = []
    monkeypatch.setattr(click, "echo_via_pager", paged.append)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert call("help", "home").status == 0
    (text,) = paged
    assert "\x1b[" in text
    assert "# Игра" not in text
    assert "Игра без ведущего" in text
    plain = re.sub(r"\x1b\[[\d;]*m", "", text)
    assert max(map(len, plain.splitlines())) <= 100


def test_help_of_a_command_is_its_page(call: Call) -> None:
    assert call("help", "games").out == call("games", "--help").out
    assert call("help", "play").out == call("play", "--help").out


def test_an_unknown_topic_is_wrong_usage(call: Call) -> None:
    done = call("help", "pules")
    assert (done.status, done.out) == (2, "")
    assert all(topic in done.err for topic in TOPICS)


# --- what the documentation promises

WRITTEN = {
    topic: text_of(topic) for topic in TOPICS if (Path(app.__file__).parents[1] / "docs" / f"{topic}.md").exists()
}


def table_rows(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        if line.startswith("|") and not set(line) <= set("|- "):
            yield [cell.strip() for cell in line.strip("|").split("|")]


SAID = [
    (language, wording, row[3].strip("`"))
    for row in table_rows(WRITTEN["commands"])
    if len(row) == 4 and row[3].startswith("`")
    for language, cell in (("ru", row[1]), ("bg", row[2]))
    for wording in re.findall("«(.+?)»", cell)
]


@pytest.mark.parametrize(("language", "wording", "command"), SAID)
def test_what_may_be_said_is_understood_as_the_command_beside_it(language: str, wording: str, command: str) -> None:
    heard = parse(load_pack(language), wording)
    assert heard is not None
    assert heard.command.name == command


def test_every_command_is_documented_in_both_languages() -> None:
    spoken = {name for name, command in COMMANDS.items() if command.spoken}
    assert {command for language, _, command in SAID if language == "ru"} == spoken
    assert {command for language, _, command in SAID if language == "bg"} == spoken


def test_what_is_called_no_command_is_none() -> None:
    pack = load_pack("ru")
    text = WRITTEN["commands"]
    assert "«я бы выставил пятого» ею не будет" in text.replace("\n", " ")
    assert parse(pack, "я бы выставил пятого") is None
    for wording in ("фол 3", "что можно сказать"):
        assert f"«{wording}»" in text
        assert parse(pack, wording) is not None


NO_LINES = {"/seat", "/wait", "/overlay", "/host", "/join"}
"""Beginnings of lines, and paths of pages."""


@pytest.mark.parametrize("topic", WRITTEN)
def test_lines_that_are_no_speech_are_known(topic: str) -> None:
    lines = [line for line in re.findall(r"`(/[^`]+)`", WRITTEN[topic]) if "…" not in line and line not in NO_LINES]
    assert [line for line in lines if isinstance(read_line(line), Unclear)] == []
    if topic == "home":
        phones = [what for line in lines if isinstance(what := read_line(line), Phone)]
        assert {phone.verb for phone in phones} == set(PHONE_VERBS)


PROMISED = [
    (topic, line)
    for topic in WRITTEN
    for line in re.findall(r"(?m)`(voicehost [^`\n]+)`|^(voicehost .+)$", WRITTEN[topic])
    for line in line
    if line
]


@pytest.mark.parametrize(("topic", "line"), PROMISED)
def test_commands_of_the_documentation_are_taken(topic: str, line: str) -> None:
    accept(line)


OPTIONS = [(topic, line) for topic in WRITTEN for line in re.findall(r"`(--[^`\n]+)`", WRITTEN[topic])]


@pytest.mark.parametrize(("topic", "line"), OPTIONS)
def test_options_of_the_documentation_exist(topic: str, line: str) -> None:
    names = [word.partition("=")[0] for word in shlex.split(line) if word.startswith("--")]
    known = {name for _, command in TREE for param in command.params for name in param.opts}
    assert [name for name in names if name not in known] == []


@pytest.mark.parametrize("topic", WRITTEN)
def test_topics_and_files_that_are_named_exist(topic: str) -> None:
    text = WRITTEN[topic]
    assert {name for name in re.findall(r"voicehost help ([a-z]+)", text)} <= {*TOPICS, *MODULES}
    repository = Path(__file__).parents[2]
    for name in re.findall(r"`(?:\./)?(phrases/[\w/.]+)`", text):
        assert (repository / name).exists(), name
