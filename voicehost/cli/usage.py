"""Click's own words in the user's language: headings of the help pages, and sentences about wrong usage."""

from __future__ import annotations

import difflib
import errno
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType

import click

from voicehost.cli.examples import epilog
from voicehost.cli.texts import interface
from voicehost.errors import UserError

WORDS = {
    "Usage:": "Использование:",
    "Options": "Параметры",
    "Arguments": "Аргументы",
    "Positional arguments": "Аргументы",
    "Commands": "Команды",
    "Show this message and exit.": "Показать эту справку.",
    "Show the version and exit.": "Показать версию.",
    "[OPTIONS]": "[ПАРАМЕТРЫ]",
    "COMMAND [ARGS]...": "КОМАНДА [АРГУМЕНТЫ]…",
}
"""What click itself puts into help pages; the help texts of the commands are Russian as well."""

_QUOTED = re.compile(r"'([^']*)'")
_IN_BRACKETS = re.compile(r"\((.*)\)")


class RussianFormatter(click.HelpFormatter):
    """Writes help pages with Russian headings."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the line that shows how a command is called."""
        for english in ("[OPTIONS]", "COMMAND [ARGS]..."):
            args = args.replace(english, WORDS[english])
        super().write_usage(prog, args, prefix or f"{WORDS['Usage:']} ")

    def write_heading(self, heading: str) -> None:
        """Write the heading of a section."""
        super().write_heading(WORDS.get(heading, heading))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write options or commands with what they do."""
        super().write_dl([(name, WORDS.get(text, text)) for name, text in rows], col_max, col_spacing)


class RussianContext(click.Context):
    """A context whose help pages are Russian and whose usage errors know where they happened."""

    formatter_class = RussianFormatter

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        """Leave the context; click's parser raises some errors without naming the command."""
        if isinstance(error, click.UsageError) and error.ctx is None:
            error.ctx = self
        return super().__exit__(kind, error, trace)


class Group(click.Group):
    """A group that lists its commands in the order in which they are written."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(self.commands)


def in_russian(command: click.Command, path: str = "") -> click.Command:
    """Let a command and everything below it have Russian help pages with examples; return it.

    ``path`` is the words that call it; its own name if not given.
    """
    path = path or command.name or ""
    command.context_class = RussianContext
    command.epilog = command.epilog or epilog(path)
    if isinstance(command, click.Group):
        command.no_args_is_help = False  # a sentence that names the commands says it better
        for name, below in command.commands.items():
            in_russian(below, f"{path} {name}")
    return command


def usage_error(error: click.UsageError) -> UserError | None:
    """Return the sentence for a mistake that click tells in English, or None when the sentence is made elsewhere."""
    params = _params(error)
    return None if params is None else UserError(params.pop("key"), status=2, help=_help(error), **params)


def _params(error: click.UsageError) -> dict[str, str] | None:
    match error:
        case click.NoSuchOption() | click.MissingParameter():
            return None
        case click.BadOptionUsage(option_name=name):
            return {"key": "usage.takes-no-value" if _is_flag(error, name) else "usage.needs-value", "name": name}
        case click.BadParameter(param=click.Parameter(type=kind) as param, message=message):
            value = _first(_QUOTED, message)
            name = param.opts[0] if isinstance(param, click.Option) else param.human_readable_name
            return _bad_value(kind, name, value)
        case click.BadParameter():
            return None
    command = error.ctx.command if error.ctx else None
    if isinstance(command, click.Group):
        assert error.ctx is not None
        names = command.list_commands(error.ctx)
        name = _first(_QUOTED, error.message)
        if name:
            return {"key": "usage.no-such-command", "name": name, "near": near(name, names)}
        return {"key": "usage.missing-command", "commands": ", ".join(names)}
    extra = _first(_IN_BRACKETS, error.message)
    return {"key": "usage.extra-words", "words": extra} if extra else None


def _bad_value(kind: object, name: str, value: str) -> dict[str, str] | None:
    match kind:
        case click.IntRange(min=low, max=high) | click.FloatRange(min=low, max=high):
            span = f"{'' if low is None else low}…{'' if high is None else high}"
            return {"key": "usage.out-of-range", "name": name, "range": span}
        case click.types.IntParamType() | click.types.FloatParamType():
            return {"key": "usage.not-a-number", "name": name, "value": value}
        case click.Path() | click.File():
            path = Path(value)
            key = "usage.is-a-folder" if path.is_dir() else "usage.cannot-open"
            return {"key": key if path.exists() else "cli.no-such-file", "file": value}
    return None


def system_error(error: OSError) -> UserError | None:
    """Return the sentence for what the system refused, or None when it is none of the usual reasons."""
    keys = {
        errno.ENOSPC: "usage.disk-full",
        errno.EDQUOT: "usage.disk-full",
        errno.EACCES: "usage.not-permitted",
        errno.EPERM: "usage.not-permitted",
        errno.EROFS: "usage.not-permitted",
        errno.ENOENT: "cli.no-such-file",
        errno.EISDIR: "usage.is-a-folder",
    }
    key = keys.get(error.errno or 0)
    if key is None or (error.filename is None and key != "usage.disk-full"):
        return None
    return UserError(key, file=error.filename)


def near(word: str, known: Sequence[str]) -> str:
    """Return a sentence that names what ``word`` may have been meant for; "" when nothing is like it."""
    names = difflib.get_close_matches(word.lower(), known, n=3, cutoff=0.6)
    names = names or [name for name in known if len(word) > 1 and name.startswith(word.lower())][:3]
    return interface("cli.perhaps", names=", ".join(names)) if names else ""


def readable(path: Path) -> Path:
    """Return the path of a file that is to be read.

    Raises:
        UserError: there is no such file, or it is a folder.
    """
    if path.is_dir():
        raise UserError("usage.is-a-folder", status=2, file=path)
    if not path.exists():
        raise UserError("cli.no-such-file", status=2, file=path)
    return path


def write(path: Path, text: str) -> None:
    """Write a text file as UTF-8, its line ends as they are.

    Raises:
        UserError: the path is a folder, or the file cannot be written.
    """
    if path.is_dir():
        raise UserError("usage.is-a-folder", status=2, file=path)
    try:
        path.write_bytes(text.encode("utf-8"))
    except OSError as error:
        key = "no-such-folder" if isinstance(error, FileNotFoundError | NotADirectoryError) else "cannot-write"
        raise UserError(f"usage.{key}", file=path, folder=path.parent) from error


def _is_flag(error: click.UsageError, name: str) -> bool:
    params = error.ctx.command.params if error.ctx else []
    return any(isinstance(param, click.Option) and param.is_flag and name in param.opts for param in params)


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1] if found else ""


def _help(error: click.UsageError) -> str:
    return f"{error.ctx.command_path if error.ctx else 'voicehost'} --help"
