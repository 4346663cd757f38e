"""``voicehost games``: what the journal holds, in words and files, and what it must not tell before the end."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.helpers import NAMES, Call
from voicehost.record.journal import Journal


def play(journal: Path, *arguments: str, lines: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "voicehost", *arguments, "--journal", str(journal)],
        input=lines,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


TYPED = ("--input", "text", "--voice", "none", "--clock", "virtual", "--json")


def test_the_list_shows_the_last_game_first(call: Call, journal: Path, ids: tuple[str, str]) -> None:
    done = call("games", "list", "--journal", journal)
    assert done.status == 0
    rows = [line.split() for line in done.out.splitlines()[1:]]
    assert [row[0] for row in rows] == [ids[1], ids[0]]
    assert [row[3:5] for row in rows] == [["sport", "10"], ["sport", "10"]]
    assert "не закончена" in done.out.splitlines()[1]
    assert "победа города" in done.out.splitlines()[2]


def test_without_games_it_says_so_and_makes_no_file(call: Call, tmp_path: Path) -> None:
    done = call("games", "list")
    assert (done.status, done.out) == (0, "Ничего нет.\n")
    assert not (tmp_path / "data").exists()


def test_the_protocol_of_a_finished_game_tells_all(call: Call, journal: Path, ids: tuple[str, str]) -> None:
    done = call("games", "show", ids[0], "--journal", journal)
    assert done.status == 0
    assert all(name in done.out for name in NAMES)
    assert all(word in done.out for word in ("дон", "шериф", "Убит: 9", "Проверка дона: 4"))


@pytest.mark.parametrize("form", ["text", "html", "csv", "json"])
def test_an_unfinished_game_keeps_its_secrets_unless_its_host_asks(
    call: Call, journal: Path, ids: tuple[str, str], form: str
) -> None:
    arguments = ("games", "export", ids[1], "--format", form, "--journal", journal)
    hidden, told = call(*arguments).out, call(*arguments, "--all").out
    assert NAMES[0] in hidden
    roles = ('"mafia"', '"sheriff"', '"city"') if form == "json" else ("мафия", "шериф", "мирный житель")
    assert not any(word in hidden.replace("Спортивная мафия", "") for word in roles)
    assert all(word in told for word in roles)
    if form == "json":
        assert json.loads(told)["finished"] is False
        assert json.loads(told)["winner"] is None
        assert [event["name"] for event in json.loads(told)["events"]][-1] == "don-checked"
        assert json.loads(hidden)["players"][0]["role"] is None
    else:
        assert "не закончена" in told


def test_show_and_export_as_text_are_the_same(call: Call, journal: Path, ids: tuple[str, str]) -> None:
    for extra in ((), ("--all",)):
        shown = call("games", "show", ids[1], "--journal", journal, *extra).out
        assert call("games", "export", ids[1], "--journal", journal, *extra).out == shown


@pytest.mark.parametrize(
    ("name", "begins"), [("v.html", "<!DOCTYPE html>"), ("v.json", "{"), ("v.csv", "Запись,"), ("v.txt", "Протокол")]
)
def test_a_file_is_of_the_kind_that_its_name_says(
    call: Call, journal: Path, ids: tuple[str, str], tmp_path: Path, name: str, begins: str
) -> None:
    file = tmp_path / name
    done = call("games", "export", ids[0], "-o", file, "--journal", journal)
    assert (done.status, done.out) == (0, "")
    assert str(file) in done.err
    assert file.read_text(encoding="utf-8").startswith(begins)


def test_csv_keeps_its_line_ends_on_the_way_to_a_file(
    call: Call, journal: Path, ids: tuple[str, str], tmp_path: Path
) -> None:
    file = tmp_path / "evening"
    assert call("games", "export", ids[0], "--format", "csv", "-o", file, "--journal", journal).status == 0
    written = file.read_bytes().decode("utf-8")
    assert "\r\n" in written
    assert "\r\r" not in written
    assert ["Убит", "9"] in [[row[0], row[2]] for row in csv.reader(io.StringIO(written, newline=""))]


def test_what_was_heard_is_shown_with_its_time_and_what_became_of_it(
    call: Call, journal: Path, ids: tuple[str, str]
) -> None:
    lines = call("games", "show", ids[0], "--heard", "--journal", journal).out.splitlines()
    assert [line.split() for line in lines] == [
        ["1:15", "hunt", "понято:", *["второй", "стреляет", "в", "девятого"]],
        ["1:20", "hunt", "не", "понято:", *["ну", "и", "ночь", "[2J"]],
    ]


def test_what_was_heard_in_an_unfinished_game_is_for_its_host(call: Call, journal: Path, ids: tuple[str, str]) -> None:
    done = call("games", "show", ids[1], "--heard", "--journal", journal)
    assert (done.status, done.out) == (1, "")
    assert "--all" in done.err
    shown = call("games", "show", ids[1], "--heard", "--all", "--journal", journal).out
    assert "отказ (not-now): девятый шериф" in shown


def test_nothing_heard_is_said(call: Call, tmp_path: Path) -> None:
    path = tmp_path / "silent.db"
    with Journal.open(path) as opened:
        game = opened.create({"players": 10}).id
    assert "не хранилось" in call("games", "show", game, "--heard", "--all", "--journal", path).out


def test_resume_goes_on_where_the_game_stopped(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    begun = play(path, "play", *TYPED, lines="начинаем игру\nдальше\n/wait end\nвыставляю номер пять\n")
    assert begun.returncode == 0, begun.stderr
    resumed = play(path, "games", "resume", *TYPED, lines="продолжить\nкто выставлен\n")
    assert resumed.returncode == 0, resumed.stderr
    printed = [json.loads(line) for line in resumed.stdout.splitlines()]
    first = next(line for line in printed if line["type"] == "ready")
    assert (first["step"], first["seat"], first["paused"]) == ("speech", 1, True)
    answer = next(line["text"] for line in printed if line.get("phrase") == "nominees")
    assert "пять" in answer


def test_resume_by_name_takes_that_game_and_no_options_of_a_beginning(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    for lines in ("начинаем игру\nдальше\n/wait end\n", "начинаем игру\nдальше\n"):
        assert play(path, "play", *TYPED, lines=lines).returncode == 0
    with Journal.open(path) as opened:
        first = opened.games()[-1].id
    resumed = play(path, "games", "resume", first.upper(), *TYPED, lines="")
    assert json.loads(resumed.stdout.splitlines()[-2])["step"] == "speech"
    refused = play(path, "games", "resume", first, "--rules", "fsm", lines="")
    assert refused.returncode == 2
    assert "--rules" in refused.stderr


def test_there_may_be_nothing_to_resume(call: Call, journal: Path, ids: tuple[str, str]) -> None:
    assert call("games", "delete", ids[1], "--yes", "--journal", journal).status == 0
    done = call("games", "resume", "--journal", journal)
    assert done.status == 1
    assert "Незаконченных игр нет" in done.err


@pytest.mark.parametrize("command", ["show", "export", "delete", "resume"])
def test_an_unknown_game_is_told_with_names_like_it(
    call: Call, journal: Path, ids: tuple[str, str], command: str
) -> None:
    done = call("games", command, f"{ids[0]}a", "--journal", journal)
    assert done.status == 1
    assert len(done.err.splitlines()) == 1
    assert f"Возможно, {ids[0]}" in done.err
    assert "games list" in done.err
    assert "Возможно" not in call("games", command, "xxxx", "--journal", journal).err


def test_delete_without_a_terminal_wants_a_yes(call: Call, journal: Path, ids: tuple[str, str]) -> None:
    refused = call("games", "delete", ids[0], "--journal", journal)
    assert (refused.status, refused.out) == (2, "")
    assert "--yes" in refused.err
    assert len(refused.err.splitlines()) == 1
    assert ids[0] in call("games", "list", "--journal", journal).out
    done = call("games", "delete", ids[0].upper(), "--yes", "--journal", journal)
    assert (done.status, done.err) == (0, "")
    assert ids[0] not in call("games", "list", "--journal", journal).out


@pytest.mark.parametrize(
    ("answer", "gone"), [("д\n", True), ("Да\n", True), ("y\n", True), ("\n", False), ("н\n", False), ("", False)]
)
def test_delete_asks_on_a_terminal(
    call: Call,
    journal: Path,
    ids: tuple[str, str],
    answer: str,
    gone: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keyboard = io.StringIO(answer)
    monkeypatch.setattr(keyboard, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", keyboard)
    done = call("games", "delete", ids[0], "--journal", journal)
    assert f"Удалить игру {ids[0]}?" in done.err
    assert done.status == (0 if gone else 1)
    with Journal.open(journal) as opened:
        assert (ids[0] not in [game.id for game in opened.games()]) == gone


def test_yes_answers_beforehand(
    call: Call, journal: Path, ids: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    keyboard = io.StringIO("нет\n")
    monkeypatch.setattr(keyboard, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", keyboard)
    done = call("games", "delete", ids[0], "--yes", "--journal", journal)
    assert (done.status, done.err) == (0, "")


def test_a_game_that_is_being_played_cannot_be_deleted(call: Call, journal: Path, ids: tuple[str, str]) -> None:
    with Journal.open(journal) as elsewhere:
        elsewhere.resume(ids[1])
        done = call("games", "delete", ids[1], "--yes", "--journal", journal)
        assert done.status == 1
        assert "уже идёт" in done.err
        assert call("games", "show", ids[1], "--journal", journal).status == 0
    assert call("games", "delete", ids[1], "--yes", "--journal", journal).status == 0


@pytest.mark.parametrize("command", [("list",), ("show", "x"), ("export", "x"), ("resume",), ("delete", "x")])
def test_a_journal_that_is_not_there_is_wrong_usage_and_is_not_made(
    call: Call, tmp_path: Path, command: tuple[str, ...]
) -> None:
    missing = tmp_path / "missing.db"
    done = call("games", *command, "--journal", missing)
    assert done.status == 2
    assert "missing.db" in done.err
    assert not missing.exists()
    assert call("games", *command, "--journal", tmp_path).status == 2


def test_a_file_that_is_no_journal_is_left_alone(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "photo.db"
    file.write_bytes(b"\x89PNG" * 200)
    done = call("games", "list", "--journal", file)
    assert done.status == 1
    assert str(file) in done.err
    assert file.read_bytes() == b"\x89PNG" * 200


@pytest.mark.parametrize(("where", "named"), [("no/such/file.html", "папки"), (".", "папка")])
def test_an_export_that_cannot_be_written_says_why(
    call: Call, journal: Path, ids: tuple[str, str], tmp_path: Path, where: str, named: str
) -> None:
    done = call("games", "export", ids[0], "-o", tmp_path / where, "--journal", journal)
    assert done.status in {1, 2}
    assert named in done.err
    assert len(done.err.splitlines()) == 1
