"""``voicehost help``: the documentation, which lies in the package as Markdown."""

from __future__ import annotations

import os
import re
import sys
from importlib import resources

import click

from voicehost.cli.texts import interface
from voicehost.errors import UserError

TOPICS = ("rules", "commands", "home", "web", "voice", "hearing", "troubleshooting")
"""The topics, each a file of ``voicehost/docs``."""

WIDEST = 100
"""Columns; longer lines are hard to read."""

_FILE_LINK = re.compile(r"!?\[([^]]*)\]\((?!https?:)[^)]*\)")
"""A link to a file beside the page, which a terminal could not open."""

EPILOG = """\b
Примеры:
  voicehost help                     список тем
  voicehost help commands            что можно сказать
  voicehost help troubleshooting     если что-то не работает
  voicehost help games               справка о команде, то же, что voicehost games --help"""


@click.command(name="help", epilog=EPILOG)
@click.argument("topic", required=False, metavar="[TOPIC]")
@click.pass_context
def command(ctx: click.Context, topic: str | None) -> None:
    """Показать справку.

    Темы: rules, commands, home, web, voice, hearing, troubleshooting. Без темы перечисляет их.
    """
    if topic is None:
        _list()
    elif topic in TOPICS:
        _show(text_of(topic))
    elif (page := _page_of_command(ctx, topic)) is not None:
        click.echo(page)
    else:
        raise UserError("cli.no-such-topic", status=2, topic=topic, topics=", ".join(TOPICS))


def text_of(topic: str) -> str:
    """Return the Markdown of a topic."""
    return (resources.files("voicehost") / "docs" / f"{topic}.md").read_text(encoding="utf-8")


def _list() -> None:
    width = max(map(len, TOPICS))
    for topic in TOPICS:
        title = text_of(topic).partition("\n")[0].lstrip("# ")
        click.echo(f"{topic.ljust(width)}  {title}")
    click.echo(interface("cli.help-how"))


def _page_of_command(ctx: click.Context, name: str) -> str | None:
    """Return what ``voicehost NAME --help`` shows."""
    above = ctx.find_root()
    found = above.command.get_command(above, name) if isinstance(above.command, click.Group) else None
    if found is None:
        return None
    page = found.context_class(found, info_name=name, parent=above)
    return found.get_help(page)


def _show(text: str) -> None:
    if sys.stdout.isatty():
        # Without it less shows every Cyrillic letter as two codes where the locale is C.
        os.environ.setdefault("LESSCHARSET", "utf-8")
        click.echo_via_pager(_rendered(text))
    else:
        click.echo(text, nl=False)


def _rendered(text: str) -> str:
    """Return Markdown as a terminal shows it: bold headings, tables with rules."""
    from io import StringIO

    from rich.console import Console
    from rich.markdown import Markdown

    out = StringIO()
    console = Console(file=out, force_terminal=True)
    console.width = min(console.width, WIDEST)
    console.print(Markdown(_FILE_LINK.sub(r"\1", text)))
    return out.getvalue()
