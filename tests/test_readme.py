"""The README tells the truth: its excerpt is what the program prints, its commands are ones the program takes."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def marked(name: str) -> tuple[str, str]:
    """Return what follows the name in a marker, and the code block behind it."""
    found = re.search(rf"<!-- {name}(?:: (.*?))? -->\n```\w+\n(.*?)```\n<!-- end {name} -->", README, re.DOTALL)
    assert found is not None, name
    return found[1] or "", found[2]


def commands() -> list[str]:
    """Return every ``voicehost`` command line of the README's list."""
    return marked("commands")[1].strip().splitlines()


def test_the_excerpt_is_what_the_program_prints(tmp_path: Path) -> None:
    """The game in the README happens exactly so."""
    command, excerpt = marked("excerpt")
    typed = [line[2:] for line in excerpt.splitlines() if line.startswith("> ")]
    printed = [line for line in excerpt.splitlines() if not line.startswith("> ")]
    arguments = [*shlex.split(command)[1:], "--journal", str(tmp_path / "games.db")]
    done = subprocess.run(
        [sys.executable, "-m", "voicehost", *arguments],
        input="\n".join(typed) + "\n",
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=60,
    )
    assert done.stdout.splitlines() == printed


@pytest.mark.parametrize("line", commands())
def test_commands_of_the_readme_are_taken(line: str) -> None:
    """Every command with its options exists."""
    from voicehost.cli.app import root

    program, *arguments = shlex.split(line)
    assert program == "voicehost"
    command: click.Command = root
    # A command remembers the names of its help option from the first context it is given.
    context = click.Context(root, **root.context_settings)
    while isinstance(command, click.Group):
        name, *arguments = arguments
        found = command.get_command(context, name)
        assert found is not None, name
        command = found
    command.make_context(command.name, arguments, parent=context)


def test_the_test_command_is_one_line() -> None:
    """CI runs this line as it stands."""
    assert len(marked("test-command")[1].strip().splitlines()) == 1


def test_typed_lines_that_the_readme_names_are_known() -> None:
    """Every ``/`` line in the README means something to the program."""
    from voicehost.hosting.inputs import Unclear, read_line

    lines = [line for line in re.findall(r"`(/[^`]+)`", README) if not line.startswith("/v") or "|" not in line]
    assert len(lines) > 8
    assert [line for line in lines if isinstance(read_line(line), Unclear)] == []


def test_what_the_readme_says_may_be_said_is_understood() -> None:
    """The commands quoted under «Что можно сказать» parse."""
    from voicehost.language.commands import parse
    from voicehost.language.pack import load_pack

    section = README.split("## Что можно сказать")[1].split("Выставляет только")[0]
    said = re.findall(r"«([^»]+)»", section.replace("\n", " "))
    assert len(said) > 15
    assert [text for text in said if parse(load_pack("ru"), text) is None] == []
