"""The one error that a user sees: a key into the message files, never a finished sentence."""

from __future__ import annotations


class UserError(Exception):
    """Something the user can mend.

    ``key`` names a sentence of ``phrases/LANG/messages/*.toml`` as ``file.name``; ``params`` fill its braces.
    ``status`` is the exit status: 1 failed, 2 wrong usage.
    """

    def __init__(self, key: str, /, *, status: int = 1, **params: object) -> None:
        super().__init__(key)
        self.key = key
        self.status = status
        self.params = params

    def __str__(self) -> str:
        details = ", ".join(f"{name}={value}" for name, value in self.params.items())
        return f"{self.key}({details})" if details else self.key
