"""Which recogniser hears a language on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from voicehost.cli.texts import interface
from voicehost.errors import UserError

if TYPE_CHECKING:
    from voicehost.models import Model
    from voicehost.stt.recogniser import Recogniser


def open_recogniser(kind: str, language: str, model: str | None = None, *, keep_sound: bool = False) -> Recogniser:
    """Load a recogniser: ``auto``, ``vosk`` or ``whisper``, with a model by name or the best one there is.

    With ``keep_sound`` each utterance carries its sound.

    Raises:
        UserError: library or model is missing, or none knows the language.
    """
    from voicehost.models import locate

    chosen = locate(model) if model is not None else _best(kind, language)
    if chosen is None:
        raise UserError("cli.no-language-recogniser", language=language)
    return _load(chosen, language, keep_sound=keep_sound)


def _best(kind: str, language: str) -> Model | None:
    from voicehost.models import preferred

    if kind == "both":
        raise UserError("cli.no-both")
    if kind in {"auto", "whisper"}:
        found = preferred("whisper", language)
        if found is not None and (kind == "whisper" or _can_run_whisper()):
            return found
        if kind == "whisper":
            raise UserError("cli.no-whisper")
    found = preferred("vosk", language)
    if found is not None and found.embedded:
        click.echo(click.style(interface("cli.better-model"), dim=True), err=True)
    return found


def _can_run_whisper() -> bool:
    """Whether the libraries of the ``whisper`` extra are installed."""
    from importlib.util import find_spec

    return all(find_spec(name) is not None for name in ("ctranslate2", "tokenizers"))


def _load(model: Model, language: str, *, keep_sound: bool) -> Recogniser:
    if model.kind == "whisper":
        from voicehost.hosting.stakes import stake
        from voicehost.stt.whisper import WhisperRecogniser

        return WhisperRecogniser(model.folder, language=language, care=stake, keep_sound=keep_sound)
    from voicehost.stt.vosk import VoskRecogniser

    return VoskRecogniser(model.folder, keep_sound=keep_sound)
