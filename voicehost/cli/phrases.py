"""``voicehost phrases``: what each language understands and says, and whether a pack is sound."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

from voicehost.cli.texts import interface
from voicehost.cli.usage import Group
from voicehost.errors import UserError

if TYPE_CHECKING:
    from voicehost.language.pack import Pack

EPILOG = """\b
Примеры:
  voicehost phrases list
  voicehost phrases show ru                      все команды и как их можно сказать
  voicehost phrases show bg --announcements      что говорит ведущий, по манерам
  voicehost phrases check                        проверить всё, что есть в программе
  voicehost phrases check ./phrases/ru           проверить папку со своими фразами"""


@click.group(name="phrases", cls=Group, epilog=EPILOG)
def command() -> None:
    """Что говорит и понимает программа: команды, реплики, проверка."""


@command.command(name="list")
def list_packs() -> None:
    """Показать языки и сколько в них фраз."""
    from voicehost.cli.columns import show_columns
    from voicehost.language.announcements import SETTINGS
    from voicehost.language.pack import languages, load_pack

    rows = []
    for language in languages():
        pack = load_pack(language)
        templates = pack.commands.templates
        cues = [lines for cue, lines in pack.announcements.items() if cue != SETTINGS and isinstance(lines, dict)]
        commands = {template.command for template in templates}
        rows.append((language, *map(str, (len(commands), len(templates), len(cues), sum(map(len, cues))))))
    columns = ("language", "commands", "wordings", "cues", "lines")
    show_columns([interface(f"phrases.column-{column}") for column in columns], rows)


@command.command(name="show")
@click.argument("language", metavar="LANG")
@click.option("--announcements", is_flag=True, help="Не команды, а реплики ведущего: общая и своя у каждой манеры.")
def show(language: str, announcements: bool) -> None:
    """Показать все команды и как их сказать.

    [так] можно пропустить, (или|или) выбрать одно, {seat} место, <имя> часть, описанная в commands.yaml;
    «·» отмечает то, что понимается, но чего распознаватель не ждёт.
    """
    pack = _pack(language)
    for line in _announcements(pack) if announcements else _commands(pack):
        click.echo(line)


@command.command(name="check")
@click.argument("packs", metavar="[LANG|FOLDER]", required=False)
def check(packs: str | None) -> None:
    """Проверить фразы.

    Печатает каждое замечание с файлом и строкой; код выхода 1, если они есть. Без имени проверяет все языки.
    """
    from voicehost.language.pack import languages

    count = 0
    for language in languages() if packs is None else (packs,):
        pack = _pack(language)
        findings = list(dict.fromkeys(_findings(pack)))
        for finding in findings:
            click.echo(finding)
        if not findings:
            click.echo(interface("cli.phrases-good", language=pack.language))
        count += len(findings)
    if count:
        raise UserError("cli.phrases-bad", count=count)


def _pack(language: str) -> Pack:
    """Return a pack by the code of its language, or from a folder.

    Raises:
        UserError: there is none; status 2.
    """
    from voicehost.language.pack import languages, load_pack

    folder = Path(language)
    if language not in languages():
        if folder.is_file():
            raise UserError("phrases.not-a-folder", status=2, file=language)
        if folder.is_dir() and not (folder / "numbers.toml").is_file():
            raise UserError("phrases.not-a-pack", status=2, folder=language)
        if not folder.is_dir():
            raise UserError("cli.bad-language", status=2, language=language, known=", ".join(languages()))
        return load_pack(folder)
    return load_pack(language)


def _commands(pack: Pack) -> Iterator[str]:
    """Yield each command with its taught example and the templates of its wordings."""
    from voicehost.language.commands import examples
    from voicehost.language.lint import widest_legal
    from voicehost.rules.game import Step

    taught: dict[str, str] = {}
    for step in Step:
        taught = examples(pack, widest_legal(step)) | taught
    last = ""
    for template in pack.commands.templates:
        if template.command != last:
            if last:
                yield ""
            last = template.command
            example = f"  «{taught[last]}»" if last in taught else ""
            yield click.style(last, bold=True) + example
        fixed = ", ".join(f"{name}={value}" for name, value in template.fixed.items())
        mark = " " if template.prompt else "·"
        yield f" {mark} {template.source}{f'  [{fixed}]' if fixed else ''}"


def _announcements(pack: Pack) -> Iterator[str]:
    """Yield each cue with its lines; a manner that is not named takes the default one."""
    from voicehost.language.announcements import SETTINGS

    silence = interface("phrases.silence")
    for cue, lines in pack.announcements.items():
        if cue == SETTINGS or not isinstance(lines, dict):
            continue
        width = max(map(len, lines), default=0)
        yield click.style(cue, bold=True)
        yield from (f"   {manner.ljust(width)}  {line or silence}" for manner, line in lines.items())
        yield ""


def _findings(pack: Pack) -> Iterator[str]:
    """Yield everything that is wrong with a pack, as ``file:line: what``."""
    from voicehost.cli.texts import pack as spoken_to_user
    from voicehost.language import check as commands_check

    yield from commands_check.describe(commands_check.check(pack, _together), spoken_to_user())
    yield from _announcement_findings(pack)


def _announcement_findings(pack: Pack) -> Iterator[str]:
    from voicehost.language.lint import check_announcements, hearing
    from voicehost.language.style_lint import check_styles

    try:
        _ = pack.graph
        hears = hearing(pack)
    except UserError:
        hears = None  # told already: without commands nothing can be mistaken for one
    try:
        findings = check_announcements(pack.folder / "announcements.toml", pack.numerals, hears)
        findings += check_styles(pack, hears)
    except UserError as error:
        file = f"{error.params.get('file', pack.folder)}:{error.params.get('line', 1)}"
        yield f"{file}: {interface(error.key, **error.params)}"
        return
    for finding in findings:
        yield f"{finding.file}:{finding.line}: {interface(finding.key, **finding.params)}"


@cache
def _together(one: str, other: str) -> bool:
    """Tell whether two commands can be legal in one and the same step."""
    from voicehost.language.lint import widest_legal
    from voicehost.rules.game import Step

    return any(one in legal and other in legal for legal in map(widest_legal, Step))
