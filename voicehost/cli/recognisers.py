"""Which recogniser hears a language on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from voicehost.cli.texts import interface
from voicehost.errors import UserError

if TYPE_CHECKING:
    from voicehost.audio.vad import SpeechSettings
    from voicehost.models import Kind, Model
    from voicehost.stt.loading import LoadingRecogniser
    from voicehost.stt.recogniser import Recogniser


TO_INSTALL = {"whisper": "whisper-base", "vosk": "vosk-model-small-ru"}
"""The model of each kind that is named to who has none."""


def open_recogniser(
    kind: str,
    language: str,
    model: str | None = None,
    *,
    keep_sound: bool = False,
    speech: SpeechSettings | None = None,
    host_level: float | None = None,
) -> Recogniser:
    """Load a recogniser: ``auto``, ``vosk``, ``whisper`` or ``both``, with a model by name or the best there is.

    With ``keep_sound`` each utterance carries its sound; ``speech`` tells when sound is speech on this microphone, and
    ``host_level`` how loud the host is there.

    Raises:
        UserError: library or model is missing, or none knows the language.
    """
    models = _chosen(kind, language, model)
    return _load_all(models, language, keep_sound=keep_sound, speech=speech, host_level=host_level)


def begin_recogniser(
    kind: str,
    language: str,
    *,
    keep_sound: bool = False,
    speech: SpeechSettings | None = None,
    host_level: float | None = None,
) -> LoadingRecogniser:
    """Do the same in another thread, with the best model there is.

    Raises:
        UserError: library or model is missing, or none knows the language. What is found only while loading is kept
            in ``failure``.
    """
    from voicehost.stt.loading import LoadingRecogniser

    models = _chosen(kind, language, None)
    return LoadingRecogniser(
        models[0].kind if len(models) == 1 else "both",
        "+".join(model.name for model in models),
        lambda: _load_all(models, language, keep_sound=keep_sound, speech=speech, host_level=host_level),
    )


def _chosen(kind: str, language: str, model: str | None) -> tuple[Model, ...]:
    """Return the model, or both."""
    from voicehost.cli.models import installed_model

    if kind == "both":
        return _both(language, model)
    chosen = installed_model(model) if model is not None else _best(kind, language)
    if chosen is None:
        raise UserError("cli.no-language-recogniser", language=language)
    return (chosen,)


def _best(kind: str, language: str) -> Model | None:
    from voicehost.models import preferred

    if kind in {"auto", "whisper"}:
        found = preferred("whisper", language)
        if found is not None and (kind == "whisper" or can_run_whisper()):
            return found
        if kind == "whisper":
            raise UserError("cli.no-whisper")
    found = preferred("vosk", language)
    if found is not None and found.embedded:
        click.echo(click.style(interface("cli.better-model"), dim=True), err=True)
    return found


def _both(language: str, model: str | None) -> tuple[Model, Model]:
    """Return the models of both recognisers, one of them the one that was named."""
    from voicehost.catalog import catalogue
    from voicehost.cli.models import installed_model
    from voicehost.models import preferred

    named = None if model is None else installed_model(model)
    kinds: tuple[Kind, Kind] = ("whisper", "vosk")
    found = [named if named is not None and named.kind == kind else preferred(kind, language) for kind in kinds]
    first, second = found
    if first is None or second is None:
        missing = "whisper" if first is None else "vosk"
        if not any(entry.kind == missing and language in entry.languages for entry in catalogue().values()):
            raise UserError("cli.never-both", missing=missing.capitalize(), language=language)
        raise UserError("cli.no-both", missing=missing.capitalize(), install=TO_INSTALL[missing], language=language)
    return first, second


def can_run_whisper() -> bool:
    """Whether the libraries of the ``whisper`` extra are installed."""
    from importlib.util import find_spec

    return all(find_spec(name) is not None for name in ("ctranslate2", "tokenizers"))


def _load_all(
    models: tuple[Model, ...],
    language: str,
    *,
    keep_sound: bool,
    speech: SpeechSettings | None,
    host_level: float | None,
) -> Recogniser:
    loaded = [_load(m, language, keep_sound=keep_sound, speech=speech, host_level=host_level) for m in models]
    if len(loaded) == 1:
        return loaded[0]
    from voicehost.stt.both import BothRecogniser

    return BothRecogniser(loaded[0], loaded[1])


def _load(
    model: Model, language: str, *, keep_sound: bool, speech: SpeechSettings | None, host_level: float | None
) -> Recogniser:
    if model.kind == "whisper":
        from voicehost.hosting.stakes import stake
        from voicehost.stt.whisper import WhisperRecogniser

        return WhisperRecogniser(
            model.folder,
            language=language,
            care=stake,
            keep_sound=keep_sound,
            speech=speech,
            host_level=host_level,
        )
    from voicehost.stt.vosk import VoskRecogniser

    return VoskRecogniser(model.folder, keep_sound=keep_sound, speech=speech)
