"""``phrases check``: our own packs are sound, and every kind of fault is found on its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from voicehost.errors import UserError
from voicehost.language.book import Problem
from voicehost.language.check import check, describe
from voicehost.language.messages import error_message
from voicehost.language.pack import Pack, load_pack
from voicehost.rules.commands import COMMANDS

RUSSIAN = load_pack("ru")
UNFILLED = re.compile(r"\{(file|line|place|template|command|slot|known|name|form|field|word|utterance|first|other)\}")

SOUND = """\
intents:
  nominate:
    data:
      - sentences:
          - "выставляю номер {seat}"
  foul:
    data:
      - sentences:
          - "фол {seat}"
lists:
  seat: { numbers: [cardinal.nominative], from: 1, to: 20 }
expansion_rules:
  who: "номер {seat}"
skip_words: [ну]
"""


def pack_with(folder: Path, commands: str, messages: str = "") -> Pack:
    """A pack of its own in a folder, as a club would make one."""
    (folder / "messages").mkdir()
    (folder / "numbers.toml").write_bytes((RUSSIAN.folder / "numbers.toml").read_bytes())
    (folder / "commands.yaml").write_text(commands, encoding="utf-8")
    for file in (RUSSIAN.folder / "messages").glob("*.toml"):
        (folder / "messages" / file.name).write_bytes(file.read_bytes())
    if messages:
        (folder / "messages" / "language.toml").write_text(messages, encoding="utf-8")
    return load_pack(folder)


def faults(pack: Pack) -> list[Problem]:
    """What is wrong, but for the many commands that a small pack has no wording for."""
    return [problem for problem in check(pack) if problem.key != "command-without-wording"]


@pytest.mark.parametrize("language", ["ru", "bg"])
def test_our_own_commands_are_sound(language: str) -> None:
    pack = load_pack(language)
    assert describe([problem for problem in check(pack) if problem.file.name == "commands.yaml"], pack) == []


@pytest.mark.parametrize("language", ["ru", "bg"])
def test_our_own_language_messages_are_complete(language: str) -> None:
    pack = load_pack(language)
    assert describe([problem for problem in check(pack) if problem.file.name == "language.toml"], pack) == []


def test_a_small_sound_pack(tmp_path: Path) -> None:
    pack = pack_with(tmp_path, SOUND)
    assert faults(pack) == []
    missing = {problem.params["command"] for problem in check(pack) if problem.key == "command-without-wording"}
    assert missing == {name for name, command in COMMANDS.items() if command.spoken} - {"nominate", "foul"}


@pytest.mark.parametrize(
    ("old", "new", "key", "line", "named"),
    [
        ('"фол {seat}"', '"фол {saet}"', "unknown-list", 9, "saet"),
        ('"фол {seat}"', '"фол <whom>"', "unknown-rule", 9, "whom"),
        ('"фол {seat}"', '"фол {seat:place}"', "unknown-slot", 9, "place"),
        ('"фол {seat}"', '"фол [{seat}]"', "missing-slot", 9, "seat"),
        ('"фол {seat}"', '"фол {seat} {seat}"', "slot-twice", 9, "seat"),
        ('"фол {seat}"', '"фол номер 3 {seat}"', "digits", 9, "номер 3"),
        ('"фол {seat}"', '"фол ({seat}"', "template-bracket", 9, "фол ({seat}"),
        ('"фол {seat}"', '"фол, {seat}"', "template-character", 9, ","),
        ('"фол {seat}"', '"ну фол {seat}"', "skip-word-used", 9, "ну"),
        ('"фол {seat}"', '"выставляю номер {seat}"', "overlap", 9, "выставляю номер"),
        ('"фол {seat}"', '"[я] [на стол] выставляю [номер] {seat}"', "overlap", 9, "выставляю номер"),
        ("  foul:", "  fuol:", "unknown-command", 9, "fuol"),
        ("  foul:", "  take-seat:", "unknown-command", 9, "take-seat"),
        ('      - sentences:\n          - "фол', '      - sentence:\n          - "фол', "unknown-key", 9, "sentence"),
        ("skip_words:", "skipped:", "unknown-key", 14, "skipped"),
        ("from: 1, to: 20", "from: 1", "list-range", 11, "seat"),
        ("cardinal.nominative", "cardinals.nominative", "list-form", 11, "cardinals.nominative"),
        ('"номер {seat}"', '"номер <who>"', None, 0, ""),
        ('"фол {seat}"\nlists', '"фол {seat}"\n          - "фол {seat}"\nlists', "template-twice", 10, "фол {seat}"),
    ],
)
def test_a_fault_is_found_on_its_line(
    old: str, new: str, key: str | None, line: int, named: str, tmp_path: Path
) -> None:
    assert old in SOUND
    pack = pack_with(tmp_path, SOUND.replace(old, new, 1))
    found = faults(pack)
    if key is None:
        assert found == []  # a rule that nobody uses may be anything
        return
    assert (key, line) in [(problem.key, problem.line) for problem in found]
    text = next(text for text in describe(found, RUSSIAN) if text.startswith(f"{tmp_path / 'commands.yaml'}:{line}: "))
    assert any(named in text for text in describe(found, RUSSIAN))
    assert not UNFILLED.search(text)


def test_overlapping_commands_that_are_never_legal_together(tmp_path: Path) -> None:
    pack = pack_with(tmp_path, SOUND.replace('"фол {seat}"', '"выставляю номер {seat}"'))
    assert "overlap" not in {problem.key for problem in check(pack, lambda one, other: False)}


def test_one_command_with_two_meanings_overlaps_itself(tmp_path: Path) -> None:
    commands = """\
intents:
  votes:
    data:
      - sentences: ["голосуют {number:count}", "голосуют {number:seats}"]
lists:
  number: { numbers: [cardinal.nominative], from: 1, to: 5 }
"""
    assert [problem.key for problem in faults(pack_with(tmp_path, commands))] == ["overlap"]


@pytest.mark.parametrize(
    ("commands", "line"), [("intents: [", 2), ("a: b\n\tc: d\n", 2), ("intents:\n  a: 'б\n", 3), ("\x00", 1)]
)
def test_a_file_that_is_no_yaml(commands: str, line: int, tmp_path: Path) -> None:
    pack = pack_with(tmp_path, commands)
    found = [problem for problem in faults(pack) if problem.file.name == "commands.yaml"]
    assert [problem.key for problem in found] == ["broken-file"]
    assert abs(found[0].line - line) <= 1
    with pytest.raises(UserError) as error:
        _ = pack.commands
    assert str(tmp_path / "commands.yaml") in error_message(RUSSIAN, error.value)


def test_a_file_that_is_not_utf8(tmp_path: Path) -> None:
    pack = pack_with(tmp_path, SOUND)
    (tmp_path / "commands.yaml").write_bytes("intents: фол".encode("cp1251"))
    assert [problem.key for problem in faults(pack)] == ["broken-file"]


def test_broken_number_words(tmp_path: Path) -> None:
    pack = pack_with(tmp_path, SOUND)
    (tmp_path / "numbers.toml").write_text("[compound]\njoiner = ''\n", encoding="utf-8")
    assert [problem.key for problem in faults(pack)] == ["broken-file"]


def test_a_broken_pack_does_not_load(tmp_path: Path) -> None:
    pack = pack_with(tmp_path, SOUND.replace('"фол {seat}"', '"фол {saet}"'))
    with pytest.raises(UserError) as error:
        _ = pack.graph
    text = error_message(RUSSIAN, error.value)
    assert text.startswith(f"{tmp_path / 'commands.yaml'}:9: ")
    assert "saet" in text


def test_a_missing_sentence_and_other_braces(tmp_path: Path) -> None:
    source = (RUSSIAN.folder / "messages" / "language.toml").read_text(encoding="utf-8")
    lines = [line for line in source.splitlines() if not line.startswith("digits ")]
    place = next(number for number, line in enumerate(lines) if line.startswith("unknown-slot "))
    lines[place] = lines[place].replace("{slot}", "{place}")
    pack = pack_with(tmp_path, SOUND, "\n".join(lines))
    found = {(problem.key, problem.params["name"]) for problem in faults(pack)}
    assert found == {("missing-message", "digits"), ("message-params", "unknown-slot")}
    wrong = next(problem for problem in faults(pack) if problem.key == "message-params")
    assert (wrong.file.name, wrong.line) == ("language.toml", place + 1)


@pytest.mark.parametrize("language", ["ru", "bg"])
def test_every_problem_has_a_sentence(language: str) -> None:
    """The keys that the code raises are exactly the keys of the messages file."""
    sources = Path(__file__).parents[2].joinpath("voicehost", "language").glob("*.py")
    code = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    for name in load_pack(language).messages["language"]:
        assert f'"{name}"' in code or f'"language.{name}"' in code, name
