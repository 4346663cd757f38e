"""Every golden transcript is what the program does; ``python -m tests.games.runner --write`` writes them anew."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest

from tests.games.runner import play, played, rules_of, text_of
from tests.games.transcript import FOLDER, Transcript, TranscriptError, load, parse, paths, write
from voicehost.rules.ruleset import SHIPPED, SWITCHES, Ruleset, shipped
from voicehost.rules.switches import CHOICES, RANGES

each = pytest.mark.parametrize("path", paths(), ids=lambda path: path.stem)

SMALL = "situation: проба\nrules: sport\nshow: step\nfrom: start\n"


@each
def test_the_game_is_as_written(path: Path) -> None:
    was, now = path.read_text(encoding="utf-8"), write(load(path), played(path).outputs)
    difference = "".join(difflib.unified_diff(was.splitlines(True), now.splitlines(True), "written", "played"))
    assert not difference, f"\n{difference}\nIf the game is right: python -m tests.games.runner --write {path.stem}"


@pytest.mark.parametrize("rules", SHIPPED)
def test_every_rule_set_has_a_whole_game(rules: str) -> None:
    whole = [load(path) for path in paths() if path.stem == f"whole_{rules}"]
    assert [transcript.header["rules"] for transcript in whole] == [rules]
    told = played(FOLDER / f"whole_{rules}.txt").messages
    assert told[0]["type"] == "heard", "a whole game begins in the lobby"
    assert told[0]["command"] == "start-game"
    assert [message["winner"] for message in told if message["type"] == "result"][-1] in {"city", "mafia", "draw"}


def other_values(switch: str, shown: object) -> list[object]:
    """Values that a switch might have instead."""
    if isinstance(shown, bool):
        return [not shown]
    if isinstance(shown, int):
        least, most = RANGES[switch]
        return [value for value in (shown - 1, shown + 1) if least <= value <= most]
    others: list[object] = [value for value in CHOICES[switch] if value != shown]
    return others or [RANGES[switch][0]]


@pytest.mark.parametrize(
    ("path", "switch"),
    [(path, switch) for path in paths() for switch in load(path).switches],
    ids=lambda part: part.stem if isinstance(part, Path) else part,
)
def test_a_switch_that_a_transcript_shows_makes_a_difference_there(path: Path, switch: str) -> None:
    transcript = load(path)
    written = played(path).outputs
    for value in other_values(switch, transcript.switches[switch]):
        try:
            if play(transcript, **{switch: value}).outputs != written:
                return
        except TranscriptError:
            return  # not even its beginning can be played
    pytest.fail(f"{path.stem} is the same with any other {switch}")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("rules: sport\n", "no situation"),
        ("situation: проба\n", "no rules"),
        (SMALL + "colour: red\n", "no header: colour"),
        (SMALL + "rules: fsm\n", "no header: rules"),
        (SMALL + "\n> дальше\nfoul\n", "neither input nor output: foul"),
        (SMALL + "switches: opener\n", "name=value"),
    ],
)
def test_a_bad_file_is_refused(text: str, problem: str) -> None:
    with pytest.raises(TranscriptError, match=problem):
        rules_of(parse("bad", text))


@pytest.mark.parametrize("beginning", ["start; выставляю номер двенадцать", "start; абракадабра", "start; /wait later"])
def test_a_prelude_whose_lines_are_not_taken_is_refused(beginning: str) -> None:
    with pytest.raises(TranscriptError, match="prelude"):
        play(parse("bad", SMALL.replace("start", beginning)))


def test_writing_keeps_inputs_and_remarks() -> None:
    text = SMALL + "\n# Первая речь.\n> пас\n? may say\n# Конец.\n>> пауза\n"
    small: Transcript = parse("small", text)
    written = text_of(small)
    again = parse("small", written)
    assert again == small
    assert text_of(again) == written
    assert "  event    speech-ended seat=1 how=said\n" in written


def test_overrides_change_only_the_named_switches() -> None:
    rules: Ruleset = rules_of(parse("small", SMALL + "switches: opener=rotate foul_limit=3\n"))
    differing = {name for name in SWITCHES if getattr(rules, name) != getattr(shipped("sport"), name)}
    assert differing == {"opener", "foul_limit"}
