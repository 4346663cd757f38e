"""The template grammar: what it reads, what it refuses, and that it agrees with hassil where both can read."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from hassil import Intents, recognize_all
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from voicehost.errors import UserError
from voicehost.language.book import CommandBook, read_book
from voicehost.language.graph import Graph, GraphError, Positions
from voicehost.language.pack import Pack, load_pack
from voicehost.language.template import (
    Choice,
    Permutation,
    Repeat,
    Rule,
    Sequence,
    Slot,
    TemplateError,
    Word,
    parse_template,
)

LISTS: dict[str, Any] = {
    "times": {"values": [{"in": "раз", "out": 1}, {"in": "два раза", "out": 2}, {"in": "трижды", "out": 3}]}
}
RULES = {"rule": "(эпсилон|[дзета] альфа)", "joiner": "и"}


def book_of(folder: Path, *sentences: str, lists: Mapping[str, Any] = LISTS, rules: Mapping[str, str] = RULES) -> Any:
    """A book of one command with these sentences."""
    data = {"intents": {"x": {"data": [{"sentences": list(sentences)}]}}, "lists": lists, "expansion_rules": rules}
    path = folder / "commands.yaml"
    path.write_text(yaml.safe_dump(data, allow_unicode=True), encoding="utf-8")
    return read_book(path, load_pack("ru").numerals)


def matches(book: CommandBook, text: str) -> list[list[tuple[str, Any]]]:
    return [list(slots) for _, slots in Graph(book).walk(text.split())]


@pytest.mark.parametrize(
    ("source", "tree"),
    [
        ("Пас", Word("пас")),
        ("я пас", Sequence((Word("я"), Word("пас")))),
        ("[я] пас", Sequence((Choice((Word("я"), Sequence(()))), Word("пас")))),
        ("(да|нет)", Choice((Word("да"), Word("нет")))),
        ("да|нет", Choice((Word("да"), Word("нет")))),
        ("(да;нет)", Permutation((Word("да"), Word("нет")))),
        ("{seat}", Slot("seat", "seat")),
        ("{seat:target}", Slot("seat", "target")),
        ("<whom>", Rule("whom")),
        ("{seat:seats}+", Repeat(Slot("seat", "seats"))),
        ("повтори[те]", Choice((Word("повтори"), Word("повторите")))),
        ("голос(а|ов)", Choice((Word("голоса"), Word("голосов")))),
    ],
)
def test_reads(source: str, tree: object) -> None:
    assert parse_template(source) == tree


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("(да", "template-bracket"),
        ("да)", "template-bracket"),
        ("[да", "template-bracket"),
        ("[да)", "template-bracket"),
        ("{seat", "template-bracket"),
        ("(да|нет;пас)", "template-mixed"),
        ("[] да", "template-empty"),
        ("() да", "template-empty"),
        ("да, нет", "template-character"),
        ("№ {seat}", "template-character"),
        ("{номер места}", "template-name"),
        ("{seat:}", "template-name"),
        ("<rule:slot>", "template-name"),
        ("фол{seat}", "template-glued"),
        ("<rule>ов", "template-glued"),
    ],
)
def test_refuses(source: str, problem: str) -> None:
    with pytest.raises(TemplateError) as error:
        parse_template(source)
    assert error.value.problem == problem


@given(st.text(alphabet="аб ([{<>}])|;+:\\", max_size=40))
def test_reading_ends_with_a_tree_or_an_error_of_its_own(source: str) -> None:
    with contextlib.suppress(TemplateError):
        parse_template(source)


@pytest.mark.parametrize(
    ("source", "yes", "no"),
    [
        ("[я] пас", ["пас", "я пас"], ["я", "пас я", "я я пас"]),
        ("(а;б;в)", ["а б в", "в а б", "б а в"], ["а б", "а а б", "а б в а"]),
        ("[а;б] в", ["в", "а б в", "б а в"], ["а в", "а б"]),
        ("а <rule> в", ["а эпсилон в", "а альфа в", "а дзета альфа в"], ["а в", "а дзета в"]),
        ("а {times}", ["а раз", "а два раза"], ["а два", "а раза", "а"]),
        ("а {times}+", ["а раз", "а раз трижды", "а раз и два раза раз"], ["а", "а и раз", "а раз и", "а раз и и раз"]),
        ("а (б {times})+", ["а б раз", "а б раз б два раза", "а б раз и б раз"], ["а б", "а б раз раз"]),
        ("а[б]в", ["ав", "абв"], ["а в", "а б в"]),
    ],
)
def test_matches_whole_utterances_only(source: str, yes: list[str], no: list[str], tmp_path: Path) -> None:
    book = book_of(tmp_path, source)
    assert [text for text in yes if not matches(book, text)] == []
    assert [text for text in no if matches(book, text)] == []


def test_slots_come_in_the_order_of_speech(tmp_path: Path) -> None:
    book = book_of(tmp_path, "{times:first} бьёт {times:second}")
    assert matches(book, "два раза бьет раз") == [[("first", 2), ("second", 1)]]


@pytest.mark.parametrize(
    ("sentence", "rules", "problem"),
    [
        ("{nothing}", {}, "unknown-list"),
        ("<nothing>", {}, "unknown-rule"),
        ("<one>", {"one": "а <two>", "two": "б [<one>]"}, "rule-in-itself"),
        ("[а] [б]", {}, "template-empty"),
        ("(а;б;в;г;д;е;ж;з)", {}, "template-large"),
    ],
)
def test_what_cannot_be_compiled(sentence: str, rules: dict[str, str], problem: str, tmp_path: Path) -> None:
    book = book_of(tmp_path, sentence, rules=rules)
    with pytest.raises(GraphError) as error:
        Positions(book.templates[0], book)
    assert error.value.problem == problem


# --- hassil as the oracle

Tree = tuple[str, Any]


def trees() -> st.SearchStrategy[Tree]:
    leaves = st.one_of(
        st.tuples(st.just("word"), st.sampled_from(["альфа", "бета", "гамма", "дельта"])),
        st.tuples(st.just("slot"), st.sampled_from(["one", "two"])),
        st.tuples(st.just("rule"), st.just("rule")),
    )
    return st.recursive(
        leaves,
        lambda inner: st.tuples(
            st.sampled_from(["all", "any", "maybe", "mixed"]), st.lists(inner, min_size=2, max_size=3)
        ),
        max_leaves=7,
    )


def source_of(tree: Tree) -> str:
    kind, value = tree
    match kind:
        case "word":
            return str(value)
        case "slot":
            return f"{{times:{value}}}"
        case "rule":
            return "<rule>"
        case "all":
            return " ".join(source_of(item) for item in value)
        case "any":
            return f"({'|'.join(source_of(item) for item in value)})"
        case "mixed":
            return f"({';'.join(source_of(item) for item in value)})"
    return f"[{' '.join(source_of(item) for item in value)}]"


def sentence_of(tree: Tree, draw: st.DrawFn) -> list[str]:
    """One sentence that the tree stands for, made without our own code."""
    kind, value = tree
    match kind:
        case "word":
            return [value]
        case "slot":
            return draw(st.sampled_from(["раз", "два раза", "трижды"])).split()
        case "rule":
            return draw(st.sampled_from(["эпсилон", "дзета альфа", "альфа"])).split()
        case "any":
            return sentence_of(draw(st.sampled_from(value)), draw)
        case "mixed":
            value = draw(st.permutations(value))
        case "maybe":
            value = value if draw(st.booleans()) else []
    return [word for item in value for word in sentence_of(item, draw)]


@st.composite
def templates_with_sentences(draw: st.DrawFn) -> tuple[str, list[str], bool]:
    """A template, a sentence, and whether the sentence is one of the template's for certain."""
    tree = draw(trees())
    words = sentence_of(tree, draw)
    spoiled = draw(st.booleans())
    if spoiled:
        place = draw(st.integers(0, len(words)))
        other = draw(st.sampled_from(["альфа", "бета", "раз", "раза", "дзета"]))
        words = draw(st.sampled_from([words[:place] + words[place + 1 :], [*words[:place], other, *words[place:]]]))
    return source_of(tree), words, not spoiled


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("templates")


@settings(max_examples=250, deadline=None)
@given(case=templates_with_sentences())
def test_agrees_with_hassil(case: tuple[str, list[str], bool], folder: Path) -> None:
    source, words, certain = case
    assume(words)
    book = book_of(folder, source)
    try:
        ours = matches(book, " ".join(words))
    except UserError as error:  # hassil lets a template be empty, a command must not be
        assume(error.key != "language.template-empty")
        raise
    data = {"language": "ru", "intents": {"x": {"data": [{"sentences": [source]}]}}}
    intents = Intents.from_dict({**data, "lists": LISTS, "expansion_rules": RULES})
    theirs = [
        sorted((entity.name, entity.value) for entity in found.entities_list)
        for found in recognize_all(" ".join(words), intents)
    ]
    assert ours or not certain
    assert bool(theirs) == bool(ours)
    assert all(slots in [sorted(found) for found in ours] for slots in theirs)


def hassil_intents(pack: Pack) -> Intents:
    """The pack's own file for hassil: number lists as plain lists, sentences with our «+» left out."""
    data = yaml.safe_load((pack.folder / "commands.yaml").read_text(encoding="utf-8"))
    for name, values in pack.commands.lists.items():
        data["lists"][name] = {"values": [{"in": " ".join(v.words), "out": v.value} for v in values.values]}
    for intent in data["intents"].values():
        intent["data"] = [
            {"sentences": sentences, "slots": block.get("slots", {})}
            for block in intent["data"]
            if (sentences := [line for line in block["sentences"] if "+" not in line])
        ]
    return Intents.from_dict(data)


WORDINGS = {
    "ru": """дальше|спасибо|у меня всё|начинаем игру|выставляю номер пять|я выставляю пятого на голосование
        фол игроку три|третьему фол|два фола третьему|минус фол четвёртому|третьему технический фол|удалить пятого
        удалить игрока номер пять за мат|четыре голоса|голосует девятый|убит седьмой|промах|второй стреляет в пятого
        дон проверяет третьего|комиссар проверяет номер шесть|два пять восемь|добавить двадцать одну секунду
        кто выставлен|сколько у третьего фолов|пятый шериф|ничья|победили мирные|не слушай|подтверждаю
        выставил бы пятого|третий фол|выставляю пятого и шестого|у него уже два фола|он сказал спасибо""",
    "bg": """нататък|благодаря|номинирам номер пет|фал на играч три|без фал на трети|отстранявам пети
        четири гласа|гласува девети|убит седми|пропуск|втори стреля в пети|донът проверява трети
        добави двадесет и една секунди|кой е номиниран|пети е комисар|равенство|не слушай|трети фал|два фала""",
}


@pytest.mark.parametrize("language", ["ru", "bg"])
def test_hassil_reads_our_packs_the_same_way(language: str) -> None:
    pack = load_pack(language)
    intents = hassil_intents(pack)
    texts = [text.strip() for line in WORDINGS[language].splitlines() for text in line.split("|")]
    for text in texts:
        ours = {
            (template.command, *sorted([*template.fixed.items(), *slots], key=str))
            for template, slots in pack.graph.walk([word.replace("ё", "е") for word in text.split()])
            if "+" not in template.source
        }
        theirs = {
            (found.intent.name, *sorted(((e.name, e.value) for e in found.entities_list), key=str))
            for found in recognize_all(text, intents)
        }
        assert {found[0] for found in theirs} == {found[0] for found in ours}, text
        assert theirs <= ours, text
