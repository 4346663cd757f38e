"""The real Whisper model on recordings whose licences are free, and how the recogniser keeps its promises."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.components import RECORDINGS
from voicehost.cli.evaluate import Situations
from voicehost.hosting.stakes import stake
from voicehost.stt.evaluation import evaluate
from voicehost.stt.recogniser import UNKNOWN, Recogniser
from voicehost.stt.recordings import read_manifest
from voicehost.stt.whisper import PhraseAutomaton, WhisperRecogniser
from voicehost.stt.whisper_model import WhisperModel

FILLERS = Path(__file__).with_name("fillers")
"""What a host says around a command, in a voice that no model of the project was made from."""


@pytest.fixture
def recogniser(model: WhisperModel) -> Recogniser:
    return WhisperRecogniser(model, care=stake)


@pytest.fixture(scope="module")
def game() -> Situations:
    return Situations("ru")


def sound(name: str) -> bytes:
    from voicehost.audio.files import read_sound

    return read_sound(RECORDINGS / f"{name}.flac")


def heard(recogniser: Recogniser, pcm: bytes, block: int = 960) -> list[str]:
    found = [u for place in range(0, len(pcm), block) for u in recogniser.feed(pcm[place : place + block])]
    return [utterance.text for utterance in (*found, *recogniser.finish())]


@pytest.mark.slow
def test_commands_are_understood_and_talk_is_not(recogniser: Recogniser, game: Situations) -> None:
    recordings = read_manifest(RECORDINGS)
    outcome = evaluate(
        recordings, recogniser, lambda state: game.expectation(state).phrases, game.parse, grammar_for=game.expectation
    )
    verdicts = [result.verdict for result in outcome.results]
    wrong = [(r.recording.text, r.heard) for r in outcome.results if r.verdict in {"wrong", "false-accept"}]
    assert not wrong
    assert verdicts.count("right") >= len(verdicts) - 1, [(r.recording.text, r.heard) for r in outcome.errors()]


@pytest.mark.parametrize(
    ("clip", "command"),
    [
        ("so_next", "next"),
        ("well_next", "next"),
        ("please", "nominate"),
        ("host_pause", "pause"),
        ("foul", "foul"),
        ("host", None),
        ("talk", None),
    ],
)
def test_a_filler_changes_nothing(recogniser: Recogniser, game: Situations, clip: str, command: str | None) -> None:
    from voicehost.audio.files import read_sound

    pcm = read_sound(FILLERS / f"{clip}.flac")
    expectation = game.expectation("speech")
    recogniser.expect(expectation.phrases, expectation)
    texts = heard(recogniser, bytes(8_000) + pcm + bytes(64_000))
    commands = [parsed[0] for text in texts if (parsed := game.parse(text, "speech")) is not None]
    assert commands == ([command] if command else []), texts


def test_only_what_is_expected_is_heard(recogniser: Recogniser, game: Situations) -> None:
    said = sound("017_festival")  # убит седьмой
    recogniser.expect(["x"], game.expectation("night-hunt"))
    assert game.parse(heard(recogniser, said)[0], "night-hunt") == ("shot", {"seat": 7})
    recogniser.expect(["x"], game.expectation("speech"))
    assert [text for text in heard(recogniser, said) if game.parse(text, "speech")] == []


def test_nothing_expected_is_nothing_heard(recogniser: Recogniser) -> None:
    recogniser.expect([])
    assert heard(recogniser, sound("024_festival")) == []


def test_phrases_alone_will_do(recogniser: Recogniser) -> None:
    recogniser.expect(["пауза", "отмена", "дальше"])
    assert heard(recogniser, sound("024_festival")) == ["пауза"]


def test_the_size_of_blocks_does_not_matter(recogniser: Recogniser, game: Situations) -> None:
    recogniser.expect(["x"], game.expectation("speech"))
    said = sound("000_festival") + bytes(32_000)
    assert heard(recogniser, said, 333) == heard(recogniser, said, 40_000) != []


def test_times_are_those_of_the_sound(recogniser: Recogniser, game: Situations) -> None:
    recogniser.expect(["x"], game.expectation("speech"))
    said = bytes(3 * 32_000) + sound("000_festival") + bytes(2 * 32_000)
    found = [u for place in range(0, len(said), 960) for u in recogniser.feed(said[place : place + 960])]
    assert len(found) == 1
    assert 3.0 <= found[0].began < found[0].ended < found[0].endpoint < len(said) / 32_000
    assert found[0].endpoint - found[0].ended <= 0.75
    assert found[0].confidence is not None
    assert 0 < found[0].confidence <= 1


@pytest.mark.parametrize("kind", ["silence", "noise", "clipped", "clicks", "odd"])
def test_what_is_no_speech_is_no_command(recogniser: Recogniser, game: Situations, kind: str) -> None:
    import numpy as np

    rng = np.random.default_rng(1)
    samples = {
        "silence": np.zeros(48_000),
        "noise": rng.standard_normal(48_000) * 3_000,
        "clipped": np.sign(rng.standard_normal(48_000)) * 32_767,
        "clicks": np.where(np.arange(48_000) % 8_000 < 40, 30_000, 0),
        "odd": np.zeros(48_000),
    }[kind]
    pcm = samples.clip(-32_768, 32_767).astype("<i2").tobytes() + bytes(32_000) + (b"\0" if kind == "odd" else b"")
    recogniser.expect(["x"], game.expectation("speech"))
    assert [text for text in heard(recogniser, pcm) if text != UNKNOWN] == []


def test_a_closed_recogniser_says_so(model: WhisperModel) -> None:
    made = WhisperRecogniser(model)
    made.close()
    made.close()
    assert made.finish() == []
    with pytest.raises(ValueError, match="closed"):
        made.feed(b"")


def test_phrases_as_an_automaton() -> None:
    words = PhraseAutomaton(["фол третьему", "фол"])
    after = words.edges(0)["фол"]
    assert words.accepts(after)
    assert list(words.edges(after)) == ["третьему"]
    assert not words.accepts(0)
    assert words.heard(["Фол,", "третьему"]) == words.heard(["фол третьему"])
