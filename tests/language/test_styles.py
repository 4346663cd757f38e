from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path

import pytest

from voicehost.errors import UserError
from voicehost.language.announcements import announce
from voicehost.language.cues import CUES
from voicehost.language.lint import hearing
from voicehost.language.pack import Pack, load_pack
from voicehost.language.style_lint import check_styles
from voicehost.language.styles import FREE, OFFICIAL, Style, Wordings, load_style, styles

LANGUAGES = ["ru", "bg"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_three_styles_are_there_in_each_language(language: str) -> None:
    assert styles(load_pack(language)) == (OFFICIAL, "classic", "noir")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_shipped_styles_are_sound_and_no_line_is_a_command(language: str) -> None:
    pack = load_pack(language)
    assert check_styles(pack, hearing(pack)) == []


@pytest.mark.parametrize("style", ["classic", "noir"])
def test_both_languages_reword_the_same_cues_as_often(style: str) -> None:
    russian, bulgarian = (load_style(load_pack(language), style).cues for language in LANGUAGES)
    assert set(russian) == set(bulgarian)
    for cue in russian:
        assert len(russian[cue].lines) == len(bulgarian[cue].lines), cue


def test_official_changes_nothing() -> None:
    pack = load_pack("ru")
    style = load_style(pack, OFFICIAL)
    for cue in CUES:
        assert style.line(pack, "sport", cue, {}, "Аня") is None


@pytest.mark.parametrize("style", ["classic", "noir"])
def test_formulas_stay(style: str) -> None:
    cues = load_style(load_pack("ru"), style).cues
    assert not set(cues) - FREE
    for formula in ("candidate", "thanks", "foul", "nomination-accepted", "hunt-number", "tie", "ten-seconds"):
        assert formula not in cues


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_no_wording_comes_twice_running_and_all_come_as_often(count: int) -> None:
    pack = load_pack("ru")
    lines = tuple("абвг"[:count])
    style = Style("x", {"night-falls": Wordings(lines)})
    said = [style.line(pack, "sport", "night-falls", {"number": 1}) for _ in range(count * 10)]
    assert Counter(said) == {line.upper(): 10 for line in lines}
    if count > 1:
        assert all(one != other for one, other in itertools.pairwise(said))


def test_a_seed_gives_the_same_order_again_and_another_gives_another() -> None:
    pack = load_pack("ru")
    orders = [
        tuple(load_style(pack, "noir", seed).line(pack, "sport", "night-falls", {"number": 1}) for _ in range(1))
        for seed in (*range(8), *range(8))
    ]
    assert orders[:8] == orders[8:]
    assert len(set(orders)) > 1


def test_a_player_is_called_by_name_in_the_right_gender_and_case() -> None:
    pack = load_pack("ru")
    wordings = Wordings(
        ("Игрок номер {seat}.",), ("Слово {name:dative}.", "{name} {he?готов|готова}."), ("{name}, ваша минута.",)
    )
    style = Style("x", {"speech": wordings})

    def said(name: str | None, seconds: int) -> set[str | None]:
        return {style.line(pack, "sport", "speech", {"seat": 2, "seconds": seconds}, name) for _ in range(12)}

    assert said("Аня", 60) == {"Слово Ане.", "Аня готова.", "Аня, ваша минута."}
    assert said("Борис", 30) == {"Слово Борису.", "Борис готов."}
    assert said("Саша", 30) == {"Слово Саше."}
    assert said("Саша (м)", 30) == {"Слово Саше.", "Саша готов."}
    assert said(None, 60) == {"Игрок номер два."}


def test_what_a_manner_keeps_silent_every_style_does() -> None:
    pack = load_pack("ru")
    style = load_style(pack, "noir")
    assert announce(pack, "sport", "greeting") == ""
    assert style.line(pack, "sport", "greeting", {}) is None
    assert style.line(pack, "club", "greeting", {})


def test_all_lines_are_those_that_may_be_said() -> None:
    pack = load_pack("ru")
    style = load_style(pack, "classic")
    params = {"seat": 4, "seconds": 60}
    for name in ("Аня", "Саша", None):
        known = set(style.all_lines(pack, "sport", "speech", params, name))
        assert {style.line(pack, "sport", "speech", params, name) for _ in range(40)} == known


def test_an_unknown_style_is_told_with_the_known_ones() -> None:
    with pytest.raises(UserError) as caught:
        load_style(load_pack("ru"), "barock")
    assert caught.value.key == "styles.unknown-style"
    assert caught.value.params["known"] == "official, classic, noir"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('[candidate]\nlines = ["Кто за?"]', "styles.not-free"),
        ('[night-falls]\nline = ["Ночь."]', "styles.unknown-key"),
        ('[night-falls]\nlines = "Ночь."', "styles.not-lines"),
        ("[night-falls]\nlines = []", "styles.not-lines"),
        ('[night-falls]\nnamed = ["{name}, ночь."]', "styles.no-seat"),
        ('[nothing]\nlines = ["Ночь."]', "announcements.unknown-cue"),
        ('[night-falls]\nlines = ["Ночь {seat}."]', "announcements.unknown-placeholder"),
        ('[night-falls]\nlines = ["Ночь 2."]', "announcements.digit"),
        ('[paused]\nlines = ["Пауза."]', "announcements.command"),
        ('[speech]\nnamed = ["{name:plural}, вам слово."]', "announcements.wrong-form"),
        ('[speech]\nlines = ["{name}, вам слово."]', "announcements.unknown-placeholder"),
    ],
)
def test_a_wrong_style_is_found_with_its_line(text: str, key: str, tmp_path: Path) -> None:
    shipped = load_pack("ru")
    tmp_path = tmp_path / "ru"
    tmp_path.mkdir()
    for file in ("numbers.toml", "announcements.toml", "commands.yaml"):
        (tmp_path / file).write_text((shipped.folder / file).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "styles").mkdir()
    (tmp_path / "styles" / "own.toml").write_text(f"# own\n{text}\n", encoding="utf-8")
    findings = check_styles(Pack(tmp_path), hearing(shipped))
    assert [finding.key for finding in findings] == [key]
    assert findings[0].line in (2, 3)
    file, _, name = key.partition(".")
    assert name in shipped.messages[file]
