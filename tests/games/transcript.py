"""A golden transcript as a file: a header, what is said, and what must come out.

    situation: ничья трёх, потом двоих                   one line, in the language of the reader
    cases: 42 44                                         edge cases of the rules, by number
    rules: fsm
    switches: repeated_tie=lift                          what is shown; overrides the rule set where it differs
    roles: don mafia mafia sheriff city city city city city city
    from: start; nominate 2 5 7; votes 3 3 4             what led here, see ``prelude``

Then the state, and a block for each input. Inputs stand at the margin, all that comes out is indented:

    > три голоса             a typed line: an utterance or one of the ``/`` lines
    >> победа города         the same words, heard by a microphone
    ~ nominate 2 5           steps as in the header's ``from``, played in silence
    ? may say                a question of the reader: may say, table, host, seats, step
    # a remark
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent

HEADERS = (
    "situation",
    "cases",
    "rules",
    "switches",
    "players",
    "language",
    "mode",
    "roles",
    "deck",
    "names",
    "trigger",
    "show",
    "from",
)
"""What a header may hold, in the order in which it is written."""

REQUIRED = ("situation", "rules")


class TranscriptError(ValueError):
    """A transcript cannot be read or played."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line at the margin: ``kind`` is ``>``, ``>>``, ``~``, ``?`` or ``#``."""

    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind} {self.text}".rstrip()


@dataclass(frozen=True, slots=True)
class Transcript:
    """One file."""

    name: str
    header: dict[str, str]
    lines: tuple[Line, ...]

    def words(self, name: str) -> list[str]:
        """The words of a header, without commas."""
        return self.header.get(name, "").replace(",", " ").split()

    @property
    def switches(self) -> dict[str, int | bool | str]:
        """The switches that it shows, with their values."""
        return dict(_switch(self.name, word) for word in self.words("switches"))

    @property
    def cases(self) -> list[int]:
        """The edge cases that it shows."""
        return [int(word) for word in self.words("cases")]


def _switch(name: str, word: str) -> tuple[str, int | bool | str]:
    switch, separator, text = word.partition("=")
    if not separator:
        raise TranscriptError(f"{name}: a switch is name=value, not {word}")
    if text in {"true", "false"}:
        return switch, text == "true"
    return switch, int(text) if text.isdecimal() else text


def parse(name: str, text: str) -> Transcript:
    """Read a transcript, forgetting what came out."""
    header: dict[str, str] = {}
    lines: list[Line] = []
    last = ""
    for row in text.splitlines():
        kind, _, rest = row.partition(" ")
        if kind in {">", ">>", "~", "?", "#"}:
            lines.append(Line(kind, rest))
        elif not row.startswith(" ") and row.strip() and not lines:
            key, separator, value = row.partition(":")
            if not separator or key not in HEADERS or key in header:
                raise TranscriptError(f"{name}: no header: {row}")
            header[key], last = value.strip(), key
        elif row.startswith("  ") and last and not lines and last in {"from", "switches"} and row.strip():
            header[last] += " " + row.strip()
        elif row.strip() and not row.startswith("  "):
            raise TranscriptError(f"{name}: neither input nor output: {row}")
        else:
            last = ""
    missing = [key for key in REQUIRED if key not in header]
    if missing:
        raise TranscriptError(f"{name}: no {missing[0]}")
    return Transcript(name, header, tuple(lines))


def write(transcript: Transcript, outputs: Iterable[list[str]]) -> str:
    """Return the file: the header, the state at the start, and each line with what came out."""
    rows = [f"{key}: {transcript.header[key]}".rstrip() for key in HEADERS if key in transcript.header]
    first, *following = outputs
    rows += ["", *(f"  {row}" for row in first)]
    for line, output in zip(transcript.lines, following, strict=True):
        rows += ["", str(line)] if line.kind != "#" else [""] * (rows[-1][:1] != "#") + [str(line)]
        if line.kind != "#" and len(rows) > 2 and rows[-3][:1] == "#":
            del rows[-2]
        rows += [f"  {row}" for row in output]
    return "\n".join(rows) + "\n"


def paths() -> list[Path]:
    """Return every transcript."""
    return sorted(FOLDER.glob("*.txt"))


def load(path: Path) -> Transcript:
    """Read one file."""
    return parse(path.stem, path.read_text(encoding="utf-8"))
