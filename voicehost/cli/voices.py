"""``voicehost voices``: what can speak here, how it sounds, and packs of lines rendered or recorded beforehand."""

from __future__ import annotations

import json
import os
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from voicehost.cli.texts import interface
from voicehost.cli.usage import Group
from voicehost.errors import UserError
from voicehost.rules.switches import CHOICES

if TYPE_CHECKING:
    from voicehost.hosting.repertoire import Said
    from voicehost.tts.pack import VoicePack

EPILOG = """\b
Примеры:
  voicehost voices list                             чем можно говорить
  voicehost voices test rhvoice:pavel               послушать голос
  voicehost voices render --rules fsm               все реплики правил fsm заранее, в папку пользователя
  voicehost voices render ./golos --voice pavel     то же в свою папку: play --voice ./golos
  voicehost voices record ./klub --licence CC0      записать реплики своим голосом
  voicehost voices verify ./golos                   все ли звуки целы"""

LANGUAGES = click.Choice(CHOICES["language"])


@click.group(name="voices", cls=Group, epilog=EPILOG)
def command() -> None:
    """Голоса: какие есть, как звучат, наборы готовых реплик."""


@command.command(name="list")
@click.option("--language", type=LANGUAGES, help="Только этот язык. [все]")
@click.option("--json", "as_json", is_flag=True, help="По одному объекту JSON в строке.")
def list_voices(language: str | None, as_json: bool) -> None:
    """Показать голоса и наборы реплик, лучшие первыми, и чего не хватает."""
    from voicehost.cli.columns import show_columns
    from voicehost.tts import pack
    from voicehost.tts.selection import engines, installed, missing

    known = engines()
    languages = [language] if language else list(CHOICES["language"])
    rows: list[dict[str, str]] = []
    for code in languages:
        rows += [_pack_row(found) for found in pack.installed(code)]
        for info in installed(code, known):
            note = interface(info.note) if info.note else ""
            rows.append({"name": info.name, "language": code, "licence": info.licence, "note": note})
    if as_json:
        for row in rows:
            click.echo(json.dumps(row, ensure_ascii=False))
        return
    columns = ("name", "language", "licence", "note")
    show_columns([interface(f"tts.column-{key}") for key in columns], [[row[key] for key in columns] for row in rows])
    for name, reason in missing(known).items():
        click.echo(click.style(f"{name}: {interface(reason.key, **reason.params)}", dim=True), err=True)


@command.command(name="test")
@click.argument("name", metavar="[NAME]", default="auto")
@click.option("--language", type=LANGUAGES, default="ru", help="На каком языке. [ru]")
@click.option("--line", help="Что сказать. [фраза из игры]")
@click.option("--record", type=click.Path(path_type=Path), metavar="OUT.wav", help="Записать в файл.")
@click.option("--silent", is_flag=True, help="Не проигрывать, только измерить.")
def test_voice(name: str, language: str, line: str | None, record: Path | None, silent: bool) -> None:
    """Послушать голос или набор и узнать, как быстро он отвечает."""
    from time import perf_counter

    from voicehost.audio.loudness import integrated
    from voicehost.language.messages import message
    from voicehost.language.pack import load_pack
    from voicehost.tts import shaping
    from voicehost.tts.selection import choose
    from voicehost.tts.voice import VoiceFailed

    text = line or message(load_pack(language), "tts.test-line")
    voice = choose(language, name)
    if voice is None:
        raise UserError("tts.unknown-voice", status=2, name=name, voices="auto")
    try:
        spoken = voice.name
        began = perf_counter()
        sound = voice.render(text)
        took = perf_counter() - began
    except VoiceFailed as failed:
        why = interface(f"tts.failed-{failed.why}")
        raise UserError("tts.voice-broken", name=failed.voice, why=why, detail=failed.detail) from failed
    finally:
        voice.close()
    loudness = f"{integrated(shaping.samples_of(sound), sound.rate):.1f}"
    click.echo(
        interface(
            "tts.tested", name=spoken, text=text, milliseconds=round(took * 1000), seconds=f"{sound.seconds:.1f}",
            loudness=loudness,
        )
    )  # fmt: skip
    if record is not None:
        _write_wav(record, sound)
    if not silent and _play(sound):
        click.echo(interface("tts.hear-it"), err=True)


@command.command(name="render")
@click.argument("folder", metavar="[FOLDER]", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option("--voice", default="auto", metavar="auto|NAME", help="Чьим голосом. [auto: лучший]")
@click.option("--rules", default="sport", metavar="NAME|FILE", help="Чьи реплики. [sport]")
@click.option("--language", type=LANGUAGES, help="Язык. [язык набора правил]")
@click.option("--players", type=click.IntRange(5, 20), help="Сколько мест. [10 или сколько велит набор правил]")
@click.option("--style", default="official", metavar="NAME", help="official, classic или noir. [official]")
@click.option("--names", metavar='"Аня,Борис,…"', help="Имена по местам: обращения по имени тоже.")
@click.option("--format", "form", type=click.Choice(["flac", "opus"]), default="flac", help="flac или opus. [flac]")
@click.option("--jobs", type=click.IntRange(1, 32), help="Сколько процессов. [по числу ядер]")
@click.option("--anew", is_flag=True, help="Заново и то, что уже есть.")
def render(folder: Path | None, voice: str, form: str, jobs: int | None, anew: bool, **what: Any) -> None:
    """Озвучить все реплики набора правил один раз и сложить в папку.

    Без FOLDER набор ложится в папку пользователя, и `--voice auto` берёт его сам. Прерванное продолжается с того же
    места; второй набор правил добавляется к первому.
    """
    from voicehost.tts.pack_making import Line, make, with_rules
    from voicehost.tts.selection import info_of, voice_for_pack

    language, lines = _lines(**what)
    info = info_of(language, voice)
    pack = _open_pack(folder, language, info.engine, info.name, info.licence, what["style"])
    voices = voice_for_pack(language, info.name, jobs or os.cpu_count() or 1)
    try:
        with click.progressbar(length=len(lines), label=info.name, file=sys.stderr) as bar:
            made = make(
                pack,
                [Line(said.text, said.spoken) for said in lines],
                voices,
                form=form,
                anew=anew,
                progress=lambda done, of: bar.update(done - bar.pos),
            )
    finally:
        for one in voices:
            one.close()
    with_rules(pack, what["rules"])
    pack.save()
    for text, why in made.failed:
        click.echo(interface("tts.pack-line-failed", text=text, why=why), err=True)
    _report(pack, made.rendered, made.kept)


@command.command(name="verify")
@click.argument("pack", metavar="FOLDER|NAME")
def verify(pack: str) -> None:
    """Проверить, все ли звуки набора целы. Код выхода 1, если нет."""
    from voicehost.tts.pack import find

    found = find(pack)
    if found is None:
        raise UserError("tts.pack-missing", status=2, folder=pack)
    faults = found.verify()
    for fault in faults:
        click.echo(interface(f"tts.clip-{fault.why}", file=fault.file, text=fault.text))
    if faults:
        raise UserError("tts.pack-damaged", name=found.name, count=len(faults))
    _report(found, 0, len(found.clips))


@command.command(name="record")
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path, file_okay=False))
@click.option("--rules", default="sport", metavar="NAME|FILE", help="Чьи реплики. [sport]")
@click.option("--language", type=LANGUAGES, help="Язык. [язык набора правил]")
@click.option("--players", type=click.IntRange(5, 20), help="Сколько мест. [10 или сколько велит набор правил]")
@click.option("--style", default="official", metavar="NAME", help="official, classic или noir. [official]")
@click.option("--names", metavar='"Аня,Борис,…"', help="Имена по местам.")
@click.option("--by", default="", metavar="NAME", help="Кто говорит: попадёт в описание набора.")
@click.option("--licence", default="", metavar="NAME", help="На каких условиях запись можно раздавать.")
@click.option("--device", metavar="NAME", help="Микрофон: часть названия.")
@click.option("--all", "everything", is_flag=True, help="Все реплики, а не только самые частые.")
def record(folder: Path, by: str, licence: str, device: str | None, everything: bool, **what: Any) -> None:
    """Записать реплики своим голосом, одну за другой, с проверкой уровня.

    Записанное не спрашивается снова; чего в наборе нет, скажет синтез.
    """
    from voicehost.cli.recording import walk
    from voicehost.cli.voice_lines import most_needed

    language, lines = _lines(**what)
    texts = [said.text for said in lines] if everything else most_needed(**what)
    pack = _open_pack(folder, language, "recorded", f"recorded:{by}" if by else "recorded", licence, what["style"])
    count = walk(pack, texts, device)
    _report(pack, count, len(pack.clips) - count)


def _lines(**what: Any) -> tuple[str, list[Said]]:
    from voicehost.cli.voice_lines import all_lines

    return all_lines(**what)


def _open_pack(folder: Path | None, language: str, engine: str, voice: str, licence: str, style: str) -> VoicePack:
    """Return the pack that is in the folder already, or a new one.

    Raises:
        UserError: the folder holds another voice's pack, or one in another language.
    """
    from voicehost.tts.cache import COMMON_RATE
    from voicehost.tts.pack import MANIFEST, About, VoicePack, empty, user_folder

    place = folder or user_folder() / f"{language}-{voice.replace(':', '-').replace(' ', '-')}"
    if (place / MANIFEST).exists():
        pack = VoicePack.open(place)
        if (pack.about.voice, pack.about.language) != (voice, language):
            raise UserError(
                "tts.pack-other-voice", folder=place, there=pack.about.voice, speaks=pack.about.language, voice=voice
            )
        return pack
    today = date.today().isoformat()
    return empty(place, About(language, engine, voice, licence, COMMON_RATE, today, style))


def _pack_row(pack: VoicePack) -> dict[str, str]:
    note = interface("tts.note-pack", count=len(pack.clips), voice=pack.about.voice, rules=", ".join(pack.about.rules))
    return {"name": pack.name, "language": pack.about.language, "licence": pack.about.licence, "note": note}


def _report(pack: VoicePack, fresh: int, kept: int) -> None:
    seconds = sum(clip.seconds for clip in pack.clips.values())
    size = sum(path.stat().st_size for path in pack.folder.rglob("*") if path.is_file())
    click.echo(
        interface(
            "tts.pack-ready",
            folder=pack.folder,
            fresh=fresh,
            kept=kept,
            minutes=f"{seconds / 60:.1f}",
            megabytes=f"{size / 1e6:.1f}",
            licence=pack.about.licence or "?",
        )
    )


def _play(sound: Any) -> bool:
    """Play a sound, or say why it cannot be heard; tell whether it was played."""
    from voicehost.audio.playback import StreamPlayer

    try:
        player = StreamPlayer()
    except UserError as error:
        click.echo(interface(error.key, **error.params), err=True)
        return False
    try:
        player.play(sound).wait(sound.seconds + 10)
    finally:
        player.close()
    return True


def _write_wav(path: Path, sound: Any) -> None:
    from voicehost.audio.recorder import WaveFile

    file = WaveFile(path, sound.rate)
    try:
        file.write(sound.pcm)
    finally:
        file.close()
