"""Typed lines: every ``/`` line, good and bad, and whatever else a keyboard or a pipe may give."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from voicehost.hosting.inputs import Input, Look, Nothing, Phone, Quit, Said, Unclear, Wait, read_line


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("", Nothing()),
        (" \t\r\n", Nothing()),
        ("дальше\n", Said("дальше")),
        ("  Выставляю номер пять!  ", Said("Выставляю номер пять!")),
        ("\ufeffначинаем", Said("начинаем")),
        ("/wait 12.5", Wait(12.5)),
        ("/wait 12,5", Wait(12.5)),
        ("/ wait 0", Wait(0.0)),
        ("/wait 86400", Wait(86400.0)),
        ("/wait end", Wait(None)),
        ("/WAIT END", Wait(None)),
        ("/view table", Look("table")),
        ("/view host", Look("host")),
        ("/view seat 7", Look(7)),
        ("/quit", Quit()),
        ("/seat 7 join Аня", Phone(7, "join", "Аня")),
        ("/seat 7 join Анна Мария", Phone(7, "join", "Анна Мария")),
        ("/seat 7 choose 3", Phone(7, "choose", "3")),
        ("/seat 7 confirm", Phone(7, "confirm")),
        ("/seat 7 tap", Phone(7, "tap")),
        ("/seat 7 nominate 3", Phone(7, "nominate", "3")),
        ("/seat 7 vote", Phone(7, "vote")),
        ("/seat 7 done", Phone(7, "done")),
        ("/seat 7 DONE", Phone(7, "done")),
        ("/seat  7   choose   3 ", Phone(7, "choose", "3")),
        ("/seat 99 tap", Phone(99, "tap")),  # whether there is such a seat the referee knows
    ],
)
def test_what_a_line_means(line: str, meant: Input) -> None:
    assert read_line(line) == meant


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("/", "bad-line"),
        ("/help", "bad-line"),
        ("/wait", "bad-line"),
        ("/wait 1 2", "bad-line"),
        ("/wait soon", "bad-wait"),
        ("/wait -1", "bad-wait"),
        ("/wait nan", "bad-wait"),
        ("/wait inf", "bad-wait"),
        ("/wait 86401", "bad-wait"),
        ("/wait 1e400", "bad-wait"),
        ("/view", "bad-line"),
        ("/view all", "bad-line"),
        ("/view seat", "bad-line"),
        ("/view seat x", "bad-seat"),
        ("/view seat -1", "bad-seat"),
        ("/view seat 1000", "bad-seat"),
        ("/view seat ٣", "bad-seat"),
        ("/view table now", "bad-line"),
        ("/quit now", "bad-line"),
        ("/seat", "bad-line"),
        ("/seat 7", "bad-line"),
        ("/seat x tap", "bad-seat"),
        ("/seat 7 dance", "bad-phone"),
        ("/seat 7 join", "bad-phone"),
        ("/seat 7 tap 3", "bad-phone"),
        ("/seat 7 vote now", "bad-phone"),
        ("/seat 7 choose", "bad-phone"),
        ("/seat 7 choose x", "bad-seat"),
        ("/seat 7 choose 1 2", "bad-phone"),
        ("/seat 7 nominate three", "bad-seat"),
    ],
)
def test_a_bad_line_says_what_is_wrong(line: str, key: str) -> None:
    assert read_line(line) == Unclear(line.strip(), f"hosting.{key}")


def test_a_name_is_cut_to_forty_characters() -> None:
    line = read_line("/seat 1 join " + "я" * 60)
    assert line == Phone(1, "join", "я" * 40)


@given(st.text())
@example("\x00")
@example("/\x00")
@example("\ud800")
@example("/seat \ud800 tap")
@example("/wait " + "9" * 400)
def test_whatever_is_typed_is_read(line: str) -> None:
    meant = read_line(line)
    stripped = line.strip().lstrip("\ufeff")
    assert isinstance(meant, Nothing) is (not stripped)
    assert isinstance(meant, Said) is (bool(stripped) and not stripped.startswith("/"))


WORDS = ("/", "wait", "end", "seat", "7", "-1", "view", "table", "host", "quit", "join", "choose", "tap", "1e9", "ё")


@given(st.lists(st.sampled_from(WORDS)))
def test_whatever_looks_like_a_line_is_read(words: list[str]) -> None:
    meant = read_line("/" + " ".join(words))
    assert not isinstance(meant, Said | Nothing)
    if isinstance(meant, Unclear):
        assert meant.key.startswith("hosting.bad-")
