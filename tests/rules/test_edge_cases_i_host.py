"""Edge cases 71–80 belong to the live host; here is the referee's part in some of them."""

from __future__ import annotations

import json

import pytest

from tests.rules.driver import ALL, Table
from tests.rules.states import all_states
from voicehost.rules import commands as cmd
from voicehost.rules.events import Event, FoulGiven, event_from
from voicehost.rules.fold import fold_all
from voicehost.rules.game import Step


@pytest.mark.parametrize("rules", ALL)
def test_71_a_foul_touches_no_timer(rules: str) -> None:
    table = Table(rules).start()
    before = table.game
    table.foul(5)
    assert table.last == (FoulGiven(5, 1),)
    assert (table.game.serial, table.game.seconds, table.game.paused) == (before.serial, before.seconds, False)


def test_76_three_different_numbers_or_none() -> None:
    table = Table("fsm").start().speeches().hunt(7).checks()
    assert table.refused(cmd.BestMove((2, 2, 5))) == "repeated-number"


@pytest.mark.parametrize("rules", ALL)
def test_79_the_state_comes_back_from_the_events_alone(rules: str) -> None:
    table = Table(rules).start().foul(5, 3).speeches({1: 7, 2: 8}).votes((1, 2, 3, 4, 5)).defend().votes(5).votes(6)
    table.last_words().remove(9).shoot({1: 7, 2: 10}).say(cmd.Pause())
    written = json.dumps([(event.name, event.data()) for event in table.events])
    read: list[Event] = [event_from(name, data) for name, data in json.loads(written)]
    assert fold_all(table.history.start, read) == table.game


@pytest.mark.parametrize("name", [name for name in all_states() if name.count("/") == 1])
def test_80_each_step_says_how_long_it_lasts(name: str) -> None:
    game = all_states()[name]
    untimed = {Step.LOBBY, Step.DEAL, Step.VOTE, Step.LIFT, Step.MORNING_QUESTION, Step.OVER}
    open_ended = game.step is Step.CONTRACT and game.rules.contract_seconds == 0
    assert (game.seconds > 0) is not (game.step in untimed or open_ended)


def test_80_with_no_host_even_an_open_contract_ends() -> None:
    assert all_states()["classic/home/contract"].seconds == 60
