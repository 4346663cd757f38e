"""One evening played twice: the same public facts, other cards and other secret acts. For comparing every byte."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import httpx

from tests.web.stage import ORIGIN, Stage, home
from tests.web.wire import Wire, settle
from voicehost.hosting.clock import VirtualClock
from voicehost.hosting.inputs import Nothing, Pressed
from voicehost.rules.commands import StartGame
from voicehost.rules.game import SPEAKING, Step
from voicehost.rules.ruleset import load
from voicehost.web.state import SECRET_BYTES


class SteppedClock(VirtualClock):
    """A clock that moves when told but keeps set times as the real one does."""

    virtual = False


@dataclass(frozen=True)
class Plan:
    """What the table sees of one day and night."""

    nominees: tuple[int, ...]
    voted: int
    shot: int | None


class Evening:
    """One game played by its phones over the application, with every stream recorded."""

    def __init__(self, rules: str, players: int, cards: Sequence[str], secret_seed: int) -> None:
        setup = replace(home(rules, names=[f"Игрок{n}" for n in range(1, players + 1)]), cards=tuple(cards))
        self.stage = Stage(setup, SteppedClock())
        self.secret = random.Random(secret_seed)
        self.streams: dict[str, Wire] = {}
        self.phones: dict[int, httpx.AsyncClient] = {}
        self.answers: set[tuple[int, bytes]] = set()
        self.secret_sizes: set[int] = set()
        self.players = players

    async def open(self) -> None:
        stage = self.stage
        now = stage.course.clock.now
        tokens = {seat: stage.keys.take(seat)[0] for seat in range(1, self.players + 1)}
        await settle()
        for channel in (stage.hub.table, stage.hub.host):
            channel._boot, channel._state, channel.number = "boot", None, 0
        stage.hub.flush()
        self.streams["table"] = Wire(stage.app, "/stream/table", now)
        self.streams["overlay"] = Wire(stage.app, "/stream/table", now)
        self.streams["host"] = Wire(stage.app, "/stream/host", now, f"voicehost-host={stage.keys.passes['host']}")
        for seat, token in tokens.items():
            cookie = f"voicehost-seat={token}"
            self.streams[f"seat {seat}"] = Wire(stage.app, "/stream/seat", now, cookie)
            self.phones[seat] = stage.client()
            self.phones[seat].cookies.set("voicehost-seat", token)
        await settle()

    async def act(self, seat: int, verb: str, number: int = 0) -> httpx.Response:
        """Tap a phone and let the conductor take it."""
        body: dict[str, Any] = {"verb": verb, "number": number} if number else {"verb": verb}
        asking = asyncio.ensure_future(self.phones[seat].post("/api/act", json=body, headers={"origin": ORIGIN}))
        while not asking.done():
            await settle(3)
            while not self.stage.inputs.empty():
                item = self.stage.inputs.get_nowait()
                assert item is not None
                await self.stage.conductor.handle(item)
        while not self.stage.inputs.empty():
            await self.stage.conductor.handle(self.stage.inputs.get_nowait() or Nothing())
        await settle()
        return asking.result()

    async def night_act(self, seat: int, verb: str, number: int = 0) -> None:
        """Tap while eyes are shut: whatever it was, the answer is the same."""
        response = await self.act(seat, verb, number)
        self.answers.add((response.status_code, response.content))
        secret = await self.phones[seat].get("/api/secret")
        assert secret.status_code == 200
        self.secret_sizes.add(len(secret.content))

    async def wait(self, seconds: float) -> None:
        course = self.stage.course
        await course.advance(course.clock.now() + seconds)
        await settle()

    async def begin(self) -> None:
        """From the lobby to the first morning."""
        await self.stage.do(Pressed(StartGame(), "start-game"))
        await settle()
        for seat in range(1, self.players + 1):
            left = self.players - seat + 1
            assert (await self.act(seat, "choose", self.secret.randint(1, left))).json() == {"reason": ""}
            assert (await self.act(seat, "confirm")).json() == {"reason": ""}
        while self.stage.game.step not in {Step.SPEECH, Step.OVER}:
            await self.noise()
            await self.wait(7)

    async def noise(self) -> None:
        """Touch dark screens that do nothing now, differently in every deal."""
        for seat in self.secret.sample(range(1, self.players + 1), 3):
            await self.night_act(seat, "tap")

    async def day(self, plan: Plan) -> None:
        """Speeches, nominations, the vote, last words; up to the night or the end."""
        game = self.stage.game
        nominees = list(plan.nominees)
        while self.stage.game.step in {Step.SPEECH, Step.NOMINATE_ONLY}:
            speaker = self.stage.game.seat
            assert speaker is not None
            if nominees and self.stage.game.step is Step.SPEECH:
                await self.act(speaker, "nominate", nominees.pop(0))
            await self.wait(11)
            await self.act(speaker, "done")
        while self.stage.game.step in {Step.VOTE, Step.LIFT, *SPEAKING}:
            game = self.stage.game
            ballot = game.ballot
            if game.step is Step.VOTE and ballot and ballot.candidate == plan.voted:
                for seat in game.alive:
                    await self.act(seat, "vote")
            await self.wait(0.5 if self.stage.course.keeper.name is None else self.stage.course.keeper.left)

    async def night(self, plan: Plan) -> None:
        """The hunt, both checks, last words; up to the morning's first speech or the end."""
        game = self.stage.game
        assert game.step is Step.HUNT, game.step
        blacks = [seat for seat in game.alive if game.black(seat)]
        spoiler = self.secret.choice([seat for seat in game.seats if seat != plan.shot])
        for number in range(1, self.players + 1):
            if plan.shot is None and number == spoiler:
                await self.night_act(self.secret.choice(blacks), "tap")
                await self.night_act(self.secret.choice(blacks), "tap")
            if number == plan.shot:
                for seat in self.secret.sample(blacks, len(blacks)):
                    await self.night_act(seat, "tap")
            for seat in self.secret.sample([s for s in game.seats if s not in blacks], 2):
                await self.night_act(seat, "tap")
            await self.wait(game.rules.hunt_number_seconds)
        for step in (Step.DON_CHECK, Step.SHERIFF_CHECK):
            assert self.stage.game.step is step
            leader = game.don if step is Step.DON_CHECK else game.sheriff
            assert leader is not None
            for seat in self.secret.sample(range(1, self.players + 1), 4):
                await self.night_act(seat, "choose", self.secret.randint(1, self.players))
            await self.night_act(leader, "choose", self.secret.randint(1, self.players))
            await self.wait(game.rules.check_seconds)
        while self.stage.game.step in {Step.BEST_MOVE, Step.LAST_WORD}:
            await self.wait(5)

    def marks(self) -> dict[str, int]:
        return {name: len(wire.chunks) for name, wire in self.streams.items()}

    async def close(self) -> None:
        self.stage.hub.close()
        for wire in self.streams.values():
            await wire.close()
        for phone in self.phones.values():
            await phone.aclose()


def deck(rules: str, players: int, seed: int) -> list[str]:
    """A shuffled deck."""
    from voicehost.rules.roles import deck as cards

    found = list(cards(players, load(rules).blacks(players)))
    random.Random(seed).shuffle(found)
    return found


__all__ = ["SECRET_BYTES", "Evening", "Plan", "deck"]
