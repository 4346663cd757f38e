"""A recording of every command in a voice that no model of the project was made from.

How it was made: ``python -m tests.audio.commands``.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

RECORDING = Path(__file__).with_name("commands.flac")
VOICE = "rhvoice:irina"
RATE = 16_000
PAUSE = 1.0
"""Seconds between two lines."""

LINES = {
    "add-time": "добавить десять секунд",
    "ask-alive": "кто жив",
    "ask-day": "какой день",
    "ask-fouls": "сколько фолов у третьего",
    "ask-help": "что можно сказать",
    "ask-nominees": "кто выставлен",
    "ask-time": "сколько времени осталось",
    "best-move": "лучший ход два пять восемь",
    "confirm": "подтверждаю",
    "declare-winner": "победа города",
    "deny": "не подтверждаю",
    "don-check": "дон проверяет третьего",
    "end-game": "закончить игру",
    "end-speech": "спасибо",
    "foul": "фол игроку три",
    "listen": "слушай",
    "next": "дальше",
    "nominate": "выставляю номер пять",
    "pause": "пауза",
    "redo": "вернуть",
    "remove-foul": "минус фол четвёртому",
    "remove-player": "удалить игрока номер пять",
    "repeat": "повтори",
    "resume": "продолжить",
    "set-role": "второй мафия",
    "sheriff-check": "шериф проверяет шестого",
    "shooter": "второй стреляет в пятого",
    "shot": "убит седьмой",
    "start-game": "начинаем игру",
    "stop-listening": "не слушай",
    "technical-foul": "технический фол второму",
    "undo": "отмена",
    "votes": "четыре голоса",
}


def make() -> None:
    """Render the lines with a free voice, at half loudness, with pauses between them."""
    import numpy as np
    import soundfile

    from voicehost.tts.selection import choose

    voice = choose("ru", VOICE, rate=RATE)
    assert voice is not None
    silence = np.zeros(round(PAUSE * RATE), np.int16)
    parts = [silence]
    for line in LINES.values():
        said = np.frombuffer(voice.render(line).pcm, np.int16) // 2
        loud = np.flatnonzero(np.abs(said) > 40)
        parts += [said[loud[0] : loud[-1] + 1], silence]
    voice.close()
    soundfile.write(RECORDING, np.concatenate(parts), RATE)


def clips() -> dict[str, bytes]:
    """Return the recording of each command, cut out at the long silences, with half a second around it."""
    import numpy as np
    import soundfile

    samples, _ = soundfile.read(RECORDING, dtype="int16")
    loud = np.flatnonzero(np.abs(samples) > 40)
    gaps = [(a, b) for a, b in pairwise(loud) if b - a > PAUSE * RATE * 0.95]
    begins = [loud[0], *(b for _, b in gaps)]
    ends = [*(a for a, _ in gaps), loud[-1]]
    assert len(begins) == len(LINES)
    margin = RATE // 2
    return {
        name: samples[begin - margin : end + margin].tobytes()
        for name, begin, end in zip(LINES, begins, ends, strict=True)
    }


if __name__ == "__main__":
    make()
