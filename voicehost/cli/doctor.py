"""``voicehost doctor``: what works on this machine, and what to do about the rest."""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from voicehost.cli.findings import BAD, GOOD, MARKS, NOTE, Finding, microphone_findings, speaker_findings
from voicehost.cli.texts import interface, language
from voicehost.errors import UserError
from voicehost.rules.switches import CHOICES

if TYPE_CHECKING:
    from voicehost.language.vocabulary import PackWord


@click.command(name="doctor")
@click.option("--language", type=click.Choice(CHOICES["language"]), help="Язык игры. [язык системы, иначе ru]")
@click.option("--device", metavar="NAME", help="Микрофон: часть названия. [микрофон по умолчанию]")
@click.option("--sound", is_flag=True, help="Произнести проверочную фразу.")
@click.option("--verbose", is_flag=True, help="Показать и то, с чем всё в порядке, подробно.")
def command(language: str | None, device: str | None, sound: bool, verbose: bool) -> int:
    """Проверить микрофон, колонки, голоса, распознаватели, модели и словарь: что работает и что сделать.

    Две секунды слушает микрофон: помолчите или скажите что-нибудь.
    """
    chosen = language or _interface_language()
    bad = 0
    for title, examine in _examinations(chosen, device, sound=sound):
        shown = [finding for finding in _safely(examine) if verbose or not finding.detail]
        if shown:
            click.echo(click.style(interface(f"doctor.title-{title}"), bold=True))
        for finding in shown:
            mark, colour = MARKS[finding.verdict]
            click.echo(f"  {click.style(mark, fg=colour)} {finding.text}")
            bad += finding.verdict == BAD
    click.echo(interface("doctor.some-missing" if bad else "doctor.all-good"))
    return 0


def _interface_language() -> str:
    return language()


def _examinations(chosen: str, device: str | None, *, sound: bool) -> list[tuple[str, Callable[[], Iterator[Finding]]]]:
    return [
        ("program", _program),
        ("microphones", lambda: microphone_findings(device)),
        ("speakers", speaker_findings),
        ("voices", lambda: _voices(chosen, sound=sound)),
        ("recognisers", lambda: _recognisers(chosen)),
        ("vocabulary", lambda: _vocabulary(chosen)),
        ("journal", _journal),
    ]


def _safely(examine: Callable[[], Iterator[Finding]]) -> Iterator[Finding]:
    try:
        yield from examine()
    except UserError as error:
        yield Finding(BAD, interface(error.key, **error.params))


def _program() -> Iterator[Finding]:
    from voicehost import __version__

    version = ".".join(map(str, sys.version_info[:3]))
    yield Finding(GOOD, interface("doctor.versions", version=__version__, python=version, platform=sys.platform))
    yield Finding(GOOD, interface("doctor.text-always"), detail=True)


def _voices(chosen: str, *, sound: bool) -> Iterator[Finding]:
    from voicehost.tts.selection import check, choose, installed, missing

    found = installed(chosen)
    for place, voice in enumerate(found):
        note = interface(f"tts.{voice.note.removeprefix('tts.')}") if voice.note else ""
        yield Finding(GOOD if voice.intelligible else NOTE, f"{voice.name} {note}".rstrip(), detail=place > 0)
    if not found:
        choose(chosen)  # raises the sentence that says what to install
    for reason in missing().values():
        yield Finding(NOTE, interface(reason.key, **reason.params), detail=bool(found) and found[0].intelligible)
    if sound and found:
        trial = check(found[0], interface("tts.test-line"))
        yield Finding(GOOD, interface("doctor.voice-works", name=trial.name, seconds=f"{trial.later:.2f}"))


def _recognisers(chosen: str) -> Iterator[Finding]:
    from voicehost.models import EMBEDDED, installed, preferred

    best = preferred("whisper", chosen) if _is_installed("ctranslate2") else None
    best = best or preferred("vosk", chosen)
    for module in ("vosk", "ctranslate2"):
        there = _is_installed(module)
        key = f"doctor.{module}-there" if there else f"doctor.{module}-missing"
        yield Finding(
            GOOD if there else NOTE if module == "ctranslate2" else BAD, interface(key), there or best is not None
        )
    for model in installed():
        size = f"{model.bytes / 1e6:.0f}"
        text = interface("doctor.model", name=model.name, size=size, folder=model.folder)
        yield Finding(GOOD, text, detail=best is None or model.name != best.name)
    if best is None:
        yield Finding(NOTE, interface("cli.no-language-recogniser", language=chosen))
    elif best.name == EMBEDDED:
        yield Finding(NOTE, interface("cli.better-model"))


def _is_installed(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


def _vocabulary(chosen: str) -> Iterator[Finding]:
    """Tell which words of the phrase pack the recogniser's model does not know, and what cannot be said without."""
    from voicehost.language.pack import load_pack
    from voicehost.language.vocabulary import sayable, unknown_words
    from voicehost.models import preferred
    from voicehost.stt.vosk_model import VoskModel

    model = preferred("vosk", chosen)
    if model is None:
        yield Finding(NOTE, interface("doctor.no-vocabulary", language=chosen), detail=True)
        return
    known = VoskModel(model.folder)
    pack = load_pack(chosen)
    unknown = unknown_words(pack, known.knows)
    for voice in sayable(pack, known.knows).values():
        if not voice.phrases:
            yield Finding(BAD, interface("doctor.unsayable", command=voice.command, model=model.name))
    shown = ", ".join(_place(place, known.near(place.word)) for place in unknown[:8])
    if unknown:
        text = interface("doctor.unknown-words", count=len(unknown), words=shown, model=model.name)
        yield Finding(NOTE, text, detail=True)
    else:
        yield Finding(GOOD, interface("doctor.all-words", model=model.name), detail=True)


def _place(word: PackWord, near: str | None) -> str:
    """Where a word stands that the model does not know, and the word that it knows instead."""
    place = f"{word.file.name}:{word.line}"
    return (
        f"{word.word} ({place})" if near is None else interface("doctor.near", word=word.word, place=place, near=near)
    )


def _journal() -> Iterator[Finding]:
    from voicehost.record.journal import Journal, default_path

    path = default_path()
    if not path.exists():
        with tempfile.TemporaryFile(dir=_existing(path.parent)):
            yield Finding(GOOD, interface("doctor.journal-new", path=path))
        return
    with Journal.open(path) as journal:
        yield Finding(GOOD, interface("doctor.journal", path=path, count=len(journal.games())))


def _existing(folder: Path) -> Path:
    return folder if folder.exists() else _existing(folder.parent)
