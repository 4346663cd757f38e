"""What becomes of each thing that the microphone hears, and what must never be written down."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.games import prelude
from tests.hosting.typed import TypedGame
from voicehost.cli.transcript import JournalTranscript
from voicehost.hosting.inputs import Overheard, Said
from voicehost.hosting.transcript import Transcript, Verdict, may_be_kept, situation_of
from voicehost.hosting.trigger import Trigger, TriggerKind
from voicehost.record.entries import Utterance as Row
from voicehost.rules.commands import Command
from voicehost.rules.game import Game, Mode, Step
from voicehost.rules.situations import SITUATIONS, situation
from voicehost.stt.recogniser import UNKNOWN, Candidate, Utterance


@dataclass(slots=True)
class Told(Transcript):
    """Remembers what it was told."""

    kept: list[tuple[str, str, Verdict]] = field(default_factory=list)

    def keep(self, utterance: Any, before: Game, verdict: Verdict) -> None:
        self.kept.append((utterance.text, str(before.step), verdict))


def utterance(text: str, **more: Any) -> Utterance:
    return Utterance(text, 0.0, 0.5, 1.0, **more)


def spoken(text: str, alternatives: tuple[str, ...] = (), **more: Any) -> Said:
    heard = utterance(text, alternatives=alternatives, **more)
    return Said(text, spoken=True, alternatives=alternatives, utterance=heard)


def at(beginning: str, rules: str = "sport", mode: Mode = Mode.HOSTED) -> TypedGame:
    game = TypedGame(rules, mode=mode).open()
    for step in prelude.steps(beginning):
        for command in prelude.commands(step, lambda: game.game):
            if isinstance(command, Command):
                game.conductor.command(command, "")
            else:
                game.say(command)
    return game


def becomes(game: TypedGame, *said: Said | Overheard) -> list[tuple[str, str | None, str | None]]:
    """What, why, and the command's name, of each."""
    told = Told()
    game.conductor.transcript = told
    game.say(*said)
    return [(v.what, v.reason, v.command.name if v.command else None) for _, _, v in told.kept]


def test_what_becomes_of_utterances_by_day() -> None:
    game = at("start")
    said = [
        spoken("фол третьему"),
        spoken(UNKNOWN),
        spoken("выставляю номер пять"),
        spoken("выставляю номер шесть"),
        spoken("удалить игрока номер семь"),
        spoken("не подтверждаю"),
        spoken("фол седьмому", ("фол восьмому",)),
        spoken("седьмой"),
        spoken("фол седьмому", ("дальше",)),
        spoken("сколько времени осталось"),
        spoken("не слушай"),
        spoken("дальше"),
        Overheard(utterance("дальше")),
        spoken("слушай"),
    ]
    assert becomes(game, *said) == [
        ("heard", None, "foul"),
        ("unrecognised", None, None),
        ("heard", None, "nominate"),
        ("refused", "already-nominated-by-you", "nominate"),
        ("asked", "confirm", "remove-player"),
        ("heard", None, "deny"),
        ("asked", "which-seat", "foul"),
        ("heard", None, "foul"),
        ("unrecognised", "two-readings", "foul"),
        ("heard", None, "ask-time"),
        ("heard", None, "stop-listening"),
        ("ignored", "not-listening", "next"),
        ("ignored", "own-voice", None),
        ("heard", None, "listen"),
    ]


@pytest.mark.parametrize(("kind", "reason"), [(TriggerKind.WAKE, "no-wake-word"), (TriggerKind.PUSH, "key-up")])
def test_what_was_not_meant_for_the_program_is_told_apart(kind: TriggerKind, reason: str) -> None:
    game = at("start")
    game.conductor.trigger = Trigger(kind)
    assert becomes(game, spoken("фол третьему")) == [("ignored", reason, None)]


def test_typed_lines_are_no_utterances() -> None:
    game = at("start")
    told = Told()
    game.conductor.transcript = told
    game.say("фол третьему", Said("дальше", spoken=True))
    assert told.kept == []


def test_the_moment_is_the_one_before_the_command() -> None:
    game = TypedGame().open()
    told = Told()
    game.conductor.transcript = told
    game.say(spoken("начинаем игру"), spoken("дальше"))
    assert [step for _, step, _ in told.kept] == ["lobby", "contract"]


@pytest.mark.parametrize("name", SITUATIONS)
def test_each_moment_of_a_recordings_folder_is_known_again(name: str) -> None:
    assert situation_of(situation(name)) == ("speech" if name == "any" else name)


# --- secrets


def kept(game: TypedGame, *said: Said) -> list[Row]:
    game.conductor.transcript = JournalTranscript(game.journal, game.memory, game.clock.now, ("vosk", "tiny"))
    game.say(*said)
    return game.journal.utterances(game.memory.game) if game.memory.game else []


SECRET = {Step.DEAL, Step.CONTRACT, Step.MEETING_DON, Step.MEETING_SHERIFF, Step.FREE_SEATING, Step.HUNT}
SECRET |= {Step.DON_CHECK, Step.SHERIFF_CHECK, Step.BEST_MOVE}


@pytest.mark.parametrize("step", Step)
@pytest.mark.parametrize("mode", Mode)
def test_where_nobody_hosts_nothing_is_kept_while_eyes_are_shut(step: Step, mode: Mode) -> None:
    from dataclasses import replace

    game = TypedGame(mode=mode).game
    day = replace(game, step=step, is_night=False)
    assert may_be_kept(day) == (mode is Mode.HOSTED or step not in SECRET)
    assert may_be_kept(replace(day, is_night=True)) == (mode is Mode.HOSTED)


def test_a_night_without_a_host_leaves_no_row_and_the_day_after_it_does() -> None:
    game = TypedGame(mode=Mode.HOME).open()
    game.say("начинаем игру")
    rows = kept(game, spoken("пауза"), spoken("продолжить"), spoken("я мафия"))
    assert rows == []
    for _ in range(12):
        if game.game.step is Step.SPEECH:
            break
        game.say("/wait end")
    assert game.game.step is Step.SPEECH
    game.say("/wait 5")
    assert [row.text for row in kept(game, spoken("пауза"))] == ["пауза"]


def test_what_began_in_the_night_and_ended_by_day_is_not_kept() -> None:
    game = TypedGame(mode=Mode.HOME).open()
    game.say("начинаем игру")
    game.conductor.transcript = JournalTranscript(game.journal, game.memory, game.clock.now, ("vosk", "tiny"))
    for _ in range(12):
        if game.game.step is Step.SPEECH:
            break
        game.say("/wait end")
    game.say(spoken("пауза"))
    assert game.memory.game is not None
    assert game.journal.utterances(game.memory.game) == []
    game.say("/wait 5", spoken("продолжить"))
    assert [row.text for row in game.journal.utterances(game.memory.game)] == ["продолжить"]


def test_no_row_of_a_game_without_a_host_tells_a_role() -> None:
    game = TypedGame(mode=Mode.HOME).open()
    game.say("начинаем игру")
    game.conductor.transcript = JournalTranscript(game.journal, game.memory, game.clock.now, ("vosk", "tiny"))
    for _ in range(40):
        game.say(spoken("шериф проверяет четвёртого"), spoken("второй мафия"), spoken("убит седьмой"), "/wait end")
    assert game.memory.game is not None
    rows = game.journal.utterances(game.memory.game)
    assert rows
    assert {row.state for row in rows}.isdisjoint({str(step) for step in SECRET})
    told = {(row.verdict, row.reason) for row in rows}
    assert told <= {("refused", "not-now"), ("refused", "game-over"), ("unrecognised", "no-command")}


# --- what a row holds


def test_a_row_holds_what_was_thought_of_and_by_whom() -> None:
    game = at("start")
    candidates = (Candidate("фол третьему", 4.56789, 0.91234), Candidate("фол второму", 1.0, 0.1))
    game.say("/wait 3")
    [row] = kept(game, spoken("фол третьему", confidence=0.91234, candidates=candidates))
    assert (row.text, row.state, row.verdict, row.reason) == ("фол третьему", "speech", "heard", None)
    assert row.clock == game.clock.now()
    assert row.details == {
        "command": "foul",
        "slots": {"seat": 3, "count": 1},
        "confidence": 0.912,
        "alternatives": [],
        "candidates": [
            {"text": "фол третьему", "score": 4.568, "confidence": 0.912},
            {"text": "фол второму", "score": 1.0, "confidence": 0.1},
        ],
        "seconds": 0.5,
        "recogniser": "vosk",
        "model": "tiny",
    }


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (spoken(UNKNOWN, candidates=(Candidate("дальше", 0.5, 0.2),)), "below-threshold"),
        (spoken(UNKNOWN, candidates=(Candidate(UNKNOWN, 0.5),)), "talk"),
        (spoken(f"{UNKNOWN} фол"), "talk"),
        (spoken("фол номер"), "no-command"),
    ],
)
def test_a_row_says_why_something_was_no_command(said: Said, reason: str) -> None:
    [row] = kept(at("start"), said)
    assert (row.verdict, row.reason) == ("unrecognised", reason)


def test_what_is_heard_before_a_game_begins_is_kept_with_it() -> None:
    game = TypedGame().open()
    assert kept(game, spoken(UNKNOWN)) == []
    assert [row.text for row in kept(game, spoken("начинаем игру"))] == ["начинаем игру"]
    game = TypedGame().open()
    assert [row.text for row in kept(game, spoken(UNKNOWN), spoken("начинаем игру"))] == [UNKNOWN, "начинаем игру"]


def test_a_journal_that_refuses_ends_the_transcript_and_not_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    from voicehost.errors import UserError

    game = at("start")
    calls: list[str] = []

    def refuse(*_: object) -> None:
        calls.append("heard")
        raise UserError("record.disk-full", path="/x", reason="full")

    game.journal.heard = refuse  # type: ignore[method-assign]
    assert kept(game, spoken("фол третьему"), spoken("фол четвёртому")) == []
    assert game.game.fouls[2:4] == (1, 1)
    assert len(calls) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
