"""The protocol of the evening as text, CSV, HTML or JSON. Pure: a game in, a string out."""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any

from voicehost.record.entries import Entry, Record
from voicehost.record.history import in_force
from voicehost.record.sheet import Period, Seat, Sheet, Time, sheet_of
from voicehost.record.words import Page, Say, answer_to_don, answer_to_sheriff, outcome, page_of, when

FORMATS = ("html", "json", "csv", "text")
"""What ``export`` can make."""


def export(
    form: str,
    record: Record,
    entries: Sequence[Entry],
    say: Say,
    *,
    language: str = "ru",
    zone: tzinfo | None = None,
    secrets: bool = False,
) -> str:
    """Return the protocol of a journalled game in one of ``FORMATS``; write it as UTF-8.

    Roles, shots and checks of an unfinished game are in it only with ``secrets``.

    Raises:
        KeyError: there is no such format.
    """
    sheet = sheet_of(record.setup, in_force(entries), game=record.id, began=record.created, secrets=secrets)
    makers: dict[str, Callable[[], str]] = {
        "html": lambda: as_html(page_of(sheet, say, zone), language),
        "json": lambda: as_json(sheet),
        "csv": lambda: as_csv(sheet, say),
        "text": lambda: as_text(page_of(sheet, say, zone)),
    }
    return makers[form]()


# --- text


def as_text(page: Page) -> str:
    """Return the page for a terminal: ruled by spaces, no line has trailing ones."""
    lines = [page.title, "=" * len(page.title), ""]
    lines += [f"{label}: {value}" for label, value in page.head]
    if page.rows:
        table = [[_plain(cell) for cell in row] for row in (page.columns, *page.rows)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines.append("")
        lines += ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in table]
    for title, part in page.parts:
        lines += ["", title, *(f"  {label}: {value}" for label, value in part)]
    if not page.parts:
        lines += ["", page.empty]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _plain(text: str) -> str:
    """A name on one line, without characters that steer a terminal."""
    return "".join(character if character.isprintable() else " " for character in text)


# --- html

_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin: 0 0 1rem; }
h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem; border-bottom: 1px solid #8886; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 0; }
dt { color: #808080; }
dd { margin: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin-top: 1.2rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #8884; }
th { font-weight: 600; }
@media print { body { margin: 0; max-width: none; font-size: 12px; } h2, tr, dl { break-inside: avoid; } }
"""


def as_html(page: Page, language: str) -> str:
    """Return the page as one HTML file without scripts, links or pictures; every word is escaped."""
    head = "".join(_definition(label, value) for label, value in page.head)
    columns = "".join(f'<th scope="col">{html.escape(column)}</th>' for column in page.columns)
    rows = "\n".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in page.rows)
    parts = "\n".join(
        f"<section>\n<h2>{html.escape(title)}</h2>\n<dl>{''.join(_definition(*line) for line in part)}</dl>\n</section>"
        for title, part in page.parts
    )
    table = f"<table>\n<thead><tr>{columns}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>" if page.rows else ""
    return f"""<!DOCTYPE html>
<html lang="{html.escape(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(page.title)}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{html.escape(page.title)}</h1>
<dl>{head}</dl>
<div class="scroll">{table}</div>
{parts or f"<p>{html.escape(page.empty)}</p>"}
</body>
</html>
"""


def _definition(label: str, value: str) -> str:
    return f"<dt>{html.escape(label)}</dt><dd>{html.escape(value)}</dd>"


# --- csv


def as_csv(sheet: Sheet, say: Say) -> str:
    """Return one fact a row: what, when, whose seat and name, by whom, how many, which seats, details.

    Lines end in CR LF (RFC 4180). A cell that a spreadsheet would take for a formula gets an apostrophe before it.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    names = {seat.number: seat.name for seat in sheet.seats}
    columns = ("column-part", "column-time", "seat", "player", "column-by", "column-count", "column-seats")
    writer.writerow([say(f"record.{column}") for column in (*columns, "column-detail")])

    def write(
        part: str,
        time: Time | None = None,
        seat: int | None = None,
        by: int | None = None,
        count: int | None = None,
        seats: tuple[int, ...] | None = None,
        detail: str = "",
    ) -> None:
        name = "" if seat is None else names.get(seat, "")
        cells = (say(f"record.{part}"), "" if time is None else when(time, say), seat, name)
        more = (by, count, None if seats is None else " ".join(map(str, seats)), detail)
        writer.writerow(["" if cell is None else _harmless(str(cell)) for cell in (*cells, *more)])

    write("result", detail=outcome(sheet, say))
    for seat in sheet.seats:
        write("player", seat=seat.number, detail=say(f"record.role-{seat.role}") if seat.role else "")
    for period in sheet.periods:
        for row in _facts(period, say):
            write(row.pop("part"), period.time, **row)
    return out.getvalue()


def _facts(period: Period, say: Say) -> Iterator[dict[str, Any]]:
    for by, seat in period.nominations:
        yield {"part": "nominations", "seat": seat, "by": by}
    for seat, total, technical in period.fouls:
        yield {"part": "technical-foul" if technical else "foul", "seat": seat, "count": total}
    if period.no_vote:
        yield {"part": "no-vote", "detail": say(f"record.no-vote-{period.no_vote}")}
    for turn in period.rounds:
        for candidate, count, seats in turn.votes:
            detail = say("record.round", number=turn.number)
            yield {"part": "vote", "seat": candidate, "count": count, "seats": seats, "detail": detail}
        if turn.tie:
            yield {"part": "tie", "seats": turn.tie, "detail": say("record.round", number=turn.number)}
    if period.lift:
        yield {
            "part": "lift",
            "count": period.lift[0],
            "detail": say("record.lift-votes", count=period.lift[0], needed=period.lift[1]),
        }
    if period.cancelled:
        yield {"part": "vote-cancelled", "detail": say(f"record.vote-cancelled-{period.cancelled}")}
    for by, seat in period.shots:
        yield {"part": "shot", "seat": seat, "by": by}
    if period.killed is not None:
        yield {"part": "killed", "seat": period.killed}
    if period.missed:
        yield {"part": "missed"}
    if period.don_check:
        yield {"part": "don-check", "seat": period.don_check[0], "detail": answer_to_don(period.don_check[1], say)}
    if period.sheriff_check:
        seat, answer = period.sheriff_check
        yield {"part": "sheriff-check", "seat": seat, "detail": answer_to_sheriff(answer, say)}
    if period.best_move:
        yield {"part": "best-move", "seat": period.best_move[0], "seats": period.best_move[1]}
    for seat, cause in period.left:
        yield {"part": "exit", "seat": seat, "detail": say(f"record.cause-{cause}")}


def _harmless(cell: str) -> str:
    return f"'{cell}" if cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


# --- json


def as_json(sheet: Sheet) -> str:
    """Return the facts for programs, in English codes, with the events themselves; keys never change their meaning."""
    began = None if sheet.began is None else datetime.fromtimestamp(sheet.began, UTC).isoformat(timespec="seconds")
    data = {
        "format": "voicehost-protocol",
        "version": 1,
        "game": sheet.game,
        "began": began,
        "rules": sheet.rules,
        "mode": sheet.mode,
        "finished": sheet.finished,
        "winner": sheet.winner,
        "reason": sheet.reason,
        "players": [_player(seat) for seat in sheet.seats],
        "periods": [_period(period) for period in sheet.periods],
        "events": [{"seq": seq, "name": name, **told} for seq, name, told in sheet.events],
    }
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _time(time: Time) -> dict[str, Any]:
    return {"time": "night" if time.night else "day", "number": time.number}


def _player(seat: Seat) -> dict[str, Any]:
    left = None if seat.left is None else {**_time(seat.left[0]), "cause": seat.left[1]}
    fouls = {"fouls": seat.fouls, "technical_fouls": seat.technical_fouls}
    return {"seat": seat.number, "name": seat.name, "role": seat.role, **fouls, "left": left}


def _period(period: Period) -> dict[str, Any]:
    """The facts of one day or night; what did not happen is left out."""
    rounds = [
        {
            "round": turn.number,
            "candidates": turn.candidates,
            "votes": [{"candidate": c, "count": n, "seats": seats} for c, n, seats in turn.votes],
            "tie": turn.tie,
        }
        for turn in period.rounds
    ]
    don, sheriff, best, lift = period.don_check, period.sheriff_check, period.best_move, period.lift
    facts: dict[str, Any] = {
        "nominations": [{"by": by, "seat": seat} for by, seat in period.nominations],
        "fouls": [{"seat": seat, "count": count, "technical": technical} for seat, count, technical in period.fouls],
        "no_vote": period.no_vote,
        "rounds": rounds,
        "vote_cancelled": period.cancelled,
        "lift": lift and {"count": lift[0], "needed": lift[1]},
        "shots": [{"shooter": by, "target": seat} for by, seat in period.shots],
        "killed": period.killed,
        "missed": period.missed or None,
        "don_check": don and {"seat": don[0], "sheriff": don[1]},
        "sheriff_check": sheriff and {"seat": sheriff[0], "answer": sheriff[1]},
        "best_move": best and {"by": best[0], "seats": best[1]},
        "left": [{"seat": seat, "cause": cause} for seat, cause in period.left],
    }
    return {**_time(period.time), **{key: value for key, value in facts.items() if value not in (None, [], ())}}
