"""Every command of every moment of a game, in a voice that the model has never heard, one moment after another."""

from __future__ import annotations

import pytest

from tests.audio.commands import LINES, clips
from tests.components import require
from voicehost.cli.evaluate import Situations
from voicehost.rules.situations import SITUATIONS, legal_in
from voicehost.stt.recogniser import Recogniser
from voicehost.stt.vosk import VoskRecogniser
from voicehost.stt.vosk_model import VoskModel


@pytest.fixture(scope="module")
def game() -> Situations:
    return Situations("ru")


def heard(recogniser: Recogniser, game: Situations, state: str, names: list[str]) -> list[tuple[str, list[str]]]:
    """The commands of one moment that came out as anything but themselves, with what was heard."""
    require("soundfile")
    said, wrong = clips(), []
    expectation = game.expectation(state)
    recogniser.expect(expectation.phrases, expectation)
    for name in names:
        pcm = said[name] + bytes(16_000)
        found = [u for place in range(0, len(pcm), 960) for u in recogniser.feed(pcm[place : place + 960])]
        if [game.parse(u.text, state) for u in found] != [game.parse(LINES[name], state)]:
            wrong.append((name, [u.text for u in found]))
    return wrong


@pytest.mark.parametrize("state", SITUATIONS)
def test_every_line_is_its_command(game: Situations, state: str) -> None:
    for name in legal_in(state):
        parsed = game.parse(LINES[name], state)
        assert parsed is not None
        assert parsed[0] == name


def test_no_command_is_missing() -> None:
    assert {name for state in SITUATIONS for name in legal_in(state)} <= set(LINES)


def test_vosk_hears_every_command_of_every_moment(tiny: VoskModel, game: Situations) -> None:
    """One recogniser through all moments twice: its phrases are changed eighteen times."""
    require("voice check")
    recogniser = VoskRecogniser(tiny)
    wrong = {
        (turn, state): missed
        for turn in range(2)
        for state in SITUATIONS
        if (missed := heard(recogniser, game, state, list(legal_in(state))[turn::2]))
    }
    assert sum(map(len, wrong.values())) <= 2, wrong


def test_what_may_not_be_said_now_is_not_heard_as_itself(tiny: VoskModel, game: Situations) -> None:
    require("voice check")
    recogniser = VoskRecogniser(tiny)
    said = clips()
    taken = []
    for state in SITUATIONS:
        expectation = game.expectation(state)
        recogniser.expect(expectation.phrases, expectation)
        for name in ("shot", "don-check", "sheriff-check", "best-move", "nominate", "start-game"):
            if name in legal_in(state):
                continue
            pcm = said[name] + bytes(16_000)
            found = [u for place in range(0, len(pcm), 960) for u in recogniser.feed(pcm[place : place + 960])]
            taken += [(state, name, u.text) for u in found if game.parse(u.text, state) is not None]
    # What cannot be said now may sound like what can; hardly ever may it be taken for it.
    assert len(taken) <= 2, taken


@pytest.mark.slow
def test_whisper_hears_every_command(game: Situations) -> None:
    require("whisper model", "voice check")
    from voicehost.hosting.stakes import stake
    from voicehost.models import preferred
    from voicehost.stt.whisper import WhisperRecogniser

    found = preferred("whisper")
    assert found is not None
    recogniser = WhisperRecogniser(found.folder, care=stake)
    left = list(LINES)
    wrong = []
    for state in SITUATIONS:
        names = [name for name in left if name in legal_in(state)]
        left = [name for name in left if name not in names]
        wrong += heard(recogniser, game, state, names)
    recogniser.close()
    assert left == []
    assert len(wrong) <= 1, wrong
