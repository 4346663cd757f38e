"""The protocol of the evening in its four formats, and what it must not tell before the end."""

from __future__ import annotations

import csv
import io
import json
import re
import string
import tomllib
from datetime import UTC
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicehost.record.entries import Entry, Record
from voicehost.record.protocol import FORMATS, export
from voicehost.record.words import Say
from voicehost.rules import events as ev

PHRASES = Path(__file__).parents[2] / "phrases"
ROLES = ("don", "mafia", "mafia", "sheriff", "city", "city", "city", "city", "city", "city")
NAMES = ["Аня", "Борис", "=1+1", "<b>Вера</b>", "Глеб", "Дина", "Ева", "Жан", "Зоя", "Игорь & Ко"]

NIGHT_ZERO: list[ev.Event] = [ev.GameStarted(), ev.RolesDealt(ROLES), ev.NightFell(0), ev.MafiaMet()]
DAY_ONE: list[ev.Event] = [
    ev.DayBroke(1),
    ev.SpeechBegan(1, 60),
    ev.SeatNominated(1, 5),
    ev.SeatNominated(2, 6),
    ev.NominationWithdrawn(2, 6),
    ev.SeatNominated(2, 7),
    ev.FoulGiven(3, 1),
    ev.TechnicalFoulGiven(3, 1),
    ev.VoteOpened((5, 7), 1),
    ev.VotesCast(5, 5, (1, 3, 6, 8, 10)),
    ev.VotesCast(7, 5),
    ev.Tie((5, 7)),
    ev.VoteOpened((5, 7), 2),
    ev.VotesCast(5, 5),
    ev.VotesCast(7, 5),
    ev.Tie((5, 7)),
    ev.LiftAsked((5, 7)),
    ev.LiftCounted(6, 6),
    ev.SeatLeft(5, "lifted"),
    ev.SeatLeft(7, "lifted"),
]
NIGHT_ONE: list[ev.Event] = [
    ev.NightFell(1),
    ev.HuntBegan(),
    ev.ShooterShot(1, 9),
    ev.ShooterShot(2, 9),
    ev.ShooterShot(3, 9),
    ev.SeatShot(9),
    ev.SeatLeft(9, "shot", quiet=True),
    ev.DonChecked(4, True),
    ev.SheriffChecked(2, "black"),
]
MORNING: list[ev.Event] = [ev.BestMoveNamed(9, (1, 2, 3)), ev.DayBroke(2), ev.DepartureAnnounced((9,))]
END: list[ev.Event] = [ev.NoVote("none-nominated"), ev.SeatLeft(8, "fouls"), ev.GameEnded("mafia", "parity")]


def speaker(language: str) -> Say:
    sentences = tomllib.loads((PHRASES / language / "messages" / "record.toml").read_text(encoding="utf-8"))

    def say(key: str, /, **params: object) -> str:
        file, _, name = key.partition(".")
        assert file == "record"
        return str(sentences[name]).format(**params)

    return say


def make(form: str, *events: ev.Event, language: str = "ru", names: list[str] | None = None) -> str:
    setup = {"rules": {"name": "fsm", "title": "Правила ФСМ"}, "players": 10, "mode": "hosted", "names": names or NAMES}
    record = Record("mirola", 1_790_000_000.0, 0.0, None, setup, None, None, 1, len(events))
    entries = [Entry("host", "next", {}, None, tuple(enumerate(events, 1)), 0.0, 0.0)]
    return export(form, record, entries, speaker(language), language=language, zone=UTC)


EVENING = (*NIGHT_ZERO, *DAY_ONE, *NIGHT_ONE, *MORNING, *END)

# --- each format


def test_text() -> None:
    assert make("text", *EVENING) == (
        """\
Протокол игры mirola
====================

Дата: 21.09.2026 14:13
Правила: Правила ФСМ
Ведёт: ведущий
Итог: победа мафии (чёрных не меньше, чем красных)

Место  Игрок        Роль           Фолы  Техн. фолы  Выбыл
1      Аня          дон            —     —           —
2      Борис        мафия          —     —           —
3      =1+1         мафия          1     1           —
4      <b>Вера</b>  шериф          —     —           —
5      Глеб         мирный житель  —     —           день 1, подъём
6      Дина         мирный житель  —     —           —
7      Ева          мирный житель  —     —           день 1, подъём
8      Жан          мирный житель  —     —           день 2, фолы
9      Зоя          мирный житель  —     —           ночь 1, убийство
10     Игорь & Ко   мирный житель  —     —           —

День 1
  Выставлены: 1 → 5, 2 → 7
  Фол: 3 (1)
  Технический фол: 3 (1)
  Голосование: 5 — 5 (1, 3, 6, 8, 10); 7 — 5
  Поровну: 5, 7
  Круг 2: 5 — 5; 7 — 5
  Поровну: 5, 7
  За подъём всех: 6 (нужно 6)
  Выбыли: 5 (подъём), 7 (подъём)

Ночь 1
  Выстрел: 1 → 9, 2 → 9, 3 → 9
  Убит: 9
  Проверка дона: 4 — шериф
  Проверка шерифа: 2 — чёрный
  Лучший ход: 9: 1, 2, 3
  Выбыли: 9 (убийство)

День 2
  Голосования нет: никто не выставлен
  Выбыли: 8 (фолы)
"""
    )


def test_text_of_a_game_that_has_not_begun() -> None:
    page = make("text", ev.SeatTaken(3, "Костя"))
    assert "Итог: игра не закончена" in page
    assert "3      Костя" in page
    assert page.endswith("\nничего не записано\n")


def test_a_name_cannot_steer_the_terminal_or_break_the_table() -> None:
    page = make("text", *EVENING, names=["\x1b[31mКрасный\nДон", *NAMES[1:]])
    assert "\x1b" not in page
    assert "[31mКрасный Дон" in page


def test_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(make("csv", *EVENING), newline="")))
    empty = dict.fromkeys(("Запись", "Время", "Место", "Игрок", "Кто", "Счёт", "Места", "Подробно"), "")
    for row in (
        {"Запись": "Итог", "Подробно": "победа мафии (чёрных не меньше, чем красных)"},
        {"Запись": "Игрок", "Место": "4", "Игрок": "<b>Вера</b>", "Подробно": "шериф"},
        {"Запись": "Выставлены", "Время": "день 1", "Место": "5", "Игрок": "Глеб", "Кто": "1"},
        {
            **{"Запись": "Голосование", "Время": "день 1", "Место": "5", "Игрок": "Глеб", "Счёт": "5"},
            **{"Места": "1 3 6 8 10", "Подробно": "Круг 1"},
        },
        {"Запись": "За подъём всех", "Время": "день 1", "Счёт": "6", "Подробно": "6 (нужно 6)"},
        {"Запись": "Выбыл", "Время": "ночь 1", "Место": "9", "Игрок": "Зоя", "Подробно": "убийство"},
        {"Запись": "Проверка шерифа", "Время": "ночь 1", "Место": "2", "Игрок": "Борис", "Подробно": "чёрный"},
        {"Запись": "Лучший ход", "Время": "ночь 1", "Место": "9", "Игрок": "Зоя", "Места": "1 2 3"},
    ):
        assert empty | row in rows


def test_no_cell_of_the_csv_is_a_formula() -> None:
    names = ["=1+1", "+7", "-2", "@x", "\tx", "\rx", "a", "б", "1", ""]
    cells = [cell for row in csv.reader(io.StringIO(make("csv", *EVENING, names=names), newline="")) for cell in row]
    assert "'=1+1" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


class Reader(HTMLParser):
    """Collects tags and text, and fails on a tag that is closed out of turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.mark.parametrize("events", [EVENING, NIGHT_ZERO, ()])
def test_html_is_one_sound_file_that_loads_nothing(events: tuple[ev.Event, ...]) -> None:
    page = make("html", *events)
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    assert not {"script", "link", "img", "b", "iframe"} & set(reader.tags)
    assert not re.search(r"url\(|@import|https?:", page)
    assert {"<b>Вера</b>", "Игорь & Ко"} <= set(reader.text)


def test_html_has_the_same_words_as_the_text() -> None:
    reader = Reader()
    reader.feed(make("html", *EVENING, language="bg"))
    words = "".join(reader.text)
    for line in make("text", *EVENING, language="bg").splitlines():
        for part in re.split(r": |  +", line.strip("= ")):
            assert part in words
    assert "победа на мафията" in words


def test_json() -> None:
    read = json.loads(make("json", *EVENING))
    assert (read["game"], read["began"], read["rules"]) == ("mirola", "2026-09-21T14:13:20+00:00", "Правила ФСМ")
    assert (read["finished"], read["winner"], read["reason"]) == (True, "mafia", "parity")
    assert read["players"][8] == {
        **{"seat": 9, "name": "Зоя", "role": "city", "fouls": 0, "technical_fouls": 0},
        "left": {"time": "night", "number": 1, "cause": "shot"},
    }
    day, night, _ = read["periods"]
    assert day["nominations"] == [{"by": 1, "seat": 5}, {"by": 2, "seat": 7}]
    assert day["rounds"][0]["votes"][0] == {"candidate": 5, "count": 5, "seats": [1, 3, 6, 8, 10]}
    assert day["lift"] == {"count": 6, "needed": 6}
    assert night["don_check"] == {"seat": 4, "sheriff": True}
    assert "nominations" not in night
    assert [event["seq"] for event in read["events"]] == list(range(1, len(EVENING) + 1))


def test_a_miss_and_answers_that_only_the_host_knows() -> None:
    events = (ev.NightFell(1), ev.ShotMissed(), ev.DonChecked(3, None), ev.SheriffChecked(3, None))
    page = make("text", *NIGHT_ZERO, *events, ev.GameEnded("none", "ended"))
    assert "  Промах: —\n" in page
    assert page.count("3 — ответ дал ведущий") == 2


def test_what_was_undone_is_not_on_it() -> None:
    page = make("text", *NIGHT_ZERO, ev.DayBroke(1), ev.FoulGiven(8, 1), ev.Undone(5), ev.FoulGiven(9, 1))
    assert "Фол: 9 (1)" in page
    assert "8 (1)" not in page


# --- secrets


@pytest.mark.parametrize("form", FORMATS)
@given(deals=st.tuples(st.permutations(ROLES), st.permutations(ROLES)), shots=st.tuples(*[st.integers(1, 10)] * 2))
def test_an_unfinished_game_tells_nothing_that_is_hidden(
    form: str, deals: tuple[list[str], list[str]], shots: tuple[int, int]
) -> None:
    """Two evenings that differ only in secrets read the same until they end."""

    def evening(deal: list[str], shot: int) -> list[ev.Event]:
        secret = [
            ev.RolesDealt(tuple(deal)),
            ev.RoleSet(shot, deal[0]),
            ev.CardTaken(shot, shot),
            *DAY_ONE,
            ev.NightFell(1),
            ev.ShooterShot(shot, shot),
            ev.SeatShot(shot),
            ev.SeatLeft(shot, "shot", quiet=True),
            ev.DonChecked(shot, deal[shot - 1] == "sheriff"),
            ev.SheriffChecked(shot, "black" if deal[shot - 1] in ("don", "mafia") else "red"),
        ]
        return [ev.GameStarted(), *secret]

    one, two = (evening(deal, shot) for deal, shot in zip(deals, shots, strict=True))
    assert make(form, *one) == make(form, *two)
    ended = make(form, *one, ev.GameEnded("city", "declared"))
    assert ended != make(form, *one)


def test_an_exit_in_the_night_is_told_once_it_was_announced() -> None:
    before = make("text", *NIGHT_ZERO, *DAY_ONE, *NIGHT_ONE)
    assert "убийство" not in before
    after = make("text", *NIGHT_ZERO, *DAY_ONE, *NIGHT_ONE, *MORNING)
    assert "9      Зоя          —     —           ночь 1, убийство" in after
    assert "Роль" not in after
    assert "Выстрел" not in after


# --- words


def _sentences(language: str) -> dict[str, str]:
    return tomllib.loads((PHRASES / language / "messages" / "record.toml").read_text(encoding="utf-8"))


def test_both_languages_have_the_same_sentences_with_the_same_braces() -> None:
    russian, bulgarian = _sentences("ru"), _sentences("bg")
    assert russian.keys() == bulgarian.keys()
    for key, sentence in russian.items():
        assert _braces(sentence) == _braces(bulgarian[key]), key


def _braces(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", ["ru", "bg"])
def test_every_code_of_the_game_has_a_word(language: str) -> None:
    codes = {
        "winner": "city mafia draw none",
        "reason": "black-gone parity three-misses no-losses outside-hint team-defeat declared ended",
        "cause": "voted lifted shot fouls technical-fouls removed team-defeat alone-nominated",
        "role": "city sheriff mafia don",
        "no-vote": "none-nominated alone-on-day-one alone-nominated",
        "vote-cancelled": "removal four-at-table",
        "answer": "red black black-don",
        "mode": "hosted home",
    }
    sentences = _sentences(language)
    assert not [
        f"{kind}-{code}" for kind, all_ in codes.items() for code in all_.split() if not sentences.get(f"{kind}-{code}")
    ]
