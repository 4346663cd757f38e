"""Whatever the program can do in a game stands in some golden transcript; what cannot stand there is named here."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import get_type_hints

import pytest

from tests.games.runner import played
from tests.games.transcript import load, paths
from voicehost.hosting.course import TIMER_NAMES
from voicehost.hosting.messages import Message
from voicehost.language.announcements import line_of
from voicehost.language.cues import CUES
from voicehost.language.pack import load_pack
from voicehost.rules.commands import COMMANDS
from voicehost.rules.events import EVENTS
from voicehost.rules.game import Step
from voicehost.rules.legal import ALWAYS
from voicehost.rules.refusals import REASONS
from voicehost.rules.ruleset import SWITCHES, Ruleset
from voicehost.rules.switches import CHOICES, MANNERS, RANGES

NOT_PLAYED = {
    "title": "what the rule set is called",
    "manner": "its words; every whole game is in another manner",
    "seating": "how the players come to their seats, before the game",
    "foul_reasons": "the list that the rules pages show",
    "removal_reasons": "the list that the rules pages show",
}
"""Switches that change nothing in the course of a game."""

ELSEWHERE = {
    "microphone-lost": "no microphone in a transcript",
    "microphone-back": "no microphone in a transcript",
    "which-seat": "only a recogniser that heard two seats asks",
    "not-understood": "only a recogniser is not understood aloud",
    "refused-already-nominated": "a nomination that does not count is met with silence; the screen says why",
    "refused-already-nominated-by-you": "the same",
    "morning-killed-and-left": "who was removed at night is told before the morning",
}
"""Cues that no typed or heard line can lead to."""

EDGE_CASES = set(range(1, 71)) - {
    2,  # a family of clubs that no switch serves
    4,  # the opener removed in his opening speech: tests of the rules
    34,  # a misheard number: correcting it is what the transcripts of undo show
    49,  # a tie of three on day one: vote_tie_of_three plays it, the rule has no exception
    50,  # an error of another program
}
"""Edge cases of a game; 71 to 80 are about its host process."""


@cache
def messages() -> tuple[Message, ...]:
    """Everything that all transcripts print."""
    return tuple(message for path in paths() for message in played(path).messages)


@cache
def shown_switches() -> frozenset[tuple[str, object]]:
    return frozenset(pair for path in paths() for pair in load(path).switches.items())


def field(kind: str, name: str) -> set[object]:
    return {message[name] for message in messages() if message["type"] == kind}


def missing(wanted: set[str], seen: set[object]) -> list[str]:
    return sorted(wanted - seen)


def wanted_switches() -> Iterator[tuple[str, object]]:
    """Every value of a choice, both of a flag, a number and, where it switches something off, 0."""
    hints = get_type_hints(Ruleset)
    for switch in SWITCHES:
        if switch in NOT_PLAYED:
            continue
        if switch in CHOICES:
            yield from ((switch, value) for value in CHOICES[switch])
        if hints[switch] is bool:
            yield from ((switch, value) for value in (False, True))
        if switch in RANGES:
            yield switch, "a number"
            if not RANGES[switch][0]:
                yield switch, 0


def is_shown(switch: str, value: object) -> bool:
    if value == "a number":
        return any(name == switch and type(other) is int and other > 0 for name, other in shown_switches())
    return (switch, value) in shown_switches()


def test_every_switch_is_shown() -> None:
    assert [pair for pair in wanted_switches() if not is_shown(*pair)] == []


def test_only_switches_without_effect_are_left_out() -> None:
    assert NOT_PLAYED.keys() <= set(SWITCHES)
    assert not NOT_PLAYED.keys() & {name for name, _ in shown_switches()}


def test_every_manner_has_its_game() -> None:
    assert {load(path).header["rules"] for path in paths()} == set(MANNERS)


def test_every_step_is_reached() -> None:
    assert missing({str(step) for step in Step}, field("ready", "step")) == []


def test_every_command_is_given() -> None:
    spoken = {name for name, command in COMMANDS.items() if command.spoken}
    assert missing(spoken, field("heard", "command")) == []


def test_every_command_that_can_be_refused_is() -> None:
    spoken = {name for name, command in COMMANDS.items() if command.spoken}
    assert missing(spoken - set(ALWAYS), field("refused", "command")) == []


def test_every_refusal_is_met() -> None:
    assert missing(set(REASONS), field("refused", "reason")) == []


def test_every_event_that_is_listed_happens() -> None:
    listed = {name for name, event in EVENTS.items() if not event.internal}
    assert missing(listed, field("event", "name")) == []


def values(event: str, key: str) -> set[object]:
    return {message[key] for message in messages() if message.get("name") == event and key in message}


@pytest.mark.parametrize(
    ("event", "key", "wanted"),
    [
        ("speech-ended", "how", {"said", "time", "next", "out"}),
        ("no-vote", "reason", {"none-nominated", "alone-on-day-one", "alone-nominated"}),
        ("vote-cancelled", "reason", {"removal", "four-at-table"}),
        (
            "seat-left",
            "cause",
            {"voted", "lifted", "shot", "fouls", "technical-fouls", "removed", "team-defeat", "alone-nominated"},
        ),
        ("game-ended", "winner", {"city", "mafia", "draw", "none"}),
        (
            "game-ended",
            "reason",
            {"black-gone", "parity", "three-misses", "no-losses", "outside-hint", "team-defeat", "declared", "ended"},
        ),
        ("don-checked", "sheriff", {True, False, None}),
        ("sheriff-checked", "answer", {"red", "black", "black-don", None}),
    ],
)
def test_every_value_of_an_event_happens(event: str, key: str, wanted: set[object]) -> None:
    assert values(event, key) == wanted


def test_every_line_is_spoken() -> None:
    pack = load_pack("ru")
    spoken = {cue for cue in CUES if any(line_of(pack, manner, cue) for manner in MANNERS)}
    assert missing(spoken - ELSEWHERE.keys(), field("say", "phrase")) == []
    assert not ELSEWHERE.keys() & field("say", "phrase")


def test_every_timer_is_started_and_changed() -> None:
    timers = {*TIMER_NAMES.values(), "hunt-number"}
    assert missing(timers, field("timer", "name")) == []
    states = {"started", "warning", "paused", "resumed", "extended", "elapsed", "cancelled"}
    assert missing(states, field("timer", "state")) == []


def test_every_edge_case_of_a_game_is_shown() -> None:
    shown = {case for path in paths() for case in load(path).cases}
    assert sorted(EDGE_CASES - shown) == []
