from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from time import monotonic

import pytest

from voicehost.audio.player import Playback, SilentPlayer


@dataclass(frozen=True)
class Sound:
    pcm: bytes
    rate: int


SHORT = Sound(bytes(1600), 16_000)
LONG = Sound(bytes(32_000 * 60), 16_000)


@pytest.fixture
def player() -> Iterator[SilentPlayer]:
    made = SilentPlayer()
    yield made
    made.close()


def test_without_time_a_sound_is_over_at_once() -> None:
    player = SilentPlayer(takes_time=False)
    playback = player.play(LONG)
    assert playback.done
    assert playback.started == playback.finished is not None
    assert not playback.heard
    assert not player.sounding()
    assert player.silent_since() == playback.finished


@pytest.mark.live
def test_sounds_take_their_time_one_after_another(player: SilentPlayer) -> None:
    first, second = player.play(SHORT), player.play(SHORT)
    assert player.sounding()
    assert player.silent_since() is None
    assert second.wait(5)
    assert first.started is not None
    assert first.finished is not None
    assert second.started is not None
    assert second.finished is not None
    assert first.finished - first.started >= 0.05
    assert second.started >= first.finished
    assert player.silent_since() == second.finished


def test_a_queued_sound_can_be_cancelled(player: SilentPlayer) -> None:
    first, second = player.play(LONG), player.play(LONG)
    second.cancel()
    assert second.done
    assert second.cancelled
    assert second.started is None
    assert not first.done
    assert player.sounding()


def test_flush_stops_everything_and_the_next_sound_plays(player: SilentPlayer) -> None:
    cancelled = [player.play(LONG) for _ in range(5)]
    player.flush()
    assert all(playback.wait(5) and playback.cancelled for playback in cancelled)
    assert not player.sounding()
    assert player.play(SHORT).wait(5)


def test_close_cancels_and_nothing_plays_afterwards() -> None:
    player = SilentPlayer()
    playback = player.play(LONG)
    player.close()
    player.close()
    assert playback.wait(5)
    assert playback.cancelled
    late = player.play(LONG)
    assert late.done
    assert late.cancelled


def test_waiting_gives_up() -> None:
    player = SilentPlayer()
    playback = player.play(LONG)
    assert not playback.wait(0.01)
    assert not playback.done
    player.close()


def test_callbacks_come_once_also_when_it_is_over_already(player: SilentPlayer) -> None:
    calls: list[Playback] = []
    playback = player.play(SHORT)
    playback.add_done_callback(calls.append)
    assert playback.wait(5)
    playback.add_done_callback(calls.append)
    playback.cancel()
    assert calls == [playback, playback]
    assert not playback.cancelled


async def test_a_playback_can_be_awaited(player: SilentPlayer) -> None:
    assert await player.play(SHORT) is False  # nobody heard it


async def test_giving_up_waiting_does_not_end_the_sound(player: SilentPlayer) -> None:
    playback = player.play(LONG)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(_wait(playback), 0.01)
    assert not playback.done


async def _wait(playback: Playback) -> None:
    await playback


def test_times_are_on_the_monotonic_clock() -> None:
    before = monotonic()
    playback = SilentPlayer(takes_time=False).play(SHORT)
    assert playback.queued >= before
    assert playback.finished is not None
    assert playback.finished <= monotonic()
