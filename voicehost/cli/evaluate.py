"""``voicehost evaluate``: how well a recogniser hears commands, on a folder of recordings."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import click

from voicehost.rules.switches import CHOICES

EPILOG = """\b
Папка: manifest.tsv (UTF-8, через табуляцию: file text command slots state set) и записи wav или flac.
\b
Примеры:
  voicehost evaluate zapisi
  voicehost evaluate zapisi --model vosk-model-small-ru --errors oshibki.tsv"""


@click.command(name="evaluate", epilog=EPILOG)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--recogniser", type=click.Choice(["auto", "vosk", "whisper", "both"]), default="auto", help="[auto]")
@click.option("--model", metavar="NAME", help="Модель по имени или папка с ней.")
@click.option("--language", type=click.Choice(CHOICES["language"]), default="ru", help="Язык записей. [ru]")
@click.option("--errors", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.tsv", help="Куда ошибки.")
def command(folder: Path, recogniser: str, model: str | None, language: str, errors: Path | None) -> int:
    """Прогнать папку записей через распознавание и игру; печатает один объект JSON."""
    from voicehost.cli.recognisers import open_recogniser
    from voicehost.stt.evaluation import check_writable, evaluate
    from voicehost.stt.recordings import read_manifest

    recordings = read_manifest(folder)
    if errors is not None:
        check_writable(errors)
    game = Situations(language)
    hearing = open_recogniser(recogniser, language, model)
    try:
        with _progress(len(recordings)) as advance:
            outcome = evaluate(
                recordings,
                hearing,
                lambda state: game.expectation(state).phrases,
                game.parse,
                grammar_for=game.expectation,
                progress=lambda done, total: advance(done),
            )
    finally:
        hearing.close()
    # The figures first: a table that cannot be written must not take them along.
    click.echo(json.dumps(outcome.as_json(), ensure_ascii=False, indent=2))
    if errors is not None:
        outcome.write_errors(errors)
    return 0


class Situations:
    """What may be said at the moments that recordings name, and what a text is there."""

    def __init__(self, language: str) -> None:
        """Take a language's phrases."""
        from voicehost.language.pack import load_pack

        self._pack = load_pack(language)
        self.expectation = cache(self._expectation)

    def _expectation(self, state: str) -> Any:
        from voicehost.hosting.hearing import Expectation
        from voicehost.rules.situations import legal_in

        return Expectation(self._pack, legal_in(state))

    def parse(self, text: str, state: str) -> tuple[str, dict[str, Any]] | None:
        """Return the command that the game would take, or None."""
        from voicehost.language.commands import parse
        from voicehost.rules.legal import fits

        legal = self.expectation(state).legal
        heard = parse(self._pack, text, legal)
        if heard is None or heard.command.name not in legal or not fits(legal[heard.command.name], heard.command):
            return None
        return heard.command.name, heard.command.slots()


class _progress:
    """A progress bar on a terminal's stderr; nothing elsewhere."""

    def __init__(self, total: int) -> None:
        self._total = total

    def __enter__(self) -> Callable[[int], None]:
        from rich.console import Console
        from rich.progress import Progress

        self._bar = Progress(console=Console(stderr=True), disable=not Console(stderr=True).is_terminal, transient=True)
        self._bar.start()
        task = self._bar.add_task("", total=self._total)
        return lambda done: self._bar.update(task, completed=done)

    def __exit__(self, *_: object) -> None:
        self._bar.stop()
