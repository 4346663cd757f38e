"""Journals to test with: the same contract holds in memory and on disk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from voicehost.record.entries import Entry
from voicehost.record.journal import Journal
from voicehost.rules.events import Event


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture(params=["memory", "file"])
def journal(request: pytest.FixtureRequest, path: Path) -> Iterator[Journal]:
    with Journal.in_memory() if request.param == "memory" else Journal.open(path) as opened:
        yield opened


@pytest.fixture
def entry() -> Callable[..., Entry]:
    """Make an entry from its first seq and its events."""

    def make(first: int, *events: Event, command: str = "next", at: float = 1000.0) -> Entry:
        return Entry("host", command, {}, "дальше", tuple(enumerate(events, first)), at, 5.0)

    return make
