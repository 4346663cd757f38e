"""How often and how much: buckets that refill, and counts of open streams."""

from __future__ import annotations

import ipaddress
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field

MOST_CLIENTS = 2048
"""Addresses that are remembered; beyond that the longest silent ones are forgotten."""

STREAMS = 400
"""Open streams in all: 20 phones, 200 spectators and room to spare."""
STREAMS_PER_ADDRESS = 24
"""Open streams of one device that is not this computer."""


@dataclass(slots=True)
class Bucket:
    """So many at once, then so many a second."""

    size: float
    rate: float
    left: float
    at: float

    def refill(self, now: float) -> bool:
        """Let in what time has brought; tell whether there is one to take."""
        self.left = min(self.size, self.left + (now - self.at) * self.rate)
        self.at = now
        return self.left >= 1

    def take(self, now: float) -> bool:
        """Take one; tell whether there was one."""
        if not self.refill(now):
            return False
        self.left -= 1
        return True

    def wait(self) -> int:
        """Return after how many whole seconds there will be one."""
        return max(1, math.ceil((1 - self.left) / self.rate))


@dataclass(slots=True)
class Limit:
    """A bucket for each key."""

    size: float
    rate: float
    clock: Callable[[], float] = time.monotonic
    buckets: dict[object, Bucket] = field(default_factory=dict)

    def _bucket(self, key: object) -> Bucket:
        bucket = self.buckets.pop(key, None) or Bucket(self.size, self.rate, self.size, self.clock())
        self.buckets[key] = bucket
        while len(self.buckets) > MOST_CLIENTS:
            self.buckets.pop(next(iter(self.buckets)))
        return bucket

    def wait(self, key: object) -> int:
        """Return 0 when ``key`` may try, or after how many seconds to come again; takes nothing."""
        bucket = self._bucket(key)
        return 0 if bucket.refill(self.clock()) else bucket.wait()

    def take(self, key: object) -> int:
        """Take one for ``key``; return 0, or after how many seconds to come again."""
        bucket = self._bucket(key)
        return 0 if bucket.take(self.clock()) else bucket.wait()


@dataclass(slots=True)
class Limits:
    """All limits of the pages."""

    clock: Callable[[], float] = time.monotonic
    requests: Limit = field(init=False)
    local: Limit = field(init=False)
    keys: Limit = field(init=False)
    pins: Limit = field(init=False)
    streams: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Fill the buckets."""
        self.requests = Limit(150, 40, self.clock)
        self.local = Limit(3000, 1500, self.clock)
        self.keys = Limit(6, 0.2, self.clock)
        self.pins = Limit(4, 1 / 20, self.clock)

    def request(self, address: str) -> int:
        """Count a request; return 0, or after how many seconds to come again."""
        return (self.local if is_loopback(address) else self.requests).take(address)

    def open_stream(self, address: str) -> bool:
        """Count a stream; tell whether there is room."""
        own = self.streams.get(address, 0)
        if sum(self.streams.values()) >= STREAMS or (own >= STREAMS_PER_ADDRESS and not is_loopback(address)):
            return False
        self.streams[address] = own + 1
        return True

    def close_stream(self, address: str) -> None:
        """Count a stream that has ended."""
        left = self.streams.get(address, 1) - 1
        if left:
            self.streams[address] = left
        else:
            self.streams.pop(address, None)


def is_loopback(address: str) -> bool:
    """Tell whether an address is this computer's own."""
    try:
        return ipaddress.ip_address(address.partition("%")[0]).is_loopback
    except ValueError:
        return False
