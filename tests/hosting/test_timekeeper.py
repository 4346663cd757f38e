"""The timekeeper: by deadline, with pauses, extensions, the warning at ten seconds, and the ticks of the hunt."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voicehost.hosting.clock import VirtualClock
from voicehost.hosting.timekeeper import Timekeeper


class HandClock(VirtualClock):
    """A clock that the test turns."""

    def turn(self, seconds: float) -> None:
        asyncio.run(self.sleep_until(self.now() + seconds, asyncio.Event()))


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def keeper(clock: HandClock) -> Timekeeper:
    return Timekeeper(clock)


def run(keeper: Timekeeper, clock: HandClock, until: float) -> list[tuple[float, str]]:
    """Turn the clock to whatever is due next, up to a moment; return what came when."""
    came = []
    while (due := keeper.due()) is not None and due <= until:
        clock.turn(max(0.0, due - clock.now()))
        what = keeper.take()
        assert what is not None
        came.append((round(clock.now(), 6), what))
        if what == "elapsed":
            keeper.drop()
    return came


def test_nothing_runs_at_first(keeper: Timekeeper) -> None:
    assert keeper.name is None
    assert keeper.left == 0
    assert keeper.due() is None
    assert keeper.take() is None
    assert keeper.state() is None
    assert keeper.tick is None
    assert not (keeper.pause())
    assert not (keeper.resume())
    assert not (keeper.extend(10))
    assert not (keeper.runs)


@pytest.mark.parametrize("name", ["speech", "shootout", "last-word", "contract", "free-seating", "best-move"])
def test_a_long_timer_warns_ten_seconds_before_its_end(keeper: Timekeeper, clock: HandClock, name: str) -> None:
    keeper.start(name, 60, 3)
    assert run(keeper, clock, 100) == [(50, "warning"), (60, "elapsed")]


@pytest.mark.parametrize(("name", "seconds"), [("check", 60), ("meeting", 30), ("nominate-only", 10), ("speech", 10)])
def test_checks_and_short_timers_do_not_warn(keeper: Timekeeper, clock: HandClock, name: str, seconds: float) -> None:
    keeper.start(name, seconds)
    assert run(keeper, clock, 100) == [(seconds, "elapsed")]


def test_what_is_late_is_still_told_in_order(keeper: Timekeeper, clock: HandClock) -> None:
    """80: the machine slept over warning and end; both come, the end last, and nothing drifts."""
    keeper.start("hunt", 6, tick=2)
    clock.turn(1000)
    assert [keeper.take() for _ in range(4)] == ["tick", "tick", "tick", "elapsed"]
    assert keeper.left == 0


def test_a_late_speech_ends_without_a_warning(keeper: Timekeeper, clock: HandClock) -> None:
    keeper.start("speech", 60)
    clock.turn(61)
    assert keeper.take() == "elapsed"


def test_a_pause_keeps_what_is_left(keeper: Timekeeper, clock: HandClock) -> None:
    keeper.start("speech", 60, 3)
    clock.turn(15)
    assert keeper.pause()
    clock.turn(500)
    assert (keeper.left, keeper.runs, keeper.due()) == (45, False, None)
    assert keeper.take() is None
    assert keeper.resume()
    assert run(keeper, clock, 1000) == [(550, "warning"), (560, "elapsed")]


def test_pausing_twice_or_resuming_what_runs_changes_nothing(keeper: Timekeeper, clock: HandClock) -> None:
    keeper.start("speech", 60)
    assert not keeper.resume()
    assert keeper.pause()
    clock.turn(10)
    assert not keeper.pause()
    assert keeper.left == 60


def test_an_extension_moves_the_end_and_the_warning(keeper: Timekeeper, clock: HandClock) -> None:
    keeper.start("speech", 60)
    clock.turn(30)
    assert keeper.extend(15)
    assert (keeper.left, keeper.seconds) == (45, 75)
    assert run(keeper, clock, 100) == [(65, "warning"), (75, "elapsed")]


def test_time_added_after_the_warning_brings_another(keeper: Timekeeper, clock: HandClock) -> None:
    keeper.start("speech", 60)
    assert run(keeper, clock, 52) == [(50, "warning")]
    keeper.extend(30)
    assert run(keeper, clock, 200) == [(80, "warning"), (90, "elapsed")]


def test_a_little_time_added_after_the_warning_brings_none(keeper: Timekeeper, clock: HandClock) -> None:
    keeper.start("speech", 60)
    run(keeper, clock, 50)
    clock.turn(8)
    keeper.extend(5)
    assert run(keeper, clock, 200) == [(65, "elapsed")]


def test_time_can_be_added_to_a_paused_timer(keeper: Timekeeper, clock: HandClock) -> None:
    keeper.start("speech", 60)
    clock.turn(20)
    keeper.pause()
    keeper.extend(10)
    clock.turn(20)
    assert keeper.left == 50


def test_a_timer_is_put_back_with_what_it_had(keeper: Timekeeper, clock: HandClock) -> None:
    keeper.start("speech", 70, 4, left=12.5, paused=True)
    assert keeper.state() == {"name": "speech", "seat": 4, "left": 12.5, "seconds": 70}
    keeper.resume()
    assert run(keeper, clock, 100) == [(2.5, "warning"), (12.5, "elapsed")]


def test_one_put_back_in_its_last_seconds_does_not_warn_again(keeper: Timekeeper, clock: HandClock) -> None:
    keeper.start("speech", 60, left=10)
    assert run(keeper, clock, 100) == [(10, "elapsed")]


def test_the_hunt_ticks_at_one_tempo(keeper: Timekeeper, clock: HandClock) -> None:
    keeper.start("hunt", 6, tick=2)
    assert run(keeper, clock, 3) == [(0, "tick"), (2, "tick")]
    assert (keeper.tick, keeper.tick_left) == (2, 2)
    clock.turn(0.5)
    assert keeper.tick_left == 1.5
    assert run(keeper, clock, 100) == [(4, "tick"), (6, "elapsed")]


def test_the_last_tick_lasts_to_the_end(keeper: Timekeeper, clock: HandClock) -> None:
    keeper.start("hunt", 6, tick=2)
    clock.turn(6)
    assert keeper.tick == 3


def test_a_hunt_put_back_calls_its_number_again_and_goes_on(keeper: Timekeeper, clock: HandClock) -> None:
    keeper.start("hunt", 20, left=13, tick=2, paused=True)
    assert keeper.tick == 4
    keeper.resume()
    assert run(keeper, clock, 2) == [(0, "tick"), (1, "tick")]
    assert keeper.tick == 5


def test_a_new_timer_takes_the_place_of_the_old(keeper: Timekeeper, clock: HandClock) -> None:
    keeper.start("speech", 60, 3)
    clock.turn(20)
    keeper.start("shootout", 30, 4)
    assert (keeper.name, keeper.seat, keeper.left, keeper.seconds) == ("shootout", 4, 30, 30)


actions = st.lists(
    st.one_of(
        st.tuples(st.just("wait"), st.integers(0, 40)),
        st.tuples(st.just("pause"), st.just(0)),
        st.tuples(st.just("resume"), st.just(0)),
        st.tuples(st.just("extend"), st.integers(1, 60)),
    ),
    max_size=30,
)


@given(seconds=st.integers(1, 120), actions=actions)
def test_left_is_the_length_less_the_time_it_ran(seconds: int, actions: list[tuple[str, int]]) -> None:
    clock = HandClock()
    keeper = Timekeeper(clock)
    keeper.start("speech", seconds)
    length, ran, running = seconds, 0, True
    for action, amount in actions:
        match action:
            case "wait":
                clock.turn(amount)
                ran += amount if running else 0
            case "pause":
                keeper.pause()
                running = False
            case "resume":
                keeper.resume()
                running = True
            case "extend":
                keeper.extend(amount)
                length += amount
        if ran > length:
            return  # past its end; the course would have dropped it
        assert keeper.left == pytest.approx(length - ran)
        assert keeper.seconds == length
        assert keeper.runs is running
        due = keeper.due()
        assert (due is None) is not running
        assert due is None or due <= clock.now() + keeper.left + 1e-9


@given(players=st.integers(5, 20), tempo=st.integers(1, 10), pauses=st.lists(st.integers(0, 200), max_size=5))
def test_every_number_of_the_hunt_is_called_once(players: int, tempo: int, pauses: list[int]) -> None:
    clock = HandClock()
    keeper = Timekeeper(clock)
    keeper.start("hunt", players * tempo, tick=tempo)
    stops = sorted(pauses)
    called = []
    while True:
        due = keeper.due()
        assert due is not None
        if stops and clock.now() + stops[0] < due:
            clock.turn(stops.pop(0))
            keeper.pause()
            clock.turn(7)
            keeper.resume()
            continue
        clock.turn(max(0.0, due - clock.now()))
        if keeper.take() == "elapsed":
            break
        called.append(keeper.tick)
    assert called == list(range(1, players + 1))
