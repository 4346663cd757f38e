"""What recognisers are given: covering phrases and the automaton, for any set of commands that may be said."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voicehost.language.commands import automaton, covering, covering_phrases, examples, parse, slot_names
from voicehost.language.normal import normalise
from voicehost.language.pack import load_pack
from voicehost.rules.commands import COMMANDS, BestMove, Shooter, Votes
from voicehost.rules.legal import Allowed, Legal, fits

LANGUAGES = ("ru", "bg")
SPOKEN = sorted(name for name, command in COMMANDS.items() if command.spoken)
TABLE = tuple(range(1, 11))
SEAT_SLOTS = {"seat", "seats", "shooter", "target"}
EVERYBODY = "первый второй третий четвёртый пятый шестой седьмой восьмой девятый и десятый"


@st.composite
def allowances(draw: st.DrawFn) -> Legal:
    """Any commands, with any seats and counts that could be legal."""
    legal = {}
    for name in draw(st.lists(st.sampled_from(SPOKEN), min_size=1, max_size=8, unique=True)):
        seats = tuple(sorted(draw(st.sets(st.integers(1, 20), max_size=20))))
        targets = tuple(sorted(draw(st.sets(st.integers(1, 20), min_size=1, max_size=20))))
        counts = tuple(range(draw(st.integers(1, 20)) + 1))
        legal[name] = Allowed(name, seats, targets, counts, 3 if name == "best-move" else None)
    return legal


def plain(*names: str) -> Legal:
    return {name: Allowed(name, TABLE, TABLE, tuple(range(11)), 3 if name == "best-move" else None) for name in names}


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=60, deadline=None)
@given(legal=allowances())
def test_every_covering_phrase_is_its_command_again(language: str, legal: Legal) -> None:
    pack = load_pack(language)
    for phrase, command in covering(pack, legal):
        heard = parse(pack, phrase, legal)
        assert heard is not None, phrase
        assert heard.command == command, phrase
        assert fits(legal[command.name], command), phrase


@pytest.mark.parametrize("language", LANGUAGES)
def test_phrases_are_words_only_in_small_letters(language: str) -> None:
    for phrase in covering_phrases(load_pack(language), plain(*SPOKEN)):
        assert phrase == phrase.lower()
        assert all(word.isalpha() for word in phrase.split(" ")), phrase


def test_phrases_keep_the_letter_yo() -> None:
    phrases = covering_phrases(load_pack("ru"), plain("nominate"))
    assert "выставляю четвёртого" in phrases
    assert "выставляю четвертого" not in phrases


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", [name for name in SPOKEN if SEAT_SLOTS & slot_names(name).keys()])
def test_every_seat_that_is_allowed_and_no_other(language: str, command: str) -> None:
    pack = load_pack(language)
    seats, size = (2, 7, 11, 20), 3 if command == "best-move" else None
    legal = {command: Allowed(command, seats, seats, (1, 2, 3), size)}
    named: set[object] = set()
    for _, found in covering(pack, legal):
        for name, value in found.slots().items():
            if name in SEAT_SLOTS:
                named.update(value if isinstance(value, list) else [value])
    assert named - {None} == {2, 7, 11, 20}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_template_speaks_with_every_seat_in_every_place(language: str) -> None:
    """The vote may go to any number, so no seat may be worse represented than another."""
    pack = load_pack(language)
    by_seat: dict[int, set[str]] = {seat: set() for seat in TABLE}
    for phrase, command in covering(pack, plain("nominate")):
        seat = command.slots()["seat"]
        forms = {word for form in pack.numerals.forms() for word in pack.numerals.words(form, [seat]).values()}
        by_seat[seat].add(" ".join("N" if word in forms else word for word in phrase.split()))
    common = set.intersection(*by_seat.values())
    frames = {"ru": {"выставляю номер N", "выставляю N", "N выставляю", "выставляю игрока N"}}
    frames["bg"] = {"номинирам номер N", "номинирам N", "N номинирам", "номинирам играч N"}
    assert frames[language] <= common


def test_the_number_of_phrases_is_a_sum_not_a_product() -> None:
    legal = plain("shooter", "votes", "best-move", "foul")
    assert len(covering_phrases(load_pack("ru"), legal)) < 1_000


def test_words_that_may_stand_together_do_so_in_some_phrase() -> None:
    """A recogniser's grammar is estimated from word pairs: a pair that is in no phrase is hard to recognise."""
    pack = load_pack("ru")
    pairs = {pair for phrase in covering_phrases(pack, plain("nominate", "votes")) for pair in pairwise(phrase.split())}
    assert {
        ("я", "выставляю"),
        ("выставляю", "на"),
        ("голосование", "игрока"),
        ("номер", "восемь"),
        ("кандидатуру", "номер"),
    } <= pairs
    assert {before for before, word in pairs if word == "голосуют"} >= {"второй", "третий"}
    assert any(word == "и" for _, word in pairs)
    assert any(word == "на" for before, word in pairs if before in ("пять", "шесть", "пятого"))


def test_a_best_move_names_exactly_three_different_seats() -> None:
    found = [c for _, c in covering(load_pack("ru"), plain("best-move")) if isinstance(c, BestMove)]
    assert found
    assert all(len(command.seats) == len(set(command.seats)) == 3 for command in found)
    too_few = {"best-move": Allowed("best-move", (2, 5), size=3)}
    assert covering_phrases(load_pack("ru"), too_few) == []


def test_no_more_voters_than_hands_are_left() -> None:
    legal = {"votes": Allowed("votes", TABLE, counts=(0, 1))}
    found = [command for _, command in covering(load_pack("ru"), legal) if isinstance(command, Votes)]
    assert {len(command.seats) for command in found if command.seats is not None} == {1}
    assert {command.count for command in found} == {None, 0, 1}


@pytest.mark.parametrize("language", LANGUAGES)
def test_recognisers_hear_of_the_fillers(language: str) -> None:
    pack = load_pack(language)
    phrases = covering_phrases(pack, plain("pause"))
    for filler in pack.commands.skip:
        assert f"{filler} пауза" in phrases
        assert f"пауза {filler}" in phrases
    for phrase in phrases:
        heard = parse(pack, phrase)
        assert heard is not None
        assert heard.command.name == "pause"


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_expected_that_is_not_legal(language: str) -> None:
    pack = load_pack(language)
    assert covering_phrases(pack, {}) == []
    assert {command.name for _, command in covering(pack, plain("pause", "foul"))} == {"pause", "foul"}
    assert covering_phrases(pack, {"nominate": Allowed("nominate", ())}) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_examples_teach_one_wording_each(language: str) -> None:
    pack = load_pack(language)
    legal = plain(*SPOKEN)
    taught = examples(pack, legal)
    assert list(taught) == list(legal)
    for name, text in taught.items():
        heard = parse(pack, text, legal)
        assert heard is not None, text
        assert heard.command.name == name


def test_examples_read_well() -> None:
    taught = examples(load_pack("ru"), plain("nominate", "foul", "set-role", "votes", "add-time", "best-move"))
    assert taught == {
        "nominate": "выставляю номер пять",
        "foul": "фол игроку пять",
        "set-role": "пятый шериф",
        "votes": "три голоса",
        "add-time": "добавить тридцать секунд",
        "best-move": "лучший ход пять шесть семь",
    }


# --- the automaton


@pytest.mark.parametrize("language", LANGUAGES)
@settings(max_examples=40, deadline=None)
@given(legal=allowances())
def test_every_covering_phrase_is_a_path(language: str, legal: Legal) -> None:
    pack = load_pack(language)
    machine = automaton(pack, legal)
    for phrase, _ in covering(pack, legal):
        state = machine.follow(phrase.split())
        assert state is not None, phrase
        assert machine.accepts(state), phrase


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("digits", [False, True])
@settings(max_examples=60, deadline=None)
@given(legal=allowances(), data=st.data())
def test_every_path_is_a_legal_command(language: str, digits: bool, legal: Legal, data: st.DataObject) -> None:
    machine = automaton(load_pack(language), legal, digits=digits)
    state, words = machine.start, list[str]()
    assert not machine.accepts(state)
    while machine.edges(state) and not (machine.accepts(state) and data.draw(st.booleans())):
        word = data.draw(st.sampled_from(sorted(machine.edges(state))))
        words.append(word)
        state = machine.edges(state)[word]
    if not words:
        assert covering_phrases(load_pack(language), legal) == []
        return
    assert machine.accepts(state), words
    heard = machine.heard(words)
    assert heard is not None, words
    assert fits(legal[heard.command.name], heard.command), words


def test_seat_lists_loop_over_different_seats() -> None:
    machine = automaton(load_pack("ru"), plain("votes"))
    everybody = EVERYBODY.split()
    state = machine.follow(["голосуют", *everybody])
    assert state is not None
    assert machine.accepts(state)
    assert machine.edges(state) == {}
    heard = machine.heard(["голосуют", *everybody])
    assert heard is not None
    assert heard.command == Votes(seats=TABLE)
    assert machine.follow(["голосуют", "первый", "и", "первый"]) is None
    assert machine.follow(["голосуют", "первый", "и", "один"]) is None


def test_only_lists_are_bound_to_different_seats() -> None:
    machine = automaton(load_pack("ru"), plain("shooter"))
    heard = machine.heard(["седьмой", "стреляет", "в", "седьмого"])
    assert machine.follow(["седьмой", "стреляет", "в", "седьмого"]) is not None
    assert heard is not None
    assert heard.command == Shooter(7, 7)


def test_digits_are_admitted_on_request() -> None:
    legal = plain("nominate", "add-time")
    pack = load_pack("ru")
    words, written = automaton(pack, legal), automaton(pack, legal, digits=True)
    for text in ("выставляю номер 5", "выставляю 5-го", "добавить 30 секунд"):
        state = written.follow(text.split())
        assert state is not None, text
        assert written.accepts(state)
        assert words.follow(text.split()) is None
        heard = written.heard(text.split())
        assert heard is not None
    assert written.follow(["выставляю", "11-го"]) is None


def test_states_are_shared() -> None:
    """The same words lead to the same number, and ends of equal futures do not multiply."""
    machine = automaton(load_pack("ru"), plain("votes"))
    one = machine.follow(["голосуют", "первый", "третий"])
    assert one == machine.follow(["голосуют", "третий", "первый"])


def test_normalised_phrases_mean_the_same() -> None:
    pack = load_pack("ru")
    legal = plain(*SPOKEN)
    for phrase, command in covering(pack, legal):
        heard = parse(pack, normalise(phrase), legal)
        assert heard is not None
        assert heard.command == command
