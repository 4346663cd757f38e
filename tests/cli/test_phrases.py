"""``voicehost phrases``: counts, the wordings of a language, the check of a pack."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.helpers import Call
from voicehost.language.pack import load_pack, phrases_folder
from voicehost.rules.commands import COMMANDS

SPOKEN = [name for name, command in COMMANDS.items() if command.spoken]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the Russian pack, to be spoiled."""
    return Path(shutil.copytree(phrases_folder() / "ru", tmp_path / "own" / "ru"))


def test_the_list_counts_what_each_language_has(call: Call) -> None:
    done = call("phrases", "list")
    rows = {row[0]: list(map(int, row[1:])) for row in map(str.split, done.out.splitlines()[1:])}
    assert done.status == 0
    assert set(rows) == {"bg", "ru"}
    for language, (commands, wordings, cues, lines) in rows.items():
        pack = load_pack(language)
        assert commands == len(SPOKEN)
        assert wordings == len(pack.commands.templates)
        assert cues == len(pack.announcements) - 1  # without the table of shared words
        assert lines > cues


@pytest.mark.parametrize("language", ["ru", "bg"])
def test_every_command_is_shown_with_all_its_wordings(call: Call, language: str) -> None:
    shown = call("phrases", "show", language).out
    heads = {line.split()[0]: line for line in shown.splitlines() if line and not line.startswith(" ")}
    assert sorted(heads) == sorted(SPOKEN)
    for template in load_pack(language).commands.templates:
        assert template.source in shown
    assert all("«" in line for line in heads.values()), "each has an example"


def test_wordings_that_are_not_listened_for_are_marked(call: Call) -> None:
    shown = call("phrases", "show", "ru").out.splitlines()
    assert "   дальше" in shown
    assert " · далее" in shown
    assert "   промах  [seat=None]" in shown


def test_the_announcements_are_shown_manner_by_manner(call: Call) -> None:
    shown = call("phrases", "show", "ru", "--announcements").out
    greeting = shown.split("\n\n")[0].splitlines()
    assert greeting[0] == "greeting"
    assert greeting[1].split() == ["default", "(молчит)"]
    assert greeting[2].split()[0] == "club"
    cues = [line for line in shown.splitlines() if line and not line.startswith(" ")]
    assert set(cues) == set(load_pack("ru").announcements) - {"words"}


def test_the_packs_of_the_program_are_sound(call: Call) -> None:
    done = call("phrases", "check")
    assert (done.status, done.err) == (0, ""), done.out
    assert done.out.splitlines() == ["bg: замечаний нет.", "ru: замечаний нет."]


def test_one_language_or_a_folder_is_checked_alone(call: Call, folder: Path) -> None:
    assert call("phrases", "check", "bg").out == "bg: замечаний нет.\n"
    assert call("phrases", "check", folder).out == "ru: замечаний нет.\n"


def test_every_finding_is_a_line_that_an_editor_can_jump_to(call: Call, folder: Path) -> None:
    commands, lines = folder / "commands.yaml", folder / "announcements.toml"
    _replace(commands, '- "дальше"', '- "дальше (("')
    _replace(lines, "[candidate]\n", "[candidat]\n")
    done = call("phrases", "check", folder)
    assert done.status == 1
    found = done.out.splitlines()
    places = [re.fullmatch(r"(.+?):(\d+): \S.*", line) for line in found]
    assert all(places)
    assert {str(commands), str(lines)} <= {place[1] for place in places if place}
    assert done.err == f"voicehost: Замечаний: {len(found)}.\n"
    assert not re.search(r"\b(language|announcements)\.[a-z-]+\(", done.out), "a finding has no sentence"


def test_two_commands_that_share_an_utterance_are_found_only_if_both_can_be_legal(call: Call, folder: Path) -> None:
    # «поехали» already starts the game, which happens only in the lobby; a pause can never be said there.
    _replace(folder / "commands.yaml", '- "пауза"', '- "поехали"\n          - "пауза"')
    assert call("phrases", "check", folder).status == 0
    _replace(folder / "commands.yaml", '- "пауза"', '- "дальше"\n          - "пауза"')
    done = call("phrases", "check", folder)
    assert done.status == 1
    assert "дальше" in done.out
    assert "pause" in done.out
    assert len(done.out.splitlines()) == 1


def test_a_line_that_would_be_heard_as_a_command_is_found(call: Call, folder: Path) -> None:
    _replace(folder / "announcements.toml", "[paused]\n", '[paused]\nclub = "Продолжаем."\n')
    done = call("phrases", "check", folder)
    assert done.status == 1
    assert "resume" in done.out


@pytest.mark.parametrize("name", ["commands.yaml", "announcements.toml", "numbers.toml"])
def test_a_file_that_cannot_be_read_at_all_is_a_finding_not_a_crash(call: Call, folder: Path, name: str) -> None:
    (folder / name).write_text('[["', encoding="utf-8")
    done = call("phrases", "check", folder)
    assert done.status == 1
    assert name in done.out + done.err
    assert "Неожиданная" not in done.err


@pytest.mark.parametrize("command", ["show", "check"])
@pytest.mark.parametrize(("wrong", "named"), [("de", "bg, ru"), ("{empty}", "numbers.toml"), ("{file}", "папк")])
def test_no_such_pack_is_wrong_usage(call: Call, tmp_path: Path, command: str, wrong: str, named: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").touch()
    done = call("phrases", command, wrong.format(empty=tmp_path / "empty", file=tmp_path / "file"))
    assert (done.status, done.out) == (2, "")
    assert named in done.err


def _replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_copy_for_a_new_language_is_sound_from_the_start(call: Call, folder: Path) -> None:
    copy = folder.with_name("uk")
    folder.rename(copy)
    commands = copy / "commands.yaml"
    commands.write_text(commands.read_text("utf-8").replace("language: ru", "language: uk", 1), encoding="utf-8")
    assert call("phrases", "check", str(copy)).status == 0


def test_a_pack_without_the_shared_words_is_told_so(call: Call, folder: Path) -> None:
    announcements = folder / "announcements.toml"
    text = announcements.read_text("utf-8")
    announcements.write_text(re.sub(r"(?ms)^\[words\]\n.*?^\n", "", text), encoding="utf-8")
    done = call("phrases", "check", str(folder))
    assert done.status == 1
    assert "announcements.toml" in done.out
    assert done.err.startswith("voicehost: Замечаний")
