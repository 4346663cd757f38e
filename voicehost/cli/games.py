"""``voicehost games``: the games of the journal: list, protocol, export, playing on, forgetting."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from voicehost.cli import play
from voicehost.cli.heard import delete_sounds, heard_lines
from voicehost.cli.texts import interface, language
from voicehost.cli.usage import Group, near, readable, write
from voicehost.errors import UserError

if TYPE_CHECKING:
    from voicehost.record.entries import Entry, Record
    from voicehost.record.journal import Journal

FORMATS = ("html", "json", "csv", "text")

SUFFIXES = {".html": "html", ".htm": "html", ".json": "json", ".csv": "csv"}
"""What the name of the file says about the format when nothing else does."""

BEGINNING = {"rules", "players", "language", "names", "mode", "roles", "seed", "resume"}
"""Options of ``play`` that only the beginning of a game has; the journal knows them."""

YES = {"y", "yes", "д", "да"}

EPILOG = """\b
Примеры:
  voicehost games list
  voicehost games show mirola                           протокол вечера
  voicehost games resume                                продолжить последнюю незаконченную
  voicehost games export mirola --format html -o vecher.html
  voicehost games export mirola -o vecher.csv           вид файла понятен из имени
  voicehost games delete mirola"""

journal_option = click.option(
    "--journal", type=click.Path(path_type=Path), metavar="FILE", help="Журнал игр. [в папке данных]"
)
all_option = click.option(
    "--all", "everything", is_flag=True, help="И тайное незаконченной игры: роли, выстрелы, проверки. Для ведущего."
)


@click.group(name="games", cls=Group, epilog=EPILOG)
def command() -> None:
    """Сохранённые игры: список, протокол, продолжение, выгрузка."""


@command.command(name="list")
@journal_option
def list_games(journal: Path | None) -> None:
    """Показать все игры, последние первыми."""
    from voicehost.cli.columns import show_columns
    from voicehost.record.words import clock_time

    with _open(journal) as opened:
        games = opened.games()
    if not games:
        click.echo(interface("cli.nothing-found"))
        return
    rows = [(game.id, clock_time(game.updated, None), _rules(game), _players(game), _outcome(game)) for game in games]
    columns = ("game", "played", "rules", "players", "outcome")
    show_columns([interface(f"games.column-{column}") for column in columns], rows)


@command.command(name="show")
@click.argument("game", metavar="ID")
@click.option("--heard", is_flag=True, help="Не протокол, а что услышал микрофон, если это хранилось.")
@all_option
@journal_option
def show(game: str, heard: bool, everything: bool, journal: Path | None) -> None:
    """Показать протокол вечера.

    Пока игра не закончена, ролей, выстрелов и проверок в нём нет.
    """
    with _open(journal) as opened:
        record = find(opened, game)
        utterances = opened.utterances(record.id)
        entries = opened.entries(record.id)
    if not heard:
        click.echo(protocol("text", record, entries, everything=everything), nl=False)
        return
    if record.finished is None and record.setup.get("mode") == "home":
        raise UserError("games.heard-after-the-end", game=record.id)
    if record.finished is None and not everything:
        raise UserError("games.heard-is-secret", game=record.id)
    if not utterances:
        click.echo(interface("games.nothing-heard", game=record.id))
    for utterance in utterances:
        for line in heard_lines(utterance):
            click.echo(line)


def _resume(game: str | None, **values: Any) -> int:
    """Play on."""
    with _open(values["journal"]) as opened:
        record = opened.latest_unfinished() if game is None else find(opened, game)
    if record is None:
        raise UserError("cli.no-game-to-resume")
    began: dict[str, Any] = dict.fromkeys(BEGINNING) | {"mode": "hosted", "resume": record.id}
    return asyncio.run(play.host(play.Options(**began, **values)))


command.add_command(
    click.Command(
        "resume",
        callback=_resume,
        params=[
            click.Argument(["game"], required=False, metavar="[ID]"),
            *(param for param in play.command.params if param.name not in BEGINNING),
        ],
        help="Продолжить прерванную игру.\n\nБез ID — последнюю незаконченную. То же, что voicehost play --resume.",
    )
)


@command.command(name="export")
@click.argument("game", metavar="ID")
@click.option("--format", "form", type=click.Choice(FORMATS), help="Вид. [по имени файла, иначе text]")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Куда. [на экран]")
@all_option
@journal_option
def export(game: str, form: str | None, output: Path | None, everything: bool, journal: Path | None) -> None:
    """Выгрузить протокол в файл.

    html для чтения и печати, csv для таблиц, json для программ. Пока игра не закончена, тайного в нём нет.
    """
    with _open(journal) as opened:
        record = find(opened, game)
        entries = opened.entries(record.id)
    if form is None:
        form = SUFFIXES.get(output.suffix.lower(), "text") if output else "text"
    text = protocol(form, record, entries, everything=everything)
    if output is None:
        click.echo(text.encode("utf-8"), nl=False)
        return
    write(output, text)
    click.echo(interface("games.exported", game=record.id, file=output), err=True)


@command.command(name="delete")
@click.argument("game", metavar="ID")
@click.option("--yes", is_flag=True, help="Не переспрашивать.")
@journal_option
def delete(game: str, yes: bool, journal: Path | None) -> None:
    """Удалить игру навсегда, вместе с тем, что слышал микрофон.

    На терминале переспрашивает, без терминала нужен --yes. Игру, которая сейчас идёт, удалить нельзя.
    """
    with _open(journal) as opened:
        record = opened.resume(find(opened, game).id)  # held, so that nobody can play on meanwhile
        if not yes and not sys.stdin.isatty():
            raise UserError("games.delete-needs-yes", status=2, game=record.id)
        if not yes and not _agreed(record):
            raise UserError("games.not-deleted", game=record.id)
        sounds = [utterance.sound for utterance in opened.utterances(record.id) if utterance.sound is not None]
        opened.delete(record.id)
    left = delete_sounds(sounds)
    click.echo(interface("cli.deleted", game=record.id))
    if left:
        click.echo(interface("games.sounds-left", files=", ".join(map(str, left))), err=True)


def find(journal: Journal, game: str) -> Record:
    """Return a game of the journal.

    Raises:
        UserError: there is none; the sentence names those with a name like it.
    """
    try:
        return journal.game(game)
    except UserError as error:
        if error.key != "record.no-game":
            raise
        names = [record.id for record in journal.games()]
        raise UserError("games.no-game", game=game, near=near(game, names)) from None


def protocol(form: str, record: Record, entries: Sequence[Entry], *, everything: bool = False) -> str:
    """Return the protocol in one of ``FORMATS``; secrets of an unfinished game only with ``everything``."""
    from voicehost.record.protocol import export

    return export(form, record, entries, _say, language=language(), secrets=everything)


def _say(key: str, /, **params: object) -> str:
    return interface(key, **params)


def _open(path: Path | None) -> Journal:
    """Open a journal that is there; a game's first entry makes it, not a look at it."""
    from voicehost.record.journal import Journal, default_path

    if path is None and not default_path().exists():
        return Journal.in_memory()
    return Journal.open(None if path is None else readable(path))


def _rules(game: Record) -> str:
    rules = game.setup.get("rules") or {}
    return str(rules.get("name", "")) if isinstance(rules, dict) else str(rules)


def _players(game: Record) -> str:
    return str(game.setup.get("players", ""))


def _outcome(game: Record) -> str:
    return interface("record.unfinished" if game.winner is None else f"record.winner-{game.winner}")


def _agreed(game: Record) -> bool:
    click.echo(interface("cli.confirm-delete", game=game.id) + " [д/Н] ", nl=False, err=True)
    return sys.stdin.readline().strip().lower() in YES
