"""``voicehost models``: which models of speech there are, and fetching, checking and removing them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from voicehost.cli.texts import interface, language
from voicehost.cli.usage import Group
from voicehost.errors import UserError

if TYPE_CHECKING:
    from voicehost.download import Progress, SourceFailed
    from voicehost.models import Model

EPILOG = """\b
Примеры:
  voicehost models list
  voicehost models install whisper-base             самая точная, около 150 МБ
  voicehost models install vosk-model-small-ru      быстрая, около 50 МБ
  voicehost models install whisper-base --from ~/Загрузки/whisper-base     без сети
  voicehost models verify
  voicehost models remove whisper-base"""


@click.group(name="models", cls=Group, epilog=EPILOG)
def command() -> None:
    """Модели распознавания речи: какие есть, установить, проверить, удалить."""


@command.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="По одному объекту JSON в строке.")
def list_models(as_json: bool) -> None:
    """Показать модели каталога и те, что лежат на этом компьютере."""
    from voicehost.cli.columns import show_columns

    rows = _rows()
    if as_json:
        for row in rows:
            click.echo(json.dumps(row, ensure_ascii=False))
        return
    head = ("name", "kind", "language", "size", "licence", "state", "about")
    cells = [
        (
            row["name"],
            row["kind"],
            " ".join(row["languages"]),
            str(round(row["size"] / 1e6)),
            row["licence"],
            interface(f"models.state-{row['state']}"),
            row["about"],
        )
        for row in rows
    ]
    show_columns([interface(f"models.column-{column}") for column in head], cells)


@command.command(name="install")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@click.option(
    "--from", "source", type=click.Path(path_type=Path), metavar="FILE|FOLDER", help="Взять отсюда, без сети."
)
def install_models(names: tuple[str, ...], source: Path | None) -> None:
    """Установить модели: загрузка продолжается с места обрыва, файлы сверяются с контрольными суммами."""
    from voicehost.catalog import entry
    from voicehost.installation import install, install_from

    entries = [entry(name) for name in dict.fromkeys(names)]
    if source is not None and len(entries) > 1:
        raise UserError("models.one-import", status=2)
    for chosen in entries:
        if source is not None:
            folder = install_from(chosen, source)
        else:
            with _Bar() as progress:
                folder = _explained(lambda: install(chosen, progress=progress, failed=_next_source))  # noqa: B023
        click.echo(interface("models.installed", name=chosen.name, folder=folder))


@command.command(name="verify")
@click.argument("name", required=False)
def verify(name: str | None) -> int:
    """Сверить файлы установленных моделей с контрольными суммами."""
    from voicehost.catalog import catalogue
    from voicehost.installation import CHECKSUMS, damaged
    from voicehost.models import installed

    broken = False
    for model in [installed_model(name)] if name else installed():
        known = catalogue().get(model.name)
        wrong = damaged(model.folder, known)
        if wrong:
            broken = True
            click.echo(interface("models.damaged", name=model.name, files=", ".join(wrong)))
        elif (known is not None and known.files) or (model.folder / CHECKSUMS).is_file():
            click.echo(interface("models.verified", name=model.name))
        else:
            click.echo(interface("models.unchecked", name=model.name))
    return int(broken)


@command.command(name="remove")
@click.argument("name")
def remove_model(name: str) -> None:
    """Удалить установленную модель."""
    from voicehost.installation import remove

    if installed_model(name, unfinished=True).embedded:
        raise UserError("models.embedded", name=name)
    remove(name)
    click.echo(interface("models.removed", name=name))


def installed_model(name: str, *, unfinished: bool = False) -> Model:
    """Return the model of this name, or at this path; ``unfinished``: also one whose installation broke off.

    Raises:
        UserError: ``models.unknown`` with status 2: nobody knows the name; ``stt.unknown-model``: it is not installed;
            ``stt.not-a-model``: a folder without one.
    """
    from voicehost.catalog import catalogue, entry
    from voicehost.installation import is_unfinished
    from voicehost.models import Model, locate, user_folder

    try:
        return locate(name)
    except UserError as error:
        if unfinished and is_unfinished(name):
            return Model(name, "vosk", user_folder() / name, embedded=False)
        if error.key == "stt.unknown-model" and name not in catalogue():
            entry(name)
        raise


def _rows() -> list[dict[str, Any]]:
    """The catalogue's models, then others that lie here."""
    from voicehost.catalog import catalogue
    from voicehost.models import installed

    here = {model.name: model for model in installed()}
    rows = []
    for name, known in catalogue().items():
        state = "embedded" if known.embedded else "installed" if name in here else "available"
        about = known.about.get(language(), "")
        rows.append(_row(name, known.kind, known.languages, known.size, known.licence, state, about))
    for name, model in here.items():
        if name not in catalogue():
            rows.append(_row(name, model.kind, (), model.bytes, "", "installed", str(model.folder)))
    return rows


def _row(
    name: str, kind: str, languages: tuple[str, ...], size: int, licence: str, state: str, about: str
) -> dict[str, Any]:
    return {
        "name": name, "kind": kind, "languages": list(languages), "size": size, "licence": licence, "state": state,
        "about": about,
    }  # fmt: skip


def _reason(why: SourceFailed) -> str:
    return interface(f"models.{why.why}", **why.params)


def _next_source(why: SourceFailed) -> None:
    click.echo(interface("models.next-source", reason=_reason(why)), err=True)


def _explained(action: Callable[[], Path]) -> Path:
    """Run an installation; put what each source said into the error's sentence."""
    try:
        return action()
    except UserError as error:
        if error.key != "models.no-source":
            raise
        reasons: Any = error.params["reasons"]
        text = "".join(" " + _reason(why) for why in reasons)
        raise UserError(error.key, name=error.params["name"], reasons=text) from error


class _Bar:
    """A progress bar with speed and time left on a terminal's stderr; elsewhere one line a file."""

    def __enter__(self) -> Progress:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            DownloadColumn(),
            TimeRemainingColumn(),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self._tasks: dict[str, Any] = {}
        self._bar.start()
        return self._advance

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def _advance(self, what: str, done: int, total: int) -> None:
        if what not in self._tasks:
            told = interface("models.fetching", what=what)
            self._tasks[what] = self._bar.add_task(told, total=total or None)
            if self._bar.disable:
                click.echo(told, err=True)
        self._bar.update(self._tasks[what], completed=done, total=total or None)
