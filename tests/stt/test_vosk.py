from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from threading import Thread

import numpy as np
import pytest

from tests.components import REPOSITORY, TINY_MODEL, require
from tests.stt.conftest import quiet, recording
from voicehost.stt.patience import PatienceSettings
from voicehost.stt.recogniser import UNKNOWN, Recogniser, Utterance
from voicehost.stt.vosk import VoskRecogniser, _given
from voicehost.stt.vosk_model import VoskModel

SPEECH = ("выставляю номер пять", "фол игроку три", "второму фол", "пас", "пауза", "дальше", "отмена", "подтверждаю")
NUMBERS = ("ноль", "один", "два", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять", "десять")


@pytest.fixture
def recogniser(tiny: VoskModel) -> Iterator[VoskRecogniser]:
    made = VoskRecogniser(tiny)
    yield made
    made.close()


def hear(recogniser: Recogniser, pcm: bytes, step: int = 960) -> list[Utterance]:
    heard: list[Utterance] = []
    for place in range(0, len(pcm), step):
        heard += recogniser.feed(pcm[place : place + step])
    return heard


def texts(utterances: list[Utterance]) -> list[str]:
    return [utterance.text for utterance in utterances]


def test_says_what_it_is(recogniser: VoskRecogniser) -> None:
    same: Recogniser = recogniser
    assert (same.name, same.model, same.sample_rate) == ("vosk", "vosk-model-ru-tiny", 16_000)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("000_festival", "выставляю номер пять"),
        ("005_festival", "фол игроку три"),
        ("008_festival", "второму фол"),
        ("024_festival", "пауза"),
        ("027_festival", "отмена"),
        ("029_festival", "дальше"),
        ("031_festival", "пас"),
        ("038_festival", "подтверждаю"),
    ],
)
@pytest.mark.parametrize("step", [320, 960, 1601, 10_000_000])
def test_hears_commands_in_blocks_of_any_size(recogniser: VoskRecogniser, name: str, text: str, step: int) -> None:
    recogniser.expect(SPEECH)
    assert texts(hear(recogniser, recording(name) + quiet(1.0), step)) == [text]


def test_hears_commands_softly_and_loudly(recogniser: VoskRecogniser) -> None:
    recogniser.expect(SPEECH)
    samples = np.frombuffer(recording("000_festival"), "<i2").astype(float)
    for gain in (0.05, 0.3, 1.0, 2.5):
        pcm = (samples * gain).clip(-32768, 32767).astype("<i2").tobytes()
        assert texts(hear(recogniser, pcm + quiet(1.0, level=2))) == ["выставляю номер пять"]


def test_tells_when_it_was_said_and_answers_soon_after(recogniser: VoskRecogniser) -> None:
    recogniser.expect(SPEECH)
    pcm = recording("000_festival")
    samples = np.abs(np.frombuffer(pcm, "<i2").astype(int))
    loud = np.nonzero(samples > 1000)[0]
    [heard] = hear(recogniser, quiet(3.0) + pcm + quiet(1.0))
    assert heard.began == pytest.approx(3 + loud[0] / 16_000, abs=0.1)
    assert heard.ended == pytest.approx(3 + loud[-1] / 16_000, abs=0.15)
    assert heard.ended < heard.endpoint
    assert heard.endpoint - (3 + loud[-1] / 16_000) <= 0.5


def test_waits_longer_where_more_may_come(recogniser: VoskRecogniser) -> None:
    pcm = recording("asterisk_ru_04") + quiet(1.0)
    recogniser.expect(NUMBERS)
    [short] = hear(recogniser, pcm)
    recogniser.finish()
    recogniser.expect([*NUMBERS, "четыре голоса"])
    [longer] = hear(recogniser, pcm)
    assert short.text == longer.text == "четыре"
    assert longer.endpoint > short.endpoint + 0.1


@pytest.mark.parametrize("pause", [0.0, 0.2, 0.4, 0.6])
def test_a_pause_within_a_command_does_not_cut_it(recogniser: VoskRecogniser, pause: float) -> None:
    recogniser.expect(["лучший ход два пять восемь", *NUMBERS])
    pcm = recording("023_festival")
    samples = np.frombuffer(pcm, "<i2")
    levels = np.convolve(np.abs(samples.astype(float)), np.ones(800) / 800, "same")
    middle = len(samples) // 2 + int(np.argmin(levels[len(samples) // 2 : -16_000]))
    parts = samples[:middle].tobytes() + quiet(pause, level=3) + samples[middle:].tobytes()
    assert texts(hear(recogniser, parts + quiet(1.0))) == ["лучший ход два пять восемь"]


def test_talk_is_no_command(recogniser: VoskRecogniser) -> None:
    recogniser.expect([*SPEECH, *NUMBERS])
    for name in ("039_festival", "040_festival", "043_festival", "asterisk_ru_conf-onlyone"):
        heard = hear(recogniser, recording(name) + quiet(1.0))
        assert heard
        assert all(UNKNOWN in utterance.text for utterance in heard)


def test_noise_is_nothing_at_all(recogniser: VoskRecogniser) -> None:
    require("voice check")
    recogniser.expect(SPEECH)
    rng = np.random.default_rng(0)
    heard: list[Utterance] = []
    for _ in range(40):
        knock = rng.normal(0, 8000, 3200) * np.exp(-np.arange(3200) / rng.uniform(200, 1500))
        heard += hear(recogniser, quiet(1.0) + knock.clip(-32768, 32767).astype("<i2").tobytes() + quiet(1.0))
    assert len(heard) <= 1


@pytest.mark.parametrize("pcm", [bytes(320_000), b"", b"\1", quiet(10.0)], ids=["zeros", "none", "half", "room"])
def test_silence_gives_nothing(recogniser: VoskRecogniser, pcm: bytes) -> None:
    recogniser.expect(SPEECH)
    assert hear(recogniser, pcm) == []
    assert recogniser.finish() == []


def test_hears_nothing_before_it_knows_what_to_expect(recogniser: VoskRecogniser) -> None:
    assert hear(recogniser, recording("000_festival") + quiet(1.0)) == []
    recogniser.expect(SPEECH)
    assert len(hear(recogniser, recording("000_festival") + quiet(1.0))) == 1
    recogniser.expect([])
    assert hear(recogniser, recording("000_festival") + quiet(1.0)) == []
    recogniser.expect(["абракадабра"])
    assert hear(recogniser, recording("000_festival") + quiet(1.0)) == []


def test_a_phrase_with_an_unknown_word_is_left_out_whole(recogniser: VoskRecogniser) -> None:
    recogniser.expect(["выставляю абракадабру номер пять", "фол игроку три"])
    heard = hear(recogniser, recording("000_festival") + quiet(1.0))
    assert "выставляю номер пять" not in texts(heard)


def test_new_phrases_wait_for_the_end_of_an_utterance(recogniser: VoskRecogniser) -> None:
    recogniser.expect(SPEECH)
    pcm = recording("000_festival")
    half = len(pcm) // 4 * 2
    assert hear(recogniser, pcm[:half]) == []
    recogniser.expect(NUMBERS)
    assert texts(hear(recogniser, pcm[half:] + quiet(1.0))) == ["выставляю номер пять"]
    assert texts(hear(recogniser, recording("asterisk_ru_07") + quiet(1.0))) == ["семь"]


def test_endless_talk_is_cut_so_that_new_phrases_come_into_force(tiny: VoskModel) -> None:
    recogniser = VoskRecogniser(tiny, patience=PatienceSettings(outdated=0.5))
    recogniser.expect(SPEECH)
    talk = recording("039_festival")
    speech = np.frombuffer(talk, "<i2")
    loud = np.nonzero(np.abs(speech.astype(int)) > 1000)[0]
    unbroken = speech[loud[0] : loud[-1]].tobytes() * 4
    hear(recogniser, unbroken)
    recogniser.expect(NUMBERS)
    hear(recogniser, unbroken)
    assert recogniser._expected.phrases == NUMBERS


def test_an_utterance_of_15_seconds_is_cut(recogniser: VoskRecogniser) -> None:
    recogniser.expect(SPEECH)
    speech = np.frombuffer(recording("039_festival"), "<i2")
    loud = np.nonzero(np.abs(speech.astype(int)) > 1000)[0]
    heard = hear(recogniser, speech[loud[0] : loud[-1]].tobytes() * 20)
    assert heard
    assert all(utterance.endpoint - utterance.began <= 15.1 for utterance in heard)


def test_the_grammar_can_change_at_any_moment_from_another_thread(recogniser: VoskRecogniser) -> None:
    pcm = recording("000_festival") + recording("029_festival") + quiet(0.5)
    stop: list[bool] = []

    def change() -> None:
        count = 0
        while not stop:
            count += 1
            recogniser.expect([*SPEECH, NUMBERS[count % 11]])

    changing = Thread(target=change)
    changing.start()
    try:
        for _ in range(15):
            assert texts(hear(recogniser, pcm)) == ["выставляю номер пять", "дальше"]
    finally:
        stop.append(True)
        changing.join()


def test_hundreds_of_changes_in_the_middle_of_speech_do_no_harm(recogniser: VoskRecogniser) -> None:
    pcm = recording("031_festival") + quiet(0.5)
    heard: list[Utterance] = []
    for round_ in range(20):
        for place in range(0, len(pcm), 1920):
            recogniser.expect([*SPEECH, NUMBERS[(round_ + place) % 11]])
            heard += recogniser.feed(pcm[place : place + 1920])
    assert texts(heard) == ["пас"] * 20


def test_finish_gives_what_is_left_and_begins_anew(recogniser: VoskRecogniser) -> None:
    recogniser.expect(SPEECH)
    pcm = recording("000_festival")
    cut = np.nonzero(np.abs(np.frombuffer(pcm, "<i2").astype(int)) > 1000)[0][-1]
    assert hear(recogniser, pcm[: 2 * int(cut)]) == []
    assert texts(recogniser.finish()) == ["выставляю номер пять"]
    assert recogniser.finish() == []
    [again] = hear(recogniser, pcm + quiet(1.0))
    assert again.endpoint < len(pcm) / 32_000 + 1


def test_two_recognisers_share_a_model(tiny: VoskModel) -> None:
    first, second = VoskRecogniser(tiny), VoskRecogniser(tiny)
    first.expect(SPEECH)
    second.expect(NUMBERS)
    assert texts(hear(first, recording("000_festival") + quiet(1.0))) == ["выставляю номер пять"]
    assert texts(hear(second, recording("asterisk_ru_07") + quiet(1.0))) == ["семь"]
    first.close()
    assert texts(hear(second, recording("asterisk_ru_07") + quiet(1.0))) == ["семь"]


def test_a_closed_recogniser_says_so(tiny: VoskModel) -> None:
    recogniser = VoskRecogniser(tiny)
    recogniser.close()
    recogniser.close()
    recogniser.expect(SPEECH)
    assert recogniser.finish() == []
    with pytest.raises(ValueError, match="closed"):
        recogniser.feed(bytes(320))


@pytest.mark.parametrize(
    ("entries", "readings"),
    [
        ([("", 0.0)], []),
        ([("фол у", 10.0), ("фол", 9.0)], ["фол"]),
        ([("фол у", 10.0), ("фол", 5.0)], ["фол у"]),
        ([("фол у", 10.0), ("фола", 9.0)], ["фол у"]),
        ([(f"{UNKNOWN} фол", 10.0), ("фол", 9.9)], [f"{UNKNOWN} фол"]),
        ([("девять", 10.0), ("десять", 9.5), ("пас", 2.0)], ["девять", "десять"]),
        ([("девять", 10.0), ("десять", 8.5)], ["девять"]),
        ([("девять у", 10.0), ("девять", 9.0), ("десять", 8.2)], ["девять", "десять"]),
    ],
)
def test_which_reading_is_believed(
    recogniser: VoskRecogniser, entries: list[tuple[str, float]], readings: list[str]
) -> None:
    recogniser.expect(["фол", "девять", "десять", "пас"])
    recogniser._renew()
    result = json.dumps({"alternatives": [{"text": text, "confidence": sure} for text, sure in entries]})
    assert recogniser._readings(_given(result)) == readings


def test_nothing_is_printed() -> None:
    require("vosk")
    program = f"""
from pathlib import Path
from voicehost.stt.vosk import VoskRecogniser, _given
recogniser = VoskRecogniser(Path({str(TINY_MODEL)!r}))
recogniser.expect(["абракадабра номер пять", "фол"])
recogniser.feed(b"\\x40\\x10\\x00\\xf0" * 20000)
recogniser.finish()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=REPOSITORY, check=True)
    assert done.stdout + done.stderr == b""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="only on POSIX: memory is asked from getrusage")
def test_thousands_of_utterances_do_not_eat_the_memory(recogniser: VoskRecogniser) -> None:
    import resource

    pcm = recording("031_festival")[8000:] + quiet(0.3)

    def run(count: int) -> None:
        for number in range(count):
            recogniser.expect([*SPEECH, NUMBERS[number % 11]])
            recogniser.feed(pcm)

    run(200)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    run(2000)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 20_000  # KiB
