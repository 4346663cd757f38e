"""``voicehost rules``: the list, one rule set in full, the check of a file of one's own."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.cli.helpers import Call
from voicehost.rules.ruleset import SHIPPED, SWITCHES, load, shipped
from voicehost.rules.switches import CHOICES, MANNERS, RANGES

SECTIONS: dict[str, Any] = {"foul_reasons": list, "speech_seconds": int, "team_defeat": bool, "title": str}


def test_the_list_names_every_rule_set_with_players_language_and_manner(call: Call) -> None:
    done = call("rules", "list")
    assert (done.status, done.err) == (0, "")
    lines = dict(line.split(maxsplit=1) for line in done.out.splitlines()[1:])
    assert tuple(lines) == SHIPPED
    assert "7–20" in lines["classic"]
    assert " bg " in lines["virtual"]
    assert all(shipped(name).title in lines[name] for name in SHIPPED)


@pytest.mark.parametrize("language", ["ru", "bg"])
def test_every_manner_is_described_in_a_line_of_its_own(
    call: Call, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VOICEHOST_LANG", language)
    out = call("rules", "list").out
    assert "cli." not in out
    assert len({line[line.index(shipped(line.split()[0]).title) :] for line in out.splitlines()[1:]}) == len(MANNERS)


@pytest.mark.parametrize("name", SHIPPED)
def test_what_is_shown_is_a_rule_file_that_means_the_same(call: Call, name: str, tmp_path: Path) -> None:
    shown = call("rules", "show", name)
    assert shown.status == 0
    copy = tmp_path / f"{name}.toml"
    copy.write_text(shown.out, encoding="utf-8")
    assert call("rules", "check", copy).status == 0
    assert load(str(copy)) == shipped(name)


def test_every_switch_stands_below_its_meaning_its_choices_and_its_source(call: Call) -> None:
    blocks = call("rules", "show", "fsm").out.split("\n\n")
    source = shipped("fsm").sources["speech_seconds"]
    ending = f"# Можно: 5…600\n# Источник: {source}\nspeech_seconds = 60"
    assert any(block.endswith(ending) for block in blocks)
    for name in SWITCHES:
        block = next(block for block in blocks if f"\n{name} = " in block)
        meaning, *_ = block.splitlines()
        assert meaning.startswith("# "), name
        assert not meaning.startswith(("# Можно: ", "# Источник: ")), f"{name} has no meaning"
        assert ("Можно: " in block) == (name in RANGES or name in CHOICES)


def test_as_json_every_switch_has_value_meaning_and_source(call: Call) -> None:
    shown = json.loads(call("rules", "show", "sport", "--json").out)
    assert shown["name"] == "sport"
    assert tuple(shown["switches"]) == SWITCHES
    for name, kind in SECTIONS.items():
        assert type(shown["switches"][name]["value"]) is kind
    assert shown["switches"]["black_cards"] == {
        "value": 3,
        "meaning": shown["switches"]["black_cards"]["meaning"],
        "allowed": ["1…9", '"third"'],
        "source": shipped("sport").sources["black_cards"],
    }
    assert all(switch["meaning"] for switch in shown["switches"].values())


def test_a_file_of_ones_own_is_shown_with_what_it_inherits(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text('parent = "fsm"\ntitle = "Наш \\"клуб\\" \\u001b[2J"\nspeech_seconds = 45\n', encoding="utf-8")
    shown = call("rules", "show", file).out
    values = tomllib.loads(shown)
    assert values["speech_seconds"] == 45
    assert values["best_move_seconds"] == 20
    assert values["title"] == 'Наш "клуб" \x1b[2J'
    assert "\x1b" not in shown


def test_a_good_file_is_called_good(call: Call, tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('parent = "sport"\ntitle = "Двор"\n', encoding="utf-8")
    done = call("rules", "check", file)
    assert (done.status, done.err) == (0, "")
    assert str(file) in done.out
    assert "Двор" in done.out


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('parent = "sport"\nspeech_second = 60\n', ["speech_second", "speech_seconds"]),
        ('parent = "sport"\nspeech_seconds = 4\n', ["speech_seconds", "5…600"]),
        ('parent = "sport"\nspeech_seconds = "минута"\n', ["speech_seconds", "5…600"]),
        ('parent = "sport"\nopener = "lot"\n', ["opener", "rotate", "day-number"]),
        ('parent = "sport"\nteam_defeat = 1\n', ["team_defeat", "true", "false"]),
        ("speech_seconds = 60\n", ["title"]),
        ("speech_seconds = \n", ["1"]),
        ('parent = "nothing"\n', ["parent", *SHIPPED]),
    ],
)
def test_a_bad_file_gets_one_sentence_and_status_one(call: Call, tmp_path: Path, text: str, named: list[str]) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text, encoding="utf-8")
    done = call("rules", "check", file)
    assert (done.status, done.out) == (1, "")
    assert len(done.err.splitlines()) == 1
    assert "rules." not in done.err, "the sentence is missing from the message files"
    assert all(word in done.err for word in named)
    assert file.name in done.err


@pytest.mark.parametrize("command", ["show", "check"])
@pytest.mark.parametrize(
    ("wrong", "named"), [("spotr", "sport, professional"), ("nowhere.toml", "nowhere.toml"), (".", "папка")]
)
def test_no_such_rule_set_is_wrong_usage(call: Call, command: str, wrong: str, named: str) -> None:
    done = call("rules", command, wrong)
    assert (done.status, done.out) == (2, "")
    assert named in done.err
    assert len(done.err.splitlines()) == 1


# --- a file with the name of a rule set that comes with the program


@pytest.fixture
def namesake(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to be in, with a club's «sport.toml»."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "sport.toml"
    file.write_text('parent = "sport"\nspeech_seconds = 90\n', encoding="utf-8")
    return file


def test_the_shipped_one_wins_by_its_name_and_says_so(call: Call, namesake: Path) -> None:
    done = call("rules", "show", "sport")
    assert "speech_seconds = 60" in done.out
    assert (
        done.err == "Взят встроенный набор «sport»; есть и файл с этим именем, чтобы взять его: --rules sport.toml.\n"
    )
    namesake.rename("fsm")
    bare = call("rules", "show", "fsm").err
    assert str(Path("fsm").absolute()) in bare
    assert load(str(Path("fsm").absolute())).speech_seconds == 90


@pytest.mark.parametrize("command", ["show", "check"])
def test_the_file_wins_by_its_own_name_and_says_so(call: Call, namesake: Path, command: str) -> None:
    done = call("rules", command, "sport.toml")
    assert done.status == 0
    assert done.err == "Взят файл sport.toml; --rules sport без .toml значит встроенный набор, не этот файл.\n"
    namesake.rename("club-of-ours.toml")
    assert call("rules", command, "club-of-ours.toml").err == ""
