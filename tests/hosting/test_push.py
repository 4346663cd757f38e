"""The key that opens listening: pressed and let go on a page, or only struck at a terminal."""

from __future__ import annotations

import pytest

from voicehost.hosting import push as push_module
from voicehost.hosting.push import LEAD, PATIENCE, TAIL, Push, PushGate


class Clock:
    def __init__(self) -> None:
        self.moment = 100.0

    def __call__(self) -> float:
        return self.moment


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def push(clock: Clock) -> Push:
    return Push(clock)


def hold(push: Push, clock: Clock, seconds: float, *, delay: float = 0.5, every: float = 0.04) -> None:
    """Hold a terminal's key: it strikes once, and after a delay again and again."""
    push.strike()
    end, clock.moment = clock.moment + seconds, clock.moment + delay
    while clock.moment < end:
        push.strike()
        clock.moment += every


def test_a_button_is_open_while_it_is_held(push: Push, clock: Clock) -> None:
    assert not push.open
    push.press()
    clock.moment += 60
    push.heard(command=True)
    assert push.open
    push.let_go()
    assert not push.open
    assert push.held_at(130)
    assert not push.held_at(161)
    push.let_go()
    assert not push.open


def test_a_key_opens_for_one_command(push: Push, clock: Clock) -> None:
    push.strike()
    clock.moment += 2
    assert push.open
    push.heard(command=True)
    assert not push.open
    assert push.held_at(101)
    clock.moment += 1
    assert not push.held_at(clock.moment)


def test_it_closes_after_so_many_seconds_without_speech(push: Push, clock: Clock) -> None:
    push.strike()
    clock.moment += PATIENCE - 0.1
    assert push.open
    clock.moment += 0.1
    assert not push.open
    assert push.held_at(100 + PATIENCE - 0.1), "what was begun in time still comes in"


def test_talk_gives_more_time(push: Push, clock: Clock) -> None:
    push.strike()
    clock.moment += 6
    push.heard(command=False)
    clock.moment += 6
    assert push.open
    clock.moment += PATIENCE
    assert not push.open


def test_a_second_press_closes(push: Push, clock: Clock) -> None:
    push.strike()
    clock.moment += 3
    push.strike()
    clock.moment += 0.3
    assert not push.open
    assert push.held_at(102)
    assert not push.held_at(103.1)
    clock.moment += 1
    push.strike()
    assert push.open


@pytest.mark.parametrize(("delay", "every"), [(0.25, 0.033), (0.5, 0.033), (0.66, 0.04), (1.8, 0.1)])
def test_a_key_that_is_held_stays_open_whatever_the_keyboards_tempo(
    push: Push, clock: Clock, delay: float, every: float
) -> None:
    hold(push, clock, 20, delay=delay, every=every)
    push.heard(command=True)
    assert push.open, "a command does not close a key that is held"
    clock.moment += 0.5
    assert not push.open
    assert push.held_at(119)
    assert not push.held_at(120.5)


def test_a_slow_finger_is_no_hold(push: Push, clock: Clock) -> None:
    hold(push, clock, 0.7)
    clock.moment += 2
    assert push.open
    clock.moment += PATIENCE
    assert not push.open


def test_speech_that_begins_with_the_press_counts(push: Push, clock: Clock) -> None:
    push.strike()
    assert push.held_at(100 - LEAD / 2)
    assert not push.held_at(100 - 2 * LEAD)


def test_only_so_many_openings_are_remembered(push: Push, clock: Clock) -> None:
    for _ in range(1000):
        push.press()
        clock.moment += 1
        push.let_go()
    assert len(push._past) == push_module.MEMORY


class Microphone:
    """Feeds a gate with numbered blocks of a tenth of a second."""

    def __init__(self, gate: PushGate, clock: Clock) -> None:
        self.gate, self.clock = gate, clock
        self.sent: list[int] = []
        self.given: list[bytes] = []

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self.clock.moment += 0.1
            self.sent.append(len(self.sent) % 255 + 1)
            self.given += self.gate.pass_through(bytes([self.sent[-1]]) * 4, self.clock.moment, 0.1)

    @property
    def loud(self) -> list[int]:
        return [block[0] for block in self.given if any(block)]


def test_the_recogniser_hears_only_what_is_said_while_the_key_is_held(push: Push, clock: Clock) -> None:
    microphone = Microphone(PushGate(push), clock)
    microphone.run(3)
    assert microphone.loud == []
    push.press()
    microphone.run(2)
    push.let_go()
    microphone.run(3)
    first, last = microphone.loud[0], microphone.loud[-1]
    assert microphone.loud == list(range(first, last + 1)), "without a gap"
    assert first == pytest.approx(31 - LEAD * 10, abs=1)
    assert last == pytest.approx(50 + TAIL * 10, abs=1)


def test_every_block_comes_out_once_so_that_the_sounds_time_is_right(push: Push, clock: Clock) -> None:
    microphone = Microphone(PushGate(push), clock)
    for _ in range(20):
        microphone.run(0.7)
        push.strike()
        microphone.run(0.4)
        push.heard(command=True)
        late = len(microphone.sent) - len(microphone.given)
        assert 0 <= late <= LEAD * 10 + 1
        places = [place for place, block in enumerate(microphone.given) if any(block)]
        assert all(microphone.given[place][0] == microphone.sent[place] for place in places)
