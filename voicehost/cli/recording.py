"""Walking through lines with a microphone: read, check the level, keep or say it again."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from voicehost.cli.texts import interface

if TYPE_CHECKING:
    from voicehost.audio.booth import Booth, Take
    from voicehost.tts.pack import VoicePack

QUIT, SKIP, KEEP = "q", "s", "k"


def walk(pack: VoicePack, texts: Sequence[str], device: str | None) -> int:
    """Record the texts that the pack lacks until they are done or the person leaves; return how many were kept.

    Raises:
        UserError: there is no microphone.
    """
    from voicehost.audio.booth import Booth
    from voicehost.tts.pack import key_of

    missing = [text for text in texts if key_of(text) not in pack.clips]
    click.echo(interface("tts.record-how", count=len(missing)), err=True)
    kept = 0
    booth = Booth(device)
    try:
        for number, text in enumerate(missing, start=1):
            word = _record(pack, booth, text, f"{number}/{len(missing)}")
            if word == QUIT:
                break
            kept += word == KEEP
    finally:
        booth.close()
        if pack.clips:
            pack.save()
    return kept


def _record(pack: VoicePack, booth: Booth, text: str, number: str) -> str:
    """Record one line until it is good; return keep, skip or quit."""
    from voicehost.audio.booth import judge
    from voicehost.tts import shaping
    from voicehost.tts.pack_making import keep

    while True:
        click.echo(f"\n{number}  «{text}»")
        word = _ask("tts.record-start")
        if word in (QUIT, SKIP):
            return word
        booth.start()
        word = _ask("tts.record-stop")
        take: Take = booth.stop()
        if word == QUIT:
            return QUIT
        verdict = judge(take)
        params = {"loudness": f"{verdict.loudness:.0f}", "peak": f"{verdict.peak:.0f}", "noise": f"{verdict.noise:.0f}"}
        click.echo(interface(f"tts.take-{verdict.what}", **params))
        if verdict.usable and (verdict.what == "good" or _ask("tts.record-keep") == KEEP):
            sound = shaping.sound_of(take.samples, take.rate)
            keep(pack, text, shaping.finish(sound, pack.about.rate))
            pack.save()
            return KEEP


def _ask(key: str) -> str:
    """Ask for Enter or a letter; the end of the input means to leave."""
    click.echo(interface(key) + " ", nl=False, err=True)
    line = sys.stdin.readline()
    return line.strip().casefold()[:1] if line else QUIT
