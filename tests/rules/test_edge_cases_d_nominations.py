"""Edge cases 33–38: nominations."""

from __future__ import annotations

import pytest

from tests.rules.driver import ALL, Table
from voicehost.rules import commands as cmd
from voicehost.rules.events import NominationWithdrawn, NoVote, SeatLeft, SeatNominated, VoteOpened, VotesCast
from voicehost.rules.game import Mode, Step

each = pytest.mark.parametrize("rules", ALL)


@each
def test_33_refused_nominations(rules: str) -> None:
    table = Table(rules).start(out=(9,)).say(cmd.Nominate(5))
    assert table.refused(cmd.Nominate(6)) == "already-nominated-by-you"
    table.say(cmd.EndSpeech())
    assert table.refused(cmd.Nominate(5)) == "already-nominated"
    assert table.refused(cmd.Nominate(9)) == "seat-out"
    assert table.refused(cmd.Nominate(0)) == "no-such-seat"
    assert table.refused(cmd.Nominate(11)) == "no-such-seat"


@each
def test_33_ones_own_seat_is_allowed(rules: str) -> None:
    table = Table(rules).start().say(cmd.Nominate(1))
    assert table.all(SeatNominated) == [SeatNominated(1, 1)]


@each
@pytest.mark.parametrize("step", [Step.VOTE, Step.SHOOTOUT_SPEECH, Step.LIFT, Step.LAST_WORD, Step.HUNT])
def test_33_not_the_time_to_nominate(rules: str, step: Step) -> None:
    table = Table(rules).start().speeches({1: 7, 2: 8})
    if step in {Step.SHOOTOUT_SPEECH, Step.LIFT}:
        table.votes(5)
    if step is Step.LIFT:
        table.defend().votes(5)
    if step is Step.LAST_WORD:
        table.votes(6)
    if step is Step.HUNT:
        table.to(step)
    assert table.step is step
    assert table.refused(cmd.Nominate(6)) == "not-now"


def test_33_by_phone_only_the_speaker_nominates() -> None:
    table = Table("fsm", mode=Mode.HOME).say(cmd.StartGame())
    while table.step is not Step.SPEECH:
        table.say(cmd.Elapse())
    assert table.refused(cmd.Nominate(6), by=5) == "not-your-turn"
    table.say(cmd.Nominate(6), by=1)
    assert table.game.nominations == ((1, 6),)


@each
def test_34_a_misheard_number_is_corrected_before_the_next_speaker(rules: str) -> None:
    table = Table(rules).start().say(cmd.Nominate(8), cmd.EndSpeech(), cmd.Nominate(5)).undo()
    assert table.game.nominations == ((1, 8),)
    assert table.game.seat == 2
    table.say(cmd.Nominate(6), cmd.EndSpeech(), cmd.Nominate(5))
    assert table.game.nominees == (8, 6, 5)


@each
def test_35_nobody_withdraws_in_the_shipped_rule_sets(rules: str) -> None:
    table = Table(rules).start().say(cmd.Nominate(5))
    assert table.refused(cmd.Withdraw(5)) == "withdrawal-forbidden"


def test_35_withdrawal_by_word_keeps_the_order_of_the_others() -> None:
    table = Table("fsm", withdrawal="by-word").start().say(cmd.Nominate(5), cmd.EndSpeech(), cmd.Nominate(6))
    table.say(cmd.EndSpeech(), cmd.Nominate(7))
    assert table.refused(cmd.Withdraw(5)) == "not-your-turn"
    assert table.refused(cmd.Withdraw(9)) == "not-a-candidate"
    assert table.refused(cmd.Nominate(9)) == "already-nominated-by-you"
    table.say(cmd.Withdraw(7))
    assert table.game.nominees == (5, 6)
    assert table.all(NominationWithdrawn) == [NominationWithdrawn(3, 7)]
    assert table.refused(cmd.Withdraw(7)) == "not-a-candidate"
    table.say(cmd.Nominate(9))
    assert table.game.nominees == (5, 6, 9)


def test_35_where_the_last_one_counts() -> None:
    table = Table("fsm", withdrawal="last-counts").start()
    table.say(cmd.Nominate(5), cmd.EndSpeech(), cmd.Nominate(6), cmd.EndSpeech(), cmd.Nominate(7), cmd.Nominate(8))
    assert table.last == (NominationWithdrawn(3, 7), SeatNominated(3, 8))
    assert table.game.nominees == (5, 6, 8)
    assert table.refused(cmd.Nominate(6)) == "already-nominated"
    table.say(cmd.Withdraw(8))
    assert table.game.nominees == (5, 6)


def test_36_a_withdrawn_seat_nominated_by_another_goes_to_the_end() -> None:
    table = Table("fsm", withdrawal="by-word").start().say(cmd.Nominate(5), cmd.Withdraw(5), cmd.EndSpeech())
    table.say(cmd.Nominate(6), cmd.EndSpeech(), cmd.Nominate(5))
    assert table.game.nominees == (6, 5)


@each
def test_37_nobody_nominated_means_night(rules: str) -> None:
    table = Table(rules).start(day=2).speeches()
    assert table.all(NoVote)[-1] == NoVote("none-nominated")
    assert table.last_names[-3:] == ["no-vote", "night-fell", "hunt-began"]


@pytest.mark.parametrize(
    ("rules", "voted"),
    [("sport", False), ("professional", False), ("classic", True), ("club", False), ("virtual", False), ("fsm", False)],
)
def test_38_single_nominee_on_day_one(rules: str, voted: bool) -> None:
    table = Table(rules).start().speeches({4: 7})
    if voted:
        assert table.all(VotesCast) == [VotesCast(7, 10, tuple(range(1, 11)))]
        assert table.game.seat == 7
    else:
        assert table.all(NoVote) == [NoVote("alone-on-day-one")]
        assert (table.step, table.out) == (Step.HUNT, [])


@each
def test_38_single_nominee_later_leaves(rules: str) -> None:
    table = Table(rules).start(day=2).speeches({4: 7})
    assert (table.step, table.game.seat) == (Step.LAST_WORD, 7)
    if rules == "club":
        assert table.all(NoVote)[-1] == NoVote("alone-nominated")
        assert table.all(SeatLeft) == [SeatLeft(7, "alone-nominated")]
        assert not table.all(VoteOpened)
    else:
        assert table.all(VoteOpened) == [VoteOpened((7,), 1)]
        assert table.all(VotesCast)[-1].count == 10
        assert table.all(SeatLeft) == [SeatLeft(7, "voted")]


def test_38_no_vote_without_two_nominees_on_any_day() -> None:
    table = Table("fsm", alone_later="no-vote").start(day=2).speeches({4: 7})
    assert table.all(NoVote)[-1] == NoVote("alone-nominated")
    assert (table.step, table.out) == (Step.HUNT, [])
