"""How long an event takes to 20 phones and 200 spectators. Run by hand: ``python tests/web/bench_load.py``."""

from __future__ import annotations

import asyncio
import multiprocessing
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

PHONES, SPECTATORS, EVENTS, GAP_SECONDS = 20, 200, 60, 0.25


async def read(port: int, path: str, cookie: str, arrivals: list[tuple[int, float]]) -> None:
    """Follow one stream; note the number of each state and when it came."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncookie: {cookie}\r\n\r\n".encode())
    while line := await reader.readline():
        if line.startswith(b"id: "):
            arrivals.append((int(line.rpartition(b"-")[2]), time.monotonic()))


def spectators(port: int, streams: list[tuple[str, str]], seconds: float, results: multiprocessing.Queue) -> None:
    """Be all viewers, in a process of their own, so that reading costs the server nothing but the machine's time."""

    async def run() -> None:
        arrivals: list[list[tuple[int, float]]] = [[] for _ in streams]
        readers = [read(port, path, cookie, seen) for (path, cookie), seen in zip(streams, arrivals, strict=True)]
        await asyncio.wait([asyncio.ensure_future(reader) for reader in readers], timeout=seconds)
        results.put(arrivals)

    asyncio.run(run())


async def main() -> None:
    """Serve, make events, gather delays."""
    from tests.web.stage import Stage, home, served
    from voicehost.hosting.clock import RealClock
    from voicehost.rules.ruleset import load

    names = [f"Игрок {n}" for n in range(1, PHONES + 1)]
    stage = Stage(home(load("classic"), names=names, seed=1), RealClock())
    async with served(stage) as address:
        port = int(address.rpartition(":")[2])
        streams = [("/stream/table", "")] * SPECTATORS
        for seat in range(1, PHONES + 1):
            streams.append(("/stream/seat", f"voicehost-seat={stage.keys.take(seat)[0]}"))
        results: multiprocessing.Queue = multiprocessing.Queue()
        seconds = EVENTS * GAP_SECONDS + 8
        crowd = multiprocessing.Process(target=spectators, args=(port, streams, seconds, results))
        crowd.start()
        while len(stage.hub.table.viewers) < len(streams):
            await asyncio.sleep(0.05)
        await asyncio.sleep(1)
        sent: dict[int, float] = {}
        used = time.process_time()
        for i in range(EVENTS):
            stage.hub.house.lines = [{"n": i, "text": f"Номер {i}"}]
            moment = time.monotonic()
            stage.hub.flush()
            sent[stage.hub.table.number] = moment
            await asyncio.sleep(GAP_SECONDS)
        used = time.process_time() - used
        loop = asyncio.get_running_loop()
        arrivals = await loop.run_in_executor(None, results.get)
        crowd.join()
    delays = [(at - sent[n]) * 1000 for seen in arrivals for n, at in seen if n in sent]
    whole = len(streams) * EVENTS
    quantiles = statistics.quantiles(delays, n=100)
    print(f"{len(delays)} of {whole} states to {PHONES} phones and {SPECTATORS} spectators")
    median, p95, p99 = quantiles[49], quantiles[94], quantiles[98]
    print(f"delay ms: median {median:.1f}, p95 {p95:.1f}, p99 {p99:.1f}, worst {max(delays):.1f}")
    print(f"server CPU {used / (EVENTS * GAP_SECONDS):.0%} of one core at {1 / GAP_SECONDS:.0f} events a second")


if __name__ == "__main__":
    asyncio.run(main())
