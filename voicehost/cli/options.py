"""Option types that several commands share."""

from __future__ import annotations

from voicehost.cli.texts import interface
from voicehost.errors import UserError
from voicehost.language.messages import message as language_message
from voicehost.rules.ruleset import Ruleset, RulesetError, load

__all__ = ["language_message", "load_rules", "ruleset_sentence"]


def load_rules(name_or_file: str) -> Ruleset:
    """Return a rule set by name or from a file.

    Raises:
        UserError: there is none, or the file is wrong; the sentence names file, switch and what is allowed.
    """
    try:
        return load(name_or_file)
    except RulesetError as error:
        raise UserError(f"rules.{error.code}", status=2, **error.details) from error


def ruleset_sentence(error: RulesetError) -> str:
    """Return what is wrong with a rule file."""
    return interface(f"rules.{error.code}", **error.details)
