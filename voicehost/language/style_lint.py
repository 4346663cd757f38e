"""The check of ``styles/NAME.toml``: as that of announcements.toml, and that no official formula is reworded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from voicehost.language.announcements import SETTINGS, SHARED_WORDS
from voicehost.language.cues import CUES
from voicehost.language.lint import Finding, Hears, LineCheck, places_of
from voicehost.language.pack import Pack, read_toml
from voicehost.language.styles import FREE, KEYS, folder, with_name
from voicehost.rules.switches import MANNERS

_SAMPLE_NAMES = {"ru": ("Аня", "Борис"), "bg": ("Ана", "Борис")}
_ANY_NAMES = _SAMPLE_NAMES["ru"]


def check_styles(pack: Pack, hears: Hears | None = None) -> list[Finding]:
    """Return everything that is wrong with the styles of a pack.

    They can be tried only when the words that all lines share are there; the check of announcements.toml asks for them.

    Raises:
        UserError: a file is not TOML.
    """
    if not set(SHARED_WORDS) <= set(pack.announcements.get(SETTINGS, {})):
        return []
    return [finding for path in sorted(folder(pack).glob("*.toml")) for finding in _check(path, pack, hears)]


def _check(path: Path, pack: Pack, hears: Hears | None) -> Iterator[Finding]:
    check = LineCheck(path, pack.numerals, hears, MANNERS)
    check.places = places_of(path.read_text(encoding="utf-8"))
    for cue, table in read_toml(path).items():
        if cue not in CUES:
            check.tell(cue, "", "unknown-cue")
        elif cue not in FREE:
            _tell(check, cue, "", "not-free")
        elif not isinstance(table, dict):
            check.tell(cue, "", "no-table")
        else:
            _check_cue(check, pack, cue, table)
    yield from sorted(check.findings, key=lambda finding: finding.line)


def _check_cue(check: LineCheck, pack: Pack, cue: str, table: dict[str, Any]) -> None:
    for key, lines in table.items():
        if key not in KEYS:
            _tell(check, cue, key, "unknown-key", known=", ".join(KEYS))
        elif not isinstance(lines, list) or not lines or not all(isinstance(line, str) and line for line in lines):
            _tell(check, cue, key, "not-lines")
        else:
            for line in lines:
                _check_line(check, pack, cue, key, line)


def _check_line(check: LineCheck, pack: Pack, cue: str, key: str, line: str) -> None:
    names = _SAMPLE_NAMES.get(pack.language, _ANY_NAMES) if key != "lines" else ("",)
    if key != "lines" and "seat" not in CUES[cue]:
        _tell(check, cue, key, "no-seat")
        return
    for name in names:
        try:
            plain = with_name(pack.language, line, name) if name else line
        except KeyError as error:
            check.tell(cue, key, "wrong-form", place="name", form=str(error.args[0]))
            return
        check.tables = {SETTINGS: pack.announcements[SETTINGS], cue: {key: plain, "default": plain}}
        check.spelling(cue, key, plain)
        if check.places_fit(cue, key, plain):
            check.commands(cue, key, plain)


def _tell(check: LineCheck, cue: str, place: str, key: str, **params: str) -> None:
    line = check.places.get((cue, place)) or check.places.get((cue, "")) or 1
    check.findings.append(Finding(check.path, line, f"styles.{key}", {"cue": cue, "manner": place, **params}))
