"""Whether what ``play`` was told of sound can be had, also where nothing is going to sound (the virtual clock)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from voicehost.errors import UserError

if TYPE_CHECKING:
    from voicehost.cli.play import Options


def check_sound_options(options: Options, language: str, *, virtual: bool) -> None:
    """Look at voice, volume, music and the file to record to.

    Raises:
        UserError: with status 2, what is wrong with one of them.
    """
    try:
        if options.record is not None:
            _check_record(options.record, options.voice)
        if options.volume is not None:
            from voicehost.cli.volumes import volumes

            volumes(options.volume)
        if options.music is not None:
            from voicehost.audio.music import Music

            Music(options.music).close()
        if virtual and options.voice not in {"auto", "none"}:
            # In real time the voice is opened, which says the same.
            _check_voice(options.voice, language)
    except UserError as error:
        raise UserError(error.key, status=2, **error.params) from error


def _check_record(path: Path, voice: str) -> None:
    if voice == "none":
        raise UserError("audio.record-without-voice", path=path)
    if path.suffix.lower() != ".wav" or path.is_dir():
        raise UserError("audio.record-no-wav", path=path)
    if not path.parent.is_dir():
        raise UserError("audio.record-no-folder", path=path, folder=path.parent)


def _check_voice(name: str, language: str) -> None:
    from voicehost.tts.selection import choose

    voice = choose(language, name)
    if voice is not None:
        voice.close()
