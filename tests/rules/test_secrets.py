"""Two deals that differ only in what is hidden look the same to the table and to every seat it does not concern."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

import pytest

from tests.rules.driver import ALL, Table
from tests.rules.walk import ENDING, IDLE, fill
from voicehost.hosting import messages
from voicehost.rules import commands as cmd
from voicehost.rules import events as ev
from voicehost.rules.fold import fold_all
from voicehost.rules.game import CHECKS, Game, Mode, Step, new_game
from voicehost.rules.legal import legal
from voicehost.rules.referee import decide
from voicehost.rules.refusals import Refusal
from voicehost.rules.roles import deck
from voicehost.rules.ruleset import shipped
from voicehost.rules.view import alive_for, view

NIGHT = frozenset({"shot", "shooter", "don-check", "sheriff-check"})


@dataclass
class Twins:
    """One public course over two deals in which the roles of two seats are exchanged."""

    one: Game
    other: Game
    swapped: tuple[int, int]

    @property
    def over(self) -> bool:
        return Step.OVER in {self.one.step, self.other.step}

    def give(self, ours: list[tuple[cmd.Command, int | None]], theirs: list[tuple[cmd.Command, int | None]]) -> bool:
        """Carry out the same thing in both deals; False when one refuses it."""
        (one, shown), (other, also_shown) = run(self.one, ours), run(self.other, theirs)
        if one is None or other is None:
            return False
        self.one, self.other = one, other
        if not self.over:
            assert shown == also_shown
        return True

    def compare(self, seats: list[int]) -> None:
        assert view(self.one, "table") == view(self.other, "table")
        assert alive_for(self.one, host=False) == alive_for(self.other, host=False)
        assert (self.one.seconds, self.one.serial) == (self.other.seconds, self.other.serial)
        for seat in seats:
            if seat not in self.swapped:
                assert view(self.one, seat) == view(self.other, seat)
        if not self.one.hosted:  # with a host the list of commands is his
            assert legal(self.one) == legal(self.other)


def run(game: Game, commands: list[tuple[cmd.Command, int | None]]) -> tuple[Game | None, list[Any]]:
    """Give commands; return the state and what of their events everyone may know."""
    shown: list[Any] = []
    for command, by in commands:
        decision = decide(game, command, by)
        if isinstance(decision, Refusal):
            return None, []
        game = fold_all(game, decision)
        for event in decision:
            if isinstance(event, ev.ShooterShot):
                continue
            # Of an internal event a gap in the numbers shows.
            shown.append("" if event.internal else event.name if event.quiet_now else (event.name, event.shown()))
    return game, shown


def twins(rules: str, players: int, mode: Mode, rng: random.Random) -> Twins:
    cards = list(deck(players, shipped(rules).blacks(players)))
    rng.shuffle(cards)
    first, second = rng.sample(range(players), 2)
    while cards[first] == cards[second]:
        first, second = rng.sample(range(players), 2)
    other = list(cards)
    other[first], other[second] = cards[second], cards[first]
    one = new_game(shipped(rules), players, mode=mode, cards=tuple(cards))
    return Twins(one, replace(one, cards=tuple(other)), (first + 1, second + 1))


def move(pair: Twins, rng: random.Random) -> None:
    """Something that the same people could see in both deals."""
    one, other = pair.one, pair.other
    plain = [seat for seat in one.seats if seat not in pair.swapped]
    if one.step is Step.HUNT and rng.random() < 0.5:
        target = rng.choice(list(one.seats))
        if one.hosted:
            pair.give([(cmd.Shot(target), None)], [(cmd.Shot(target), None)])
        else:
            pair.give(volley(one, target), volley(other, target))
    elif one.step in CHECKS and rng.random() < 0.5:
        seat, kind = rng.choice(plain), cmd.DonCheck if one.step is Step.DON_CHECK else cmd.SheriffCheck
        leaders = [g.don if g.step is Step.DON_CHECK else g.sheriff for g in (one, other)]
        by = [None if one.hosted else leader for leader in leaders]
        pair.give([(kind(seat), by[0])], [(kind(seat), by[1])])
    else:
        rare = {"remove-player", "foul", "technical-foul"} if rng.random() < 0.9 else set()
        names = [name for name in legal(one) if name not in IDLE | NIGHT | ENDING | rare]
        command: cmd.Command = fill(rng.choice, legal(one)[rng.choice(names)], one)
        if one.seconds and rng.random() < 0.4:
            command = cmd.Elapse()
        pair.give([(command, None)], [(command, None)])


def volley(game: Game, target: int) -> list[tuple[cmd.Command, int | None]]:
    """Every living black touches once."""
    if any(game.shots):
        return []
    return [(cmd.Shooter(seat, target), seat) for seat in game.alive if game.black(seat)]


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(("rules", "players"), [*((name, 10) for name in ALL), ("classic", 7), ("classic", 13)])
def test_deals_that_differ_in_what_is_hidden_look_the_same(rules: str, players: int, mode: Mode) -> None:
    for seed in range(4):
        rng = random.Random(seed)
        pair = twins(rules, players, mode, rng)
        pair.give([(cmd.StartGame(), None)], [(cmd.StartGame(), None)])
        for _ in range(150):
            if pair.over:
                break
            pair.compare(rng.sample(list(pair.one.seats), 3))
            move(pair, rng)


# --- the numbers of events


def left_out(table: Table) -> list[int]:
    """The place of every event in force that no listing shows."""
    return [place for place, event in enumerate(table.events) if event.internal]


def test_a_gap_does_not_tell_that_the_game_is_decided() -> None:
    decided, open_ = (
        Table("sport", roles=roles).start(out=(1, 2), day=2).speeches({3: 10, 4: 9}).votes(8)
        for roles in ("dmccccccsm", "dmmcccccsc")
    )
    assert (decided.step, open_.step) == (Step.LAST_WORD, Step.LAST_WORD)
    assert decided.game.decided == ("city", "black-gone")
    assert open_.game.decided is None
    assert left_out(decided) == left_out(open_)


def test_a_gap_does_not_tell_who_is_shot() -> None:
    """The removed one was the victim, another is, or nobody: a removal at night costs the coming vote or not."""
    places = []
    for target in (7, 8, None):
        table = Table("fsm").start().speeches().say(cmd.RemovePlayer(7), cmd.Shot(target), cmd.Next())
        table.say(cmd.RemovePlayer(9))
        names = [event.name for event in table.last]
        gaps = [event for event in table.events if event.internal and not getattr(event, "looks_like", "")]
        places.append((len(gaps), names.index("seat-left")))
    assert len(set(places)) == 1, places


def told_to_the_table(table: Table) -> list[tuple[int, str]]:
    """What a listing without a host shows of the last command: where, and the name."""
    told = (messages.event(place, event, host=False) for place, event in enumerate(table.last))
    return [(line["seq"], line["name"]) for line in told if line is not None]


@pytest.mark.parametrize("rules", ["fsm", "professional"])
@pytest.mark.parametrize("command", [cmd.RemovePlayer(8), cmd.Foul(8, 3)])
def test_a_removal_at_night_does_not_tell_who_is_shot(rules: str, command: cmd.Command) -> None:
    victim, other = (Table(rules).start().speeches().foul(8).hunt(shot) for shot in (8, 9))
    for table in (victim, other):
        assert table.step is Step.DON_CHECK
        table.say(command)
    assert told_to_the_table(victim) == told_to_the_table(other)


def test_the_shot_of_one_removed_is_listed_as_any_other() -> None:
    removed, other = (Table("fsm").start().speeches().say(cmd.RemovePlayer(8), cmd.Shot(shot)) for shot in (8, 9))
    assert told_to_the_table(removed) == told_to_the_table(other) == [(0, "seat-shot"), (1, "seat-left")]


# --- what each may see


def test_the_host_sees_everything() -> None:
    table = Table("fsm").start().speeches().shoot({1: 7, 2: 7, 3: 7}).say(cmd.Next()).checks(don=4, sheriff=1)
    host = view(table.game, "host")
    assert host["roles"] == {
        **{str(seat): "city" for seat in (5, 6, 7, 8, 9, 10)},
        **{"1": "don", "2": "mafia", "3": "mafia", "4": "sheriff"},
    }
    assert host["shots"] == [{"shooter": seat, "target": 7} for seat in (1, 2, 3)]
    assert host["hit"] == 7
    assert host["checks"] == [
        {"night": 1, "by": "don", "seat": 4, "answer": "sheriff"},
        {"night": 1, "by": "sheriff", "seat": 1, "answer": "black"},
    ]
    assert host["unannounced"] == [7]
    assert not host["seats"][6]["alive"]
    assert host["decided"] is None
    assert host["silenced"] == []


def test_the_host_sees_the_winner_before_the_table_does() -> None:
    table = Table("fsm").start(out=(5, 6, 7), day=2).speeches().hunt(4)
    assert view(table.game, "host")["decided"] == {"winner": "mafia", "reason": "parity"}
    assert "decided" not in view(table.game, "table")


def test_the_table_does_not_see_the_shot_before_morning() -> None:
    table = Table("fsm").start().speeches()
    before = view(table.game, "table")
    table.say(cmd.Shot(7))
    assert view(table.game, "table") == before
    table.say(cmd.Next()).checks().say(cmd.Next())
    seat = view(table.game, "table")["seats"][6]
    assert (seat["alive"], seat["left"]) == (False, {"cause": "shot", "day": 1, "night": 1})


def test_a_seat_sees_its_role_and_its_checks() -> None:
    table = Table("fsm").start().speeches().hunt().checks(don=4, sheriff=1)
    assert view(table.game, 1)["you"] == {
        "seat": 1,
        "role": "don",
        "kept": False,
        "cards": None,
        "checks": [{"night": 1, "seat": 4, "answer": "sheriff"}],
    }
    assert view(table.game, 4)["you"]["checks"] == [{"night": 1, "seat": 1, "answer": "black"}]
    assert view(table.game, 2)["you"]["checks"] == []
    assert view(table.game, 5)["you"]["role"] == "city"


def test_roles_are_shown_when_the_game_is_over() -> None:
    table = Table("fsm").start().say(cmd.EndGame())
    result = view(table.game, "table")["result"]
    assert (result["winner"], result["reason"]) == ("none", "ended")
    assert result["roles"]["1"] == "don"
    unknown = Table("fsm", roles=None).start().say(cmd.DeclareWinner("city"))
    assert view(unknown.game, "table")["result"] == {"winner": "city", "reason": "declared", "roles": None}


def test_the_vote_is_public() -> None:
    table = Table("fsm").start().speeches({1: 7, 2: 8, 3: 9}).votes((1, 2))
    seen = view(table.game, "table")
    assert seen["candidate"] == 8
    assert seen["votes"] == [{"candidate": 7, "count": 2, "seats": [1, 2]}]
    assert seen["nominations"] == [{"by": 1, "seat": 7}, {"by": 2, "seat": 8}, {"by": 3, "seat": 9}]
    assert (seen["round"], seen["tied"], seen["nominees"]) == (1, [], [7, 8, 9])


# --- the deal by phones


def drawn(rules: str = "fsm") -> Table:
    return Table(rules, mode=Mode.HOME, choose_cards=True).say(cmd.StartGame())


def test_each_draws_in_turn_sees_his_card_and_keeps_it() -> None:
    table = drawn()
    assert (table.step, table.game.seat) == (Step.DEAL, 1)
    assert view(table.game, 1)["you"]["cards"] == 10
    assert view(table.game, 2)["you"]["cards"] is None
    assert table.refused(cmd.TakeCard(2, 1), by=2) == "not-your-turn"
    assert table.refused(cmd.TakeCard(1, 1), by=2) == "not-your-turn"
    assert table.refused(cmd.TakeCard(1, 1)) == "not-your-turn"
    assert table.refused(cmd.TakeCard(1, 11), by=1) == "not-a-candidate"
    assert table.refused(cmd.TakeCard(1, 0), by=1) == "not-a-candidate"
    assert table.refused(cmd.KeepCard(1), by=1) == "not-now"
    table.say(cmd.TakeCard(1, 10), by=1)
    assert view(table.game, 1)["you"]["role"] == "city"  # the last card of the unshuffled deck
    assert table.refused(cmd.TakeCard(1, 1), by=1) == "not-now"
    assert table.refused(cmd.TakeCard(2, 1), by=2) == "not-your-turn"
    table.say(cmd.KeepCard(1), by=1)
    assert table.game.seat == 2
    assert view(table.game, 2)["you"]["cards"] == 9


def test_the_last_takes_what_remains_and_night_falls() -> None:
    table = drawn()
    for seat in range(1, 11):
        table.say(cmd.TakeCard(seat, 1), by=seat).say(cmd.KeepCard(seat), by=seat)
    assert table.step is Step.CONTRACT
    assert sorted(table.game.roles) == sorted(table.game.cards)
    assert table.last_names == ["roles-dealt", "night-fell"]


def test_next_deals_the_rest() -> None:
    table = drawn().say(cmd.TakeCard(1, 4), by=1)
    table.say(cmd.Next())
    assert table.step is Step.CONTRACT
    assert table.game.roles[0] == "sheriff"
    assert sorted(table.game.roles) == sorted(table.game.cards)


def test_no_role_is_named_where_the_players_draw() -> None:
    table = Table("fsm", mode=Mode.HOME, choose_cards=True)
    assert table.refused(cmd.SetRole(5, "sheriff")) == "not-now"


def test_seats_are_taken_in_the_lobby() -> None:
    table = Table("fsm", mode=Mode.HOME).say(cmd.TakeSeat(7, "Аня"), by=7)
    assert table.game.names[6] == "Аня"
    assert table.refused(cmd.TakeSeat(7, "Борис"), by=8) == "not-your-turn"
    assert table.refused(cmd.TakeSeat(11, "Борис"), by=11) == "no-such-seat"
    table.say(cmd.StartGame())
    assert table.refused(cmd.TakeSeat(8, "Борис"), by=8) == "not-now"
    assert Table("fsm").refused(cmd.TakeSeat(8, "Борис"), by=8) == "not-now"  # phones are for games with no host


# --- the deal without phones


@pytest.mark.parametrize("rules", ALL)
def test_a_hosted_deal_waits_only_for_unknown_cards(rules: str) -> None:
    table = Table(rules, roles=None).say(cmd.StartGame())
    assert (table.step, table.last_names) == (Step.DEAL, ["game-started"])
    assert table.refused(cmd.Foul(3)) == "not-now"
    table.say(cmd.Next())
    assert (table.step, table.last_names) == (Step.CONTRACT, ["roles-dealt", "night-fell"])
    known = Table(rules).say(cmd.StartGame())
    assert known.last_names == ["game-started", "roles-dealt", "night-fell"]
    assert known.game.roles == known.game.cards


def test_roles_named_in_the_lobby_are_dealt() -> None:
    table = Table("fsm").say(cmd.SetRole(9, "don"), cmd.SetRole(4, "mafia"), cmd.StartGame())
    assert (table.game.roles[8], table.game.roles[3]) == ("don", "mafia")
    assert sorted(table.game.roles) == sorted(table.game.cards)
    unknown = Table("fsm", roles=None).say(cmd.SetRole(9, "don"), cmd.StartGame(), cmd.Next())
    assert unknown.game.roles[8] == "don"


def test_once_all_roles_are_named_the_deal_waits_no_more() -> None:
    named = [(1, "don"), (2, "mafia"), (3, "mafia"), (4, "sheriff")]
    table = Table("fsm", roles=None).say(*(cmd.SetRole(*pair) for pair in named), cmd.StartGame())
    assert table.step is Step.CONTRACT
    assert table.game.role(7) == "city"


@pytest.mark.parametrize(
    ("players", "mode", "cards", "drawn"),
    [
        (9, Mode.HOSTED, (), False),
        (11, Mode.HOSTED, (), False),
        (10, Mode.HOSTED, ("city",) * 10, False),
        (10, Mode.HOSTED, deck(10, 4), False),
        (10, Mode.HOME, (), False),
        (10, Mode.HOSTED, (), True),
    ],
)
def test_a_table_that_cannot_be(players: int, mode: Mode, cards: tuple[str, ...], drawn: bool) -> None:
    with pytest.raises(ValueError, match=r"players|deck|cards"):
        new_game(shipped("fsm"), players, mode=mode, cards=cards, choose_cards=drawn)
