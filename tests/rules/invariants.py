"""What must hold for every state and every event of any game."""

from __future__ import annotations

import json
from dataclasses import replace

from voicehost.rules import commands as cmd
from voicehost.rules import events as ev
from voicehost.rules.fold import fold
from voicehost.rules.game import SPEAKING, Game, Step
from voicehost.rules.legal import fits, legal
from voicehost.rules.referee import Decision, decide, settles_early
from voicehost.rules.refusals import REASONS, Refusal
from voicehost.rules.roles import ROLES, is_black
from voicehost.rules.view import view

TELL_THE_WINNER = frozenset({"game-ended", "outcome-decided"})
"""Events whose ``city`` and ``mafia`` are sides, not roles."""


def check_state(game: Game) -> None:
    """A state by itself."""
    left = [exit_.seat for exit_ in game.exits]
    assert sorted([*game.alive, *left]) == list(game.seats), "each seat is alive or has left, once"
    assert isinstance(game.step, Step)
    leaving = {seat for seat, _ in game.leaving}
    assert leaving <= set(left)
    assert set(game.unannounced) <= set(left)
    assert set(game.table_alive) >= set(game.alive)
    assert game.silenced <= set(game.alive)
    nominees = [seat for _, seat in game.nominations]
    assert len(set(nominees)) == len(nominees), "a seat is nominated once a day"
    assert len({by for by, _ in game.nominations}) == len(nominees), "a speaker nominates once a day"
    if game.step in SPEAKING:
        assert game.seat in (leaving if game.step is Step.LAST_WORD else game.alive)
    if game.ballot is not None:
        check_ballot(game)
    if game.decided is not None and game.step is not Step.OVER:
        assert game.leaving, "a decided game only waits for last words"
    assert (game.result is not None) is (game.step is Step.OVER)
    if game.result is None and game.blacks_known and game.decided is None and game.step is not Step.HUNT:
        blacks = sum(is_black(game.roles[seat - 1]) for seat in game.alive)
        assert game.step in {Step.LOBBY, Step.DEAL} or 0 < blacks < len(game.alive) - blacks
    check_views(game)


def check_ballot(game: Game) -> None:
    ballot = game.ballot
    assert ballot is not None
    if game.step is Step.VOTE:
        assert set(ballot.candidates) <= set(game.alive)
        assert ballot.hands_used <= len(game.alive)
        assert game.hands_left == len(game.alive) - ballot.hands_used
    known = [seat for _, _, seats in ballot.cast for seat in seats or ()]
    assert len(set(known)) == len(known), "one vote a player"
    for _, count, seats in ballot.cast:
        assert count >= 0
        assert seats is None or len(seats) == count


def check_views(game: Game) -> None:
    table = view(game, "table")
    json.dumps([view(game, "host"), view(game, 1)])
    assert set(table) == set(view(game, 1)) - {"you"}
    if game.step is not Step.OVER:
        said = json.dumps({key: value for key, value in table.items() if key not in {"step", "seats"}})
        assert not any(f'"{role}"' in said for role in ROLES)
    alive = [seat["seat"] for seat in table["seats"] if seat["alive"]]
    assert alive == list(game.table_alive)


def check_event(before: Game, event: ev.Event) -> None:
    """An event and the state before it."""
    alive = set(before.alive)
    match event:
        case ev.SpeechBegan(seat=seat):
            assert seat in alive
            assert seat not in before.spoken, "one speech a day"
        case ev.ShootoutSpeechBegan(seat=seat) | ev.SeatLeft(seat=seat):
            assert seat in alive
        case ev.SeatNominated(by=by, seat=seat):
            assert {by, seat} <= alive
            assert by == before.seat
        case ev.VoteOpened(candidates=candidates):
            assert candidates
            assert set(candidates) <= alive
        case ev.VotesCast(candidate=candidate, seats=seats):
            assert candidate in alive
            assert set(seats or ()) <= alive
            ballot = fold(before, event).ballot
            assert ballot is not None
            if ballot.candidate is None:
                assert ballot.hands_used == len(alive), "every living player's hand is counted"
        case ev.LiftAsked(candidates=candidates):
            assert set(candidates) <= alive
            assert len(candidates) < len(alive), "never the whole table"
        case ev.ShooterShot(shooter=shooter):
            assert shooter in alive
        case ev.LastWordBegan(seat=seat):
            assert seat in {s for s, _ in before.leaving}
        case ev.DepartureAnnounced(seats=seats):
            assert set(seats) <= set(before.unannounced)
    assert before.step is not Step.OVER, "nothing follows the end"
    if event.name not in TELL_THE_WINNER:
        assert not {str(value) for value in event.shown().values()} & set(ROLES)
    assert ev.event_from(event.name, json.loads(json.dumps(event.data()))) == event


def check_decision(game: Game, command: cmd.Command, by: int | None) -> Decision:
    """Accepted is exactly what ``legal`` has; every refusal has a known reason; a decision can be folded."""
    decision = decide(game, command, by)
    accepted = not isinstance(decision, Refusal)
    if isinstance(decision, Refusal):
        assert decision.reason in REASONS
    if by is None and command.spoken:
        allowed = legal(game).get(command.name)
        fitting = allowed is not None and fits(allowed, command)
        if isinstance(command, cmd.SetRole) and fitting:
            assert accepted or decision == Refusal("wrong-roles")
        else:
            assert accepted is fitting, (command, decision, allowed)
    if isinstance(command, cmd.Proceed) and by is None:
        assert accepted is settles_early(game)
    if not isinstance(decision, Refusal):
        state = game
        for event in decision:
            check_event(state, event)
            state = fold(state, event)
        check_state(state)
        assert sum(isinstance(event, ev.GameEnded) for event in decision) <= 1
    return decision


def same(one: Game, other: Game) -> bool:
    """Whether two states are one but for the standing timer."""
    return replace(one, paused=False) == replace(other, paused=False)
