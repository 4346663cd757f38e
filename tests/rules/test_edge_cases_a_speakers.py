"""Edge cases 1–8: who speaks, and who has a last word."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.driver import ALL, Table
from voicehost.rules import commands as cmd
from voicehost.rules.events import DepartureAnnounced, LastWordBegan
from voicehost.rules.game import Step

LAST_WORD_VOTED = {"sport": 60, "professional": 60, "classic": 30, "club": 30, "virtual": 60, "fsm": 60}
LAST_WORD_SHOT = {"sport": 60, "professional": 60, "classic": 30, "club": 30, "virtual": 60, "fsm": 60}

each = pytest.mark.parametrize("rules", ALL)


@each
def test_01_opener_to_be_is_out(rules: str) -> None:
    table = Table(rules, roles="dmcsmccccc").start(day=2)
    assert table.game.seat == 2
    table.speeches({2: 3, 4: 7}).votes(9).last_words().night(shot=10)
    assert (table.game.day, table.game.seat) == (3, 4)
    table.speeches().night()
    # Counted from the seat that opened, day four is five's; counted by the day's number, four opens again.
    assert (table.game.day, table.game.seat) == (4, 4 if rules == "sport" else 5)


def test_02_the_opener_rotates_not_the_closer() -> None:
    table = Table("fsm", roles="cdmmsccccc").start()
    table.speeches().night(shot=1)  # ten closed day one: a rotating closer would make two the last of day two
    assert table.game.seat == 2


@each
def test_03_opener_to_be_is_shot_this_night(rules: str) -> None:
    table = Table(rules, roles="dcmsmccccc").start().speeches().to(Step.HUNT).hunt(2).checks()
    table.to(Step.LAST_WORD)
    assert table.floor() == (Step.LAST_WORD, 2, LAST_WORD_SHOT[rules])
    table.last_words()
    assert (table.game.day, table.game.seat) == (2, 3)


@each
def test_04_opener_removed_in_his_own_speech(rules: str) -> None:
    table = Table(rules).start(day=2)
    table.remove(2)
    assert table.game.seat == 3
    assert table.last_names == ["seat-left", "speech-ended", "speech-began"]
    table.speeches().night()
    assert table.game.seat == 3  # the next one after the seat that really opened


@each
def test_05_the_victim_speaks_first_and_nominates_nobody(rules: str) -> None:
    table = Table(rules).start().speeches().to(Step.HUNT).hunt(7).checks().to(Step.LAST_WORD)
    assert table.last_names[-3:] == ["day-broke", "departure-announced", "last-word-began"]
    assert table.refused(cmd.Nominate(5)) == "not-now"
    table.last_words()
    assert table.step is Step.SPEECH
    assert table.game.nominations == ()


@each
def test_06_last_word_when_all_is_decided_by_the_vote(rules: str) -> None:
    table = Table(rules).start(out=(2, 3, 5, 6), day=2)  # the Don and five reds
    table.speeches({4: 1, 7: 8}).votes(4)
    assert table.floor() == (Step.LAST_WORD, 1, LAST_WORD_VOTED[rules])
    assert table.winner is None
    table.remove(7, 8).foul(4)  # nothing said or done in it changes the result
    assert table.step is Step.LAST_WORD
    table.say(cmd.EndSpeech())
    assert table.result == ("city", "black-gone")
    assert table.last_names == ["last-word-ended", "game-ended"]


@each
def test_06_last_word_when_all_is_decided_by_the_shot(rules: str) -> None:
    table = Table(rules).start(out=(5, 6, 7), day=2)  # three blacks, four reds
    table.speeches().to(Step.HUNT).hunt(4)
    assert table.step is Step.DON_CHECK  # the night goes on, so that nothing shows
    table.checks().to(Step.LAST_WORD)
    assert table.floor() == (Step.LAST_WORD, 4, LAST_WORD_SHOT[rules])
    table.remove(1, 2)  # after the deciding moment
    assert table.say(cmd.EndSpeech()).result == ("mafia", "parity")


def test_06_a_removal_ends_a_decided_game_only_when_nobody_has_a_last_word() -> None:
    table = Table("fsm").start(out=(2, 3, 5, 6), day=2).speeches({4: 1, 7: 8}).votes(4)
    table.remove(1)
    assert table.last_names == ["last-word-ended", "game-ended"]
    assert table.result == ("city", "black-gone")


@each
def test_07_each_of_the_lifted_has_a_last_word_in_order_of_nomination(rules: str) -> None:
    table = Table(rules).start().speeches({2: 8, 4: 5}).votes(5).defend().votes(5)
    table.votes(6)
    words = []
    while table.step is Step.LAST_WORD:
        words.append((table.game.seat, table.game.seconds))
        table.say(cmd.EndSpeech())
    assert words == [(8, LAST_WORD_VOTED[rules]), (5, LAST_WORD_VOTED[rules])]
    assert table.out == [8, 5]


def test_07_one_of_the_lifted_is_removed_meanwhile() -> None:
    table = Table("fsm").start().speeches({2: 8, 4: 5}).votes(5).defend().votes(5).votes(6)
    table.remove(5)
    assert table.game.seat == 8
    table.say(cmd.EndSpeech())
    assert table.step is Step.HUNT
    assert [word.seat for word in table.all(LastWordBegan)] == [8]


@each
def test_08_the_removed_have_no_last_word(rules: str) -> None:
    table = Table(rules).start().remove(7)
    assert table.step is Step.SPEECH
    assert not table.all(LastWordBegan)


@each
def test_08_nor_has_the_victim_who_is_removed_before_morning(rules: str) -> None:
    table = Table(rules).start().speeches().to(Step.HUNT).hunt(7).to(Step.SHERIFF_CHECK)
    table.remove(7).say(cmd.Next())
    assert table.step is Step.SPEECH
    assert not table.all(LastWordBegan)
    assert table.all(DepartureAnnounced) == [DepartureAnnounced((7,))]


def test_08_shot_and_removed_in_the_shooting_both_are_told_in_the_morning() -> None:
    table = Table("fsm").start().speeches().remove(7).hunt(7)
    assert not table.all(DepartureAnnounced)
    table.checks()
    assert table.all(DepartureAnnounced) == [DepartureAnnounced((7,))]
    assert (table.game.hit, table.game.exits[0].cause, table.step) == (7, "removed", Step.SPEECH)


@pytest.mark.parametrize(
    ("cause", "switch"), [("voted", "last_word_voted_seconds"), ("shot", "last_word_shot_seconds")]
)
def test_08_a_rule_set_without_last_words(cause: str, switch: str) -> None:
    switches: dict[str, Any] = {switch: 0}
    table = Table("fsm", **switches).start()
    if cause == "voted":
        table.speeches({1: 7, 2: 8}).votes(9)
        assert table.step is Step.HUNT
    else:
        table.speeches().hunt(7).checks().to(Step.SPEECH)
    assert not table.all(LastWordBegan)
    assert table.game.leaving == ()
    assert table.game.exits[0].cause == cause
