"""What the host says in the recorded scene, and how its recording was made (``python -m tests.audio.scene``)."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

RECORDING = Path(__file__).with_name("scene.flac")
VOICE = "rhvoice:irina"
RATE = 16_000
PAUSE = 1.6
"""Seconds between two lines."""

LINES = (
    "начинаем игру",
    "дальше",  # the cards are dealt
    "дальше",  # the mafia has agreed
    "выставляю номер пять",
    "спасибо",
    "фол игроку три",
    "спасибо",
    "я выставляю седьмого на голосование",
    "спасибо",
    "мне кажется что он слишком долго молчал",  # talk: no command
    "сколько времени осталось",
    "спасибо",
    "пауза",
    "продолжить",
    "спасибо",
    *("спасибо",) * 5,
    "шесть голосов",
    "спасибо",
    "убит номер семь",
    "дон проверяет третьего",
    "шериф проверяет шестого",
    "спасибо",
    "победа города",
    "подтверждаю",
)


def make() -> None:
    """Render the lines with a free voice, at half loudness, with pauses between them."""
    import numpy as np
    import soundfile

    from voicehost.tts.selection import choose

    voice = choose("ru", VOICE, rate=RATE)
    assert voice is not None
    silence = np.zeros(round(PAUSE * RATE), np.int16)
    parts = [silence]
    for line in LINES:
        parts += [np.frombuffer(voice.render(line).pcm, np.int16) // 2, silence]
    voice.close()
    soundfile.write(RECORDING, np.concatenate(parts), RATE)


def clips() -> dict[str, bytes]:
    """Return each line by itself, cut out of the recording at its long silences, as 16-bit mono samples."""
    import numpy as np
    import soundfile

    samples, _ = soundfile.read(RECORDING, dtype="int16")
    loud = np.flatnonzero(np.abs(samples) > 40)
    gaps = [(a, b) for a, b in pairwise(loud) if b - a > PAUSE * RATE * 0.9]
    begins = [loud[0], *(b for _, b in gaps)]
    ends = [*(a for a, _ in gaps), loud[-1]]
    assert len(begins) == len(LINES)
    margin = RATE // 10
    return {
        line: samples[max(0, begin - margin) : end + margin].tobytes()
        for line, begin, end in zip(LINES, begins, ends, strict=True)
    }


if __name__ == "__main__":
    make()
