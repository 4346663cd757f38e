"""A Vosk model on disk: whether it is whole and of the right kind, and which words it knows."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from voicehost.errors import UserError
from voicehost.stt.recogniser import UNKNOWN

READINGS = 5
"""The readings of an utterance that the library gives, the likeliest first."""

_FST_MAGIC = b"\xd6\xfd\xb2\x7e"
_NEEDED = ("am/final.mdl", "conf/mfcc.conf", "graph/phones/word_boundary.int")
_GRAPHS = ("graph/HCLr.fst", "graph/Gr.fst")
_LETTERS = "абвгдежзийклмнопрстуфхцчшщъыьэюяё"
_LONG_ENOUGH = 4
"""Letters of a word from which on one that differs in one of them is likely meant."""
_MOST_SPELLINGS = 6


class VoskModel:
    """A loaded model; one may serve several recognisers.

    Attributes:
        name: the name of its folder.
        words: of the words asked for so far, how the model spells each (``None``: it does not know it).
    """

    def __init__(self, folder: Path) -> None:
        """Load the model.

        Raises:
            UserError: ``stt.no-vosk``, ``stt.model-missing``, ``stt.model-broken`` (a file is missing or damaged),
                ``stt.model-static`` (made for dictation: no run-time grammar), ``stt.model-no-unknown``
                (it cannot tell talk from commands) or ``stt.model-path`` (Windows, letters beyond ASCII).
        """
        self.folder = checked_folder(folder)
        self.name = self.folder.name
        self.words: dict[str, str | None] = {}
        vosk = vosk_library()
        try:
            self._handle: Any = vosk.Model(_plain_path(self.folder))
        except Exception as error:
            # The library says no more than "Failed to create a model".
            raise UserError("stt.model-broken", folder=self.folder, file="am/final.mdl") from error
        if not self.knows(UNKNOWN):
            raise UserError("stt.model-no-unknown", model=self.name)

    def knows(self, word: str) -> bool:
        """Whether exactly this spelling is in the model's vocabulary."""
        return bool(word) and "\0" not in word and self._handle.vosk_model_find_word(word) >= 0

    def spelling(self, word: str) -> str | None:
        """How the model writes a word: in lower case, with ё or е as its vocabulary has it; ``None``: not at all."""
        if word not in self.words:
            self.words[word] = next(filter(self.knows, spellings(word)), None)
        return self.words[word]

    def near(self, word: str) -> str | None:
        """A word of the model that differs in one letter: a missing accent, a slip of the pen; ``None``: there is none.

        Models need not hold a list of their words, so every such word is asked for.
        """
        if len(word) < _LONG_ENOUGH:
            return None
        return next(filter(self.knows, _one_letter_apart(word.lower())), None)

    def unknown(self, texts: Iterable[str]) -> list[str]:
        """The words of these texts that the model cannot hear, each once, in their order."""
        words = dict.fromkeys(word for text in texts for word in text.split())
        return [word for word in words if self.spelling(word) is None]

    def spelled(self, phrase: str) -> str | None:
        """A phrase in the model's spelling, or ``None`` if it does not know every word of it."""
        words = [self.spelling(word) for word in phrase.split()]
        return " ".join(word for word in words if word) if words and None not in words else None

    def recogniser(self, phrases: Iterable[str], rate: int) -> Any:
        """Make the library's own recogniser for phrases that are in the model's spelling."""
        made = vosk_library().KaldiRecognizer(self._handle, rate, grammar_text(phrases))
        made.SetMaxAlternatives(READINGS)
        return made


def grammar_text(phrases: Iterable[str]) -> str:
    """The phrases as the library reads them.

    Its reader takes no escapes, so that an escaped Cyrillic word would be an unknown one; an empty list would mean
    the whole vocabulary or crash the process, but ``[unk]`` is always among them.
    """
    return json.dumps([*phrases, UNKNOWN], ensure_ascii=False)


def spellings(word: str) -> list[str]:
    """The ways to write a word that a model may know it by: ё and е, the given way first."""
    lower = word.lower()
    letters = [("ё", "е") if letter == "ё" else ("е", "ё") if letter == "е" else (letter,) for letter in lower]
    if sum(len(choice) > 1 for choice in letters) > _MOST_SPELLINGS:
        return [lower, lower.replace("ё", "е")]
    return ["".join(choice) for choice in product(*letters)]


def checked_folder(folder: Path) -> Path:
    """Look whether a folder holds a model that can hear a changing list of phrases, before the library reads it.

    The library itself ends the process or falls back to plain dictation when something is wrong. An archive that
    was unpacked into a folder of its own name is found one level down.

    Raises:
        UserError: see ``VoskModel``.
    """
    if not folder.is_dir():
        raise UserError("stt.model-missing", folder=folder)
    inner = [path for path in folder.iterdir() if (path / "am").is_dir()]
    if not (folder / "am").is_dir() and len(inner) == 1:
        folder = inner[0]
    static = (folder / "graph" / "HCLG.fst").is_file()
    if static and not (folder / "graph" / "HCLr.fst").is_file():
        raise UserError("stt.model-static", model=folder.name)
    for name in (*_NEEDED, *_GRAPHS):
        path = folder / name
        if not path.is_file() or path.stat().st_size == 0:
            raise UserError("stt.model-broken", folder=folder, file=name)
        if name in _GRAPHS:
            with path.open("rb") as file:
                if file.read(4) != _FST_MAGIC:
                    raise UserError("stt.model-broken", folder=folder, file=name)
    return folder


def vosk_library() -> Any:
    """The library, silenced.

    Raises:
        UserError: ``stt.no-vosk``: not installed, or not for this machine.
    """
    try:
        import vosk
    except (ImportError, OSError) as error:
        raise UserError("stt.no-vosk", detail=error) from error
    vosk.SetLogLevel(-1)
    return vosk


def _one_letter_apart(word: str) -> Iterator[str]:
    """Two letters swapped, one changed, one left out, one put in."""
    cuts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    yield from (head + tail[1] + tail[0] + tail[2:] for head, tail in cuts if len(tail) > 1 and tail[0] != tail[1])
    yield from (head + letter + tail[1:] for head, tail in cuts if tail for letter in _LETTERS if letter != tail[0])
    yield from (head + tail[1:] for head, tail in cuts if tail)
    yield from (head + letter + tail for head, tail in cuts for letter in _LETTERS)


def _plain_path(folder: Path) -> str:
    """The path as the library can open it: on Windows it reads only names in the system's code page."""
    path = str(folder)
    if sys.platform == "win32" and not path.isascii():
        import ctypes

        short = ctypes.create_unicode_buffer(1024)
        if not ctypes.windll.kernel32.GetShortPathNameW(path, short, 1024) or not short.value.isascii():
            raise UserError("stt.model-path", folder=path)
        return short.value
    return path
