"""Edge cases 51–60: the hunt and the checks."""

from __future__ import annotations

import pytest

from tests.rules.driver import ALL, Table
from voicehost.rules import commands as cmd
from voicehost.rules.events import DonChecked, SeatShot, SheriffChecked, ShooterShot, ShotMissed
from voicehost.rules.fold import step_seconds
from voicehost.rules.game import EYES_SHUT, Mode, Step
from voicehost.rules.legal import legal
from voicehost.rules.referee import settles_early

each = pytest.mark.parametrize("rules", ALL)


@each
@pytest.mark.parametrize(("leader", "step"), [(1, Step.DON_CHECK), (4, Step.SHERIFF_CHECK)])
def test_51_a_leader_who_is_out_is_still_called(rules: str, leader: int, step: Step) -> None:
    table = Table(rules).start(out=(leader,)).speeches().to(step)
    assert table.game.seconds == 10
    check = cmd.DonCheck(5) if step is Step.DON_CHECK else cmd.SheriffCheck(5)
    assert table.refused(check) == "seat-out"
    assert check.name not in legal(table.game)
    table.say(cmd.Elapse())
    assert table.step is not step


@each
def test_51_a_leader_shot_this_night_still_checks(rules: str) -> None:
    """He does not know it yet."""
    table = Table(rules).start().speeches().hunt(4).checks(don=4, sheriff=1)
    assert table.all(DonChecked) == [DonChecked(4, True)]
    assert len(table.all(SheriffChecked)) == 1


@each
def test_52_a_plain_black_alone_shoots_and_nobody_checks_as_don(rules: str) -> None:
    table = Table(rules).start(out=(1, 3)).speeches().shoot({2: 7})
    assert table.all(SeatShot) == [SeatShot(7)]
    table.say(cmd.Next())
    assert table.refused(cmd.DonCheck(4)) == "seat-out"


@each
def test_52_a_lone_don_shoots_and_checks(rules: str) -> None:
    table = Table(rules).start(out=(2, 3)).speeches().shoot({1: 7}).say(cmd.Next()).checks(don=4)
    assert table.all(SeatShot) == [SeatShot(7)]
    assert table.all(DonChecked) == [DonChecked(4, True)]


@each
@pytest.mark.parametrize("target", [1, 2], ids=["himself", "a-partner"])
def test_53_blacks_may_shoot_their_own(rules: str, target: int) -> None:
    table = Table(rules).start().speeches().shoot({1: target, 2: target, 3: target})
    assert table.all(SeatShot) == [SeatShot(target)]


@each
def test_53_a_number_that_is_out_is_a_miss(rules: str) -> None:
    table = Table(rules).start(out=(9,)).speeches().shoot({1: 9, 2: 9, 3: 9})
    assert table.all(ShotMissed) == [ShotMissed()]
    assert Table(rules).start(out=(9,)).speeches().say(cmd.Shot(9)).all(ShotMissed)


@each
def test_53_there_must_be_such_a_number(rules: str) -> None:
    table = Table(rules).start().speeches()
    assert table.refused(cmd.Shot(11)) == "no-such-seat"
    assert table.refused(cmd.Shooter(1, 11)) == "no-such-seat"
    assert table.refused(cmd.Shooter(11, 1)) == "no-such-seat"


@each
def test_54_a_miss_passes_in_silence(rules: str) -> None:
    """The referee says the same to the table after a miss and after a hit, till the morning."""
    from voicehost.rules.view import view

    missed = Table(rules).start().speeches().hunt(None).checks(don=5, sheriff=6)
    hit = Table(rules).start().speeches().hunt(7)
    assert view(hit.game, "table") == view(Table(rules).start().speeches().hunt(None).game, "table")
    assert missed.last_names[-2:] == ["day-broke", "speech-began"]
    assert missed.game.rules.miss_told_at_night is (rules == "classic")


@each
def test_55_a_removed_blacks_shot_is_ignored(rules: str) -> None:
    table = Table(rules).start().speeches().shoot({1: 9}).remove(1).shoot({2: 8, 3: 8})
    assert table.all(SeatShot) == [SeatShot(8)]


@each
def test_55_also_when_he_was_the_one_waited_for(rules: str) -> None:
    table = Table(rules).start().speeches().shoot({2: 8, 3: 8})
    assert not settles_early(table.game)
    table.remove(1)
    assert table.all(SeatShot) == [SeatShot(8)]


@pytest.mark.parametrize(("rules", "players"), [*((rules, 10) for rules in ALL), ("classic", 7), ("classic", 20)])
def test_56_every_number_is_called_every_night(rules: str, players: int) -> None:
    table = Table(rules, players=players).start(out=(players,)).speeches()
    assert table.game.seconds == 2 * players


@each
def test_57_the_night_lasts_the_same_whoever_is_awake(rules: str) -> None:
    full = Table(rules).start().speeches()
    few = Table(rules).start(out=(1, 4)).speeches()
    assert [step_seconds(full.game, step) for step in EYES_SHUT] == [step_seconds(few.game, step) for step in EYES_SHUT]


@each
def test_57_a_fact_told_ends_no_step_by_itself(rules: str) -> None:
    table = Table(rules).start().speeches()
    for command, step in ((cmd.Shot(7), Step.HUNT), (cmd.DonCheck(4), Step.DON_CHECK), (cmd.SheriffCheck(1), None)):
        table.say(command)
        assert settles_early(table.game)
        assert table.step is (step or Step.SHERIFF_CHECK)
        assert table.refused(command) == "not-now"  # once
        table.say(cmd.Elapse() if step is Step.HUNT else cmd.Proceed())


@each
def test_57_nothing_to_proceed_from_before_the_fact(rules: str) -> None:
    table = Table(rules).start().speeches()
    assert table.refused(cmd.Proceed()) == "not-now"


@each
def test_58_checks_may_be_repeated_and_be_of_oneself(rules: str) -> None:
    table = Table(rules).start().speeches().hunt(9).checks(don=4, sheriff=4)
    table.to(Step.SPEECH).speeches().hunt(10).checks(don=4, sheriff=4)
    assert table.all(DonChecked) == [DonChecked(4, True)] * 2
    assert table.all(SheriffChecked) == [SheriffChecked(4, "red")] * 2


@each
def test_58_one_who_is_out_may_be_checked(rules: str) -> None:
    table = Table(rules).start(out=(2,)).speeches().hunt().checks(don=2, sheriff=2)
    assert table.all(SheriffChecked) == [SheriffChecked(2, "black")]


@each
@pytest.mark.parametrize(("seat", "answer"), [(1, "black"), (2, "black"), (4, "red"), (7, "red")])
def test_59_the_sheriffs_answer(rules: str, seat: int, answer: str) -> None:
    table = Table(rules).start().speeches().hunt().checks(sheriff=seat)
    expected = "black-don" if rules == "club" and seat == 1 else answer
    assert table.all(SheriffChecked) == [SheriffChecked(seat, expected)]


@each
@pytest.mark.parametrize(("seat", "sheriff"), [(4, True), (1, False), (7, False)])
def test_59_the_dons_answer(rules: str, seat: int, sheriff: bool) -> None:
    table = Table(rules).start().speeches().hunt().checks(don=seat)
    assert table.all(DonChecked) == [DonChecked(seat, sheriff)]


@each
def test_60_a_check_not_made_in_time_has_no_result(rules: str) -> None:
    table = Table(rules).start().speeches().hunt().say(cmd.Elapse(), cmd.Elapse())
    assert table.step is Step.SPEECH
    assert table.game.checks == ()


# --- shots one by one, in all ways


@each
@pytest.mark.parametrize(
    ("shots", "hit"),
    [
        ({1: 7, 2: 7, 3: 7}, 7),
        ({1: 7, 2: 7, 3: 8}, None),
        ({1: 7, 2: 8, 3: 9}, None),
    ],
)
def test_53_all_blacks_on_one_number(rules: str, shots: dict[int, int], hit: int | None) -> None:
    table = Table(rules).start().speeches().shoot(shots)
    assert table.game.hit == hit
    assert table.game.missed is (hit is None)
    assert len(table.all(ShooterShot)) == 3


@each
def test_53_next_before_all_have_shot_is_a_miss(rules: str) -> None:
    table = Table(rules).start().speeches().shoot({1: 7, 2: 7}).say(cmd.Next())
    assert table.all(ShotMissed) == [ShotMissed()]


@each
def test_53_so_is_the_end_of_the_numbers(rules: str) -> None:
    table = Table(rules).start().speeches().shoot({1: 7, 2: 7}).say(cmd.Elapse())
    assert table.all(ShotMissed) == [ShotMissed()]


@each
def test_53_refused_shooters(rules: str) -> None:
    table = Table(rules).start(out=(3,)).speeches().shoot({1: 7})
    assert table.refused(cmd.Shooter(1, 7)) == "already-voted"
    assert table.refused(cmd.Shooter(3, 7)) == "seat-out"
    assert table.refused(cmd.Shooter(5, 7)) == "not-black"


# --- told in the morning


@each
def test_54_nothing_told_in_the_hunt_is_asked_before_morning(rules: str) -> None:
    table = Table(rules).start().speeches().say(cmd.Elapse()).checks()
    assert (table.step, table.game.seconds) == (Step.MORNING_QUESTION, 0)
    table.say(cmd.Shot(7))
    assert table.step is (Step.BEST_MOVE if rules == "fsm" else Step.LAST_WORD)
    assert table.game.seat == 7


@each
def test_54_next_at_the_morning_question_is_a_miss(rules: str) -> None:
    table = Table(rules).start().speeches().say(cmd.Elapse()).checks().say(cmd.Next())
    assert table.all(ShotMissed) == [ShotMissed()]
    assert (table.step, table.game.day) == (Step.SPEECH, 2)


@each
def test_54_after_next_in_the_hunt_nothing_is_asked(rules: str) -> None:
    table = Table(rules).start().speeches().say(cmd.Next()).checks()
    assert table.step is Step.SPEECH


def test_54_a_shot_told_in_the_morning_can_decide_the_game() -> None:
    table = Table("fsm").start(out=(5, 6, 7), day=2).speeches().say(cmd.Elapse()).checks().say(cmd.Shot(8))
    assert table.step is Step.LAST_WORD
    assert table.last_words().result == ("mafia", "parity")


# --- roles unknown


def test_53_unknown_roles_shots_one_by_one() -> None:
    table = Table("fsm", roles=None).start().speeches().shoot({5: 7, 6: 7})
    assert not settles_early(table.game)
    table.shoot({9: 7})
    assert table.all(SeatShot) == [SeatShot(7)]


def test_53_unknown_roles_too_few_shots_leave_it_open_till_the_morning() -> None:
    """One black may have been voted out; only the host knows."""
    table = Table("fsm", roles=None).start().speeches().shoot({5: 7, 6: 7}).say(cmd.Elapse()).checks()
    assert table.step is Step.MORNING_QUESTION


def test_53_roles_told_late_judge_the_shots_so_far() -> None:
    table = Table("fsm", roles=None).start(out=(3,)).speeches().shoot({1: 7, 2: 7})
    table.say(cmd.SetRole(1, "don"), cmd.SetRole(2, "mafia"))
    assert not table.all(SeatShot)
    table.say(cmd.SetRole(3, "mafia"))
    assert table.all(SeatShot) == [SeatShot(7)]


def test_53_a_shot_of_one_who_proves_red_does_not_count() -> None:
    table = Table("fsm", roles=None).start(out=(3,)).speeches().shoot({1: 7, 5: 8})
    table.say(cmd.SetRole(5, "city"), cmd.SetRole(1, "don"), cmd.SetRole(3, "mafia"), cmd.SetRole(2, "mafia"))
    assert not table.all(SeatShot)
    table.shoot({2: 7})
    assert table.all(SeatShot) == [SeatShot(7)]


def test_59_unknown_roles_have_no_answer() -> None:
    table = Table("club", roles=None).start().speeches().hunt().checks(don=5, sheriff=6)
    assert table.all(DonChecked) == [DonChecked(5, None)]
    assert table.all(SheriffChecked) == [SheriffChecked(6, None)]


@pytest.mark.parametrize(
    ("known", "don", "sheriff"),
    [
        ({4: "sheriff"}, False, None),
        ({5: "sheriff"}, True, "red"),
        ({5: "don"}, False, "black-don"),
        ({5: "mafia"}, False, "black"),
        ({5: "city"}, False, "red"),
        ({1: "don", 2: "mafia", 3: "mafia"}, None, "red"),
        ({1: "don", 2: "mafia", 3: "mafia", 4: "sheriff"}, False, "red"),
    ],
)
def test_59_what_is_known_is_answered(known: dict[int, str], don: bool | None, sheriff: str | None) -> None:
    table = Table("club", roles=None).start().say(*(cmd.SetRole(seat, role) for seat, role in known.items()))
    table.speeches().hunt().checks(don=5, sheriff=5)
    assert table.all(DonChecked) == [DonChecked(5, don)]
    assert table.all(SheriffChecked) == [SheriffChecked(5, sheriff)]


# --- with no host: every phone is one touch area


def home(rules: str = "fsm") -> Table:
    table = Table(rules, mode=Mode.HOME).say(cmd.StartGame())
    while table.step is not Step.SPEECH:
        table.say(cmd.Elapse())
    return table.speeches()


@each
@pytest.mark.parametrize(
    ("touches", "hit"),
    [
        pytest.param([(1, 7), (2, 7), (3, 7)], 7, id="all-once"),
        pytest.param([(1, 7), (2, 7)], None, id="one-did-not"),
        pytest.param([(1, 7), (2, 7), (3, 8)], None, id="another-number"),
        pytest.param([(1, 7), (2, 7), (3, 7), (3, 8)], None, id="twice"),
        pytest.param([(1, 7), (2, 7), (3, 7), (3, 7)], None, id="twice-on-one-number"),
        pytest.param([], None, id="none"),
    ],
)
def test_53_touches(rules: str, touches: list[tuple[int, int]], hit: int | None) -> None:
    table = home(rules)
    for seat, number in touches:
        table.say(cmd.Shooter(seat, number), by=seat)
        assert not settles_early(table.game)  # the numbers are called to the end
    table.say(cmd.Elapse())
    assert table.game.hit == hit
    assert table.step is Step.DON_CHECK


@each
def test_53_other_touches_are_noise(rules: str) -> None:
    table = home(rules)
    assert table.refused(cmd.Shooter(7, 7), by=7) == "not-black"
    assert table.refused(cmd.Shooter(1, 7), by=2) == "not-your-turn"
    assert table.refused(cmd.Shooter(1, 11), by=1) == "no-such-seat"
    assert table.refused(cmd.Shooter(11, 1), by=11) == "no-such-seat"
    assert table.refused(cmd.Shot(7)) == "not-now"
    assert table.refused(cmd.Shooter(1, 7)) == "not-now"
    assert table.refused(cmd.Next()) == "not-now"


@each
def test_51_phones_of_the_leaders_check(rules: str) -> None:
    table = home(rules).say(cmd.Elapse())
    assert table.refused(cmd.DonCheck(4), by=2) == "not-don"
    assert table.refused(cmd.DonCheck(4)) == "not-now"
    assert table.refused(cmd.DonCheck(11), by=1) == "no-such-seat"
    assert table.refused(cmd.SheriffCheck(4), by=4) == "not-now"
    table.say(cmd.DonCheck(4), by=1)
    assert table.refused(cmd.DonCheck(5), by=1) == "not-now"
    table.say(cmd.Elapse())
    assert table.refused(cmd.SheriffCheck(1), by=1) == "not-sheriff"
    table.say(cmd.SheriffCheck(1), by=4).say(cmd.Elapse())
    assert table.step is Step.SPEECH


def test_51_a_leader_who_is_out_has_no_check_by_phone() -> None:
    table = Table("fsm", mode=Mode.HOME).say(cmd.StartGame())
    while table.step is not Step.SPEECH:
        table.say(cmd.Elapse())
    table.remove(1).speeches().say(cmd.Elapse())
    assert table.refused(cmd.DonCheck(4), by=1) == "seat-out"
