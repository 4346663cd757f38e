"""From events to lines: the order at night, what is told with what, and what is not said at all.

The words themselves and their moments in a game are in the golden transcripts.
"""

from __future__ import annotations

import pytest

from tests.rules.driver import Table
from voicehost.hosting.script import Cue, script
from voicehost.language.cues import CUES
from voicehost.rules import commands as cmd
from voicehost.rules.events import Event
from voicehost.rules.fold import fold
from voicehost.rules.game import Game
from voicehost.rules.legal import legal
from voicehost.rules.referee import decide
from voicehost.rules.refusals import Refusal


def cues(game: Game, *commands: cmd.Command) -> list[Cue]:
    """The lines that follow from commands given to a game."""
    spoken: list[Cue] = []
    for command in commands:
        decision = decide(game, command)
        assert not isinstance(decision, Refusal), (command, decision)
        for event, lines in script(game, decision):
            spoken += lines
            game = fold(game, event)
    return spoken


def phrases(game: Game, *commands: cmd.Command) -> list[str]:
    return [cue.phrase for cue in cues(game, *commands)]


def test_every_event_comes_back_in_its_order() -> None:
    table = Table("fsm").start()
    events: tuple[Event, ...] = decide(table.game, cmd.EndSpeech())  # type: ignore[assignment]
    assert [event for event, _ in script(table.game, events)] == list(events)


def test_whoever_is_awake_falls_asleep_before_the_next_wakes() -> None:
    game = Table("fsm").start().speeches().game
    assert phrases(game, cmd.Shot(None), cmd.Next()) == ["hunt-ends", "don-wakes"]
    assert phrases(game, cmd.Shot(None), cmd.Next(), cmd.Next()) == [
        "hunt-ends",
        "don-wakes",
        "don-sleeps",
        "sheriff-wakes",
    ]


def test_a_sleeper_falls_asleep_once_though_two_things_follow() -> None:
    """30: the removal is told after the Sheriff sleeps, and before the morning."""
    table = Table("fsm").start().speeches().say(cmd.Shot(None), cmd.Next(), cmd.RemovePlayer(9), cmd.Next())
    assert phrases(table.game, cmd.Next()) == ["sheriff-sleeps", "departed", "morning-quiet", "speech"]


@pytest.mark.parametrize(("rules", "told"), [("classic", True), ("sport", False)])
def test_a_miss_is_told_at_night_only_where_the_text_wants_it(rules: str, told: bool) -> None:
    game = Table(rules).start().speeches().game
    assert ("miss-at-night" in phrases(game, cmd.Shot(None), cmd.Next())) is told


def test_a_hit_is_not_told_at_night() -> None:
    game = Table("classic").start().speeches().game
    assert phrases(game, cmd.Shot(7), cmd.Next()) == ["hunt-ends", "don-wakes"]


@pytest.mark.parametrize("command", [cmd.RemovePlayer(7), cmd.Foul(7, 2), cmd.TechnicalFoul(7)])
def test_who_leaves_during_the_hunt_is_not_told_at_once(command: cmd.Command) -> None:
    game = Table("fsm", technical_foul_limit=1, foul_limit=2).start().speeches().game
    assert phrases(game, command) == []
    assert phrases(game, command, cmd.Next()) == ["hunt-ends", "departed", "don-wakes"]


def test_a_foul_that_does_not_remove_is_told_at_night_too() -> None:
    assert phrases(Table("fsm").start().speeches().game, cmd.Foul(7)) == ["foul"]


def test_the_morning_tells_the_victim_and_that_he_was_removed_as_well() -> None:
    table = Table("fsm").start().speeches().say(cmd.RemovePlayer(9), cmd.Shot(9), cmd.Next(), cmd.Next())
    assert phrases(table.game, cmd.Next()) == ["sheriff-sleeps", "morning-killed", "departed", "speech"]


def test_a_candidate_is_called_when_his_hands_are_wanted() -> None:
    game = Table("fsm").start().speeches({1: 2, 2: 5, 3: 7}).game
    assert phrases(game, cmd.Votes(3)) == ["votes-counted", "candidate"]
    assert phrases(game, cmd.Votes(3), cmd.Votes(4))[2:] == [
        "votes-counted",
        "rest-to-last",
        "voted-out",
        "last-word",
    ]


def test_two_who_share_the_most_defend_themselves() -> None:
    game = Table("fsm").start().speeches({1: 2, 2: 5}).game
    assert phrases(game, cmd.Votes(5)) == ["votes-counted", "rest-to-last", "tie", "shootout-speech"]


def test_a_second_tie_goes_to_the_question_without_another_tie() -> None:
    table = Table("fsm").start().speeches({1: 2, 2: 5}).votes(5).defend()
    assert phrases(table.game, cmd.Votes(5)) == ["votes-counted", "rest-to-last", "lift-question"]


@pytest.mark.parametrize(("hands", "phrase"), [(5, "lift-failed"), (6, "lift-passed")])
def test_the_lift(hands: int, phrase: str) -> None:
    table = Table("fsm").start().speeches({1: 2, 2: 5}).votes(5).defend().votes(5)
    [counted] = [cue for cue in cues(table.game, cmd.Votes(hands)) if cue.phrase.startswith("lift-")]
    assert counted.phrase == phrase
    assert counted.params["count"] == hands
    assert counted.params["needed"] == 6


def test_one_who_leaves_without_a_vote_is_told_once() -> None:
    table = Table("club").start(day=2).until(2).say(cmd.Nominate(5)).until(1)
    assert phrases(table.game, cmd.EndSpeech()) == ["alone-leaves", "last-word"]


def test_time_over_is_said_only_when_it_is() -> None:
    game = Table("sport").start().game
    assert phrases(game, cmd.EndSpeech()) == ["speech"]
    assert phrases(game, cmd.Elapse()) == ["time-over", "speech"]


@pytest.mark.parametrize(
    ("rules", "count", "phrase"),
    [("sport", 2, "foul"), ("sport", 3, "foul-third"), ("sport", 4, "foul-fourth"), ("professional", 3, "foul")],
)
def test_which_foul_it_is(rules: str, count: int, phrase: str) -> None:
    game = Table(rules).start().game
    assert phrases(game, *[cmd.Foul(5)] * count)[-1] == phrase


def test_a_game_that_ends_tells_why_where_it_is_not_plain() -> None:
    table = Table("fsm").start().speeches().night().speeches().night().speeches()
    table.say(cmd.Shot(None), cmd.Next(), cmd.Next())
    assert phrases(table.game, cmd.Next())[-2:] == ["reason-no-losses", "win-draw"]


def test_no_line_asks_for_what_its_cue_does_not_have() -> None:
    """A whole game by each rule set; every cue has exactly the parameters that its line needs."""
    for rules in ("sport", "professional", "classic", "club", "virtual", "fsm"):
        table = Table(rules)
        for _ in range(80):
            if table.winner is not None:
                break
            command: cmd.Command = cmd.Next() if table.step != "lobby" else cmd.StartGame()
            free = legal(table.game).get("nominate")
            if free is not None and len(table.game.nominations) < 2:
                command = cmd.Nominate(free.seats[-1])
            for cue in cues(table.game, command):
                assert set(cue.params) == set(CUES[cue.phrase]), cue
            table.say(command)
