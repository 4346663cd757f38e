"""Making voice packs: every line rendered once, finished and written down, by several processes side by side."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue

from voicehost.audio.loudness import integrated
from voicehost.errors import UserError
from voicehost.tts import shaping
from voicehost.tts.fallback import check_sound
from voicehost.tts.pack import CLIPS, Clip, VoicePack, key_of
from voicehost.tts.voice import Sound, Voice, VoiceFailed

FORMATS = ("flac", "opus")
"""flac keeps every bit; opus takes about a sixth of the place."""

_SAVE_EVERY = 50


@dataclass(frozen=True, slots=True)
class Line:
    """A line for a pack: what it is found by, and what the engine gets when that must sound differently.

    A piece before a list is spoken with a comma, so that its voice does not fall.
    """

    text: str
    spoken: str = ""


@dataclass(frozen=True, slots=True)
class Made:
    """How it went: lines that were rendered, that were there already, and that no try could render, with the reason."""

    rendered: int
    kept: int
    failed: tuple[tuple[str, str], ...]


def make(
    pack: VoicePack,
    lines: Iterable[Line],
    voices: Sequence[Voice],
    *,
    form: str = "flac",
    anew: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Made:
    """Render the lines that the pack lacks, as many at a time as there are ``voices`` (all the same one).

    What was made is kept when this is interrupted. ``anew`` renders also what is there. ``progress(done, all)`` is
    called from the calling thread.

    Raises UserError tts.pack-unwritable.
    """
    wanted = list({key_of(line.text): line for line in lines}.values())
    missing = [line for line in wanted if anew or not _sound_there(pack, line.text)]
    kept = len(wanted) - len(missing)
    free: SimpleQueue[Voice] = SimpleQueue()
    for voice in voices:
        free.put(voice)
    failed: list[tuple[str, str]] = []
    done = 0
    with ThreadPoolExecutor(max_workers=max(1, len(voices))) as pool:
        jobs = {pool.submit(_render, line, free, pack.about.rate): line for line in missing}
        try:
            for job in as_completed(jobs):
                line = jobs[job]
                try:
                    keep(pack, line.text, job.result(), form)
                except VoiceFailed as failure:
                    failed.append((line.text, str(failure)))
                done += 1
                if progress is not None:
                    progress(kept + done, len(wanted))
                if done % _SAVE_EVERY == 0:
                    pack.save()
        except BaseException:
            for job in jobs:
                job.cancel()
            raise
        finally:
            _save(pack)
    return Made(done - len(failed), kept, tuple(failed))


def keep(pack: VoicePack, text: str, sound: Sound, form: str = "flac") -> Clip:
    """Write a finished sound into the pack; the manifest is saved by whoever calls.

    Raises UserError tts.pack-unwritable.
    """
    key = key_of(text)
    file = f"{CLIPS}/{key}.{form}"
    path = pack.folder / file
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, sound, form)
        data = path.read_bytes()
    except (OSError, RuntimeError) as error:
        raise UserError("tts.pack-unwritable", folder=pack.folder, problem=error) from error
    loudness = integrated(shaping.samples_of(sound), sound.rate)
    clip = Clip(text, file, hashlib.sha256(data).hexdigest(), round(sound.seconds, 4), round(loudness, 2))
    pack.clips[key] = clip
    return clip


def with_rules(pack: VoicePack, name: str) -> None:
    """Note that the pack holds the lines of one more rule set."""
    if name not in pack.about.rules:
        pack.about = replace(pack.about, rules=(*pack.about.rules, name))


def _render(line: Line, free: SimpleQueue[Voice], rate: int) -> Sound:
    voice = free.get()
    try:
        text = line.spoken or line.text
        for last in (False, True):
            try:
                sound = voice.render(text)
                check_sound(voice.name, text, sound)
            except VoiceFailed:
                voice.close()
                if last:
                    raise
            else:
                return shaping.finish(sound, rate)
        raise AssertionError("unreachable")
    finally:
        free.put(voice)


def _sound_there(pack: VoicePack, text: str) -> bool:
    clip = pack.clips.get(key_of(text))
    if clip is None:
        return False
    try:
        return hashlib.sha256((pack.folder / clip.file).read_bytes()).hexdigest() == clip.sha256
    except OSError:
        return False


def _write(path: Path, sound: Sound, form: str) -> None:
    import numpy as np
    import soundfile

    samples = np.frombuffer(sound.pcm, "<i2")
    kind = {"flac": ("FLAC", "PCM_16"), "opus": ("OGG", "OPUS")}[form]
    soundfile.write(path, samples, sound.rate, format=kind[0], subtype=kind[1])


def _save(pack: VoicePack) -> None:
    try:
        pack.save()
    except OSError as error:
        raise UserError("tts.pack-unwritable", folder=pack.folder, problem=error) from error
