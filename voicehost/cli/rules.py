"""``voicehost rules``: which rule sets there are, what their switches say, whether a file of one's own is good.

What ``rules show`` prints is itself a rule file: it can be kept, changed and given to ``rules check`` and ``play``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from voicehost.cli.options import tell_namesake
from voicehost.cli.texts import interface
from voicehost.cli.usage import Group, readable
from voicehost.errors import UserError

if TYPE_CHECKING:
    from voicehost.rules.ruleset import Ruleset

EPILOG = """\b
Примеры:
  voicehost rules list
  voicehost rules show fsm                  все переключатели: значение, смысл, откуда взято
  voicehost rules show sport > moi.toml     начать с готового набора и изменить своё
  voicehost rules check moi.toml
  voicehost play --rules moi.toml"""


@click.group(name="rules", cls=Group, epilog=EPILOG)
def command() -> None:
    """Наборы правил: какие есть, что в них задано, годится ли свой."""


@command.command(name="list")
def list_rules() -> None:
    """Показать, какие есть наборы."""
    from voicehost.cli.columns import show_columns
    from voicehost.rules.ruleset import SHIPPED, shipped

    rows = []
    for name in SHIPPED:
        rules = shipped(name)
        rows.append((name, rules.title, _players(rules), rules.language, interface(f"cli.manner-{rules.manner}")))
    columns = ("name", "title", "players", "language", "manner")
    show_columns([interface(f"cli.column-{column}") for column in columns], rows)


@command.command(name="show")
@click.argument("rules", metavar="NAME|FILE")
@click.option("--json", "as_json", is_flag=True, help="Для программ: значение, смысл и источник каждого переключателя.")
def show(rules: str, as_json: bool) -> None:
    """Показать, что задано в наборе.

    О каждом переключателе: смысл, что можно, откуда взято, значение. Напечатанное само годится как файл набора.
    """
    found = _load(rules)
    if as_json:
        switches = {name: _described(found, name) for name in _switches()}
        click.echo(json.dumps({"name": found.name, "switches": switches}, ensure_ascii=False, indent=2))
        return
    for line in _toml(found):
        click.echo(click.style(line, dim=True) if line.startswith("#") else line)


@command.command(name="check")
@click.argument("rules", metavar="FILE")
def check(rules: str) -> None:
    """Проверить свой набор правил.

    Говорит, что файл годится, или называет, что в нём исправить; тогда код выхода 1.
    """
    found = _load(rules, bad_status=1)
    click.echo(interface("cli.rules-good", file=rules, title=found.title))


def _load(name_or_file: str, *, bad_status: int = 2) -> Ruleset:
    """Return a rule set.

    Raises:
        UserError: status 2 when there is none of that name, ``bad_status`` when the file is wrong.
    """
    from voicehost.rules.ruleset import SHIPPED, RulesetError, load

    path = Path(name_or_file)
    if name_or_file not in SHIPPED:
        if not path.exists() and not path.suffix and path.name == name_or_file:
            raise UserError("cli.no-such-rules", status=2, name=name_or_file, allowed=", ".join(SHIPPED))
        readable(path)
    tell_namesake(name_or_file)
    try:
        return load(name_or_file)
    except RulesetError as error:
        raise UserError(f"rules.{error.code}", status=bad_status, **error.details) from error


def _players(rules: Ruleset) -> str:
    low, high = rules.players_min, rules.players_max
    return str(low) if low == high else f"{low}–{high}"


def _switches() -> tuple[str, ...]:
    from voicehost.rules.ruleset import SWITCHES

    return SWITCHES


def _described(rules: Ruleset, name: str) -> dict[str, Any]:
    value = getattr(rules, name)
    return {
        "value": list(value) if isinstance(value, tuple) else value,
        "meaning": _meaning(name),
        "allowed": _allowed(name),
        "source": rules.sources.get(name),
    }


def _meaning(name: str) -> str | None:
    """Return what a switch does, if the language has a sentence for it."""
    from voicehost.cli.texts import pack

    return pack().messages.get("switches", {}).get(name)


def _allowed(name: str) -> list[str]:
    """Return the least and greatest number and the words that a switch may have, as TOML writes them."""
    from voicehost.rules.switches import CHOICES, RANGES

    span = ["…".join(map(str, RANGES[name]))] if name in RANGES else []
    return span + [_quoted(word) for word in CHOICES.get(name, ())]


def _toml(rules: Ruleset) -> Iterator[str]:
    yield f"# {rules.name}: {_plain(rules.title)}"
    for name in _switches():
        yield ""
        described = _described(rules, name)
        if described["meaning"]:
            yield f"# {_plain(described['meaning'])}"
        if described["allowed"]:
            yield f"# {interface('cli.switch-allowed', values=', '.join(described['allowed']))}"
        if described["source"]:
            yield f"# {interface('cli.switch-source', source=_plain(described['source']))}"
        yield f"{name} = {_value(described['value'])}"


def _value(value: Any) -> str:
    """Return a switch's value as TOML writes it."""
    if isinstance(value, list):
        items = [_quoted(item) for item in value]
        one_line = f"[{', '.join(items)}]"
        return one_line if len(one_line) < 80 else "[\n" + "".join(f"  {item},\n" for item in items) + "]"
    return _quoted(value) if isinstance(value, str) else json.dumps(value)


def _quoted(text: str) -> str:
    """Return a TOML string; unlike JSON, TOML wants DEL escaped as well."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _plain(text: str) -> str:
    """Return a text on one line, without characters that steer a terminal."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
