"""A table to play at: every line is a command a host gives, and each must be accepted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from voicehost.rules import commands as cmd
from voicehost.rules import events as ev
from voicehost.rules.fold import fold_all
from voicehost.rules.game import CHECKS, SPEAKING, Game, Mode, Step, new_game
from voicehost.rules.history import AUTO, HOST, History
from voicehost.rules.referee import Decision, decide
from voicehost.rules.refusals import Refusal
from voicehost.rules.roles import deck
from voicehost.rules.ruleset import Ruleset, shipped

ALL = ("sport", "professional", "classic", "club", "virtual", "fsm")
"""The shipped rule sets."""

HOLD = ("professional", "classic", "club", "virtual")
"""Those that still hold the vote after a removal."""

Nominations = Mapping[int, int]
"""Speaker → nominee."""


def cards(text: str) -> tuple[str, ...]:
    """Roles in seat order from one letter a seat: d, m, s (Sheriff), c."""
    return tuple({"d": "don", "m": "mafia", "s": "sheriff", "c": "city"}[letter] for letter in text)


class Table:
    """One hosted game, played through its history as the program does.

    Unless told otherwise the first seats hold the Don, the mafia and the Sheriff, in that order: at a table of ten
    1 is the Don, 2 and 3 are mafia, 4 is the Sheriff.
    """

    def __init__(
        self,
        rules: str | Ruleset = "fsm",
        *,
        players: int | None = None,
        roles: str | None = "",
        mode: Mode = Mode.HOSTED,
        choose_cards: bool = False,
        **switches: Any,
    ) -> None:
        ruleset = replace(shipped(rules) if isinstance(rules, str) else rules, **switches)
        if players is None:
            players = min(max(10, ruleset.players_min), ruleset.players_max)
        dealt = () if roles is None else cards(roles) or deck(players, ruleset.blacks(players))
        self.history = History(new_game(ruleset, players, mode=mode, cards=dealt, choose_cards=choose_cards))
        self.last: tuple[ev.Event, ...] = ()

    # --- what there is

    @property
    def game(self) -> Any:
        """The state; ``Any`` for the same reason as ``step``."""
        return self.history.game

    @property
    def step(self) -> Any:
        """The step; ``Any``, since a type checker would take it for unchanged by what is said."""
        return self.game.step

    @property
    def events(self) -> list[ev.Event]:
        """Every event in force."""
        return [event for group in self.history.groups for _, event in group.events]

    @property
    def last_names(self) -> list[str]:
        """Names of the events of the last command that a listing shows."""
        return [event.name for event in self.last if not event.internal]

    @property
    def out(self) -> list[int]:
        """Seats that have left, in order."""
        return [exit_.seat for exit_ in self.game.exits]

    @property
    def winner(self) -> str | None:
        return None if self.result is None else self.result[0]

    @property
    def result(self) -> tuple[str, str] | None:
        result: tuple[str, str] | None = self.game.result
        return result

    def all(self, kind: type[ev.Event]) -> list[Any]:
        """Every event of a kind, in force, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    # --- what is said

    def decide(self, command: cmd.Command, by: int | None = None) -> Decision:
        return decide(self.game, command, by)

    def say(self, *commands: cmd.Command, by: int | None = None) -> Table:
        """Give commands that must be accepted."""
        for command in commands:
            decision = self.decide(command, by)
            assert not isinstance(decision, Refusal), f"{command} refused: {decision.reason} at {self.step}"
            origin = HOST if command.spoken and by is None else AUTO
            self.history = self.history.record(origin, decision)
            self.last = decision
        return self

    def refused(self, command: cmd.Command, by: int | None = None) -> str:
        """Give a command that must be refused; return the reason."""
        decision = self.decide(command, by)
        assert isinstance(decision, Refusal), f"{command} accepted: {decision} at {self.step}"
        return decision.reason

    def undo(self) -> Table:
        undone = self.history.undo()
        assert undone is not None
        self.history = undone[0]
        return self

    def redo(self) -> Table:
        redone = self.history.redo()
        assert redone is not None
        self.history = redone[0]
        return self

    # --- the course

    def start(self, *, out: Iterable[int] = (), day: int = 1) -> Table:
        """Play to the first speech of ``day``; ``out`` have left in the night of meeting, and it cost no vote."""
        self.say(cmd.StartGame())
        self.to(Step.CONTRACT)
        exits = tuple(ev.SeatLeft(seat, "removed") for seat in out)
        self.history = self.history.record(AUTO, exits)
        self.to(Step.SPEECH)
        while self.game.day < day:
            self.speeches().night()
        return self

    def to(self, *steps: Step) -> Table:
        """Go on with «дальше» until one of ``steps``."""
        for _ in range(200):
            if self.step in steps:
                return self
            self.say(cmd.Next())
        raise AssertionError(f"{steps} not reached, the game stands at {self.step}")

    def until(self, speaker: int) -> Table:
        """End speeches until it is this seat's turn in the day's round."""
        while self.game.seat != speaker:
            assert self.step in {Step.SPEECH, Step.NOMINATE_ONLY}, f"{speaker} does not speak, {self.step}"
            self.say(cmd.EndSpeech())
        return self

    def speeches(self, nominations: Nominations | None = None) -> Table:
        """Let all others speak, in turn, and nominate as given."""
        left = dict(nominations or {})
        while self.step in {Step.SPEECH, Step.NOMINATE_ONLY}:
            if self.game.seat in left:
                self.say(cmd.Nominate(left.pop(self.game.seat)))
            self.say(cmd.EndSpeech())
        assert not left, f"did not speak: {sorted(left)}"
        return self

    def defend(self) -> Table:
        """Let the tied candidates speak."""
        while self.step is Step.SHOOTOUT_SPEECH:
            self.say(cmd.EndSpeech())
        return self

    def votes(self, *counts: int | tuple[int, ...]) -> Table:
        """Count hands for one candidate after another: how many, or whose."""
        for count in counts:
            self.say(cmd.Votes(count) if isinstance(count, int) else cmd.Votes(seats=count))
        return self

    def last_words(self) -> Table:
        while self.step is Step.LAST_WORD:
            self.say(cmd.EndSpeech())
        return self

    def hunt(self, shot: int | None = None) -> Table:
        """Record the shot and let the hunt end."""
        assert self.step is Step.HUNT, self.step
        return self.say(cmd.Shot(shot), cmd.Next())

    def shoot(self, shots: Mapping[int, int]) -> Table:
        """Record shots one by one."""
        return self.say(*(cmd.Shooter(shooter, target) for shooter, target in shots.items()))

    def checks(self, don: int | None = None, sheriff: int | None = None) -> Table:
        assert self.step in CHECKS, self.step
        if self.step is Step.DON_CHECK:
            if don is not None:
                self.say(cmd.DonCheck(don))
            self.say(cmd.Next())
        if sheriff is not None:
            self.say(cmd.SheriffCheck(sheriff))
        return self.say(cmd.Next())

    def night(self, shot: int | None = None, **checks: int | None) -> Table:
        """Play a whole night and the morning up to the first speech of the day."""
        self.to(Step.HUNT).hunt(shot).checks(**checks)
        if self.step is Step.BEST_MOVE:
            self.say(cmd.Next())
        return self.last_words()

    def foul(self, seat: int, times: int = 1) -> Table:
        return self.say(*[cmd.Foul(seat)] * times)

    def remove(self, *seats: int) -> Table:
        return self.say(*(cmd.RemovePlayer(seat) for seat in seats))

    def floor(self) -> tuple[Step, int | None, int]:
        """(step, who speaks, for how many seconds)."""
        assert self.step in SPEAKING, self.step
        return self.step, self.game.seat, self.game.seconds


def refold(table: Table) -> Game:
    """The game as the fold of all events in force, with the flags of the live one."""
    live = table.game
    return replace(fold_all(table.history.start, table.events), paused=live.paused)
