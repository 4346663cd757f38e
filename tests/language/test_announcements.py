"""The host's lines: complete in every manner and language, grammatical, without digits, never a command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from voicehost.language.announcements import CUES, Choice, LineError, Placeholder, Table, announce, has, parts_of
from voicehost.language.cues import STEPS
from voicehost.language.lint import Finding, check_announcements, hearing, widest_legal
from voicehost.language.numerals import Numerals, read_numerals
from voicehost.language.pack import load_pack, read_toml
from voicehost.rules.game import Step
from voicehost.rules.refusals import REASONS
from voicehost.rules.switches import MANNERS

LANGUAGES = ("ru", "bg")
EVERY_MANNER = (*MANNERS, "home-made")
LONGEST_LINE = 170
"""Characters: about twelve seconds of speech."""

NUMBERS: dict[str, tuple[Any, ...]] = {
    "seat": tuple(range(1, 21)),
    "count": tuple(range(21)),
    "needed": tuple(range(1, 21)),
    "seconds": (0, 1, 2, 5, 10, 11, 20, 21, 30, 40, 59, 60, 61, 75, 90, 120, 122, 600),
    "number": tuple(range(1, 21)),
    "seats": tuple(tuple(range(1, 21))[start : start + 1 + start % 4] for start in range(20)),
    "phrases": ("дальше",),
}
CALM: dict[str, Any] = {name: values[0] for name, values in NUMBERS.items()}


def fillings(cue: str) -> Iterator[dict[str, Any]]:
    """Every value of every parameter, one at a time."""
    calm = {name: CALM[name] for name in CUES[cue]}
    yield calm
    for name in CUES[cue]:
        yield from ({**calm, name: value} for value in NUMBERS[name])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_file_has_exactly_the_cues(language: str) -> None:
    assert set(load_pack(language).announcements) == {*CUES, "words"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_languages_differ_by_manner_at_the_same_moments(language: str) -> None:
    """A manner that is silent in one language is silent in the other."""
    pack, other = load_pack(language), load_pack("ru")
    for cue in CUES:
        for manner in EVERY_MANNER:
            assert has(pack, manner, cue) == has(other, manner, cue), (cue, manner)


@pytest.mark.parametrize("manner", EVERY_MANNER)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_renders_clean(language: str, manner: str) -> None:
    pack = load_pack(language)
    for cue in CUES:
        for params in fillings(cue):
            text = announce(pack, manner, cue, **params)
            assert bool(text) == has(pack, manner, cue)
            if not text:
                continue
            assert not re.search(r"[\d№{}|]|\s\s|\s[.,!?:]", text), (cue, params, text)
            assert text[0].isupper(), (cue, text)
            assert text[-1] in ".!?", (cue, text)
            if "seats" not in params:
                assert len(text) <= LONGEST_LINE, (cue, text)


@pytest.mark.parametrize(
    ("language", "manner", "cue", "params", "words"),
    [
        # numbers agree with their nouns
        ("ru", "fsm", "votes-counted", {"seat": 1, "count": 0}, "Номер один набирает ноль голосов."),
        ("ru", "fsm", "votes-counted", {"seat": 2, "count": 1}, "Номер два набирает один голос."),
        ("ru", "fsm", "votes-counted", {"seat": 3, "count": 2}, "Номер три набирает два голоса."),
        ("ru", "sport", "votes-counted", {"seat": 4, "count": 5}, "Против номера четыре: пять голосов."),
        ("ru", "sport", "votes-counted", {"seat": 4, "count": 11}, "Против номера четыре: одиннадцать голосов."),
        ("ru", "sport", "votes-counted", {"seat": 20, "count": 20}, "Против номера двадцать: двадцать голосов."),
        ("ru", "sport", "fouls-of", {"seat": 3, "count": 1}, "На счету номера три: один фол."),
        ("ru", "sport", "fouls-of", {"seat": 3, "count": 3}, "На счету номера три: три фола."),
        ("ru", "club", "fouls-of", {"seat": 3, "count": 1}, "На счету номера три: одно замечание."),
        ("ru", "club", "fouls-of", {"seat": 3, "count": 2}, "На счету номера три: два замечания."),
        ("ru", "club", "foul", {"seat": 3, "count": 1}, "Замечание игроку номер три, всего одно."),
        ("ru", "sport", "foul", {"seat": 3, "count": 2}, "Номер три, второй фол."),
        ("ru", "sport", "time-left", {"seconds": 1}, "Остаток времени: одна секунда."),
        ("ru", "sport", "time-left", {"seconds": 2}, "Остаток времени: две секунды."),
        ("ru", "sport", "time-left", {"seconds": 11}, "Остаток времени: одиннадцать секунд."),
        ("ru", "sport", "time-left", {"seconds": 21}, "Остаток времени: двадцать одна секунда."),
        ("ru", "sport", "time-left", {"seconds": 60}, "Остаток времени: одна минута."),
        ("ru", "sport", "time-left", {"seconds": 122}, "Остаток времени: две минуты две секунды."),
        ("ru", "sport", "time-left", {"seconds": 0}, "Остаток времени: ноль секунд."),
        ("bg", "fsm", "votes-counted", {"seat": 1, "count": 1}, "Номер едно получава един глас."),
        ("bg", "fsm", "votes-counted", {"seat": 2, "count": 2}, "Номер две получава два гласа."),
        ("bg", "sport", "fouls-of", {"seat": 5, "count": 0}, "Номер пет има нула фала."),
        ("bg", "club", "fouls-of", {"seat": 5, "count": 2}, "Номер пет има две забележки."),
        ("bg", "club", "foul", {"seat": 5, "count": 1}, "Забележка за играч номер пет, общо една."),
        ("bg", "sport", "foul", {"seat": 5, "count": 2}, "Номер пет, втори фал."),
        ("bg", "sport", "time-left", {"seconds": 1}, "Оставащо време: една секунда."),
        ("bg", "sport", "time-left", {"seconds": 21}, "Оставащо време: двадесет и една секунди."),
        ("bg", "sport", "time-left", {"seconds": 122}, "Оставащо време: две минути и две секунди."),
        # lists and choices
        ("ru", "sport", "alive", {"seats": (7,)}, "В игре номер семь."),
        ("ru", "sport", "alive", {"seats": (1, 2)}, "В игре номера один и два."),
        ("ru", "sport", "alive", {"seats": [1, 2, 9]}, "В игре номера один, два и девять."),
        ("ru", "sport", "which-seat", {"seats": (7, 8)}, "Седьмой или восьмой?"),
        ("ru", "sport", "departed", {"seats": (7,)}, "Игрок номер семь покинул игру."),
        ("ru", "sport", "departed", {"seats": (7, 8)}, "Игроки под номерами семь и восемь покинули игру."),
        ("bg", "sport", "alive", {"seats": (1, 2, 21)}, "В играта са номерата едно, две и двадесет и едно."),
        ("bg", "sport", "which-seat", {"seats": (7, 8)}, "Седми или осми?"),
        ("bg", "sport", "departed", {"seats": (1,)}, "Играч номер едно напусна играта."),
        ("bg", "sport", "departed", {"seats": (1, 2)}, "Играчите с номера едно и две напуснаха играта."),
        ("ru", "sport", "help", {"phrases": "дальше, пауза"}, "Можно сказать: дальше, пауза."),
        # a number that opens the line
        ("ru", "sport", "hunt-number", {"seat": 10}, "Десять."),
        ("bg", "virtual", "hunt-number", {"seat": 1}, "Едно."),
        # days and nights; the club counts its days from zero
        ("ru", "sport", "day", {"number": 3}, "Идёт третий день."),
        ("ru", "club", "day", {"number": 1}, "Идёт нулевой день."),
        ("bg", "club", "day", {"number": 1}, "Сега е нулевият ден."),
        ("ru", "sport", "night", {"number": 0}, "Идёт нулевая ночь."),
        ("bg", "sport", "night", {"number": 2}, "Сега е втората нощ."),
    ],
)
def test_grammar(language: str, manner: str, cue: str, params: dict[str, Any], words: str) -> None:
    assert announce(load_pack(language), manner, cue, **params) == words


@pytest.mark.parametrize(
    ("manner", "cue", "words"),
    [
        ("fsm", "nomination-accepted", "Принято."),
        ("classic", "nomination-accepted", "Номер один принято."),
        ("fsm", "thanks", "Спасибо."),
        ("fsm", "hunt-begins", "Мафия выходит на охоту."),
        ("professional", "hunt-begins", "Мафия выходит на охоту."),
        ("fsm", "hunt-ends", "Мафия удаляется."),
        ("professional", "hunt-ends", "Мафия засыпает."),
        ("classic", "hunt-ends", "Мафия сделала свой выбор. Мафия засыпает."),
        ("fsm", "don-wakes", "Просыпается Дон и ищет Шерифа."),
        ("classic", "don-wakes", "Просыпается Дон и ищет Шерифа."),
        ("professional", "don-wakes", "Просыпается Дон."),
        ("fsm", "don-sleeps", "Дон засыпает."),
        ("classic", "don-sleeps", "Дон сделал свой выбор. Дон засыпает."),
        ("fsm", "sheriff-wakes", "Просыпается Шериф."),
        ("classic", "sheriff-wakes", "Просыпается Шериф и преследует Мафию."),
        ("fsm", "sheriff-sleeps", "Шериф засыпает."),
        ("classic", "sheriff-sleeps", "Спасибо Шерифу, Шериф засыпает."),
        ("professional", "don-sleeps-zero", "Засыпает Дон."),
        ("professional", "sheriff-sleeps-zero", "Засыпает Шериф."),
        ("professional", "mafia-sleeps-zero", "Мафия засыпает."),
        ("professional", "morning-first", "Утро доброе! Все просыпаются."),
        ("professional", "lift-question", "Кто за то, чтобы все голосуемые покинули игру?"),
        ("classic", "lift-question", "Кто за то, чтобы все голосуемые покинули игру?"),
        ("classic", "night-falls", "Снова наступает ночь!"),
        ("fsm", "night-falls", "Наступает ночь."),
    ],
)
def test_official_formulas(manner: str, cue: str, words: str) -> None:
    """Sources 001 and 002 and the federation's book give these words."""
    assert announce(load_pack("ru"), manner, cue, **{name: CALM[name] for name in CUES[cue]}) == words


@pytest.mark.parametrize(
    ("language", "manner", "cue", "fragment"),
    [
        ("ru", "classic", "night-zero", "Продолжается ночь"),
        ("ru", "classic", "mafia-meets-untimed", "Просыпается мафия"),
        ("ru", "classic", "morning-quiet", "Наступает утро!"),
        ("ru", "classic", "morning-killed", "Наступает утро!"),
        ("ru", "professional", "morning-killed", "Утро доброе!"),
        ("ru", "club", "morning-first", "нулевой день"),
        ("bg", "club", "morning-first", "нулевият ден"),
        ("ru", "club", "vote-order", "Руки убираем со стола"),
        ("ru", "club", "vote-order", "до слова «спасибо»"),
        ("ru", "club", "greeting", "дам аплодисментами"),
        ("ru", "sport", "deal-begins", "Маски надеты"),
        ("ru", "sport", "tie", "Перестрелка"),
        ("ru", "professional", "tie", "Автокатастрофа"),
        ("ru", "classic", "tie", "Автокатастрофа"),
        ("bg", "virtual", "tie", "Престрелка"),
        ("bg", "virtual", "hunt-begins", "Мафията излиза на лов"),
        ("bg", "virtual", "mafia-meets", "Мафията се събужда"),
        ("bg", "virtual", "mafia-sleeps-zero", "Мафията заспива"),
        ("ru", "fsm", "best-move-asked", "Ночь продолжается. Игрок номер один, вы убиты"),
    ],
)
def test_manners(language: str, manner: str, cue: str, fragment: str) -> None:
    assert fragment in announce(load_pack(language), manner, cue, **{name: CALM[name] for name in CUES[cue]})


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sheriff_has_the_name_of_the_manner(language: str) -> None:
    pack = load_pack(language)
    for manner in MANNERS:
        text = " ".join(announce(pack, manner, cue, **next(fillings(cue))).lower() for cue in CUES)
        commissar = manner == "club" or manner == "virtual"
        assert ("комис" in text) is commissar, manner
        assert ("шериф" in text) is not commissar, manner


@pytest.mark.parametrize("language", LANGUAGES)
def test_refusals_that_would_tell_a_role_are_silent(language: str) -> None:
    pack = load_pack(language)
    assert {cue.removeprefix("refused-") for cue in CUES if cue.startswith("refused-")} == set(REASONS)
    for reason in ("not-black", "not-don", "not-sheriff"):
        assert not any(has(pack, manner, f"refused-{reason}") for manner in EVERY_MANNER)


def test_lines_of_the_night_take_no_number() -> None:
    """What is spoken at night cannot tell a shot or a check; the hunt calls every number."""
    told = ("hunt-begins", "hunt-ends", "miss-at-night", "don-wakes", "don-sleeps", "sheriff-wakes", "sheriff-sleeps")
    assert all(CUES[cue] == () for cue in told)


def test_steps_are_steps() -> None:
    assert set(STEPS) == set(CUES)
    assert {step for steps in STEPS.values() for step in steps} <= set(Step)
    assert all(STEPS.values())


# --- wrong use


def test_unknown_manner_takes_the_default() -> None:
    assert announce(load_pack("ru"), "somewhere", "don-sleeps") == "Дон засыпает."


def test_unknown_cue() -> None:
    with pytest.raises(KeyError, match="no-such-cue"):
        announce(load_pack("ru"), "sport", "no-such-cue")
    with pytest.raises(KeyError, match="words"):
        has(load_pack("ru"), "sport", "words")


def test_missing_parameter() -> None:
    with pytest.raises(TypeError, match="foul takes seat, count, not seat"):
        announce(load_pack("ru"), "sport", "foul", seat=3)


def test_needless_parameter() -> None:
    with pytest.raises(TypeError, match="thanks takes nothing, not seat"):
        announce(load_pack("ru"), "sport", "thanks", seat=3)


def test_a_number_without_words() -> None:
    with pytest.raises(ValueError, match="no words for 1000"):
        announce(load_pack("ru"), "sport", "hunt-number", seat=1000)


def test_a_choice_needs_a_list() -> None:
    with pytest.raises(TypeError, match="seats must be a list"):
        announce(load_pack("ru"), "sport", "alive", seats=3)


def test_placeholders() -> None:
    assert parts_of("а {seat} б") == ("а ", Placeholder("seat"), " б")
    assert parts_of("{number-1:ordinal.nominative}") == (Placeholder("number", -1, False, "ordinal.nominative"),)
    assert parts_of("{seats/or:ordinal.genitive}") == (Placeholder("seats", 0, True, "ordinal.genitive"),)
    assert parts_of("{seats?один|много}") == (Choice("seats", "один", "много"),)


@pytest.mark.parametrize("line", ["{seat", "seat}", "{}", "{seat:}", "{seat one}", "{seats?один}", "{{seat}}"])
def test_broken_placeholders(line: str) -> None:
    with pytest.raises(LineError):
        parts_of(line)


def test_a_verb_takes_the_accusative(numerals: Numerals) -> None:
    words = {"or": "или", "minute": "минута", "second": "секунда", "joint": "", "seat": "cardinal.nominative"}
    lines = {"words": words, "time-added": {"default": "Добавляю {seconds:duration.accusative}."}}
    table = Table(lines, numerals)
    assert announce(table, "sport", "time-added", seconds=61) == "Добавляю одну минуту одну секунду."
    assert announce(table, "sport", "time-added", seconds=22) == "Добавляю двадцать две секунды."


# --- the check of the files


@pytest.fixture(scope="module")
def numerals() -> Numerals:
    return read_numerals(read_toml(load_pack("ru").folder / "numbers.toml"))


def seeded(folder: Path, old: str, new: str) -> tuple[Path, int]:
    """Write the Russian file with one line changed; return it and the line's number."""
    source = (load_pack("ru").folder / "announcements.toml").read_text(encoding="utf-8")
    assert source.count(old) == 1, old
    path = folder / "announcements.toml"
    path.write_text(source.replace(old, new), encoding="utf-8")
    return path, source[: source.index(old)].count("\n") + 1


def told(findings: list[Finding]) -> list[tuple[str, int]]:
    return [(finding.key.removeprefix("announcements."), finding.line) for finding in findings]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_packs_pass(language: str) -> None:
    pack = load_pack(language)
    findings = check_announcements(pack.folder / "announcements.toml", pack.numerals, hearing(pack))
    assert findings == []


@pytest.mark.parametrize(
    ("old", "new", "key", "params"),
    [
        ('default = "Десять секунд."', 'default = "10 секунд."', "digit", {"digit": "1"}),
        ('default = "Время вышло."', 'default = "Время № вышло."', "digit", {"digit": "№"}),
        ('default = "Время вышло."', 'default = "Вpемя вышло."', "look-alike", {"word": "Вpемя", "letters": "p"}),
        ('default = "Время вышло."', 'default = "Время c нами."', "look-alike", {"word": "c", "letters": "c"}),
        ('classic = "Ваше время вышло."', "classic = 5", "not-text", {"manner": "classic"}),
        ('classic = "Ваше время вышло."', 'clasic = "Ваше время вышло."', "unknown-manner", {"manner": "clasic"}),
        ('default = "Номер {seat} снят с голосования."', 'default = "Номер {count} снят."', "unknown-placeholder",
         {"place": "count", "known": "seat"}),
        ('default = "Номер {seat} снят с голосования."', 'default = "Номер {seat снят."', "braces",
         {"place": "Номер {seat снят."}),
        ('default = "Номер {seat} снят с голосования."', 'default = "Номер {seat:ordinal.genetive} снят."',
         "wrong-form", {"form": "ordinal.genetive"}),
        ('default = "Номер {seat} снят с голосования."', 'default = "Номер {seat:ordinal.genitive.maskuline}."',
         "wrong-form", {"form": "ordinal.genitive.maskuline"}),
        ('default = "Номер {seat} снят с голосования."', 'default = "Номер {seats?а|б} снят."', "unknown-placeholder",
         {"place": "seats"}),
        ('default = "Номер {seat} снят с голосования."', 'default = "Номер {seat?а|б} снят."', "not-a-list",
         {"place": "seat"}),
        ('default = "Номер {seat} снят с голосования."', 'default = "Номер {seat/or} снят."', "not-a-list",
         {"place": "seat"}),
        ('default = "Номер {seat} снят с голосования."', 'default = "Номер {seat-2} снят."', "unspeakable",
         {"problem": "no words for -1"}),
        ('default = "Остаток времени: {seconds:duration}."', 'default = "Ещё {seconds:секундочка}."', "unknown-noun",
         {"noun": "секундочка"}),
        ('default = "Остаток времени: {seconds:duration}."', 'default = "Нет {seconds:секунда.genitive}."',
         "wrong-form", {"form": "секунда.genitive"}),
        ('default = "Можно сказать: {phrases}."', 'default = "Можно: {phrases:ordinal.genitive}."', "wrong-form",
         {"place": "phrases"}),
        ('minute = "минута"', 'minute = "минутка"', "unknown-noun", {"noun": "минутка"}),
        ("[microphone-back]", "[microphone-black]", "unknown-cue", {"cue": "microphone-black"}),
        ('default = "Перестрелка: номера {seats}."', 'sport = "Перестрелка: номера {seats}."', "missing-default",
         {"cue": "tie"}),
    ],
)  # fmt: skip
def test_seeded_faults(
    tmp_path: Path, numerals: Numerals, old: str, new: str, key: str, params: dict[str, str]
) -> None:
    path, line = seeded(tmp_path, old, new)
    findings = check_announcements(path, numerals)
    found = [finding for finding in findings if finding.key == f"announcements.{key}"]
    assert len(found) == 1
    assert found[0].file == path
    assert found[0].line == (line - 1 if key == "missing-default" else line)
    assert params.items() <= found[0].params.items()
    others = {finding.key for finding in findings} - {found[0].key}
    assert others <= {"announcements.missing-cue", "announcements.missing-default"}


def test_missing_cue_and_word(tmp_path: Path, numerals: Numerals) -> None:
    path, line = seeded(tmp_path, "[microphone-back]", "[microphone-black]")
    assert told(check_announcements(path, numerals)) == [("missing-cue", 1), ("unknown-cue", line)]
    path, line = seeded(tmp_path, 'or = "или"', "")
    findings = check_announcements(path, numerals)
    assert told(findings) == [("missing-word", line - 1)]
    assert findings[0].params["word"] == "or"


def test_a_table_is_needed(tmp_path: Path, numerals: Numerals) -> None:
    path = tmp_path / "announcements.toml"
    path.write_text('thanks = "Спасибо."\n', encoding="utf-8")
    assert ("no-table", 1) in told(check_announcements(path, numerals))


def test_a_manner_of_a_club_may_be_named(tmp_path: Path, numerals: Numerals) -> None:
    path, _ = seeded(tmp_path, 'classic = "Ваше время вышло."', 'evening = "Всё."')
    assert check_announcements(path, numerals, manners=(*MANNERS, "evening")) == []


@pytest.mark.parametrize(
    ("old", "new", "command"),
    [
        ('default = "Время вышло."', 'default = "Спасибо."', "end-speech"),
        ('default = "Время вышло."', 'default = "Время вышло. Спасибо!"', "end-speech"),
        ('default = "Принято, номер {seat}."', 'default = "Выставляю номер {seat}."', "nominate"),
        ('sport = "Против номера {seat}: {count:голос}."', 'sport = "{count:голос}."', "votes"),
        ('default = "Время остановлено."', 'default = "Пауза."', "pause"),
        ('default = "Объявляю промах."', 'default = "Промах."', "shot"),
    ],
)
def test_a_line_that_is_a_command(tmp_path: Path, old: str, new: str, command: str) -> None:
    pack = load_pack("ru")
    path, line = seeded(tmp_path, old, new)
    findings = check_announcements(path, pack.numerals, hearing(pack))
    assert told(findings) == [("command", line)]
    assert findings[0].params["command"] == command


def test_a_command_that_is_not_legal_there_is_no_danger() -> None:
    hears = hearing(load_pack("ru"))
    assert hears("спасибо", "speech") == "end-speech"
    assert hears("спасибо", "vote") is None
    assert hears("номер пять, второй фол и хватит", "speech") is None


def test_the_widest_table_allows_what_any_moment_allows() -> None:
    assert {"nominate", "withdraw", "pause", "resume", "undo", "redo", "confirm", "deny"} <= set(widest_legal("speech"))
    assert {"start-game", "set-role"} <= set(widest_legal("lobby"))
    assert "votes" in widest_legal("lift")
    assert "sheriff-check" in widest_legal("sheriff-check")
    with pytest.raises(ValueError, match="nowhere"):
        widest_legal("nowhere")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_finding_has_its_sentence(language: str, tmp_path: Path) -> None:
    """Keys in lint.py and sentences in the messages are the same set, with the same parameters."""
    import voicehost.language.lint as lint

    source = Path(lint.__file__).read_text(encoding="utf-8")
    keys = set(re.findall(r'self\.tell\([\w ]+, (?:manner|name|""|"seat"), "([a-z-]+)"', source))
    sentences = load_pack(language).messages["announcements"]
    assert keys == set(sentences)
    for key, sentence in sentences.items():
        given = set(re.findall(rf'"{key}"((?:, \w+=[^,)]+)*)', source))
        names = {name for text in given for name in re.findall(r"(\w+)=", text)}
        assert set(re.findall(r"\{(\w+)\}", sentence)) <= names | {"cue", "manner"}, key
