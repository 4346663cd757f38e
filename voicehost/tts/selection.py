"""Which voice speaks: what is installed, what was asked for, and who steps in."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from voicehost.errors import UserError
from voicehost.tts.cache import COMMON_RATE, CachedVoice
from voicehost.tts.espeak import EspeakEngine
from voicehost.tts.fallback import FallbackVoice, check_sound
from voicehost.tts.festival import FestivalEngine
from voicehost.tts.pack import VoicePack, find
from voicehost.tts.pack import installed as installed_packs
from voicehost.tts.packed import PackedVoice, ReadyVoice
from voicehost.tts.piper import PiperEngine
from voicehost.tts.pronunciation import pronounced
from voicehost.tts.pyttsx3 import Pyttsx3Engine
from voicehost.tts.rhvoice import RHVoiceLibraryEngine, RHVoiceProgramEngine
from voicehost.tts.say import SayEngine
from voicehost.tts.shaping import peak
from voicehost.tts.speechd import SpeechDispatcherEngine
from voicehost.tts.voice import Engine, Reason, Voice, VoiceFailed, VoiceInfo

_PLATFORMS = {"win32": "windows", "darwin": "mac"}
_LANGUAGES = ("ru", "bg")


def engines(places: Sequence[Path] = ()) -> list[Engine]:
    """Every engine that this system could have; ``places`` are folders or files of the user's own Piper voices."""
    return [
        PiperEngine(places),
        RHVoiceLibraryEngine(),
        RHVoiceProgramEngine(),
        SayEngine(),
        Pyttsx3Engine(),
        SpeechDispatcherEngine(),
        FestivalEngine(),
        EspeakEngine(),
    ]


def _candidates(language: str, known: Sequence[Engine]) -> list[tuple[VoiceInfo, Engine]]:
    # Some engines start a program to list their voices.
    with ThreadPoolExecutor(max_workers=max(1, len(known))) as pool:
        listed = list(pool.map(lambda engine: engine.voices(language), known))
    found = [(info, engine) for engine, infos in zip(known, listed, strict=True) for info in infos]
    return sorted(found, key=lambda pair: -pair[0].quality)


def installed(language: str, known: Sequence[Engine] | None = None) -> list[VoiceInfo]:
    """The voices for a language on this machine, in the order in which ``auto`` takes them; each name once."""
    names: dict[str, VoiceInfo] = {}
    for info, _ in _candidates(language, engines() if known is None else known):
        names.setdefault(info.name, info)
    return list(names.values())


def missing(known: Sequence[Engine] | None = None) -> dict[str, Reason]:
    """For each engine that cannot be used here, why."""
    reasons: dict[str, Reason] = {}
    usable: set[str] = set()
    for engine in engines() if known is None else known:
        reason = engine.available()
        if reason is None:
            usable.add(engine.name)
        else:
            reasons.setdefault(engine.name, reason)
    return {name: reason for name, reason in reasons.items() if name not in usable}


def choose(
    language: str,
    wanted: str = "auto",
    *,
    known: Sequence[Engine] | None = None,
    places: Sequence[Path] = (),
    packs: Path | None = None,
    rate: int = COMMON_RATE,
    on_change: Callable[[VoiceFailed, str], None] | None = None,
) -> ReadyVoice | None:
    """The voice to speak with, and behind it the best voice of every other engine.

    ``wanted``: "auto" (the newest pack of the user's for this language, else the best voice); "none" gives None; the
    folder of a voice pack or a pack's name; a name from installed(), its part after the colon, an engine's name (its
    best voice), or the path of a Piper ``.onnx`` file. ``packs`` is the folder of the user's packs. ``rate`` is the
    rate of synthesised sounds. ``on_change`` as in FallbackVoice. Nothing is started yet: prerender a line to warm it
    up, or check() it.

    Raises UserError: tts.unknown-voice, tts.voice-file (a bad .onnx), tts.no-voice-LANGUAGE-PLATFORM,
    tts.pack-language, and what a broken pack raises.
    """
    if wanted == "none":
        return None
    pack = _pack(language, wanted, packs)
    if pack is None:
        return _living(language, wanted, known, places, rate, on_change)
    try:
        behind = _living(language, pack.about.voice, known, places, rate, on_change)
    except UserError:
        try:
            behind = _living(language, "auto", known, places, rate, on_change)
        except UserError:
            behind = None
    return PackedVoice(pack, behind, on_change)


def _pack(language: str, wanted: str, place: Path | None) -> VoicePack | None:
    if wanted == "auto":
        return next(iter(installed_packs(language, place)), None)
    if wanted.endswith(".onnx"):
        return None
    pack = find(wanted, place)
    if pack is not None and pack.about.language != language:
        raise UserError(
            "tts.pack-language", status=2, folder=pack.folder, speaks=pack.about.language, language=language
        )
    return pack


def _living(
    language: str,
    wanted: str,
    known: Sequence[Engine] | None,
    places: Sequence[Path],
    rate: int,
    on_change: Callable[[VoiceFailed, str], None] | None,
) -> CachedVoice:
    if wanted.endswith(".onnx"):
        places = (*places, Path(wanted).expanduser())
    candidates = _candidates(language, engines(places) if known is None else known)
    if not candidates and wanted == "auto":
        raise _no_voice(language)
    first = candidates if wanted == "auto" else _named(candidates, wanted, language)
    ordered: dict[int, tuple[VoiceInfo, Engine]] = {}
    for info, engine in [*first, *candidates]:
        ordered.setdefault(id(engine), (info, engine))
    voices = [_open(info, engine) for info, engine in ordered.values()]
    return CachedVoice(FallbackVoice(voices, on_change), rate)


def voice_for_pack(language: str, wanted: str, count: int, known: Sequence[Engine] | None = None) -> list[Voice]:
    """One voice several times, each with a process of its own, to render a pack with. Raises UserError as choose()."""
    candidates = _candidates(language, engines() if known is None else known)
    if not candidates:
        raise _no_voice(language)
    info, engine = (candidates if wanted == "auto" else _named(candidates, wanted, language))[0]
    return [_open(info, engine) for _ in range(count)]


def info_of(language: str, name: str, known: Sequence[Engine] | None = None) -> VoiceInfo:
    """What is known of a voice. Raises UserError as choose()."""
    candidates = _candidates(language, engines() if known is None else known)
    if not candidates:
        raise _no_voice(language)
    return (candidates if name == "auto" else _named(candidates, name, language))[0][0]


def _open(info: VoiceInfo, engine: Engine) -> Voice:
    return pronounced(engine.open(info), engine.name, info.language)


def _named(
    candidates: Sequence[tuple[VoiceInfo, Engine]], wanted: str, language: str
) -> list[tuple[VoiceInfo, Engine]]:
    key = wanted.casefold()
    if key.endswith(".onnx"):
        path = str(Path(wanted).expanduser())
        exact = [pair for pair in candidates if pair[0].ident == path]
        if not exact:
            raise UserError("tts.voice-file", status=2, path=wanted, language=language)
        return exact
    # The whole name, else its last part, else the engine.
    found = [pair for pair in candidates if pair[0].name.casefold() == key]
    found = found or [pair for pair in candidates if pair[0].name.casefold().partition(":")[2] == key]
    found = found or [pair for pair in candidates if pair[0].engine.casefold() == key]
    if found:
        return found
    if not candidates:
        raise _no_voice(language)
    names = dict.fromkeys(info.name for info, _ in candidates)
    raise UserError("tts.unknown-voice", status=2, name=wanted, voices=", ".join(names))


def _no_voice(language: str) -> UserError:
    platform = _PLATFORMS.get(sys.platform, "linux")
    if language not in _LANGUAGES:
        return UserError("tts.no-voice-other", language=language)
    return UserError(f"tts.no-voice-{language}-{platform}")


@dataclass(frozen=True, slots=True)
class Trial:
    """How a voice did.

    Seconds of its first line (with start-up) and of a later one, seconds of sound in the latter, its loudest sample
    (0 to 1).
    """

    name: str
    first: float
    later: float
    sound: float
    peak: float


def check(info: VoiceInfo, line: str, known: Sequence[Engine] | None = None) -> Trial:
    """Let one voice, without any other behind it, say two lines; some engines manage only the first.

    Raises UserError tts.voice-broken with the voice's name and a message key ``why`` (tts.failed-...).
    """
    for engine in engines() if known is None else known:
        if info in engine.voices(info.language):
            break
    else:
        raise UserError(
            "tts.unknown-voice", status=2, name=info.name, voices=", ".join(v.name for v in installed(info.language))
        )
    voice = _open(info, engine)
    try:
        began = time.perf_counter()
        check_sound(info.name, line, voice.render(line))
        between = time.perf_counter()
        again = f"{line} {line}"
        sound = voice.render(again)
        check_sound(info.name, again, sound)
        return Trial(info.name, between - began, time.perf_counter() - between, sound.seconds, peak(sound))
    except VoiceFailed as failed:
        raise UserError(
            "tts.voice-broken", name=info.name, why=f"tts.failed-{failed.why}", detail=failed.detail
        ) from None
    finally:
        voice.close()
