"""The speaker's thread: one line at a time, urgent ones first, nothing lost when a line cannot be rendered."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from voicehost.hosting.ports import PunctualSpeaker
from voicehost.hosting.speaking import MARGIN, LiveSpeaker


@dataclass(eq=False)
class FakeSound:
    text: str
    seconds: float = 0.5


class FakePlayback:
    def __init__(self) -> None:
        self.over = threading.Event()
        self.cancelled = False

    def wait(self, timeout: float | None = None) -> bool:
        return self.over.wait(timeout if timeout is not None else 30)

    def cancel(self) -> None:
        self.cancelled = True
        self.over.set()


class FakeVoice:
    def __init__(self, broken: str = "") -> None:
        self.broken = broken
        self.prepared: list[str] = []
        self.rendering, self.rendered = threading.Event(), threading.Event()

    def ready(self, text: str) -> bool:
        return text in self.prepared

    def render(self, text: str) -> FakeSound:
        if text == self.broken:
            raise RuntimeError("no sound")
        if text.startswith("долго"):
            self.rendering.set()
            assert self.rendered.wait(30)
        return FakeSound(text)

    def prerender(self, lines: Sequence[str]) -> None:
        self.prepared += lines


class FakePlayer:
    """Plays for as long as the test wants."""

    latency = 0.2

    def __init__(self) -> None:
        self.played: list[tuple[str, float | None, FakePlayback]] = []
        self.began = threading.Semaphore(0)

    def play(self, sound: Any, at: float | None = None) -> FakePlayback:
        playback = FakePlayback()
        self.played.append((getattr(sound, "text", "?"), at, playback))
        self.began.release()
        return playback

    def flush(self) -> None:
        for _, _, playback in self.played:
            playback.cancel()

    def next(self) -> tuple[str, float | None, FakePlayback]:
        assert self.began.acquire(timeout=30)
        return self.played[-1]


async def _soon(player: FakePlayer) -> tuple[str, float | None, FakePlayback]:
    return await asyncio.get_running_loop().run_in_executor(None, player.next)


async def test_an_urgent_line_goes_before_those_that_wait_never_into_the_one_that_sounds() -> None:
    player = FakePlayer()
    speaker = LiveSpeaker(FakeVoice(), player, asyncio.get_running_loop())
    try:
        said = [speaker.say("первая"), speaker.say("вторая")]
        text, _, sounding = await _soon(player)
        assert text == "первая"
        said.append(speaker.say("фол", urgent=True))
        assert len(player.played) == 1
        sounding.over.set()
        for expected in ("фол", "вторая"):
            text, _, sounding = await _soon(player)
            assert text == expected
            sounding.over.set()
        for one in said:
            assert one is not None
            await asyncio.wait_for(one, 30)
    finally:
        speaker.close()


async def test_a_line_that_cannot_be_rendered_counts_as_said() -> None:
    failures: list[Exception] = []
    player = FakePlayer()
    speaker = LiveSpeaker(FakeVoice("беда"), player, asyncio.get_running_loop(), on_failure=failures.append)
    try:
        said = speaker.say("беда")
        assert said is not None
        await asyncio.wait_for(said, 30)
        assert [str(failure) for failure in failures] == ["no sound"]
        assert player.played == []
    finally:
        speaker.close()


async def test_skipping_ends_free_lines_and_keeps_formulas() -> None:
    player = FakePlayer()
    speaker = LiveSpeaker(FakeVoice(), player, asyncio.get_running_loop())
    try:
        free, waiting, firm = speaker.say("рассказ"), speaker.say("ещё рассказ"), speaker.say("Кто против?", firm=True)
        assert free is not None
        assert waiting is not None
        assert firm is not None
        _, _, sounding = await _soon(player)
        while speaker._now is None or speaker._now[1] is None:
            await asyncio.sleep(0.01)
        speaker.skip()
        await asyncio.wait_for(waiting, 30)
        await asyncio.wait_for(free, 30)
        assert sounding.cancelled
        text, _, formula = await _soon(player)
        assert text == "Кто против?"
        speaker.skip()
        assert not formula.cancelled
        formula.over.set()
        await asyncio.wait_for(firm, 30)
    finally:
        speaker.close()


async def _until(event: threading.Event) -> None:
    assert await asyncio.get_running_loop().run_in_executor(None, event.wait, 30)


@pytest.mark.parametrize("how", ["skip", "stop"])
async def test_a_line_that_is_ended_while_it_is_rendered_is_never_heard(how: str) -> None:
    player, voice = FakePlayer(), FakeVoice()
    speaker = LiveSpeaker(voice, player, asyncio.get_running_loop())
    try:
        ended = speaker.say("долго готовится", firm=how == "stop")
        assert ended is not None
        await _until(voice.rendering)
        getattr(speaker, how)()
        following = speaker.say("следующая")
        assert following is not None
        voice.rendered.set()
        await asyncio.wait_for(ended, 30)
        text, _, sounding = await _soon(player)
        assert text == "следующая"
        sounding.over.set()
        await asyncio.wait_for(following, 30)
        assert len(player.played) == 1
    finally:
        speaker.close()


async def test_a_formula_is_not_ended_while_it_is_rendered_either() -> None:
    player, voice = FakePlayer(), FakeVoice()
    speaker = LiveSpeaker(voice, player, asyncio.get_running_loop())
    try:
        speaker.say("долго: кто против?", firm=True)
        await _until(voice.rendering)
        speaker.skip()
        voice.rendered.set()
        text, _, sounding = await _soon(player)
        assert text == "долго: кто против?"
        assert not sounding.cancelled
        sounding.over.set()
    finally:
        speaker.close()


async def test_a_foul_goes_before_a_line_that_is_not_rendered_yet() -> None:
    player, voice = FakePlayer(), FakeVoice()
    speaker = LiveSpeaker(voice, player, asyncio.get_running_loop())
    try:
        first = speaker.say("долго готовится", firm=True)
        assert first is not None
        await _until(voice.rendering)
        second, foul = speaker.say("вторая"), speaker.say("фол", urgent=True)
        assert second is not None
        assert foul is not None
        voice.rendered.set()
        for expected, said in (("фол", foul), ("долго готовится", first), ("вторая", second)):
            text, _, sounding = await _soon(player)
            assert text == expected
            assert not said.done()
            sounding.over.set()
            await asyncio.wait_for(said, 30)
    finally:
        speaker.close()


async def test_a_foul_waits_for_a_formula_and_for_a_line_with_its_moment() -> None:
    player, voice = FakePlayer(), FakeVoice()
    speaker = LiveSpeaker(voice, player, asyncio.get_running_loop())
    try:
        speaker.say("Кто за то, чтобы игру покинул номер пять?", firm=True)
        _, _, formula = await _soon(player)
        speaker.say("долго, в срок", at=123.0)
        speaker.say("фол", urgent=True)
        assert not formula.cancelled
        formula.over.set()
        text, _, foul = await _soon(player)
        assert text == "фол"
        foul.over.set()
        await _until(voice.rendering)
        speaker.say("ещё фол", urgent=True)
        voice.rendered.set()
        assert (await _soon(player))[:2] == ("долго, в срок", 123.0)
        player.played[-1][2].over.set()
        assert (await _soon(player))[0] == "ещё фол"
        player.played[-1][2].over.set()
    finally:
        speaker.close()


async def test_moments_signals_and_lengths() -> None:
    player = FakePlayer()
    voice = FakeVoice()
    speaker = LiveSpeaker(voice, player, asyncio.get_running_loop(), signals={"gong": FakeSound("<gong>")})
    try:
        assert isinstance(speaker, PunctualSpeaker)
        assert speaker.lead == pytest.approx(player.latency + MARGIN)
        assert speaker.length("новая строка") == pytest.approx(0.07 * 12)
        assert speaker.length("новая строка") == 0.5, "once it is rendered its length is known"
        speaker.say("в срок", at=123.0)
        assert (await _soon(player))[:2] == ("в срок", 123.0)
        player.played[-1][2].over.set()
        assert speaker.signal("tick") is None
        assert speaker.signal("gong") is not None
        assert (await _soon(player))[0] == "<gong>"
    finally:
        speaker.close()


async def test_with_the_virtual_clock_nothing_takes_time() -> None:
    player = FakePlayer()
    speaker = LiveSpeaker(FakeVoice(), player, asyncio.get_running_loop(), takes_time=False)
    try:
        assert speaker.say("раз") is None
        assert (speaker.lead, speaker.length("раз")) == (0.0, 0.0)
    finally:
        speaker.close()


async def test_music_follows_the_scene() -> None:
    calls: list[str] = []

    class Music:
        def resume(self) -> None:
            calls.append("resume")

        def pause(self) -> None:
            calls.append("pause")

    speaker = LiveSpeaker(FakeVoice(), FakePlayer(), asyncio.get_running_loop(), music=Music())
    try:
        speaker.music(plays=True)
        speaker.music(plays=False)
        assert calls == ["resume", "pause"]
    finally:
        speaker.close()
