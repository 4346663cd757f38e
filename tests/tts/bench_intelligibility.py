"""How well each voice is understood: a recogniser that knows nothing of the game listens to the host's lines.

    python tests/tts/bench_intelligibility.py                      # every Russian voice here, a sample of lines
    python tests/tts/bench_intelligibility.py --voice rhvoice:pavel --lines 0 --seat-phrases 6 --errors wrong.tsv

The lines are those of all manners, the same ones for every voice: so many of each style, and some phrases with each
seat from 1 to 10. Whisper writes down what it hears, freely (beam 5, no prompt). Counted are wrong, missing and added
words; numbers count as numbers, in digits or words. A seat is wrong when its number is not in what was heard.

Needs the ``whisper`` extra and ``voicehost models install whisper-base``. One row of a Markdown table a voice.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from voicehost.hosting.script import Cue
from voicehost.hosting.words import Words
from voicehost.language.cues import CUES
from voicehost.language.pack import Pack, load_pack
from voicehost.language.styles import load_style
from voicehost.models import user_folder
from voicehost.rules.switches import MANNERS
from voicehost.stt.whisper_features import RATE, log_mel
from voicehost.tts import shaping
from voicehost.tts.selection import installed, voice_for_pack
from voicehost.tts.voice import Sound, Voice, VoiceFailed

STYLES = ("official", "classic", "noir")
SEATS = range(1, 11)
SEAT_PHRASES = ("speech", "foul", "candidate", "nomination-accepted", "last-word", "voted-out")
"""What is said with each seat, the most frequent first."""
PARAMS: dict[str, Any] = {"needed": 6, "seconds": 60, "number": 2, "seats": (5, 2, 8)}
UNSPOKEN = {"help", "hunt-number"}
"""Cues of ready text, and the bare number that no recogniser without context could write down."""
WINDOW = 8.0
LONG_WINDOW = 20.0
TEMPERATURES = (0.2, 0.4, 0.6)
SEED = 2


def lines_of(pack: Pack, style: str) -> list[str]:
    """Every wording of every cue in every manner, with some number or other."""
    found: dict[str, None] = {}
    for manner in MANNERS:
        words = Words(pack, manner, load_style(pack, style))
        for place, phrase in enumerate(CUES):
            if phrase in UNSPOKEN:
                continue
            params = {name: PARAMS.get(name, place % (10 if name == "seat" else 4) + 1) for name in CUES[phrase]}
            cue = Cue(phrase, params)
            style_only = load_style(pack, style).all_lines(pack, manner, phrase, params) if style != "official" else []
            found.update(dict.fromkeys(style_only if style != "official" else words.lines(cue)))
    return list(found)


def seat_lines(pack: Pack, phrases: int) -> list[tuple[str, int]]:
    """Lines that name a seat, and which."""
    words = Words(pack, "sport")
    cues = [
        (Cue(phrase, {name: seat if name == "seat" else PARAMS.get(name, 1) for name in CUES[phrase]}), seat)
        for phrase in SEAT_PHRASES[:phrases]
        for seat in SEATS
    ]
    return [(words.line(cue), seat) for cue, seat in cues]


class Listener:
    """Whisper without a word of what may come."""

    def __init__(self, folder: Path, language: str) -> None:
        import ctranslate2
        from tokenizers import Tokenizer

        self._library = ctranslate2
        ctranslate2.set_random_seed(SEED)
        self._model = ctranslate2.models.Whisper(str(folder), device="cpu", compute_type="int8", intra_threads=1)
        self._tokens = Tokenizer.from_file(str(folder / "tokenizer.json"))
        names = ("<|startoftranscript|>", f"<|{language}|>", "<|transcribe|>", "<|notimestamps|>")
        self._begin = [self._tokens.token_to_id(name) for name in names]

    def hear(self, sound: Sound) -> str:
        """Write down what is said."""
        samples = np.concatenate([np.zeros(RATE // 4), shaping.samples_of(sound), np.zeros(RATE // 2)])
        samples = samples.astype(np.float32)
        features = log_mel(samples, WINDOW if len(samples) <= WINDOW * RATE else LONG_WINDOW)[None]
        encoded = self._model.encode(self._library.StorageView.from_array(features))
        text = self._written(encoded, beam_size=5)
        # As the usual programs do: what goes round in circles is decoded anew, by ever more chance.
        for temperature in TEMPERATURES:
            packed = zlib.compress(text.encode())
            if any(map(str.isalnum, text)) and len(text.encode()) <= 2.4 * len(packed):
                break
            text = self._written(encoded, beam_size=1, sampling_topk=0, sampling_temperature=temperature)
        return text

    def _written(self, encoded: Any, **how: Any) -> str:
        [result] = self._model.generate(encoded, [self._begin], max_length=120, **how)
        return str(self._tokens.decode(result.sequences_ids[0]))


class Normaliser:
    """Brings a text to words that can be compared: no case, no signs, numbers as numbers."""

    def __init__(self, pack: Pack) -> None:
        self._numbers: dict[str, int] = {}
        for form in pack.numerals.forms():
            for number, word in pack.numerals.words(form, range(100)).items():
                if " " not in word:
                    self._numbers.setdefault(word.lower().replace("ё", "е"), number)

    def words(self, text: str) -> list[str]:
        """The words of a text; a number is ``#7``, however it was written."""
        text = text.lower().replace("ё", "е").replace("№", " номер ")
        text = re.sub(r"(\d)-?(?:ый|ой|ая|ое|ого|ому|му|го|ми|м|й|я|е|х|ти|и|та|ят|ри|ви|ма)\b", r"\1 ", text)
        found: list[str] = []
        for word in re.findall(r"[a-zа-я]+|\d+", text):
            number = int(word) if word.isdigit() else self._numbers.get(word)
            if number is None:
                found.append(word)
            elif found and found[-1][0] == "#" and int(found[-1][1:]) in range(20, 100, 10) and 0 < number < 10:
                found[-1] = f"#{int(found[-1][1:]) + number}"
            else:
                found.append(f"#{number}")
        return found


def distance(said: Sequence[str], heard: Sequence[str]) -> int:
    """How many words are wrong, missing or added."""
    row = list(range(len(heard) + 1))
    for i, one in enumerate(said, 1):
        before, row[0] = row[0], i
        for j, other in enumerate(heard, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (one != other))
    return row[-1]


@dataclass(slots=True)
class Score:
    """What became of one voice's lines."""

    words: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    seats: int = 0
    wrong_seats: int = 0
    rendering: float = 0.0
    lines: int = 0

    def rate(self, *styles: str) -> str:
        """Percent of wrong words in these styles together."""
        return f"{100 * sum(self.wrong[s] for s in styles) / max(1, sum(self.words[s] for s in styles)):.1f}"

    def row(self, name: str) -> str:
        """A row of the table."""
        cells = [name, *(self.rate(style) for style in STYLES), self.rate(*STYLES)]
        cells += [f"{self.wrong_seats} из {self.seats}", f"{1000 * self.rendering / max(1, self.lines):.0f}"]
        return f"| {' | '.join(cells)} |"


def samples(pack: Pack, count: int, phrases: int) -> Iterator[tuple[str, str, int | None]]:
    """Style, line and seat of all that is to be said; ``count`` lines a style, 0: all."""
    for style in STYLES:
        lines = lines_of(pack, style)
        if count and count < len(lines):
            lines = random.Random(SEED).sample(lines, count)
        yield from ((style, line, None) for line in lines)
    yield from (("seats", line, seat) for line, seat in seat_lines(pack, phrases))


def rendered(voice: Voice, line: str) -> Sound:
    """Have a line said; on a busy machine a good engine may take longer than it is given."""
    for _ in range(3):
        try:
            return voice.render(line)
        except VoiceFailed as failed:
            if failed.why != "hung":
                raise
    return voice.render(line)


def measure(
    name: str, pack: Pack, listener: Listener, said: Sequence[tuple[str, str, int | None]], errors: Any
) -> Score:
    """Let one voice say everything and the listener write it down."""
    score, normaliser = Score(), Normaliser(pack)
    [voice] = voice_for_pack(pack.language, name, 1)
    try:
        rendered(voice, said[0][1])
        for style, line, seat in said:
            began = time.perf_counter()
            sound = shaping.finish(rendered(voice, line), RATE)
            score.rendering += time.perf_counter() - began
            score.lines += 1
            heard = listener.hear(sound)
            wanted, found = normaliser.words(line), normaliser.words(heard)
            wrong = distance(wanted, found)
            score.words[style] += len(wanted)
            score.wrong[style] += wrong
            missed = seat is not None and f"#{seat}" not in found
            score.seats += seat is not None
            score.wrong_seats += missed
            if wrong and errors is not None:
                print(name, style, wrong, "SEAT" if missed else "", line, heard.strip(), sep="\t", file=errors)
    finally:
        voice.close()
    return score


def main() -> None:
    """Measure the voices named, or all."""
    parser = argparse.ArgumentParser(description="How well each voice is understood.")
    parser.add_argument("--voice", action="append", help="a name from `voicehost voices list`; all if not given")
    parser.add_argument("--language", choices=["ru", "bg"], default="ru")
    parser.add_argument("--lines", type=int, default=24, help="lines of each style, 0: all [24]")
    parser.add_argument("--seat-phrases", type=int, default=3, help=f"phrases a seat, at most {len(SEAT_PHRASES)} [3]")
    parser.add_argument("--model", type=Path, default=user_folder() / "whisper-base", help="folder of a Whisper model")
    parser.add_argument("--errors", type=argparse.FileType("a", encoding="utf-8"), help="what was misheard goes here")
    chosen = parser.parse_args()
    pack = load_pack(chosen.language)
    listener = Listener(chosen.model, chosen.language)
    said = list(samples(pack, chosen.lines, chosen.seat_phrases))
    print(f"| голос | {' | '.join(f'`{style}`' for style in STYLES)} | вместе | неверно номер | мс на фразу |")
    print("|---|" + "---|" * (len(STYLES) + 3), flush=True)
    for name in chosen.voice or [info.name for info in installed(chosen.language)]:
        try:
            print(measure(name, pack, listener, said, chosen.errors).row(name), flush=True)
        except VoiceFailed as failed:
            print(f"{name}: {failed}", file=sys.stderr)


if __name__ == "__main__":
    main()
