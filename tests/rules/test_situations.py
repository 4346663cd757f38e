"""The moments that recordings are measured at."""

from __future__ import annotations

import pytest

from voicehost.rules.game import Step
from voicehost.rules.legal import legal
from voicehost.rules.situations import SITUATIONS, legal_in, situation

STEPS = {
    "lobby": Step.LOBBY,
    "speech": Step.SPEECH,
    "any": Step.SPEECH,
    "vote": Step.VOTE,
    "lift": Step.LIFT,
    "night-hunt": Step.HUNT,
    "don-check": Step.DON_CHECK,
    "sheriff-check": Step.SHERIFF_CHECK,
    "best-move": Step.BEST_MOVE,
}


@pytest.mark.parametrize("state", SITUATIONS)
def test_moment(state: str) -> None:
    game = situation(state)
    assert game.step is STEPS[state]
    assert (game.players, game.roles) == (10, (None,) * 10)
    assert game.fouls == ((0,) * 10 if state == "lobby" else (1,) * 10)
    assert game.table_alive == tuple(range(1, 11))
    if state != "any":
        assert legal_in(state) == legal(game)


def test_the_vote_counts_five_of_five_and_two() -> None:
    game = situation("vote")
    assert game.nominees == (5, 2)
    assert game.ballot is not None
    assert game.ballot.candidate == 5
    assert situation("speech").seat == 1


def test_any_is_the_speech_with_answers() -> None:
    assert set(legal_in("any")) == set(legal_in("speech")) | {"confirm", "deny", "resume"}


def test_an_unknown_moment() -> None:
    with pytest.raises(KeyError):
        situation("dawn")
