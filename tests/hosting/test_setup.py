"""How a game begins: what the options make, and the sentence for each that does not fit."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicehost.errors import UserError
from voicehost.hosting.setup import from_setup_mapping, make_setup, shuffled
from voicehost.language.messages import message
from voicehost.language.pack import load_pack
from voicehost.rules.game import Mode, Step
from voicehost.rules.roles import deck
from voicehost.rules.ruleset import SHIPPED, shipped

SPORT = shipped("sport")
CLASSIC = shipped("classic")
TEN = ["Аня", "Борис", "Вера", "Глеб", "Дина", "Егор", "Жанна", "Зоя", "Илья", "Катя"]
GIVEN = "don,mafia,mafia,sheriff,city,city,city,city,city,city"


def test_by_default_a_person_hosts_and_knows_the_roles() -> None:
    setup = make_setup(SPORT)
    assert (setup.players, setup.mode, setup.language, setup.dealing) == (10, Mode.HOSTED, "ru", "unknown")
    assert (setup.cards, setup.choose_cards, setup.first_seq) == ((), False, 1)
    game = setup.new_game()
    assert (game.step, game.players, game.deals_unknown) == (Step.LOBBY, 10, True)


def test_with_nobody_to_host_players_pick_shuffled_cards() -> None:
    setup = make_setup(SPORT, mode=Mode.HOME)
    assert (setup.dealing, setup.choose_cards) == ("random", True)
    assert Counter(setup.cards) == Counter(deck(10, 3))


def test_given_roles_are_dealt_as_they_are() -> None:
    setup = make_setup(SPORT, mode=Mode.HOME, dealing=GIVEN)
    assert (setup.dealing, setup.choose_cards) == ("given", False)
    assert setup.cards == tuple(GIVEN.split(","))


def test_roles_may_be_written_loosely() -> None:
    setup = make_setup(SPORT, dealing=" Don; MAFIA,mafia ,sheriff" + ",city" * 6)
    assert setup.cards == tuple(GIVEN.split(","))


@pytest.mark.parametrize("rules", SHIPPED)
def test_the_language_and_the_table_are_the_rule_sets(rules: str) -> None:
    setup = make_setup(shipped(rules))
    assert setup.language == shipped(rules).language
    assert setup.players == 10


def test_a_table_that_cannot_be_ten_is_as_near_as_it_can_be() -> None:
    assert make_setup(replace(SPORT, players_min=12, players_max=14)).players == 12
    assert make_setup(replace(SPORT, players_min=5, players_max=7)).players == 7


def test_names_tell_how_many_play() -> None:
    setup = make_setup(CLASSIC, names=[*TEN[:7], " Лёва "])
    assert setup.players == 8
    assert setup.names[7] == "Лёва"


def test_the_same_seed_deals_the_same_cards() -> None:
    first, second, other = (make_setup(SPORT, dealing="random", seed=seed).cards for seed in (7, 7, 8))
    assert first == second != other
    assert Counter(first) == Counter(other) == Counter(deck(10, 3))


@given(players=st.integers(7, 20), seed=st.integers())
def test_a_shuffled_deck_is_a_deck(players: int, seed: int) -> None:
    assert Counter(shuffled(CLASSIC, players, seed)) == Counter(deck(players, players // 3))


def test_without_a_seed_deals_differ() -> None:
    assert len({shuffled(SPORT, 10, None) for _ in range(20)}) > 1


@pytest.mark.parametrize(
    ("options", "key"),
    [
        ({"players": 9}, "players-exact"),
        ({"players": 0}, "players-exact"),
        ({"rules": CLASSIC, "players": 6}, "players-range"),
        ({"rules": CLASSIC, "players": 21}, "players-range"),
        ({"names": TEN[:9]}, "players-exact"),
        ({"players": 10, "names": TEN[:9]}, "names-count"),
        ({"names": [*TEN[:9], ""]}, "bad-name"),
        ({"names": [*TEN[:9], "я" * 41]}, "bad-name"),
        ({"names": [*TEN[:9], "а\nб"]}, "bad-name"),
        ({"names": [*TEN[:9], "а\x1b[2Jб"]}, "bad-name"),
        ({"names": [*TEN[:9], "Аня"]}, "name-twice"),
        ({"names": [*TEN[:9], "аНЯ!"]}, "name-twice"),
        ({"names": ["Алёна", *TEN[2:], "алена"]}, "name-twice"),
        ({"mode": Mode.HOME, "dealing": "unknown"}, "home-needs-roles"),
        ({"seed": 7}, "seed-needs-random"),
        ({"seed": 7, "dealing": GIVEN}, "seed-needs-random"),
        ({"dealing": "don,boss"}, "unknown-role"),
        ({"dealing": ""}, "unknown-role"),
        ({"dealing": "don,mafia"}, "wrong-deck"),
        ({"dealing": GIVEN.replace("sheriff", "city")}, "wrong-deck"),
        ({"dealing": GIVEN + ",city"}, "wrong-deck"),
    ],
)
def test_options_that_do_not_fit(options: dict[str, Any], key: str) -> None:
    rules = options.pop("rules", SPORT)
    with pytest.raises(UserError) as raised:
        make_setup(rules, **options)
    assert (raised.value.key, raised.value.status) == (f"hosting.{key}", 2)
    for language in ("ru", "bg"):
        sentence = message(load_pack(language), raised.value.key, **raised.value.params)
        assert "{" not in sentence, "every brace has a value"
        assert not sentence.startswith("hosting."), "there is such a sentence"


@pytest.mark.parametrize("rules", SHIPPED)
@pytest.mark.parametrize("options", [{}, {"mode": Mode.HOME}, {"dealing": "random", "seed": 3}, {"names": TEN}])
def test_a_setup_survives_the_journal(rules: str, options: dict[str, Any]) -> None:
    setup = make_setup(shipped(rules), **options)
    again = from_setup_mapping(json.loads(json.dumps(setup.to_mapping())))
    assert again == setup
    assert again.new_game() == setup.new_game()


def test_another_game_of_the_same_people() -> None:
    setup = make_setup(SPORT, mode=Mode.HOME)
    again = setup.again(tuple(TEN), first_seq=200)
    assert (again.names, again.first_seq) == (tuple(TEN), 200)
    assert Counter(again.cards) == Counter(setup.cards)
    assert any(setup.again(tuple(TEN), 1).cards != setup.cards for _ in range(20)), "cards are shuffled anew"


def test_given_roles_stay_in_another_game() -> None:
    setup = make_setup(SPORT, dealing=GIVEN)
    assert setup.again(setup.names, 50).cards == setup.cards
