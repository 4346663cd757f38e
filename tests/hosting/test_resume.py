"""From the journal back to the live game: whatever was done, undone, redone, paused or left in the middle."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games import prelude
from tests.hosting.typed import TypedGame
from voicehost.hosting.course import SAVED
from voicehost.hosting.resume import replay
from voicehost.hosting.setup import from_setup_mapping
from voicehost.record.entries import Entry
from voicehost.rules.commands import Command
from voicehost.rules.events import Event, GameStarted, Paused, TimeAdded
from voicehost.rules.game import Mode, Step
from voicehost.rules.history import History, TimerState

SEATS = st.integers(1, 10)


def template(text: str) -> st.SearchStrategy[str]:
    return SEATS.map(lambda seat: text.format(seat))


lines = st.one_of(
    st.sampled_from(
        ["дальше", "дальше", "спасибо", "отмена", "отмена", "вернуть", "/wait 7", "/wait end", "/wait end"]
    ),
    st.sampled_from(["пауза", "продолжить", "добавить десять секунд", "подтверждаю", "нет", "промах", "начинаем игру"]),
    st.sampled_from(["победа города", "закончить игру", "третий дон", "пятый шериф", "абракадабра", ""]),
    template("выставляю номер {}"),
    template("фол игроку {}"),
    template("технический фол игроку {}"),
    template("удалить игрока номер {}"),
    template("{} голосов"),
    template("убит номер {}"),
    template("дон проверяет номер {}"),
    template("шериф проверяет номер {}"),
    template("/seat {} vote"),
    template("/seat {} tap"),
    template("/seat {} choose 4"),
    template("/seat {} confirm"),
    template("/seat {} done"),
    template("/seat {} join Лёва"),
)

BEGINNINGS = (
    "",
    "start",
    "start; nominate 2 5; speeches",
    "start; nominate 2 5; speeches; votes 5",
    "start; quiet",
    "start; out 9; kill 10",
    "start; out 2; kill 5; out 3; miss; nominate 1; speeches",
)


def begin(game: TypedGame, steps: str) -> None:
    for step in prelude.steps(steps):
        for command in prelude.commands(step, lambda: game.game):
            if isinstance(command, Command):
                game.conductor.command(command, "")
            else:
                game.say(command)


def resumed(game: TypedGame) -> tuple[History, TimerState | None]:
    return replay(game.setup, game.entries)


@settings(deadline=None, max_examples=60)
@given(
    rules=st.sampled_from(["sport", "fsm", "club", "classic"]),
    roles=st.sampled_from([None, "don,mafia,mafia,sheriff" + ",city" * 6]),
    beginning=st.sampled_from(BEGINNINGS),
    said=st.lists(lines, max_size=25),
)
def test_the_resumed_game_is_the_live_one(rules: str, roles: str | None, beginning: str, said: list[str]) -> None:
    game = TypedGame(rules, roles=roles).open()
    begin(game, beginning)
    game.say(*said)
    check(game)


@settings(deadline=None, max_examples=30)
@given(picks=st.booleans(), said=st.lists(lines, max_size=40), waits=st.integers(0, 8))
def test_the_same_without_a_host(picks: bool, said: list[str], waits: int) -> None:
    game = TypedGame(mode=Mode.HOME, roles="random" if picks else "don,mafia,mafia,sheriff" + ",city" * 6).open()
    game.say("начинаем игру", "дальше", *["/wait end"] * waits, *said)
    check(game)


def check(game: TypedGame) -> None:
    """Nothing is lost, at any moment; and a game that is left keeps the time of its timer as well."""
    live = game.conductor.course
    history, _ = resumed(game)
    assert replace(history.game, pending=None) == replace(live.game, pending=None)
    assert (history.game.undoable, history.game.redoable) == (live.game.undoable, live.game.redoable)
    game.conductor.close()
    history, timer = resumed(game)
    assert timer == live.keeper.state()
    again = TypedGame(setup=game.setup, history=history).open(timer)
    if history.game.serial and history.game.step is not Step.OVER:
        assert again.conductor.course.keeper.state() == live.keeper.state()
        assert not again.conductor.course.keeper.runs
    for turn in ("отмена", "отмена", "вернуть", "вернуть"):
        before, after = game.say(turn), again.say(turn)
        assert [told for told in before if told["type"] != "timer"][:1] == [
            told for told in after if told["type"] != "timer"
        ][:1]
        assert replace(game.game, paused=True) == replace(again.game, paused=True)


def test_a_resumed_game_stands_with_its_time() -> None:
    game = TypedGame().open()
    begin(game, "start; until 3")
    game.say("/wait 22.5")
    game.conductor.close()
    history, timer = resumed(game)
    again = TypedGame(setup=game.setup, history=history).open(timer)
    assert again.events() == ["paused"]
    ready = again.ready
    assert (ready["step"], ready["seat"], ready["paused"]) == ("speech", 3, True)
    assert ready["timer"] == {"name": "speech", "left": 37.5}
    assert [told["name"] for told in again.say("/wait 100") if told["type"] == "timer"] == []
    assert again.say("продолжить", "/wait end")[-1]["seat"] == 4


def test_after_a_crash_the_step_has_the_time_it_is_known_to_have_had() -> None:
    game = TypedGame().open()
    begin(game, "start; until 3")
    game.say("/wait 10", "фол пятому")
    _, timer = resumed(game)
    assert timer == {"name": "speech", "seat": 3, "left": 50.0, "seconds": 60}
    game.say("/wait 20")
    _, timer = resumed(game)
    assert timer == {"name": "speech", "seat": 3, "left": 30.0, "seconds": 60}


def test_a_crash_right_after_a_step_began_gives_it_its_whole_time() -> None:
    game = TypedGame().open()
    begin(game, "start; until 3")
    history, timer = resumed(game)
    assert timer is None
    again = TypedGame(setup=game.setup, history=history).open(None)
    assert again.ready["timer"] == {"name": "speech", "left": 60}


def test_a_finished_game_is_shown_as_finished() -> None:
    game = TypedGame().open()
    begin(game, "start; закончить игру")
    history, timer = resumed(game)
    again = TypedGame(setup=game.setup, history=history).open(timer)
    assert [told["type"] for told in again.told] == ["result", "ready"]
    assert again.told[0]["winner"] == "none"


def test_another_game_is_another_in_the_journal() -> None:
    game = TypedGame().open()
    begin(game, "start; закончить игру")
    first = game.memory.game
    game.say("играем ещё раз")
    begin(game, "start; until 2")
    assert game.memory.game != first
    assert first is not None
    record = game.journal.game(game.memory.game or "")
    setup = from_setup_mapping(record.setup)
    assert setup.first_seq == game.entries[0].events[0][0] > 1
    history, _ = replay(setup, game.entries)
    assert history.game == game.game


def entry(first: int, *events: Event, command: str = "next", timer: dict[str, object] | None = None) -> Entry:
    return Entry("host", command, {}, None, tuple(enumerate(events, first)), 0.0, 0.0, timer)


def test_a_gap_in_the_numbers_is_an_error() -> None:
    setup = TypedGame().setup
    with pytest.raises(ValueError, match="seq 5, not 2"):
        replay(setup, [entry(1, GameStarted()), entry(5, Paused())])


@pytest.mark.parametrize("turn", ["undo", "redo"])
def test_a_turn_of_nothing_is_an_error(turn: str) -> None:
    with pytest.raises(ValueError, match=f"nothing to {turn}"):
        replay(TypedGame().setup, [entry(1, command=turn)])


def test_time_added_is_added_to_the_timer_kept_with_it() -> None:
    timer = {"name": "speech", "seat": 1, "left": 20.0, "seconds": 60}
    setup = TypedGame().setup
    _, kept = replay(setup, [entry(1, TimeAdded(10), command="add-time", timer=timer)])
    assert kept == {"name": "speech", "seat": 1, "left": 30.0, "seconds": 70}


def test_a_kept_timer_is_no_command_to_undo() -> None:
    timer = {"name": "speech", "seat": 1, "left": 20.0, "seconds": 60}
    history, kept = replay(TypedGame().setup, [entry(1, command=SAVED, timer=timer)])
    assert kept == timer
    assert history.undo() is None
