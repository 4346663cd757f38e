"""The state of a game, as immutable values. Only ``fold`` makes a new state out of an old one."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from enum import StrEnum

from voicehost.rules.ballot import Ballot
from voicehost.rules.commands import Command
from voicehost.rules.roles import BLACK, CITY, DON, SHERIFF, deck, is_black
from voicehost.rules.ruleset import Ruleset


class Step(StrEnum):
    """Where a game stands; the names are those of the ``ready`` line."""

    LOBBY = "lobby"
    DEAL = "deal"
    CONTRACT = "contract"
    MEETING_DON = "meeting-don"
    MEETING_SHERIFF = "meeting-sheriff"
    FREE_SEATING = "free-seating"
    SPEECH = "speech"
    NOMINATE_ONLY = "nominate-only"
    VOTE = "vote"
    SHOOTOUT_SPEECH = "shootout-speech"
    LIFT = "lift"
    LAST_WORD = "last-word"
    HUNT = "hunt"
    DON_CHECK = "don-check"
    SHERIFF_CHECK = "sheriff-check"
    BEST_MOVE = "best-move"
    MORNING_QUESTION = "morning-question"
    OVER = "over"


NIGHT_ZERO = (Step.CONTRACT, Step.MEETING_DON, Step.MEETING_SHERIFF, Step.FREE_SEATING)
"""The steps of the night of meeting, in order; a rule set leaves some out."""

SPEAKING = frozenset({Step.SPEECH, Step.NOMINATE_ONLY, Step.SHOOTOUT_SPEECH, Step.LAST_WORD})
"""Steps in which one seat has the floor."""

CHECKS = frozenset({Step.DON_CHECK, Step.SHERIFF_CHECK})
"""Steps in which a leader of a team asks."""

EYES_SHUT = frozenset({*NIGHT_ZERO, Step.HUNT, *CHECKS})
"""Steps that last their set time, so that nothing can be told from their length."""


BY_VOTE = frozenset({"voted", "lifted", "alone-nominated"})
"""Causes of an exit by the table's will."""


class Mode(StrEnum):
    """Who hosts."""

    HOSTED = "hosted"
    """A person, who hears and enters what he sees."""
    HOME = "home"
    """Nobody: the program hosts, the players' phones are the secret channel."""


@dataclass(frozen=True, slots=True)
class Exit:
    """One seat's exit; ``day`` and ``night`` are the numbers that were on, ``at_night`` tells which of them."""

    seat: int
    cause: str
    day: int
    night: int
    at_night: bool


@dataclass(frozen=True, slots=True)
class Game:
    """A game at one moment. Seats are numbered from 1; tuples by seat start with seat 1."""

    rules: Ruleset
    players: int
    mode: Mode = Mode.HOSTED
    names: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    """The shuffled deck; empty when the program is not to know the roles."""
    choose_cards: bool = False
    """Whether each player picks his card himself, by phone."""

    step: Step = Step.LOBBY
    serial: int = 0
    """Grows by one with every step that begins; tells two speeches of one seat apart."""
    seat: int | None = None
    seconds: int = 0
    """The set time of the step; 0 = no timer."""
    settled: bool = False
    """Whether the fact the step waits for is recorded."""
    paused: bool = False

    roles: tuple[str | None, ...] = ()
    taken: tuple[tuple[int, int], ...] = ()
    """(seat, index into ``cards``) of the cards drawn so far."""
    kept: frozenset[int] = frozenset()

    day: int = 0
    night: int = -1
    """Number of the last night that fell; -1 before any."""
    is_night: bool = False
    alive: tuple[int, ...] = ()
    exits: tuple[Exit, ...] = ()
    unannounced: tuple[int, ...] = ()
    """Seats that left in the night, of which the table does not know."""
    leaving: tuple[tuple[int, str], ...] = ()
    """(seat, cause) of those who still have a last word, in order."""

    fouls: tuple[int, ...] = ()
    technical: tuple[int, ...] = ()
    silenced: frozenset[int] = frozenset()
    """Seats that lose their nearest coming minute."""

    opener: int | None = None
    """The seat that opened the latest day with speeches."""
    spoken: tuple[int, ...] = ()
    nominations: tuple[tuple[int, int], ...] = ()
    """(by, seat) of this day, in order."""
    ballot: Ballot | None = None
    fixed: bool = False
    """Whether this day's vote can no longer be changed by a removal (FSM 7.1, 7.2)."""
    vote_lost: bool = False
    """A removal has cancelled the vote of this day."""
    next_vote_lost: bool = False
    """A removal has cancelled the vote of the coming day."""
    vote_lost_tonight: bool = False
    """It was a removal of this night that did."""

    shots: tuple[tuple[int, int], ...] = ()
    hit: int | None = None
    missed: bool = False
    checks: tuple[tuple[int, str, int, str], ...] = ()
    """(night, who checked: don or sheriff, seat, answer)."""
    best_move: tuple[int, ...] = ()

    misses: int = 0
    night_exits: int = 0
    quiet_nights: int = 0
    decided: tuple[str, str] | None = None
    """(winner, reason) from the deciding moment on."""
    result: tuple[str, str] | None = None
    """(winner, reason) when the game is over."""

    # Not folded: set by whoever runs the game.
    pending: Command | None = field(default=None, compare=False)
    """A command that waits for «подтверждаю»."""
    undoable: bool = field(default=False, compare=False)
    redoable: bool = field(default=False, compare=False)

    # --- who is who

    @property
    def blacks(self) -> int:
        """How many black cards the table has."""
        return self.rules.blacks(self.players)

    @property
    def seats(self) -> range:
        """All seats."""
        return range(1, self.players + 1)

    @property
    def blacks_known(self) -> bool:
        """Whether every black seat is known, so that the win test can be made."""
        return sum(is_black(role) for role in self.roles) == self.blacks

    def role(self, seat: int) -> str | None:
        """Return the seat's role, or None when it is not known."""
        known = self.roles[seat - 1] if self.roles else None
        if known is None and self.blacks_known and self.sheriff is not None:
            return CITY
        return known

    def black(self, seat: int) -> bool | None:
        """Tell whether the seat is black; None when it is not known."""
        known = self.roles[seat - 1] if self.roles else None
        if known is None:
            return False if self.blacks_known else None
        return known in BLACK

    @property
    def sheriff(self) -> int | None:
        """The Sheriff's seat, if known."""
        return self._seat_of(SHERIFF)

    @property
    def don(self) -> int | None:
        """The Don's seat, if known."""
        return self._seat_of(DON)

    def _seat_of(self, role: str) -> int | None:
        return next((seat for seat in self.seats if self.roles and self.roles[seat - 1] == role), None)

    @property
    def hosted(self) -> bool:
        """Whether a person hosts."""
        return self.mode is Mode.HOSTED

    @property
    def deals_unknown(self) -> bool:
        """Whether the program was not given the roles."""
        return not self.cards

    # --- who is at the table

    @property
    def present(self) -> tuple[int, ...]:
        """Seats that play or still have their last word: those who can commit an offence."""
        return tuple(sorted({*self.alive, *(seat for seat, _ in self.leaving)}))

    @property
    def table_alive(self) -> tuple[int, ...]:
        """The living as far as the table knows."""
        return tuple(sorted({*self.alive, *self.unannounced}))

    @property
    def nominees(self) -> tuple[int, ...]:
        """Living nominees of this day in order."""
        return tuple(seat for _, seat in self.nominations if seat in self.alive)

    def in_order(self, seats: Collection[int]) -> tuple[int, ...]:
        """Return nominees in the order in which they were nominated today."""
        return tuple(seat for _, seat in self.nominations if seat in seats)

    @property
    def hands_left(self) -> int:
        """How many living players have not voted in the running round, or may vote for the lift."""
        return len(self.alive) - (self.ballot.hands_used if self.ballot and self.step is Step.VOTE else 0)

    def left_by(self, seat: int) -> Exit | None:
        """Return the seat's exit, if it has left."""
        return next((exit_ for exit_ in self.exits if exit_.seat == seat), None)

    def acts_tonight(self, seat: int | None) -> bool:
        """Tell whether a leader may still check: alive, or shot in this very night (he does not know it yet)."""
        if seat is None or seat in self.alive:
            return seat is not None
        return seat == self.hit and any(s == seat for s, _ in self.leaving)


def new_game(
    rules: Ruleset,
    players: int,
    *,
    mode: Mode = Mode.HOSTED,
    names: tuple[str, ...] = (),
    cards: tuple[str, ...] = (),
    choose_cards: bool = False,
) -> Game:
    """Return a game in the lobby.

    ``cards`` are the roles in seat order (or in deck order with ``choose_cards``); empty = unknown to the program.

    Raises:
        ValueError: the rule set has no such table, the cards are not its deck, or there are none to choose.
    """
    if not rules.players_min <= players <= rules.players_max:
        raise ValueError(f"{rules.name} is for {rules.players_min} to {rules.players_max} players, not {players}")
    if cards and sorted(cards) != sorted(deck(players, rules.blacks(players))):
        raise ValueError(f"not the deck of {rules.name} for {players} players: {cards}")
    if not cards and (choose_cards or mode is Mode.HOME):
        raise ValueError("with no host the program has to know the cards")
    return Game(
        rules=rules,
        players=players,
        mode=mode,
        names=names or ("",) * players,
        cards=cards,
        choose_cards=choose_cards,
        roles=(None,) * players,
        alive=tuple(range(1, players + 1)),
        fouls=(0,) * players,
        technical=(0,) * players,
    )
