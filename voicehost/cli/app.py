"""The command tree, and how errors leave it: one sentence on stderr and a status."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import click

from voicehost import __version__
from voicehost.cli.texts import set_language
from voicehost.cli.usage import RussianContext, in_russian, system_error, usage_error
from voicehost.errors import UserError

COMMANDS = {
    "play": "play",
    "rules": "rules",
    "phrases": "phrases",
    "models": "models",
    "voices": "voices",
    "doctor": "doctor",
    "calibrate": "calibrate",
    "games": "games",
    "evaluate": "evaluate",
    "bench": "bench",
    "help": "topics",
}
"""Each command with the module that holds it, imported only when it is used."""

SUMMARIES = {
    "play": "провести одну игру (главное)",
    "rules": "наборы правил: list, show NAME, check FILE",
    "phrases": "что говорит и понимает программа: list, show, check",
    "models": "модели распознавания речи: list, install, verify, remove",
    "voices": "голоса: list, test, render",
    "doctor": "что работает на этом компьютере и что сделать",
    "calibrate": "настроить микрофон под комнату и голос ведущего",
    "games": "сохранённые игры: list, show, resume, export, delete",
    "evaluate": "точность распознавания на папке записей",
    "bench": "скорость на этом компьютере",
    "help": "справка: rules, commands, home, web, voice, hearing, troubleshooting",
}
"""One line each for ``--help``, so that it need not import the commands."""


class Commands(click.Group):
    """A group whose commands are imported when they are called."""

    context_class = RussianContext

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import a command."""
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"voicehost.cli.{COMMANDS[name]}")
        command: click.Command = getattr(module, "command")  # noqa: B009
        return in_russian(command)

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the options; they may print a help page."""
        with _reader_may_leave():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        with _reader_may_leave():
            return super().invoke(ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Команды"):
            formatter.write_dl(list(SUMMARIES.items()))


EPILOG = """\b
Примеры:
  voicehost play                                   игра по правилам sport, голосом или с клавиатуры
  voicehost play --rules fsm --roles random        программа сама раздаёт роли
  voicehost play --mode home --names "Аня,Борис,Вера,Глеб,Дина,Егор,Жанна,Зоя,Илья,Катя"
  voicehost games resume                           продолжить прерванную игру
  voicehost doctor                                 проверить микрофон, голос и распознавание"""


@click.group(
    cls=Commands,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    invoke_without_command=False,
)
@click.version_option(__version__, message="voicehost %(version)s", help="Показать версию.")
@click.option("--debug", is_flag=True, help="При ошибке показать, где она случилась.")
def root(debug: bool) -> None:
    """Ведущий «Мафии», который работает без сети: говорит, слышит команды и считает секунды."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status: 0 done, 1 failed, 2 wrong usage, 130 after Ctrl+C."""
    _speak_utf8()
    # The recognisers' matrices are small: a second thread only makes the table's computer hot. Set before numpy loads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in arguments or bool(os.environ.get("VOICEHOST_DEBUG"))
    arguments = [word for word in arguments if word != "--debug"]
    try:
        set_language(arguments)
        if not arguments:
            click.echo(root.get_help(root.make_context("voicehost", [], resilient_parsing=True)), err=True)
            return 2
        status = root.main(
            arguments, prog_name="voicehost", standalone_mode=False, color=False if os.environ.get("NO_COLOR") else None
        )
    except BaseException as error:
        if debug and not isinstance(error, SystemExit):
            raise
        return _written(_status(error))
    return _written(status if isinstance(status, int) else 0)


def _status(error: BaseException) -> int:
    match error:
        case click.exceptions.Exit(exit_code=code):
            return code
        case SystemExit(code=code):
            return code if isinstance(code, int) else 1
        case click.Abort() | KeyboardInterrupt():
            _complain(_sentence(UserError("cli.interrupted")))
            return 130
        case UserError(status=status):
            _complain(_sentence(error))
            return status
        case click.UsageError():
            _complain(_sentence(error))
            return 2
    _complain(_sentence(error))
    return 1


def _sentence(error: BaseException) -> str:
    from voicehost.cli.failures import sentence

    try:
        match error:
            case click.UsageError():
                return sentence(usage_error(error) or error)
            case OSError():
                return sentence(system_error(error) or error)
        return sentence(error)
    except UserError as broken:  # the very file with the sentences
        file, problem = broken.params.get("file"), broken.params.get("problem")
        return f"Файл {file} не читается: {problem}. Исправьте его или поставьте программу заново."


def _complain(text: str) -> None:
    with suppress(OSError):  # nobody reads it
        mark = "voicehost: " if os.environ.get("NO_COLOR") else click.style("voicehost: ", fg="red")
        click.echo(mark + text, err=True)


@contextmanager
def _reader_may_leave() -> Iterator[None]:
    """Let a reader such as ``head`` close the pipe: no fault of the program."""
    try:
        yield
    except BrokenPipeError:
        _close_stdout()
        raise click.exceptions.Exit(0) from None


def _written(status: int) -> int:
    """Return the exit status once everything is written out; Python itself would only grumble at its end."""
    try:
        sys.stdout.flush()
    except OSError as error:
        if status == 0 and not isinstance(error, BrokenPipeError):
            status = _status(error)
        _close_stdout()
    return status


def _close_stdout() -> None:
    """Keep Python from trying once more, at its exit, to write what nobody takes."""
    with suppress(OSError):  # a stream of a test, which has no descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _speak_utf8() -> None:
    """Make the streams UTF-8 whatever the locale; what a terminal cannot show becomes a question mark."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:  # the program was started with it closed
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        elif (reconfigure := getattr(stream, "reconfigure", None)) is not None:
            reconfigure(encoding="utf-8", errors="replace")
