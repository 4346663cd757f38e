"""Option types that several commands share."""

from __future__ import annotations

from pathlib import Path

import click

from voicehost.cli.texts import interface
from voicehost.errors import UserError
from voicehost.language.messages import message as language_message
from voicehost.rules.ruleset import SHIPPED, Ruleset, RulesetError, load

__all__ = ["language_message", "load_rules", "ruleset_sentence", "tell_namesake"]


def tell_namesake(name_or_file: str) -> None:
    """Say which one is meant when a rule file has the name of a rule set that comes with the program."""
    path = Path(name_or_file)
    if name_or_file in SHIPPED:
        file = next((near for near in (Path(f"{name_or_file}.toml"), path) if near.is_file()), None)
        if file is not None:
            shown = file if file.suffix else Path(".", file).absolute()
            click.echo(interface("cli.namesake-not-taken", name=name_or_file, file=shown), err=True)
    elif path.stem in SHIPPED and path.is_file():
        click.echo(interface("cli.namesake-taken", name=path.stem, file=name_or_file), err=True)


def load_rules(name_or_file: str) -> Ruleset:
    """Return a rule set by name or from a file; one that has a namesake is told apart on stderr.

    Raises:
        UserError: there is none, or the file is wrong; the sentence names file, switch and what is allowed.
    """
    tell_namesake(name_or_file)
    try:
        return load(name_or_file)
    except RulesetError as error:
        raise UserError(f"rules.{error.code}", status=2, **error.details) from error


def ruleset_sentence(error: RulesetError) -> str:
    """Return what is wrong with a rule file."""
    return interface(f"rules.{error.code}", **error.details)
