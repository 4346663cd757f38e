"""Edge cases 9–18: the third foul, the fourth, and when they count."""

from __future__ import annotations

import pytest

from tests.rules.driver import ALL, HOLD, Table
from voicehost.rules import commands as cmd
from voicehost.rules.events import FoulGiven, SeatLeft, SpeechBegan, TechnicalFoulGiven
from voicehost.rules.game import Step

SILENCE = ("sport", "fsm")
"""Rule sets whose third foul costs a minute and whose fourth removes."""

each = pytest.mark.parametrize("rules", ALL)
silencing = pytest.mark.parametrize("rules", SILENCE)


@silencing
def test_09_third_foul_in_the_own_speech_costs_the_next_minute(rules: str) -> None:
    table = Table(rules).start().until(5)
    table.foul(5, 3)
    assert table.floor() == (Step.SPEECH, 5, 60)
    table.say(cmd.EndSpeech()).speeches().night().until(5)
    assert table.floor() == (Step.NOMINATE_ONLY, 5, 10)


@silencing
def test_10_third_foul_before_the_own_speech_costs_todays_minute(rules: str) -> None:
    table = Table(rules).start().foul(5, 3).until(5)
    assert table.floor() == (Step.NOMINATE_ONLY, 5, 10)
    table.say(cmd.EndSpeech()).speeches().night().until(5)
    assert table.floor() == (Step.SPEECH, 5, 60)  # lost once
    assert table.game.fouls[4] == 3  # and still on record


@silencing
def test_10_third_foul_after_the_own_speech_costs_tomorrows_minute(rules: str) -> None:
    table = Table(rules).start().until(6).foul(5, 3).speeches().night().until(5)
    assert table.step is Step.NOMINATE_ONLY


@silencing
def test_10_a_foul_taken_back_gives_the_minute_back(rules: str) -> None:
    table = Table(rules).start().foul(5, 3).say(cmd.RemoveFoul(5)).until(5)
    assert table.floor() == (Step.SPEECH, 5, 60)
    assert table.foul(5).game.fouls[4] == 3
    assert table.game.silenced == {5}


@pytest.mark.parametrize("rules", HOLD)
def test_10_elsewhere_fouls_are_only_counted(rules: str) -> None:
    table = Table(rules).start().foul(5, 6).until(5)
    assert table.floor() == (Step.SPEECH, 5, 60)
    assert table.game.fouls[4] == 6


@silencing
def test_11_the_silenced_may_nominate_in_a_short_window(rules: str) -> None:
    table = Table(rules).start().foul(5, 3).until(5)
    table.say(cmd.Nominate(7), cmd.Elapse())
    assert table.game.nominations == ((5, 7),)
    assert table.game.seat == 6


def test_12_third_foul_at_a_small_table_leaves_half_a_minute() -> None:
    table = Table("fsm").start(out=(2, 3, 5, 6, 7), day=2).foul(9, 3)  # five at the table: 1 4 8 9 10
    table.remove(10).until(9)  # four when his speech starts, which is what counts
    assert table.floor() == (Step.SPEECH, 9, 30)
    assert "nominate" not in [event.name for event in table.last]
    table.say(cmd.Nominate(8))


def test_12_with_five_at_the_table_he_only_nominates() -> None:
    table = Table("fsm").start(out=(2, 3, 5, 6, 7), day=2).foul(9, 3).until(9)
    assert table.floor() == (Step.NOMINATE_ONLY, 9, 10)


def test_12_sport_knows_no_half_minute() -> None:
    table = Table("sport").start(out=(2, 3, 5, 6, 7, 10), day=2).foul(9, 3).until(9)
    assert table.floor() == (Step.NOMINATE_ONLY, 9, 10)


@silencing
def test_13_the_silenced_keeps_the_shootout_the_best_move_and_the_last_word(rules: str) -> None:
    table = Table(rules).start().speeches({1: 7, 2: 8}).foul(7, 3).votes(5)
    assert table.floor() == (Step.SHOOTOUT_SPEECH, 7, 30)
    table.defend().votes(5).votes(0).hunt(7).checks()
    if rules == "fsm":
        assert table.game.seat == 7
        table.say(cmd.BestMove((1, 2, 3)), cmd.Next())
    assert table.floor() == (Step.LAST_WORD, 7, 60)


@silencing
def test_14_two_offences_in_one_act_pass_the_third_foul(rules: str) -> None:
    table = Table(rules).start().foul(5, 2).say(cmd.Foul(5, 2))
    assert table.all(FoulGiven)[-1] == FoulGiven(5, 4)
    assert table.out == [5]
    assert 5 not in table.game.silenced
    assert not [speech for speech in table.speeches().all(SpeechBegan) if speech.seat == 5]


def test_14_where_more_fouls_are_allowed_the_minute_is_lost_all_the_same() -> None:
    table = Table("fsm", foul_limit=6).start().foul(5, 2).say(cmd.Foul(5, 2))
    assert table.game.silenced == {5}
    table.foul(5)  # a fifth one does not give it back
    assert table.until(5).step is Step.NOMINATE_ONLY


def test_14_more_fouls_than_the_limit_count_as_the_limit() -> None:
    table = Table("fsm").start().foul(5, 3).say(cmd.Foul(5, 3))
    assert table.game.fouls[4] == 4


@silencing
def test_15_undo_of_the_fourth_foul_restores_everything(rules: str) -> None:
    table = Table(rules).start(out=(5, 6)).speeches({1: 7, 2: 8, 3: 4}).votes(2)
    before = table.foul(7, 3).game
    table.foul(7)
    assert table.step is Step.HUNT  # the vote is cancelled
    table.undo()
    assert (table.game.alive, table.game.nominees, table.game.ballot) == (before.alive, (7, 8, 4), before.ballot)
    assert (table.game.vote_lost, table.game.decided, table.game.fouls) == (False, None, before.fouls)


@silencing
def test_16_fourth_foul_to_the_speaker_passes_the_turn_on(rules: str) -> None:
    table = Table(rules).start().until(5).foul(5, 4)
    assert table.last_names == ["foul-given", "seat-left", "speech-ended", "speech-began"]
    assert table.game.seat == 6


@silencing
def test_16_fourth_foul_to_the_last_speaker_ends_the_day(rules: str) -> None:
    table = Table(rules).start().until(4).say(cmd.Nominate(6)).until(7).say(cmd.Nominate(8)).until(10).foul(10, 4)
    assert table.last_names == [
        "foul-given",
        "seat-left",
        "speech-ended",
        "vote-cancelled",
        "night-fell",
        "hunt-began",
    ]


@each
def test_17_no_foul_to_one_who_is_out(rules: str) -> None:
    table = Table(rules).start(out=(5,))
    assert table.refused(cmd.Foul(5)) == "seat-out"
    assert table.refused(cmd.TechnicalFoul(5)) == "seat-out"
    assert table.refused(cmd.RemovePlayer(5)) == "seat-out"
    assert table.refused(cmd.RemoveFoul(5)) == "seat-out"
    assert table.refused(cmd.Foul(11)) == "no-such-seat"


@each
@pytest.mark.parametrize("step", [Step.LAST_WORD, Step.LIFT, Step.HUNT, Step.DON_CHECK, Step.SHERIFF_CHECK, Step.VOTE])
def test_18_a_foul_moves_no_step(rules: str, step: Step) -> None:
    table = Table(rules).start().speeches({1: 7, 2: 8})
    if step is Step.LAST_WORD:
        table.votes(6)
    elif step is Step.LIFT:
        table.votes(5).defend().votes(5)
    elif step is not Step.VOTE:
        table.to(step)
    before = table.game
    table.foul(9)
    assert table.last == (FoulGiven(9, 1),)
    assert (table.step, table.game.serial, table.game.seat) == (step, before.serial, before.seat)


@each
def test_18_technical_fouls_are_counted_apart_and_remove_nobody(rules: str) -> None:
    table = Table(rules).start().say(*[cmd.TechnicalFoul(5)] * 5)
    assert (table.game.technical[4], table.game.fouls[4], table.out) == (5, 0, [])


def test_18_technical_foul_limit() -> None:
    table = Table("fsm", technical_foul_limit=2).start().say(cmd.TechnicalFoul(5), cmd.TechnicalFoul(5))
    assert table.all(TechnicalFoulGiven)[-1] == TechnicalFoulGiven(5, 2)
    assert table.all(SeatLeft) == [SeatLeft(5, "technical-fouls")]


@each
def test_18_there_must_be_a_foul_to_take_back(rules: str) -> None:
    table = Table(rules).start()
    assert table.refused(cmd.RemoveFoul(5)) == "no-foul"
    table.foul(5).say(cmd.RemoveFoul(5))
    assert table.game.fouls[4] == 0
    assert table.refused(cmd.RemoveFoul(5)) == "no-foul"
