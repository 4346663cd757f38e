"""A command line to call, with a data folder of its own, and journals to look into."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.audio.conftest import portaudio
from tests.cli.helpers import NAMES, NIGHT_AND_DAY, ROLES, Call, Done
from tests.virtual_card import virtual_card
from voicehost.hosting.setup import make_setup
from voicehost.record.entries import Entry, Utterance
from voicehost.record.journal import Journal
from voicehost.rules import events as ev
from voicehost.rules.ruleset import shipped

__all__ = ["portaudio", "virtual_card"]


@pytest.fixture(autouse=True)
def own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voicehost.record.journal.default_path", lambda: tmp_path / "data" / "journal.db")
    monkeypatch.setenv("VOICEHOST_LANG", "ru")
    monkeypatch.delenv("VOICEHOST_DEBUG", raising=False)


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Run the program in this process, as ``voicehost`` does."""

    def run(*arguments: str | Path) -> Done:
        from voicehost.cli.app import run

        status = run([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Done(status, printed.out, printed.err)

    return run


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A journal with one finished and one unfinished game; ``ids`` tells their names."""
    path = tmp_path / "games.db"
    with Journal.open(path) as opened:
        finished = _add(opened, [*NIGHT_AND_DAY, ev.GameEnded("city", "black-gone")], at=1000.0)
        opened.heard(finished, Utterance("второй стреляет в девятого", "hunt", "heard", None, 1001.0, 75.0))
        opened.heard(finished, Utterance("ну и ночь\x1b[2J", "hunt", "unrecognised", None, 1002.0, 80.0))
        unfinished = _add(opened, NIGHT_AND_DAY, at=2000.0)
        opened.heard(unfinished, Utterance("девятый шериф", "lobby", "refused", "not-now", 2001.0, 3.0))
    return path


@pytest.fixture
def ids(journal: Path) -> tuple[str, str]:
    """The finished and the unfinished game of ``journal``."""
    with Journal.open(journal) as opened:
        games = {game.finished is not None: game.id for game in opened.games()}
    return games[True], games[False]


def _add(journal: Journal, events: Sequence[ev.Event], at: float) -> str:
    setup: dict[str, Any] = make_setup(shipped("sport"), names=NAMES, dealing=",".join(ROLES)).to_mapping()
    game = journal.create(setup).id
    journal.append(game, Entry("host", "next", {}, "дальше", tuple(enumerate(events, 1)), at, 5.0))
    journal.release(game)
    return game
