"""The six rule sets switch by switch, and what is said about a rule file that cannot be used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.rules.driver import ALL
from voicehost.rules.ruleset import (
    PARENTS,
    SHIPPED,
    SWITCHES,
    Ruleset,
    RulesetError,
    from_mapping,
    load,
    shipped,
)
from voicehost.rules.switches import CHOICES, MANNERS, RANGES

SPORT_FOULS = (
    "out-of-turn",
    "hand-pulled-back",
    "whisper-or-articulation",
    "touch",
    "talk-or-gesture-during-the-vote",
)
FSM_FOULS = (
    "out-of-turn",
    "whisper-or-articulation",
    "excess-gesture",
    "touch",
    "knocking-or-rudeness",
    "arguing-with-the-judge",
    "hand-pulled-back",
    "talk-or-gesture-during-the-vote",
    "vote-order-refused",
)
SPORT_REMOVALS = (
    "speech-after-night",
    "peeking-or-night-posture",
    "swearing-or-insult",
    "non-game-values",
    "oath-or-bet",
    "night-events",
    "wrong-vote-form",
)
FSM_REMOVALS = (
    "left-the-table",
    "night-touch",
    "night-sign",
    "insult",
    "peeking",
    "night-talk",
    "tears",
    "non-game-values",
    "wrong-vote-form",
    "best-move-appeal",
    "hidden-whisper",
    "foreign-language",
    "swearing",
)

TABLE: dict[str, tuple[Any, ...]] = {
    # switch: sport, professional, classic, club, virtual, fsm
    "language": ("ru", "ru", "ru", "ru", "bg", "ru"),
    "manner": ("sport", "professional", "classic", "club", "virtual", "fsm"),
    "players_min": (10, 10, 7, 10, 10, 10),
    "players_max": (10, 10, 20, 10, 10, 10),
    "black_cards": (3, 3, "third", 3, 3, 3),
    "seating": ("given", "given", "drawn", "given", "given", "drawn"),
    "contract_seconds": (60, 60, 0, 60, 60, 60),
    "meeting_don_seconds": (0, 10, 0, 0, 0, 10),
    "meeting_sheriff_seconds": (0, 10, 10, 10, 0, 10),
    "free_seating_seconds": (0, 0, 0, 0, 0, 40),
    "speech_seconds": (60, 60, 60, 60, 60, 60),
    "opener": ("day-number", "rotate", "rotate", "rotate", "rotate", "rotate"),
    "withdrawal": ("forbidden",) * 6,
    "alone_on_day_one": ("no-vote", "no-vote", "vote", "no-vote", "no-vote", "no-vote"),
    "alone_later": ("vote", "vote", "vote", "leaves", "vote", "vote"),
    "shootout_seconds": (30, 30, 30, 30, 30, 30),
    "revote_order": ("nomination",) * 6,
    "tie_at_four": ("shootout", "shootout", "shootout", "night", "no-revote", "shootout"),
    "repeated_tie": ("lift",) * 6,
    "lift_three_of_nine": (True,) * 6,
    "vote_after_removal": ("not-held", "held", "held", "held", "held", "not-held-or-next"),
    "last_word_voted_seconds": (60, 60, 30, 30, 60, 60),
    "last_word_shot_seconds": (60, 60, 30, 30, 60, 60),
    "third_foul": ("nominate-only", "counted", "counted", "counted", "counted", "nominate-only"),
    "nominate_only_seconds": (10, 10, 10, 10, 10, 10),
    "third_foul_small_table_seconds": (0, 0, 0, 0, 0, 30),
    "foul_limit": (4, 0, 0, 0, 0, 4),
    "technical_foul_limit": (0,) * 6,
    "team_defeat": (False, False, False, False, False, True),
    "outside_hint": (False, False, False, True, False, True),
    "foul_reasons": (SPORT_FOULS, (), (), (), (), FSM_FOULS),
    "removal_reasons": (SPORT_REMOVALS, (), (), (), (), FSM_REMOVALS),
    "hunt_number_seconds": (2,) * 6,
    "check_seconds": (10,) * 6,
    "sheriff_answer": ("colour", "colour", "colour", "colour-and-don", "colour", "colour"),
    "miss_told_at_night": (False, False, True, False, False, False),
    "best_move_seconds": (0, 0, 0, 0, 0, 20),
    "best_move_lost_after": (0, 0, 0, 0, 0, 2),
    "best_move_counts": ("voted",) * 6,
    "misses_city_wins": (0, 0, 0, 3, 0, 0),
    "quiet_nights_draw": (0, 0, 0, 0, 0, 3),
}


@pytest.mark.parametrize("switch", [s for s in SWITCHES if s != "title"])
@pytest.mark.parametrize("rules", ALL)
def test_switch(rules: str, switch: str) -> None:
    assert getattr(shipped(rules), switch) == TABLE[switch][ALL.index(rules)]


def test_the_default_comes_first() -> None:
    assert SHIPPED == ALL


@pytest.mark.parametrize("rules", ALL)
def test_every_shipped_value_is_an_allowed_one(rules: str) -> None:
    ruleset = shipped(rules)
    for switch in SWITCHES:
        value = getattr(ruleset, switch)
        if isinstance(value, str) and switch in CHOICES:
            assert value in CHOICES[switch]
        if type(value) is int and switch in RANGES:
            assert RANGES[switch][0] <= value <= RANGES[switch][1]


@pytest.mark.parametrize("rules", ALL)
def test_titles_differ_and_each_has_its_manner(rules: str) -> None:
    assert len({shipped(name).title for name in ALL}) == len(ALL)
    assert shipped(rules).manner == rules
    assert set(MANNERS) == set(ALL)


@pytest.mark.parametrize("rules", ALL)
def test_every_switch_has_a_source_and_not_another_rule_sets_text(rules: str) -> None:
    for switch in SWITCHES:
        source = shipped(rules).sources[switch]
        assert not any(source.startswith(f"текст {other}") for other in ALL if other != rules), switch
        assert ".toml" not in source, switch


def test_blacks_of_a_table() -> None:
    classic = shipped("classic")
    assert [classic.blacks(players) for players in range(7, 21)] == [2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6]
    assert shipped("fsm").blacks(10) == 3


@pytest.mark.parametrize("rules", ALL)
def test_to_mapping_and_back(rules: str) -> None:
    ruleset = shipped(rules)
    again = from_mapping(json.loads(json.dumps(ruleset.to_mapping())))
    assert again == ruleset
    assert again.sources == ruleset.sources


# --- files


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def whole(**changes: str) -> str:
    """A rule file with no parent, as TOML."""
    values: dict[str, Any] = shipped("fsm").to_mapping()
    for key in ("name", "sources"):
        del values[key]
    lines = {key: json.dumps(value, ensure_ascii=False) for key, value in values.items()} | changes
    return "\n".join(f"{key} = {value}" for key, value in lines.items() if value)


def test_a_shipped_name_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, "sport", "speech_seconds = 5")
    assert load("sport") is shipped("sport")


def test_a_file_with_a_parent_overrides_some_switches(tmp_path: Path) -> None:
    path = write(tmp_path, "ours.toml", 'parent = "fsm"\ntitle = "Наш клуб"\nspeech_seconds = 45\n')
    rules = load(path)
    assert (rules.name, rules.title, rules.speech_seconds) == ("ours", "Наш клуб", 45)
    differing = {switch for switch in SWITCHES if getattr(rules, switch) != getattr(shipped("fsm"), switch)}
    assert differing == {"title", "speech_seconds"}
    assert rules.sources["speech_seconds"] == path
    assert rules.sources["check_seconds"] == "ФСМ 4.2.2"


def test_a_parent_may_be_a_file_beside_it(tmp_path: Path) -> None:
    write(tmp_path, "base.toml", 'parent = "club"\ncheck_seconds = 15\nspeech_seconds = 50\n')
    rules = load(write(tmp_path, "ours.toml", 'parent = "base.toml"\nspeech_seconds = 45\n'))
    assert (rules.check_seconds, rules.speech_seconds, rules.misses_city_wins) == (15, 45, 3)


def test_a_file_needs_no_parent(tmp_path: Path) -> None:
    rules = load(write(tmp_path, "ours.toml", whole(speech_seconds="45")))
    assert rules.speech_seconds == 45
    assert isinstance(rules.foul_reasons, tuple)


def test_a_byte_order_mark_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_bytes(b"\xef\xbb\xbf" + 'parent = "fsm"\ntitle = "Клуб"\n'.encode())
    assert load(str(path)).title == "Клуб"


def test_a_file_may_name_its_own_sources(tmp_path: Path) -> None:
    rules = load(write(tmp_path, "ours.toml", 'parent = "fsm"\n[source]\nspeech_seconds = "our meeting of May"\n'))
    assert rules.sources["speech_seconds"] == "our meeting of May"


BAD = {
    "unknown-switch": [
        ("speach_seconds = 45", "speach_seconds", "speech_seconds"),
        ("[night]\nlength = 3", "night", "speech_seconds"),
        ('name = "клуб"', "name", "title"),
        ('[source]\nopenr = "x"', "source.openr", "opener"),
    ],
    "wrong-type": [
        ('speech_seconds = "45"', "speech_seconds", "5…600"),
        ("speech_seconds = 45.0", "speech_seconds", "5…600"),
        ("speech_seconds = true", "speech_seconds", "5…600"),
        ("team_defeat = 1", "team_defeat", "true | false"),
        ("title = 5", "title", '"…"'),
        ("opener = 1", "opener", '"rotate" | "day-number"'),
        ("black_cards = 3.5", "black_cards", '1…9 | "third"'),
        ('foul_reasons = "touch"', "foul_reasons", '["…", …]'),
        ("foul_reasons = [1, 2]", "foul_reasons", '["…", …]'),
        ("source = 5", "source", "table"),
        ("parent = 5", "parent", PARENTS),
    ],
    "wrong-value": [
        ("speech_seconds = 4", "speech_seconds", "5…600"),
        ("speech_seconds = 601", "speech_seconds", "5…600"),
        ('opener = "closer"', "opener", '"rotate" | "day-number"'),
        ('black_cards = "half"', "black_cards", '1…9 | "third"'),
        ("black_cards = 0", "black_cards", '1…9 | "third"'),
        ("black_cards = 5", "black_cards", "< 10/2"),
        ("players_min = 11", "players_min", "≤ players_max = 10"),
        ("players_min = 6\nblack_cards = 3", "black_cards", "< 6/2"),
        ('language = "en"', "language", '"ru" | "bg"'),
        ('manner = "mine"', "manner", '"fsm"'),
        ('parent = "fsmm"', "parent", PARENTS),
    ],
}


@pytest.mark.parametrize(
    ("code", "text", "switch", "allowed"), [(code, *case) for code, cases in BAD.items() for case in cases]
)
def test_refused_files(tmp_path: Path, code: str, text: str, switch: str, allowed: str) -> None:
    """Each error names the file, the switch and what is allowed."""
    parent = "" if text.startswith("parent") else 'parent = "fsm"\n'
    path = write(tmp_path, "ours.toml", parent + text + "\n")
    with pytest.raises(RulesetError) as caught:
        load(path)
    assert caught.value.code == code
    assert caught.value.details["file"] == path
    assert caught.value.details["switch"] == switch
    assert allowed in caught.value.details["allowed"]


def test_a_missing_switch(tmp_path: Path) -> None:
    path = write(tmp_path, "ours.toml", whole(opener=""))
    with pytest.raises(RulesetError) as caught:
        load(path)
    assert (caught.value.code, caught.value.details) == (
        "missing-switch",
        {"file": path, "switch": "opener", "allowed": '"rotate" | "day-number"'},
    )


def test_a_parent_loop(tmp_path: Path) -> None:
    first = write(tmp_path, "first.toml", 'parent = "second.toml"\n')
    second = write(tmp_path, "second.toml", 'parent = "first.toml"\n')
    with pytest.raises(RulesetError) as caught:
        load(first)
    assert caught.value.code == "parent-loop"
    assert caught.value.details == {"file": second, "switch": "parent", "allowed": PARENTS}


def test_a_file_that_is_its_own_parent(tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match="parent-loop"):
        load(write(tmp_path, "ours.toml", 'parent = "ours.toml"\n'))


@pytest.mark.parametrize("load_by", [load, shipped])
def test_a_missing_file(load_by: Any) -> None:
    with pytest.raises(RulesetError) as caught:
        load_by("nosuch.toml")
    assert caught.value.code == "not-found"
    assert caught.value.details == {"name": "nosuch.toml", "allowed": ", ".join(ALL)}


def test_a_folder_is_no_rule_file(tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match="not-found"):
        load(str(tmp_path))


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", 'title = "Клуб"'.encode("cp1251"), b"parent = ", b"a = 1\na = 2"])
def test_not_a_toml_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "ours.toml"
    path.write_bytes(content)
    with pytest.raises(RulesetError) as caught:
        load(str(path))
    assert caught.value.code == "not-toml"
    assert caught.value.details["file"] == str(path)
    assert caught.value.details["problem"]


def test_switches_are_listed_once_and_named_in_both_tables() -> None:
    assert len(set(SWITCHES)) == len(SWITCHES)
    assert set(CHOICES) | set(RANGES) <= set(SWITCHES)
    numbers = {name for name, hint in Ruleset.__annotations__.items() if hint == "int"}
    assert numbers == set(RANGES) - {"black_cards"}
