"""Edge cases 19–32: what a removal does to the vote, to the night and to the result."""

from __future__ import annotations

import pytest

from tests.rules.driver import ALL, HOLD, Table
from voicehost.rules import commands as cmd
from voicehost.rules.events import (
    DepartureAnnounced,
    NightFell,
    NoVote,
    SeatShot,
    ShotMissed,
    VoteCancelled,
    VoteOpened,
)
from voicehost.rules.game import Step
from voicehost.rules.view import view

COSTS = ("sport", "fsm")
"""Rule sets in which a removal costs a vote."""

each = pytest.mark.parametrize("rules", ALL)
costing = pytest.mark.parametrize("rules", COSTS)
holding = pytest.mark.parametrize("rules", HOLD)


def holds_vote(table: Table) -> bool:
    """Play the day's speeches with two nominees; tell whether they are voted on."""
    assert table.game.seat is not None
    others = table.game.alive[2:]
    table.say(cmd.Nominate(others[-1]), cmd.EndSpeech(), cmd.Nominate(others[-2])).speeches()
    assert table.step in {Step.VOTE, Step.HUNT}
    return table.step is Step.VOTE


# --- before and during the vote


@costing
def test_19_removed_before_the_vote_cancels_it(rules: str) -> None:
    table = Table(rules).start().speeches({1: 7}).night()
    table.until(5).remove(6)
    assert not holds_vote(table)
    assert table.all(VoteCancelled) == [VoteCancelled("removal")]
    assert table.out == [6]
    assert holds_vote(table.night())  # tomorrow's is held


@costing
def test_19_recorded_game_12948(rules: str) -> None:
    table = Table(rules).start().until(3).foul(3, 4).speeches({6: 8})
    assert table.step is Step.HUNT
    assert table.out == [3]
    assert table.all(NoVote) == [NoVote("alone-on-day-one")]


@holding
def test_19_elsewhere_the_vote_is_held(rules: str) -> None:
    table = Table(rules).start().remove(6)
    assert holds_vote(table)
    assert table.votes(9).out == [6, 10]


@costing
def test_20_removed_while_the_result_is_open_cancels_the_vote(rules: str) -> None:
    table = Table(rules).start().speeches({1: 7, 2: 8, 3: 9}).votes(5)  # the other five may all go to one
    table.remove(10)
    assert table.last_names == ["seat-left", "vote-cancelled", "night-fell", "hunt-began"]
    assert table.out == [10]
    assert holds_vote(table.night())


@costing
def test_20_also_when_the_removed_is_a_candidate(rules: str) -> None:
    table = Table(rules).start().speeches({1: 7, 2: 8}).votes(5).defend()
    assert table.step is Step.VOTE
    table.remove(7)
    assert (table.step, table.out) == (Step.HUNT, [7])


@holding
def test_20_elsewhere_the_round_starts_again(rules: str) -> None:
    table = Table(rules).start().speeches({1: 7, 2: 8, 3: 9}).votes(3).remove(10)
    assert table.all(VoteOpened)[-1] == VoteOpened((7, 8, 9), 1)
    assert table.game.hands_left == 9
    assert table.votes(9, 0).out == [10, 7]


@pytest.mark.parametrize(
    "hands",
    [pytest.param((6,), id="more-than-half"), pytest.param((4, 1, 2), id="beyond-the-rest")],
)
def test_21_removed_when_the_result_is_fixed_costs_the_next_vote(hands: tuple[int, ...]) -> None:
    table = Table("fsm").start().speeches({1: 7, 2: 8, 3: 9, 5: 6, 6: 5}).votes(*hands)
    assert table.step is Step.VOTE
    assert table.game.fixed
    table.remove(10)
    assert (table.step, table.game.seat, table.out) == (Step.LAST_WORD, 7, [10, 7])
    table.last_words().night()
    assert not holds_vote(table)  # next day's
    assert holds_vote(table.night())  # and only that


def test_21_not_fixed_while_the_rest_may_catch_up() -> None:
    table = Table("fsm").start().speeches({1: 7, 2: 8, 3: 9, 5: 6}).votes(4, 2)
    assert not table.game.fixed  # four hands are left: a tie is possible


def test_21_removed_during_the_last_word_of_the_voted_costs_the_next_vote() -> None:
    table = Table("fsm").start().speeches({1: 7, 2: 8}).votes(6).remove(10)
    assert table.game.seat == 7
    assert not holds_vote(table.last_words().night())


def test_21_sport_lets_the_fixed_result_stand_and_takes_nothing_more() -> None:
    table = Table("sport").start().speeches({1: 7, 2: 8, 3: 9}).votes(6).remove(10)
    assert table.out == [10, 7]
    assert holds_vote(table.last_words().night())


@costing
def test_22_the_one_who_leaves_is_removed_cancels_nothing(rules: str) -> None:
    table = Table(rules).start().speeches({1: 7, 2: 8, 3: 9}).votes(6).remove(7)
    assert table.step is Step.HUNT
    assert table.out == [7]
    assert not table.all(VoteCancelled)
    assert holds_vote(table.night())


@costing
def test_22_also_in_his_last_word(rules: str) -> None:
    table = Table(rules).start().speeches({1: 7, 2: 8}).votes(6).remove(7)
    assert table.last_names == ["last-word-ended", "night-fell", "hunt-began"]
    assert table.out == [7]
    assert holds_vote(table.night())


def test_22_or_it_is_a_team_defeat_unless_all_is_decided() -> None:
    table = Table("fsm").start().speeches({1: 7, 2: 8}).votes(6).say(cmd.TeamDefeat(7))
    assert table.result == ("mafia", "team-defeat")


@each
@pytest.mark.parametrize("where", [Step.DON_CHECK, Step.SHERIFF_CHECK, Step.LAST_WORD])
def test_23_the_nights_victim_removed_costs_no_vote(rules: str, where: Step) -> None:
    table = Table(rules).start().speeches().hunt(7)
    if where is Step.LAST_WORD:
        table.checks().to(where)
    else:
        table.to(where)
    table.remove(7).to(Step.SPEECH)
    assert table.out == [7]
    assert holds_vote(table)


@costing
def test_24_several_removed_cost_one_vote(rules: str) -> None:
    table = Table(rules).start().remove(6).until(3).remove(5)
    assert not holds_vote(table)
    assert holds_vote(table.night())


def test_24_one_removed_at_night_and_one_by_day_cost_one_vote() -> None:
    table = Table("fsm").start().speeches().remove(5).night().remove(6)
    assert not holds_vote(table)
    assert holds_vote(table.night())


def test_24_one_removed_after_the_vote_and_one_at_night_cost_one_vote() -> None:
    table = Table("fsm").start().speeches({1: 7, 2: 8}).votes(6).remove(10).last_words().remove(9).night()
    assert not holds_vote(table)
    assert holds_vote(table.night())


@costing
@pytest.mark.parametrize("nominations", [{}, {2: 8}], ids=["none", "one"])
def test_25_the_missing_vote_of_day_one_is_the_one_spent(rules: str, nominations: dict[int, int]) -> None:
    table = Table(rules).start().remove(6).speeches(nominations)
    assert table.step is Step.HUNT
    assert len(table.all(NoVote)) == 1
    assert not table.all(VoteCancelled)
    assert holds_vote(table.night())


@costing
def test_25_after_night_has_fallen_a_removal_costs_the_coming_vote(rules: str) -> None:
    table = Table(rules).start().speeches({2: 8}).remove(6)
    assert not holds_vote(table.night())
    assert holds_vote(table.night())


@costing
def test_25_a_removal_in_the_night_of_meeting_costs_the_first_vote(rules: str) -> None:
    table = Table(rules).say(cmd.StartGame()).remove(6).to(Step.SPEECH)
    assert not holds_vote(table)
    assert holds_vote(table.night())


def test_25_a_vote_that_is_missing_later_is_also_the_one_spent() -> None:
    table = Table("fsm").start(day=2).remove(6).speeches()
    assert table.all(NoVote)[-1] == NoVote("none-nominated")
    assert holds_vote(table.night())


def test_26_the_last_speaker_names_the_only_candidate() -> None:
    table = Table("fsm").start(day=2).until(1).say(cmd.Nominate(7)).remove(6)  # two opened, one speaks last
    table.say(cmd.EndSpeech())
    assert (table.step, table.game.seat) == (Step.LAST_WORD, 7)  # today's exit stands
    assert not holds_vote(table.last_words().night())


def test_26_the_speaker_himself_is_removed() -> None:
    table = Table("fsm").start(day=2).until(1).say(cmd.Nominate(7)).remove(1)
    assert (table.step, table.game.seat, table.out) == (Step.LAST_WORD, 7, [1, 7])
    assert not holds_vote(table.last_words().night())


def test_26_the_only_candidate_is_removed() -> None:
    table = Table("fsm").start(day=2).until(1).say(cmd.Nominate(7)).remove(7).say(cmd.EndSpeech())
    assert (table.step, table.out) == (Step.HUNT, [7])
    assert holds_vote(table.night())


@pytest.mark.parametrize(
    ("day", "nominations", "last"),
    [
        pytest.param(1, {}, 10, id="on-day-one"),
        pytest.param(2, {5: 8}, 1, id="not-the-only-one"),
    ],
)
def test_26_not_fixed_otherwise(day: int, nominations: dict[int, int], last: int) -> None:
    table = Table("fsm").start(day=day)
    for speaker, nominee in nominations.items():
        table.until(speaker).say(cmd.Nominate(nominee))
    table.until(last).say(cmd.Nominate(7)).remove(6).say(cmd.EndSpeech())
    assert (table.step, table.out) == (Step.HUNT, [6])
    assert holds_vote(table.night())


def test_26_where_he_may_withdraw_it_is_not_fixed_yet() -> None:
    table = Table("fsm", withdrawal="by-word").start(day=2).until(1).say(cmd.Nominate(7)).remove(6)
    table.say(cmd.EndSpeech())
    assert table.all(VoteCancelled) == [VoteCancelled("removal")]
    assert holds_vote(table.night())


@costing
def test_27_removal_during_the_shootout_cancels(rules: str) -> None:
    table = Table(rules).start().speeches({1: 7, 2: 8}).votes(5).remove(10)
    assert table.last_names == ["seat-left", "shootout-speech-ended", "vote-cancelled", "night-fell", "hunt-began"]
    assert holds_vote(table.night())


@costing
@pytest.mark.parametrize("seat", [7, 10])
def test_27_removal_during_the_lift_before_the_hands_are_counted_cancels(rules: str, seat: int) -> None:
    table = Table(rules).start().speeches({1: 7, 2: 8}).votes(5).defend().votes(5)
    assert table.step is Step.LIFT
    table.remove(seat)
    assert (table.step, table.out) == (Step.HUNT, [seat])
    assert holds_vote(table.night())


def test_27_removal_after_the_lift_is_counted_costs_the_next_vote() -> None:
    table = Table("fsm").start().speeches({1: 7, 2: 8}).votes(5).defend().votes(5).votes(6).remove(10)
    assert table.out == [7, 8, 10]
    assert not holds_vote(table.last_words().night())


@holding
def test_27_elsewhere_the_lift_is_asked_again(rules: str) -> None:
    table = Table(rules).start().speeches({1: 7, 2: 8}).votes(5).defend().votes(5).remove(10)
    assert table.step is Step.LIFT
    assert table.last_names[-1] == "lift-asked"
    assert table.votes(4).out == [10]  # four of nine


# --- where the vote is held all the same


@holding
@pytest.mark.parametrize("day", [1, 2])
def test_28_a_removed_nominee_is_struck_off(rules: str, day: int) -> None:
    table = Table(rules).start(day=day).until(5).say(cmd.Nominate(7), cmd.EndSpeech())
    table.say(cmd.Nominate(8), cmd.EndSpeech(), cmd.Nominate(9)).remove(7).speeches()
    assert table.all(VoteOpened) == [VoteOpened((8, 9), 1)]


@holding
@pytest.mark.parametrize("hands", [2, 6], ids=["open", "fixed"])
def test_28_also_while_the_vote_runs(rules: str, hands: int) -> None:
    table = Table(rules).start().speeches({1: 7, 2: 8, 3: 9}).votes(hands).remove(7)
    assert table.all(VoteOpened) == [VoteOpened((7, 8, 9), 1), VoteOpened((8, 9), 1)]
    assert table.game.hands_left == 9
    assert not table.game.fixed
    assert table.votes(9).out == [7, 8]


@holding
def test_28_a_voter_removed_when_the_result_is_fixed_changes_nothing(rules: str) -> None:
    table = Table(rules).start().speeches({1: 7, 2: 8, 3: 9}).votes(6).remove(10)
    assert (table.step, table.game.seat) == (Step.LAST_WORD, 7)


@pytest.mark.parametrize(
    ("rules", "day", "leaves"),
    [
        ("professional", 1, False),
        ("professional", 2, True),
        ("classic", 1, True),
        ("club", 1, False),
        ("club", 2, True),
        ("virtual", 1, False),
    ],
)
@pytest.mark.parametrize("moment", ["speeches", "vote", "shootout", "revote"])
def test_28_one_nominee_is_left(rules: str, day: int, leaves: bool, moment: str) -> None:
    """He is judged as one who was nominated alone."""
    table = Table(rules).start(day=day).until(5).say(cmd.Nominate(7), cmd.EndSpeech(), cmd.Nominate(8))
    if moment != "speeches":
        table.speeches()
    if moment in {"shootout", "revote"}:
        table.votes(5)
    if moment == "revote":
        table.defend()
    table.remove(8).speeches().defend()
    assert table.out == ([8, 7] if leaves else [8])
    assert table.step is (Step.LAST_WORD if leaves else Step.HUNT)


@holding
def test_28_no_nominee_is_left(rules: str) -> None:
    table = Table(rules).start().until(5).say(cmd.Nominate(7)).remove(7).speeches()
    assert table.all(NoVote) == [NoVote("none-nominated")]


@holding
def test_28_a_tied_one_removed_in_the_shootout(rules: str) -> None:
    table = Table(rules).start(out=(10,)).speeches({1: 7, 2: 8, 3: 9}).votes(3, 3)
    assert table.game.seat == 7
    table.remove(7)
    assert table.game.seat == 8  # the turn passes on
    table.defend()
    assert table.all(VoteOpened)[-1] == VoteOpened((8, 9), 2)


# --- at night


@costing
def test_29_removed_at_night_he_is_out_and_the_coming_vote_is_cancelled(rules: str) -> None:
    table = Table(rules).start().speeches().remove(6).hunt(7)
    assert table.out == [6, 7]
    assert not holds_vote(table.checks().to(Step.SPEECH))


@costing
def test_29_removed_and_shot_the_vote_is_held(rules: str) -> None:
    table = Table(rules).start().speeches().remove(6).hunt(6)
    assert table.all(SeatShot) == [SeatShot(6)]
    assert table.out == [6]
    assert holds_vote(table.checks().to(Step.SPEECH))


@costing
def test_29_shot_first_and_then_removed_the_vote_is_held(rules: str) -> None:
    table = Table(rules).start().speeches().say(cmd.Shot(6)).remove(6).say(cmd.Next())
    assert table.out == [6]
    assert holds_vote(table.checks().to(Step.SPEECH))


def test_29_removed_and_shot_but_another_was_removed_too() -> None:
    table = Table("fsm").start().speeches().remove(6, 5).hunt(6)
    assert not holds_vote(table.checks().to(Step.SPEECH))


def test_29_removed_and_shot_but_the_vote_was_already_lost_by_day() -> None:
    table = Table("fsm").start().speeches({1: 7, 2: 8}).votes(6).remove(10).last_words().remove(6).hunt(6)
    assert not holds_vote(table.checks().to(Step.SPEECH))


def test_29_removed_and_shot_is_told_only_in_the_morning_question() -> None:
    table = Table("fsm", roles=None).start().speeches().remove(6).say(cmd.Elapse()).checks()
    assert table.step is Step.MORNING_QUESTION
    table.say(cmd.Shot(6))
    assert table.out == [6]
    assert holds_vote(table)


def test_29_removed_on_an_earlier_day_cannot_be_shot() -> None:
    table = Table("fsm").start().remove(6).speeches().hunt(6)
    assert table.all(ShotMissed) == [ShotMissed()]


@each
def test_29_he_is_told_at_the_end_of_the_count(rules: str) -> None:
    table = Table(rules).start().speeches().remove(6)
    assert 6 in table.game.table_alive
    assert 6 not in table.game.alive
    table.hunt(7)
    assert table.last_names == ["departure-announced"]
    assert 6 not in table.game.table_alive
    assert 7 in table.game.table_alive


@each
def test_30_removed_in_the_dons_check_he_is_told_after_the_sheriffs(rules: str) -> None:
    table = Table(rules).start().speeches().hunt().remove(4)
    assert table.step is Step.DON_CHECK
    table.say(cmd.Next())
    assert not table.all(DepartureAnnounced)
    assert 4 in table.game.table_alive
    table.say(cmd.Next())
    assert table.all(DepartureAnnounced) == [DepartureAnnounced((4,))]
    assert table.last_names[0] == "departure-announced"


@each
def test_30_removed_in_the_sheriffs_check_he_is_told_after_it(rules: str) -> None:
    table = Table(rules).start().speeches().hunt().say(cmd.Next()).remove(6)
    assert not table.all(DepartureAnnounced)
    table.say(cmd.Next())
    assert table.last_names[0] == "departure-announced"


def test_30_a_removal_by_fouls_does_not_show_in_the_count_of_fouls() -> None:
    table = Table("fsm").start().foul(4, 3).speeches().hunt()
    before = view(table.game, "table")
    table.foul(4)
    assert view(table.game, "table") == before
    assert table.last[0].quiet_now
    assert view(table.game, "host")["seats"][3]["fouls"] == 4
    table.say(cmd.Next(), cmd.Next())
    assert view(table.game, "table")["seats"][3]["fouls"] == 4


def test_30_nor_does_one_by_technical_fouls() -> None:
    table = Table("fsm", technical_foul_limit=2).start().say(cmd.TechnicalFoul(4)).speeches().hunt()
    before = view(table.game, "table")
    assert before["seats"][3]["technical"] == 1
    table.say(cmd.TechnicalFoul(4))
    assert view(table.game, "table") == before
    assert table.last[0].quiet_now
    table.say(cmd.Next(), cmd.Next())
    assert view(table.game, "table")["seats"][3]["technical"] == 2


@pytest.mark.parametrize("step", [Step.CONTRACT, Step.FREE_SEATING])
def test_30_removed_in_the_contract_he_is_told_at_once(step: Step) -> None:
    table = Table("fsm").say(cmd.StartGame()).to(step).remove(6)
    assert 6 not in table.game.table_alive


@pytest.mark.parametrize("step", [Step.MEETING_DON, Step.MEETING_SHERIFF])
def test_30_removed_while_the_leaders_show_themselves_he_is_told_after_both(step: Step) -> None:
    table = Table("fsm").say(cmd.StartGame()).to(step).remove(6)
    assert 6 in table.game.table_alive
    table.to(Step.FREE_SEATING)
    assert table.last_names[-2:] == ["departure-announced", "free-seating"]


# --- the result


@each
def test_31_a_removal_that_makes_equality_ends_the_game(rules: str) -> None:
    """Recorded game 8952: seats 5, 7 (the Don) and 9 are left, and 5 has his fourth foul."""
    table = Table(rules, roles="mmscccdccc").start(out=(1, 2, 3, 4, 6, 8, 10), day=2)
    table.remove(5)
    assert table.result == ("mafia", "parity")
    assert table.last_names[0] == "seat-left"
    assert table.last_names[-1] == "game-ended"


@each
def test_31_a_removal_of_the_last_black_ends_the_game(rules: str) -> None:
    table = Table(rules).start(out=(2, 3)).remove(1)
    assert table.result == ("city", "black-gone")
    assert table.last_names == ["seat-left", "speech-ended", "game-ended"]


def test_31_at_night_the_table_is_told_who_before_the_game_ends() -> None:
    table = Table("fsm").start(out=(2, 3)).speeches().remove(1)
    assert table.last_names == ["seat-left", "departure-announced", "game-ended"]


@pytest.mark.parametrize("step", [Step.SPEECH, Step.VOTE, Step.LAST_WORD, Step.HUNT, Step.DON_CHECK, Step.LIFT])
def test_32_team_defeat_overrides_everything(step: Step) -> None:
    table = Table("fsm").start()
    if step is Step.LIFT:
        table.speeches({1: 7, 2: 8}).votes(5).defend().votes(5)
    elif step in {Step.VOTE, Step.LAST_WORD}:
        table.speeches({1: 7, 2: 8}).votes(*([6] if step is Step.LAST_WORD else []))
    else:
        table.to(step)
    table.say(cmd.TeamDefeat(2))
    assert table.result == ("city", "team-defeat")
    assert table.last_names[-1] == "game-ended"


def test_32_but_not_after_the_deciding_moment() -> None:
    table = Table("fsm").start(out=(2, 3)).speeches({4: 1, 5: 7}).votes(7)
    assert table.refused(cmd.TeamDefeat(4)) == "not-now"
    assert table.last_words().result == ("city", "black-gone")


@pytest.mark.parametrize(
    ("rules", "inside", "outside"),
    [
        ("sport", False, False),
        ("professional", False, False),
        ("classic", False, False),
        ("club", False, True),
        ("virtual", False, False),
        ("fsm", True, True),
    ],
)
def test_32_hints_from_outside_and_offences_inside(rules: str, inside: bool, outside: bool) -> None:
    table = Table(rules).start(out=(2,))
    if inside:
        assert table.say(cmd.TeamDefeat(5)).result == ("mafia", "team-defeat")
        table = Table(rules).start(out=(2,))
    else:
        assert table.refused(cmd.TeamDefeat(5)) == "not-now"
    if outside:
        assert table.say(cmd.TeamDefeat(2)).result == ("city", "outside-hint")
    else:
        assert table.refused(cmd.TeamDefeat(2)) == "seat-out"


def test_32_team_defeat_needs_a_known_colour() -> None:
    table = Table("fsm", roles=None).start()
    assert table.refused(cmd.TeamDefeat(5)) == "role-unknown"
    table.say(cmd.SetRole(5, "mafia"), cmd.TeamDefeat(5))
    assert table.result == ("city", "team-defeat")
    assert not table.all(NightFell)[1:]
