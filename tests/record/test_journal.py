"""The contract of the journal, in memory and on disk alike."""

from __future__ import annotations

import itertools
import string
import threading
from collections.abc import Callable
from dataclasses import fields
from typing import Any, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from voicehost.errors import UserError
from voicehost.record.entries import ORIGINS, Entry, Utterance
from voicehost.record.journal import Journal
from voicehost.rules.events import (
    EVENTS,
    DayBroke,
    Event,
    FoulGiven,
    GameEnded,
    GameStarted,
    NightFell,
    Paused,
    Redone,
    Undone,
)

MakeEntry = Callable[..., Entry]
SETUP = {"rules": {"name": "sport"}, "names": ["Аня", "Борис"], "mode": "hosted", "seed": 7}

# --- games


def test_a_new_game_keeps_its_setup_and_has_nothing_in_it(journal: Journal) -> None:
    game = journal.create(SETUP)
    assert game.setup == SETUP
    assert (game.finished, game.winner, game.reason, game.entries, game.last_seq) == (None, None, None, 0, 0)
    assert journal.entries(game.id) == []
    assert journal.game(game.id) == game


def test_an_id_can_be_said_and_typed(journal: Journal) -> None:
    names = {journal.create({}).id for _ in range(30)}
    assert len(names) == 30
    assert all(len(name) == 6 and set(name) <= set(string.ascii_lowercase) for name in names)
    name = names.pop()
    assert journal.game(f" {name.upper()} ").id == name


def test_games_come_with_the_last_played_first(journal: Journal, entry: MakeEntry) -> None:
    old, new = journal.create({}), journal.create({})
    journal.append(new.id, entry(1, GameStarted(), at=2_000_000_000.0))
    journal.append(old.id, entry(1, GameStarted(), at=2_000_000_001.0))
    assert [game.id for game in journal.games()] == [old.id, new.id]
    assert [game.updated for game in journal.games()] == [2_000_000_001.0, 2_000_000_000.0]


def test_the_latest_unfinished_game_has_begun_and_not_ended(journal: Journal, entry: MakeEntry) -> None:
    assert journal.latest_unfinished() is None
    begun, ended, _empty = journal.create({}), journal.create({}), journal.create({})
    journal.append(begun.id, entry(1, GameStarted(), at=3e9))
    journal.append(ended.id, entry(1, GameStarted(), GameEnded("city", "black-gone"), at=3e9 + 1))
    latest = journal.latest_unfinished()
    assert latest is not None
    assert latest.id == begun.id


def test_what_is_not_there_is_told(journal: Journal, entry: MakeEntry) -> None:
    for call in (
        lambda: journal.game("bobobo"),
        lambda: journal.entries("bobobo"),
        lambda: journal.resume("../../etc/passwd"),
        lambda: journal.append("bobobo", entry(1, GameStarted())),
        lambda: journal.delete("bobobo"),
        lambda: journal.heard("bobobo", Utterance("", "", "", None, 0, 0)),
        lambda: journal.utterances("bobobo"),
    ):
        with pytest.raises(UserError) as raised:
            call()
        assert raised.value.key == "record.no-game"


def test_a_deleted_game_leaves_nothing_and_the_others_alone(journal: Journal, entry: MakeEntry) -> None:
    kept, gone = journal.create({}), journal.create({})
    for game in (kept, gone):
        journal.append(game.id, entry(1, GameStarted()))
        journal.heard(game.id, Utterance("дальше", "speech", "heard", None, 1.0, 1.0))
    journal.delete(gone.id)
    assert [game.id for game in journal.games()] == [kept.id]
    assert len(journal.entries(kept.id)) == len(journal.utterances(kept.id)) == 1
    with pytest.raises(UserError):
        journal.entries(gone.id)


# --- entries

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | _TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXT, inner, max_size=3),
    max_leaves=5,
)
_SECONDS = st.floats(allow_nan=False, allow_infinity=False)


def _event(kind: type[Event]) -> st.SearchStrategy[Event]:
    hints = get_type_hints(kind)
    return st.builds(kind, **{name: st.from_type(hints[name]) for name in (field.name for field in fields(kind))})


_EVENTS = st.one_of([_event(kind) for kind in EVENTS.values()])


@st.composite
def _entries(draw: st.DrawFn) -> list[Entry]:
    seqs = itertools.accumulate(itertools.repeat(draw(st.integers(1, 3))))
    return [
        Entry(
            origin=draw(st.sampled_from(ORIGINS)),
            command=draw(_TEXT),
            slots=draw(st.dictionaries(_TEXT, _JSON, max_size=3)),
            text=draw(st.none() | _TEXT),
            events=tuple((next(seqs), event) for event in draw(st.lists(_EVENTS, max_size=4))),
            at=draw(_SECONDS),
            clock=draw(_SECONDS),
            timer=draw(st.none() | st.dictionaries(_TEXT, _JSON, max_size=3)),
        )
        for _ in range(draw(st.integers(0, 6)))
    ]


@given(entries=_entries(), setup=st.dictionaries(_TEXT, _JSON, max_size=3))
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_sequence_of_entries_comes_back_as_it_was(
    journal: Journal, entries: list[Entry], setup: dict[str, Any]
) -> None:
    game = journal.create(setup)
    for written in entries:
        journal.append(game.id, written)
    assert journal.entries(game.id) == entries
    assert journal.game(game.id).setup == setup
    assert journal.game(game.id).entries == len(entries)
    assert journal.game(game.id).last_seq == max((seq for e in entries for seq, _ in e.events), default=0)
    journal.delete(game.id)


def test_half_a_character_from_a_broken_terminal_is_kept_as_a_mark(journal: Journal) -> None:
    game = journal.create({"names": ["\udcd0"]})
    journal.append(game.id, Entry("host", "", {"x": "\udcff"}, "\udcd0да", (), 1.0, 1.0))
    (read,) = journal.entries(game.id)
    assert (read.text, read.slots) == ("?да", {"x": "?"})
    assert journal.game(game.id).setup == {"names": ["?"]}


@pytest.mark.parametrize("first", [1, 2, 3])
def test_a_seq_that_was_written_is_refused_and_nothing_of_the_entry_stays(
    journal: Journal, entry: MakeEntry, first: int
) -> None:
    game = journal.create({})
    journal.append(game.id, entry(1, GameStarted(), NightFell(0), DayBroke(1)))
    before = journal.entries(game.id)
    with pytest.raises(UserError) as raised:
        journal.append(game.id, entry(first, Paused(), FoulGiven(3, 1)))
    assert raised.value.key == "record.conflict"
    assert journal.entries(game.id) == before
    assert journal.game(game.id).entries == 1
    journal.append(game.id, entry(4, Paused()))
    assert journal.game(game.id).last_seq == 4


@pytest.mark.parametrize("seqs", [(0,), (1, 1), (2, 1), (-1, 2)])
def test_seqs_that_do_not_grow_are_our_own_mistake(journal: Journal, seqs: tuple[int, ...]) -> None:
    game = journal.create({})
    with pytest.raises(ValueError, match="seqs must grow"):
        journal.append(game.id, Entry("host", "pause", {}, None, tuple((seq, Paused()) for seq in seqs), 1.0, 1.0))
    assert journal.entries(game.id) == []


def test_what_is_written_cannot_be_changed(journal: Journal, entry: MakeEntry) -> None:
    game = journal.create({})
    journal.append(game.id, entry(1, GameStarted()))
    for table in ("entries", "events"):
        with pytest.raises(Exception, match="only grows"):
            journal._connection.execute(f"UPDATE {table} SET game = 'bobobo'")


def test_many_threads_may_use_one_journal(journal: Journal, entry: MakeEntry) -> None:
    games = [journal.create({}).id for _ in range(4)]

    def play(game: str) -> None:
        for seq in range(1, 21):
            journal.append(game, entry(seq, Paused()))

    threads = [threading.Thread(target=play, args=(game,)) for game in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [journal.game(game).last_seq for game in games] == [20] * 4


# --- the end of a game


def test_the_end_stands_in_the_games_row_until_it_is_undone(journal: Journal, entry: MakeEntry) -> None:
    game = journal.create({}).id
    journal.append(game, entry(1, GameStarted(), at=10.0))
    journal.append(game, entry(2, GameEnded("mafia", "parity"), at=20.0))
    assert journal.game(game).finished == 20.0
    assert (journal.game(game).winner, journal.game(game).reason) == ("mafia", "parity")

    journal.append(game, entry(3, Undone(1), at=30.0))
    assert (journal.game(game).finished, journal.game(game).winner, journal.game(game).reason) == (None, None, None)

    journal.append(game, entry(4, Redone(2, 2), at=40.0))
    assert (journal.game(game).finished, journal.game(game).winner) == (40.0, "mafia")

    journal.append(game, entry(5, Undone(1), at=50.0))
    journal.append(game, entry(6, GameEnded("city", "declared"), at=60.0))
    assert (journal.game(game).finished, journal.game(game).winner) == (60.0, "city")


# --- what was heard


def test_utterances_come_back_in_order_and_only_of_that_game(journal: Journal) -> None:
    game, other = journal.create({}).id, journal.create({}).id
    said = [
        Utterance("выставляю номер пять", "speech", "heard", None, 1.5, 0.5),
        Utterance("выставляю номер пять", "speech", "refused", "already-nominated", 2.5, 1.5),
        Utterance("а я говорю", "speech", "unrecognised", None, 3.5, 2.5),
    ]
    for utterance in said:
        journal.heard(game, utterance)
    assert journal.utterances(game) == said
    assert journal.utterances(other) == []
