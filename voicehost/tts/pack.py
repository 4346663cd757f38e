"""Voice packs: a folder of lines rendered or recorded once, with a manifest that says what they are.

``manifest.json`` names engine, voice, licence, language and rate, and for each line its text, the file with its sound,
that file's SHA-256, its length and its loudness. A line is found by the hash of its text, so a pack made for one rule
set serves every other that says the same. Lists of numbers are joined from pieces that the pack holds as well.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from voicehost.errors import UserError
from voicehost.tts.voice import Sound, VoiceFailed

MANIFEST = "manifest.json"
CLIPS = "clips"
FORMAT = 1
"""Version of the manifest; a pack of a later one is refused."""

_LONGEST_PIECE = 40
_KEPT = 300
_PAUSES = {",": 0.09, ":": 0.15, ";": 0.15, ".": 0.3, "!": 0.3, "?": 0.3}
"""Seconds of silence after a piece that ends in this; the pieces themselves keep a few hundredths."""


@dataclass(frozen=True, slots=True)
class Clip:
    """One line of a pack.

    ``file`` is relative to the pack's folder, ``sha256`` is of the file, ``loudness`` is in LUFS.
    """

    text: str
    file: str
    sha256: str
    seconds: float
    loudness: float


@dataclass(frozen=True, slots=True)
class About:
    """What a pack is: ``voice`` is the name it was rendered with, ``rules`` are the rule sets whose lines it holds."""

    language: str
    engine: str
    voice: str
    licence: str
    rate: int
    made: str = ""
    style: str = "official"
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with a clip: ``missing``, ``changed`` (its hash differs) or ``unreadable``."""

    text: str
    file: str
    why: str


def key_of(text: str) -> str:
    """What a line is found by: the hash of its text, whatever its capital letters and spaces.

    >>> key_of("Номер  пять.") == key_of("номер пять.")
    True
    """
    plain = " ".join(unicodedata.normalize("NFC", text).casefold().split())
    return hashlib.sha256(plain.encode("utf-8")).hexdigest()[:24]


@dataclass(slots=True)
class VoicePack:
    """A pack on the disk. Safe to read from several threads."""

    folder: Path
    about: About
    clips: dict[str, Clip] = field(default_factory=dict)
    _sounds: OrderedDict[str, Sound] = field(default_factory=OrderedDict, repr=False)
    _lock: Any = field(default_factory=Lock, repr=False)

    @classmethod
    def open(cls, folder: Path) -> VoicePack:
        """Read a pack's manifest; the sounds are read when they are wanted.

        Raises UserError: tts.pack-missing, tts.pack-broken, tts.pack-newer.
        """
        path = folder / MANIFEST
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            if not isinstance(data.get("format"), int):
                raise ValueError("format")
            if data["format"] > FORMAT:
                raise UserError("tts.pack-newer", folder=folder)
            about = {**data["about"], "rules": tuple(data["about"].get("rules", ()))}
            clips = {key: Clip(**clip) for key, clip in data["clips"].items()}
            return cls(folder, About(**about), clips)
        except FileNotFoundError:
            raise UserError("tts.pack-missing", folder=folder) from None
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise UserError("tts.pack-broken", folder=folder, problem=error) from error

    @property
    def name(self) -> str:
        """The folder's name, which ``--voice`` takes when it lies among the user's voices."""
        return self.folder.name

    def save(self) -> None:
        """Write the manifest; a power cut leaves the old one or the new one."""
        data = {
            "format": FORMAT,
            "about": asdict(self.about),
            "clips": {key: asdict(clip) for key, clip in self.clips.items()},
        }
        self.folder.mkdir(parents=True, exist_ok=True)
        fresh = self.folder / f"{MANIFEST}.new"
        fresh.write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")
        fresh.replace(self.folder / MANIFEST)

    def has(self, text: str) -> bool:
        """Whether the pack can say a line, whole or joined."""
        return self.pieces(text) is not None

    def pieces(self, text: str) -> list[Clip] | None:
        """The clips that say a line together, as few as possible from its beginning on; None when some are missing."""
        if (whole := self.clips.get(key_of(text))) is not None:
            return [whole]
        words = text.split()
        found: list[Clip] = []
        place = 0
        while place < len(words):
            for end in range(min(len(words), place + _LONGEST_PIECE), place, -1):
                clip = self.clips.get(key_of(" ".join(words[place:end])))
                if clip is not None:
                    found.append(clip)
                    place = end
                    break
            else:
                return None
        return found or None

    def sound(self, text: str) -> Sound | None:
        """The sound of a line, or None when the pack does not have it.

        Raises VoiceFailed when a file is damaged.
        """
        clips = self.pieces(text)
        if clips is None:
            return None
        sounds = [self._read(clip) for clip in clips]
        if len(sounds) == 1:
            return sounds[0]
        return Sound(b"".join(_joined(clips, sounds)), self.about.rate)

    def verify(self) -> list[Fault]:
        """Every clip whose file is missing, changed or unreadable."""
        faults = []
        for clip in self.clips.values():
            try:
                data = (self.folder / clip.file).read_bytes()
            except OSError:
                faults.append(Fault(clip.text, clip.file, "missing"))
                continue
            if hashlib.sha256(data).hexdigest() != clip.sha256:
                faults.append(Fault(clip.text, clip.file, "changed"))
                continue
            try:
                self._read(clip)
            except VoiceFailed:
                faults.append(Fault(clip.text, clip.file, "unreadable"))
        return faults

    def _read(self, clip: Clip) -> Sound:
        with self._lock:
            if clip.file in self._sounds:
                self._sounds.move_to_end(clip.file)
                return self._sounds[clip.file]
        sound = read_clip(self.folder / clip.file, self.name)
        if sound.rate != self.about.rate:
            raise VoiceFailed(self.name, "silent", f"{clip.file}: {sound.rate} Hz")
        with self._lock:
            self._sounds[clip.file] = sound
            while len(self._sounds) > _KEPT:
                self._sounds.popitem(last=False)
        return sound


def read_clip(path: Path, name: str) -> Sound:
    """A sound file as it is. Raises VoiceFailed."""
    try:
        import soundfile

        samples, rate = soundfile.read(path, dtype="int16", always_2d=True)
    except (ImportError, OSError, RuntimeError) as error:
        raise VoiceFailed(name, "silent", " ".join(str(error).split())) from None
    return Sound(samples[:, 0].astype("<i2").tobytes(), int(rate))


def _joined(clips: Sequence[Clip], sounds: Sequence[Sound]) -> Iterator[bytes]:
    last = len(clips) - 1
    for place, (clip, sound) in enumerate(zip(clips, sounds, strict=True)):
        yield sound.pcm
        if place < last:
            yield bytes(2 * round(_PAUSES.get(clip.text[-1:], 0.0) * sound.rate))


def user_folder() -> Path:
    """Where the packs lie that are known by name; it need not exist."""
    from platformdirs import user_data_path

    return user_data_path("voicehost", appauthor=False) / "voices"


def installed(language: str | None = None, place: Path | None = None) -> list[VoicePack]:
    """The readable packs in the user's folder, the newest first."""
    found = []
    try:
        folders = [path for path in (place or user_folder()).iterdir() if (path / MANIFEST).is_file()]
    except OSError:
        return []
    for folder in folders:
        try:
            pack = VoicePack.open(folder)
        except UserError:
            continue
        if language in (None, pack.about.language):
            found.append(pack)
    return sorted(found, key=lambda pack: (pack.about.made, pack.name), reverse=True)


def find(wanted: str, place: Path | None = None) -> VoicePack | None:
    """The pack in a folder, or of a name among the user's; None when there is none.

    Raises UserError as ``VoicePack.open`` for a folder whose manifest is broken.
    """
    for folder in (Path(wanted).expanduser(), (place or user_folder()) / wanted):
        if (folder / MANIFEST).is_file():
            return VoicePack.open(folder)
    return None


def empty(folder: Path, about: About) -> VoicePack:
    """A pack with nothing in it yet; nothing is written."""
    return VoicePack(folder, about)


def texts_of(clips: Mapping[str, Clip]) -> list[str]:
    """What a pack can say, in the order in which it was made."""
    return [clip.text for clip in clips.values()]
