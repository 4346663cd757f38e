"""Roles never leak: two deals that differ only in what is hidden look and sound the same until the game ends.

Two games are played in lockstep. Their deals differ by two players who have changed cards; whatever is secret is done
by whoever has the card. All that is public is done alike: speeches, nominations, hands, fouls, removals.

Compared, line by line, until the end of either game:

- ``say``, ``timer``, ``ask``, ``refused`` and ``ready`` messages, whole and in order, with the clock's time of each;
- events, with all their data, and without the secret ones: with no host these show their seq and name, as the
  contract has it, so only that no data is in them is checked. Instead of ``seq`` the numbers left out so far are
  compared: a gap must not tell that something happened which no listing shows;
- the table's view, and the views of two seats whose card is the same and who lead no team.

With a host the messages are his own, so there only what is heard at the table is compared: lines and timers.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.hosting.live import LiveGame, SlowSpeaker, run
from tests.hosting.typed import TypedGame
from voicehost.hosting import messages
from voicehost.hosting.messages import Message
from voicehost.rules.events import EVENTS
from voicehost.rules.game import Game, Mode, Step
from voicehost.rules.roles import BLACK, ROLES, deck
from voicehost.rules.ruleset import SHIPPED, shipped
from voicehost.rules.view import view

SECRET = {name for name, event in EVENTS.items() if event.secret}
SEATS = range(1, 11)

Deal = tuple[str, ...]

deals = st.permutations(deck(10, 3)).map(tuple)
pairs = st.lists(st.sampled_from(SEATS), min_size=2, max_size=2, unique=True)


def swapped(deal: Deal, seats: list[int]) -> Deal:
    """The deal after two players have changed cards."""
    other = list(deal)
    first, second = (seat - 1 for seat in seats)
    other[first], other[second] = other[second], other[first]
    return tuple(other)


def is_quiet(message: Message) -> bool:
    """Whether the table may see only seq and name of this event."""
    return message["type"] == "event" and (
        message["name"] in SECRET
        or (message["name"] in {"seat-left", "foul-given"} and set(message) == {"type", "seq", "name"})
    )


@dataclass(slots=True)
class Side:
    """One of the two games."""

    deal: Deal
    game: TypedGame = field(init=False)

    def __post_init__(self) -> None:
        self.game = TypedGame("fsm", mode=Mode.HOME, roles=",".join(self.deal)).open()

    def of(self, *roles: str) -> list[int]:
        """The living with one of these cards."""
        return [seat for seat in self.game.game.alive if self.deal[seat - 1] in roles]

    def public(self, line: str) -> list[Message]:
        """Give a line that has nothing to hide; return what the table may notice."""
        told = self.game.say(line)
        for message in told:
            if is_quiet(message):
                assert set(message) == {"type", "seq", "name"}, "a secret event shows more than its name"
        end = next((i for i, message in enumerate(told) if message.get("name") == "game-ended"), None)
        seen = [message for message in told[:end] if not is_quiet(message)]
        return [{key: value for key, value in message.items() if key != "seq"} | self.gap(message) for message in seen]

    def gap(self, message: Message) -> Message:
        """When a line came, and how many numbers before that of an event were left out."""
        when: Message = {"at": self.game.clock.now()}
        if message["type"] == "event":
            listed = sum(told["type"] == "event" and told["seq"] < message["seq"] for told in self.game.told)
            when["left-out"] = message["seq"] - 1 - listed
        return when

    def secret(self, line: str) -> None:
        """Give a line in secret: nothing at all may be noticed."""
        before, table = self.game.ready, view(self.game.game, "table")
        told = self.game.say(line)
        assert [message for message in told if not is_quiet(message)] == [before], line
        assert view(self.game.game, "table") == table

    @property
    def over(self) -> bool:
        return self.game.game.step is Step.OVER


CLOSING = {"speech-ended", "shootout-speech-ended", "last-word-ended", "departure-announced", "departed"}
"""What the end of a game brings with it: the floor is taken back, and who left in the night is told."""


def before_the_end(told: list[Message]) -> list[Message]:
    """What one line led to, without what belongs to the end of the game."""
    kept = [message for message in told if message["type"] not in {"timer", "ready"}]
    while kept and (kept[-1].get("name") or kept[-1].get("phrase")) in CLOSING:
        kept.pop()
    return kept


class Table:
    """Both games, and the public course of them."""

    def __init__(self, deal: Deal, seats: list[int], draw: Any) -> None:
        self.sides = (Side(deal), Side(swapped(deal, seats)))
        self.draw = draw
        leaders = {seat for side in self.sides for seat in SEATS if side.deal[seat - 1] in {"don", "sheriff"}}
        self.witnesses = [seat for seat in SEATS if seat not in {*seats, *leaders}][:2]
        self.noise = [s for s in SEATS if all(side.deal[s - 1] not in BLACK for side in self.sides)]

    def over(self) -> bool:
        return any(side.over for side in self.sides)

    @property
    def ready(self) -> Message:
        return self.sides[0].game.ready

    def say(self, line: str) -> None:
        first, second = (side.public(line) for side in self.sides)
        if self.over():
            # One game ends at this very moment: up to the words and events of its end all is the same.
            pairs = zip(before_the_end(first), before_the_end(second), strict=False)
            assert all(one == other for one, other in pairs), line
            return
        assert first == second, line
        viewers: list[str | int] = ["table", *self.witnesses]
        for viewer in viewers:
            seen = [view(side.game.game, viewer) for side in self.sides]
            assert seen[0] == seen[1], f"{viewer} sees the difference after {line}"

    def play(self, most: int) -> None:
        self.say("начинаем игру")
        for _ in range(most):
            if self.over():
                return
            for line in self.lines():
                if self.over():
                    return
                self.say(line)

    def lines(self) -> Iterator[str]:
        """What happens in the present step, as far as all may know it."""
        ready, pick = self.ready, self.pick
        alive = ready["alive"]
        match ready["step"]:
            case "speech" | "nominate-only":
                if "nominate" in ready["legal"] and self.draw(st.booleans()):
                    yield f"/seat {ready['seat']} nominate {pick(ready['legal']['nominate'])}"
                yield from self.discipline(alive)
                yield pick([f"/seat {ready['seat']} done", "/wait end", "спасибо"])
            case "shootout-speech" | "last-word":
                yield from self.discipline(alive)
                yield f"/seat {ready['seat']} done"
            case "vote" | "lift":
                free = ready["legal"]["votes"]
                hands = self.draw(st.lists(st.sampled_from(free), unique=True)) if free else []
                if ready["step"] == "lift" and self.draw(st.booleans()):
                    hands = free
                yield from (f"/seat {seat} vote" for seat in hands[:-1])
                yield "/wait end" if len(hands) < len(free) else "/wait 0"
            case "hunt":
                self.hunt(pick([None, *SEATS]))
                yield from self.discipline(alive)
                yield "/wait 20"
            case "don-check" | "sheriff-check":
                leader = ready["step"].removesuffix("-check")
                self.check(leader, self.draw(st.one_of(st.none(), st.sampled_from(SEATS))))
                yield "/wait end"
            case "best-move":
                yield "лучший ход один два три" if self.draw(st.booleans()) else "/wait end"
            case _:
                yield "/wait end"

    def pick(self, values: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(values))

    def discipline(self, alive: list[int]) -> Iterator[str]:
        if self.draw(st.integers(0, 9)) == 0:
            yield f"фол игроку {self.draw(st.sampled_from(alive))}"
        if self.draw(st.integers(0, 30)) == 0:
            yield f"удалить игрока номер {self.draw(st.sampled_from(alive))}"
            yield "подтверждаю"

    def hunt(self, target: int | None) -> None:
        """Every black touches while the target is called; red phones are touched at any time."""
        noise = self.draw(st.dictionaries(st.sampled_from(SEATS), st.sampled_from(self.noise), max_size=3))
        for number in SEATS:
            if self.ready["step"] != "hunt" or self.ready["called"] != number:
                return
            for side in self.sides:
                if number in noise:
                    side.secret(f"/seat {noise[number]} tap")
                for seat in side.of(*BLACK) if number == target else []:
                    side.secret(f"/seat {seat} tap")
            if number < len(SEATS):
                self.say("/wait end")

    def check(self, leader: str, seat: int | None) -> None:
        for side in self.sides:
            for who in side.of(leader) if seat is not None else []:
                side.secret(f"/seat {who} choose {seat}")


@settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(deal=deals, seats=pairs, data=st.data())
def test_two_deals_look_the_same_until_the_end(deal: Deal, seats: list[int], data: st.DataObject) -> None:
    Table(deal, seats, data.draw).play(50)


@pytest.mark.long
@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(deal=deals, seats=pairs, data=st.data())
def test_many_pairs_of_deals_look_the_same_until_the_end(deal: Deal, seats: list[int], data: st.DataObject) -> None:
    Table(deal, seats, data.draw).play(120)


def test_the_comparison_notices_what_leaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as a «ready» that tells whether seat 1 is black."""
    Table(deck(10, 3), [1, 5], None).say("начинаем игру")  # as long as nothing leaks all is well
    honest = messages.ready

    def leaking(game: Game, *rest: Any) -> Message:
        return honest(game, *rest) | {"hint": game.black(1)}

    monkeypatch.setattr(messages, "ready", leaking)
    with pytest.raises(AssertionError):
        Table(deck(10, 3), [1, 5], None).say("начинаем игру")


# --- with a host


night_lines = st.sampled_from(
    ["убит шестой", "промах", "дон проверяет пятого", "шериф проверяет второго", "первый стреляет в шестого", "/wait 1"]
)
day_lines = st.sampled_from(
    ["спасибо", "выставляю номер шесть", "выставляю номер один", "фол третьему", "шесть", "четыре голоса", "кто жив"]
)


@dataclass(frozen=True, slots=True)
class Heard:
    """What the table hears of a hosted game: each line, and when it was over."""

    lines: list[tuple[str, float]]
    timers: list[tuple[Any, ...]]
    over: float


def hosted(deal: Deal, script: list[tuple[float, str]]) -> Heard:
    speaker = SlowSpeaker(1.0)
    game = run(LiveGame("fsm", roles=",".join(deal), speaker=speaker).play(script, script[-1][0] + 100))
    ends = game.when("event", name="game-ended")
    return Heard(
        [(line.text, round(line.ended, 3)) for line in speaker.heard],
        [
            (round(told.at, 3), *(told.message[key] for key in ("name", "state", "seat", "seconds")))
            for told in game.of("timer")
        ],
        ends[0] if ends else float("inf"),
    )


@settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@given(
    deal=deals,
    seats=pairs,
    lines=st.lists(st.tuples(st.floats(0.5, 30), st.one_of(day_lines, day_lines, night_lines)), max_size=60),
)
def test_with_a_host_two_deals_sound_the_same(deal: Deal, seats: list[int], lines: list[tuple[float, str]]) -> None:
    script, at = [(0.0, "начинаем игру")], 0.0
    for pause, line in lines:
        at += pause
        script.append((at, line))
    one, other = hosted(deal, script), hosted(swapped(deal, seats), script)
    end = min(one.over, other.over)
    assert [line for line in one.lines if line[1] < end] == [line for line in other.lines if line[1] < end]
    assert [timer for timer in one.timers if timer[0] < end] == [timer for timer in other.timers if timer[0] < end]


# --- no word of a role


NUMBERED = re.compile(r"\b(дон|шериф|комиссар|мирн|чёрн|красн)\w*", re.IGNORECASE)
SEAT = re.compile(
    r"номер\w* (один|два|три|четыре|пять|шесть|семь|восемь|девять|десять)\b"
    r"|\b(перв|втор|трет|четв[её]рт|пят|шест|седьм|восьм|девят|десят)(ый|ой|ого|ому|его|ему|ий)\b",
    re.IGNORECASE,
)


def strings(value: object) -> Iterator[str]:
    """Every key and string in a message."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)
    elif isinstance(value, str):
        yield value


def names_a_role(message: Message) -> bool:
    """Whether a message holds a role or tells one about a seat."""
    if message["type"] == "heard" and message["command"] == "declare-winner":
        return False
    held = set(strings(message)) & {*ROLES, "role", "roles", "black", "red"}
    told = message.get("text", "")
    return bool(held) or bool(NUMBERED.search(told) and SEAT.search(told))


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ({"type": "event", "name": "don-checked", "seq": 4}, False),
        ({"type": "say", "phrase": "don-wakes", "text": "Просыпается Дон и показывает номер."}, False),
        ({"type": "ready", "step": "sheriff-check", "legal": {"don-check": []}}, False),
        ({"type": "say", "phrase": "x", "text": "Игрок номер пять был Дон."}, True),
        ({"type": "say", "phrase": "x", "text": "Пятый мирный."}, True),
        ({"type": "event", "name": "seat-left", "role": "x"}, True),
        ({"type": "view", "view": {"seats": [{"seat": 1, "card": "mafia"}]}}, True),
        ({"type": "event", "name": "sheriff-checked", "answer": "black"}, True),
    ],
)
def test_what_names_a_role(message: Message, names: bool) -> None:
    assert names_a_role(message) is names


@pytest.mark.parametrize("rules", SHIPPED)
def test_no_line_before_the_end_names_a_role_and_no_log_does(rules: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    size = 10
    game = TypedGame(replace(shipped(rules), language="ru"), mode=Mode.HOME).open()
    game.say("начинаем игру", *(line for seat in range(1, size + 1) for line in picks(seat)))
    for turn in range(200):
        if game.game.step is Step.OVER:
            break
        alive = game.ready["alive"]
        if game.ready["step"] == "speech" and game.ready["legal"].get("nominate") and turn % 3:
            game.say(f"/seat {game.ready['seat']} nominate {game.ready['legal']['nominate'][-1]}")
        if game.ready["step"] in {"hunt", "don-check", "sheriff-check"}:
            game.say(*(f"/seat {seat} tap" for seat in alive), *(f"/seat {seat} choose {alive[0]}" for seat in SEATS))
        game.say("/view table", "кто жив", "что можно сказать", "/wait end")
    else:
        pytest.fail("the game has no end")
    end = game.events().index("game-ended")
    told = [message for message in game.told if message["type"] != "refused"]  # not-don says what a tap was not
    before = told[: next(i for i, message in enumerate(told) if message.get("name") == "game-ended")]
    assert end > 20
    assert [message for message in before if names_a_role(message)] == []
    assert any(names_a_role(message) for message in told[len(before) :]), "the result tells all"
    logged = " ".join(record.getMessage() for record in caplog.records)
    assert not re.search(r"\b(don|mafia|sheriff|city|black|red)\b", logged)


def picks(seat: int) -> tuple[str, str]:
    """A player draws the first card that remains and keeps it."""
    return f"/seat {seat} choose 1", f"/seat {seat} confirm"
