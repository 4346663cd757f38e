"""The sentences of the interface: errors, hints, headings."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from voicehost.errors import UserError

if TYPE_CHECKING:
    from voicehost.language.pack import Pack

_BRACES = re.compile(r"\{(\w+)\}")


def message(pack: Pack, key: str, /, **params: object) -> str:
    """Return the sentence ``key`` («file.name») with its braces filled.

    Never fails: a sentence that the pack lacks is shown by its key and parameters, a brace without a value stays.
    """
    file, _, name = key.partition(".")
    text = pack.messages.get(file, {}).get(name)
    if text is None:
        details = ", ".join(f"{param}={value}" for param, value in params.items())
        return f"{key}({details})"
    return _BRACES.sub(lambda match: str(params.get(match[1], match[0])), text)


def error_message(pack: Pack, error: UserError) -> str:
    """Return what a user error says: what happened, and what to do."""
    return message(pack, error.key, **error.params)
