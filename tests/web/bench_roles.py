"""What a touch at night costs the server, by the role of who touched. By hand: ``python tests/web/bench_roles.py``."""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import time
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.web.stage import Stage, home
from voicehost.cli.memory import JournalMemory
from voicehost.hosting.inputs import Asked, Phone
from voicehost.record.journal import Journal
from voicehost.rules.game import Step

GAMES = 30


async def measure(stage: Stage, phone: Phone) -> tuple[float, float]:
    """Handle one touch as the conductor does; return its processor time and its whole time, in microseconds."""
    processor, whole = time.process_time_ns(), time.perf_counter_ns()
    await stage.conductor.handle(Asked(phone, lambda: None))
    await asyncio.sleep(0)
    return (time.process_time_ns() - processor) / 1000, (time.perf_counter_ns() - whole) / 1000


async def night(seed: int, found: dict[str, list[tuple[float, float]]]) -> None:
    """Let every seat touch twice in the hunt and once in each check, in an order of its own."""
    stage = Stage(home(seed=seed))
    journal = Journal.in_memory()  # the disk takes the same time for every write
    stage.course._memory = JournalMemory(journal, stage.course.setup.to_mapping(), None)
    await stage.do("начинаем игру", "дальше", 60.0, *["спасибо"] * 10)
    shuffled = random.Random(seed)
    game = stage.game
    for touch in ("first", "second"):
        for seat in shuffled.sample(list(game.seats), game.players):
            side = "black" if game.black(seat) else "red"
            found[f"{touch} touch: {side}"].append(await measure(stage, Phone(seat, "tap", "")))
    for step, leader in ((Step.DON_CHECK, game.don), (Step.SHERIFF_CHECK, game.sheriff)):
        while stage.game.step is not step:
            await stage.do(1.0)
        for seat in shuffled.sample(list(game.seats), game.players):
            side = "leader" if seat == leader else "others"
            found[f"{step}: {side}"].append(await measure(stage, Phone(seat, "choose", str(seat % 10 + 1))))
    journal.close()


async def main() -> None:
    """Measure and print."""
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for seed in range(GAMES):
        await night(seed, found)
    medians = {}
    for name, times in sorted(found.items()):
        processor, whole = ([pair[i] for pair in times] for i in range(2))
        medians[name] = statistics.median(processor)
        p95 = statistics.quantiles(whole, n=20)[18]
        print(
            f"{name:22} {len(times):4} times: processor p50 {medians[name]:.0f} µs, "
            f"whole p50 {statistics.median(whole):.0f} µs, p95 {p95:.0f} µs"
        )
    for acting, idle in (("black", "red"), ("leader", "others")):
        for name in [name for name in medians if name.endswith(acting)]:
            ratio = medians[name] / medians[name.replace(acting, idle)]
            print(f"{name.partition(':')[0]}: {acting} costs {ratio:.2f} times what {idle} cost")


if __name__ == "__main__":
    asyncio.run(main())
