"""What went wrong, in one sentence of the user's language."""

from __future__ import annotations

import click

from voicehost.cli.texts import interface
from voicehost.errors import UserError


def sentence(error: BaseException) -> str:
    """Return the sentence for an error that reached the top."""
    match error:
        case UserError(key=key, params=params):
            return interface(key, **params)
        case click.NoSuchOption(option_name=name, possibilities=near):
            return interface("cli.no-such-option", name=name, near=_near(list(near or [])), help=_help(error))
        case click.MissingParameter(param=param):
            name = param.human_readable_name if param else ""
            return interface("cli.missing-parameter", name=name, help=_help(error))
        case click.BadParameter(param=param, message=message):
            name = _name(param)
            choices = ", ".join(map(str, getattr(getattr(param, "type", None), "choices", ())))
            key = "cli.bad-choice" if choices else "cli.bad-parameter"
            return interface(key, name=name, problem=message, choices=choices, help=_help(error))
        case click.UsageError(message=message):
            return interface("cli.usage", problem=message, help=_help(error))
        case OSError():
            return interface("cli.system", problem=error.strerror or str(error), file=error.filename or "")
        case MemoryError():
            return interface("cli.system", problem="memory", file="")
    return interface("cli.unexpected", problem=f"{type(error).__name__}: {error}")


def _name(param: click.Parameter | None) -> str:
    if param is None:
        return ""
    return param.opts[0] if isinstance(param, click.Option) else param.human_readable_name


def _near(names: list[str]) -> str:
    return interface("cli.perhaps", names=", ".join(names)) if names else ""


def _help(error: click.UsageError) -> str:
    path = error.ctx.command_path if error.ctx else "voicehost"
    return f"{path} --help"
