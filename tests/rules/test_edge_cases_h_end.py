"""Edge cases 66–70: who has won, and when."""

from __future__ import annotations

import pytest

from tests.rules.driver import ALL, Table
from voicehost.rules import commands as cmd
from voicehost.rules.events import OutcomeDecided, ShotMissed
from voicehost.rules.game import Step

each = pytest.mark.parametrize("rules", ALL)


@each
def test_66_lifted_together_tested_together(rules: str) -> None:
    """Two blacks and four reds: without the black among the three lifted the mafia would have won on the second."""
    table = Table(rules).start(out=(1, 5, 6, 7), day=2)  # 2 3 black, 4 8 9 10 red
    table.speeches({3: 8, 4: 9, 8: 3}).votes(2, 2).defend().votes(2, 2).votes(4)
    assert table.out[4:] == [8, 9, 3]
    assert not table.all(OutcomeDecided)
    assert table.last_words().step is Step.HUNT


@each
def test_66_shot_and_removed_tested_together(rules: str) -> None:
    """Two blacks and three reds: the shot makes it two and two, but one of the blacks is removed in the shooting."""
    table = Table(rules).start(out=(1, 5, 6, 7, 8), day=2).speeches()
    table.say(cmd.Shot(9)).remove(3).say(cmd.Next())
    assert table.game.decided is None
    table = Table(rules).start(out=(1, 5, 6, 7, 8), day=2).speeches().remove(3).hunt(9)
    assert table.game.decided is None


@each
def test_66_a_shot_decides_when_the_hunt_ends(rules: str) -> None:
    table = Table(rules).start(out=(1, 5, 6, 7, 8), day=2).speeches().hunt(9).remove(3)
    assert table.game.decided == ("mafia", "parity")  # the removal in the Don's check came later
    assert table.checks().last_words().result == ("mafia", "parity")


@each
def test_66_city_wins_when_the_last_black_leaves(rules: str) -> None:
    table = Table(rules).start(out=(2, 3), day=2).speeches({4: 1, 5: 6}).votes(7).last_words()
    assert table.result == ("city", "black-gone")


@each
def test_66_the_last_black_shoots_himself(rules: str) -> None:
    table = Table(rules).start(out=(2, 3)).speeches().shoot({1: 1}).say(cmd.Next()).checks()
    if table.step is Step.BEST_MOVE:
        table.say(cmd.Next())
    assert table.last_words().result == ("city", "black-gone")


@each
def test_67_beyond_equality(rules: str) -> None:
    """Two blacks and four reds, three of whom are lifted: two to one."""
    table = Table(rules).start(out=(1, 5, 6, 7), day=2)
    table.speeches({3: 8, 4: 9, 8: 10}).votes(2, 2).defend().votes(2, 2).votes(4)
    assert table.out[4:] == [8, 9, 10]
    assert table.last_words().result == ("mafia", "parity")


def test_67_removals_beyond_equality() -> None:
    table = Table("fsm", roles=None).start(out=(5, 6, 7, 8))
    table.say(*(cmd.SetRole(seat, role) for seat, role in ((1, "don"), (2, "mafia"), (3, "mafia"))))
    assert table.result == ("mafia", "parity")


# --- draws and rows of misses


def quiet(table: Table, days: int) -> Table:
    """Days with no nomination and nights with a miss."""
    for _ in range(days):
        if table.step is Step.SPEECH:
            table.speeches().night()
    return table


def test_68_three_quiet_nights_are_a_draw() -> None:
    table = quiet(Table("fsm").start(), 2)
    assert table.winner is None
    table.speeches().night()
    assert table.result == ("draw", "no-losses")
    assert table.last_names == ["day-broke", "game-ended"]
    assert table.game.day == 4


@pytest.mark.parametrize("rules", ["sport", "professional", "classic", "virtual"])
def test_68_elsewhere_there_is_no_draw(rules: str) -> None:
    assert quiet(Table(rules).start(), 6).winner is None


def test_68_after_an_exit_by_day_the_next_three_nights_count() -> None:
    table = Table("fsm").start().speeches({1: 7, 2: 8}).votes(9).last_words().night()
    assert quiet(table, 1).winner is None
    assert quiet(table, 1).result == ("draw", "no-losses")


@pytest.mark.parametrize("how", ["voted", "removed-by-day", "removed-at-night", "shot"])
def test_68_any_exit_on_the_way_resets(how: str) -> None:
    table = quiet(Table("fsm").start(), 2)
    if how == "voted":
        table.speeches({3: 7, 4: 8}).votes(9).last_words().night()
    elif how == "removed-by-day":
        table.remove(7).speeches().night()
    elif how == "removed-at-night":
        table.speeches().remove(7).night()
    else:
        table.speeches().night(shot=7)
    first = 0 if how in {"shot", "removed-at-night"} else 1
    assert table.game.quiet_nights == first
    assert quiet(table, 2 - first).winner is None
    assert quiet(table, 1).result == ("draw", "no-losses")


def test_68_the_night_of_meeting_is_not_counted() -> None:
    assert Table("fsm").start().game.quiet_nights == 0


def test_68_a_removal_in_the_third_night_resets() -> None:
    table = quiet(Table("fsm").start(), 2).speeches().hunt().remove(7).checks()
    assert (table.winner, table.step) == (None, Step.SPEECH)


def test_68_a_draw_needs_no_known_roles() -> None:
    assert quiet(Table("fsm", roles=None).start(), 3).result == ("draw", "no-losses")


def test_68_the_length_of_the_row_is_a_switch() -> None:
    assert quiet(Table("fsm", quiet_nights_draw=2).start(), 2).result == ("draw", "no-losses")
    assert quiet(Table("fsm", quiet_nights_draw=0).start(), 5).winner is None


def test_69_three_misses_in_a_row_give_the_city_the_game() -> None:
    table = quiet(Table("club").start(), 2)
    assert table.winner is None
    assert quiet(table, 1).result == ("city", "three-misses")


def test_69_a_shot_at_an_empty_seat_is_a_miss_too() -> None:
    table = quiet(Table("club").start(out=(9,)), 2).speeches().night(shot=9)
    assert len(table.all(ShotMissed)) == 3
    assert table.result == ("city", "three-misses")


def test_69_only_misses_count_and_only_a_hit_breaks_the_row() -> None:
    table = quiet(Table("club").start(), 2).speeches({3: 7, 4: 8}).votes(9).last_words().night()
    assert table.result == ("city", "three-misses")
    table = quiet(Table("club").start(), 2).speeches().night(shot=7)
    assert quiet(table, 2).winner is None
    assert quiet(table, 1).winner == "city"


def test_69_a_miss_told_in_the_morning_counts() -> None:
    table = quiet(Table("club").start(), 2).speeches().say(cmd.Elapse()).checks().say(cmd.Next())
    assert table.result == ("city", "three-misses")


@each
def test_70_the_winner_after_a_removal(rules: str) -> None:
    """A removed black must not give the mafia the game, nor a removed red the city."""
    table = Table(rules).start(out=(5, 6, 7)).remove(1)
    assert table.winner is None
    assert table.remove(8, 9).result == ("mafia", "parity")


@each
def test_70_a_removal_in_the_vote_that_decides(rules: str) -> None:
    table = Table(rules).start(out=(5, 6, 7)).speeches({1: 8, 2: 9, 3: 10}).votes(2).remove(10)
    assert table.result == ("mafia", "parity")
    assert table.last_names == ["seat-left", "game-ended"]


@each
def test_70_a_fixed_exit_and_a_removal_are_both_applied(rules: str) -> None:
    """Two blacks, four reds: the one voted out leaves too, and only then two stand against two."""
    table = Table(rules).start(out=(1, 5, 6, 7), day=2).speeches({2: 8, 4: 9, 8: 10})
    table.votes(4).remove(4)
    assert table.game.decided == ("mafia", "parity")
    assert table.last_words().result == ("mafia", "parity")


# --- declared by the host


@each
@pytest.mark.parametrize("winner", ["city", "mafia", "draw"])
def test_70_the_host_names_the_winner(rules: str, winner: str) -> None:
    table = Table(rules, roles=None).start().say(cmd.DeclareWinner(winner))
    assert table.result == (winner, "declared")
    assert table.last_names == ["speech-ended", "game-ended"]
    assert table.refused(cmd.DeclareWinner("city")) == "game-over"


@each
def test_70_an_unfinished_game_is_stopped(rules: str) -> None:
    table = Table(rules).start().say(cmd.EndGame())
    assert table.result == ("none", "ended")


@each
def test_70_a_game_that_is_decided_is_not_unfinished(rules: str) -> None:
    table = Table(rules).start(out=(2, 3)).speeches({4: 1, 5: 6}).votes(7)
    assert table.say(cmd.EndGame()).result == ("city", "black-gone")
    assert table.last_names == ["last-word-ended", "game-ended"]


@each
def test_70_unknown_roles_decide_nothing(rules: str) -> None:
    table = Table(rules, roles=None).start(out=(1, 2, 3, 5, 6, 7, 8), day=2)
    assert table.winner is None
    table.speeches({4: 9, 9: 10}).votes(3).last_words()
    assert (table.step, table.winner) == (Step.HUNT, None)


@each
def test_70_roles_told_late_are_tested_from_then_on(rules: str) -> None:
    table = Table(rules, roles=None).start(out=(5, 6, 7), day=2)
    for seat, role in ((1, "don"), (2, "mafia"), (3, "mafia")):
        table.say(cmd.SetRole(seat, role))
    assert table.winner is None
    table.speeches({4: 8, 9: 10}).votes(7).last_words()
    assert table.result == ("mafia", "parity")


@each
def test_70_a_role_told_late_may_decide_at_once(rules: str) -> None:
    table = Table(rules, roles=None).start(out=(1, 2, 3), day=2)
    table.say(cmd.SetRole(1, "don"), cmd.SetRole(2, "mafia"), cmd.SetRole(3, "mafia"))
    assert table.result == ("city", "black-gone")
    assert table.last_names == ["role-set", "speech-ended", "game-ended"]


def test_70_told_in_a_last_word_the_game_ends_after_it() -> None:
    table = Table("fsm", roles=None).start(out=(2, 3), day=2).speeches({4: 1, 5: 6}).votes(7)
    table.say(cmd.SetRole(1, "don"), cmd.SetRole(2, "mafia"), cmd.SetRole(3, "mafia"))
    assert table.step is Step.LAST_WORD
    assert table.last_words().result == ("city", "black-gone")


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ([(4, "sheriff")], (5, "sheriff")),
        ([(1, "don")], (2, "don")),
        ([(1, "mafia"), (2, "mafia")], (3, "mafia")),
        ([], (5, "doctor")),
    ],
)
def test_70_roles_must_fit_one_deck(told: list[tuple[int, str]], wrong: tuple[int, str]) -> None:
    table = Table("fsm", roles=None).start().say(*(cmd.SetRole(*pair) for pair in told))
    assert table.refused(cmd.SetRole(*wrong)) == "wrong-roles"
    assert table.refused(cmd.SetRole(11, "city")) == "no-such-seat"


def test_70_a_role_may_be_corrected() -> None:
    table = Table("fsm", roles=None).start().say(cmd.SetRole(4, "sheriff"), cmd.SetRole(4, "city"))
    table.say(cmd.SetRole(5, "sheriff"))
    assert table.game.sheriff == 5


def test_70_known_roles_cannot_be_changed_in_the_game() -> None:
    assert Table("fsm").start().refused(cmd.SetRole(4, "city")) == "not-now"
