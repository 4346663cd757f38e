"""What led to a transcript's situation, in short. Its steps are played like any others, but nothing is printed.

Steps are parted by semicolons. A step that begins with a capital letter, a Cyrillic one or a slash is a line as it is
typed, ``×3`` behind it repeats it. The others stand for lines:

    start                   begin, pass the first night by «дальше», stop at the first speech
    to STEP                 «дальше» until the game stands there
    until 5                 end speeches until seat 5 has the floor
    nominate 2 5 7          the next speakers put these up, one each
    speeches                all others end their speeches
    votes 3 3 4             so many hands for one candidate after another
    out 5                   a day on which all vote seat 5 out, up to the night
    quiet                   a day on which nobody is nominated, up to the night
    kill 6 · miss           a night without checks, up to the first speech of the day
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from voicehost.rules import commands as cmd
from voicehost.rules.game import NIGHT_ZERO, Game, Step

TALK = frozenset({Step.SPEECH, Step.NOMINATE_ONLY})

Look = Callable[[], Game]


def steps(text: str) -> list[str]:
    """Return the steps of a prelude."""
    return [step.strip() for step in text.split(";") if step.strip()]


def commands(step: str, look: Look) -> Iterator[str | cmd.Command]:
    """Yield the typed lines and commands of one step; ``look`` gives the game as it stands by then."""
    verb, *words = step.split()
    if not ("a" <= verb[0] <= "z"):
        line, _, times = step.partition("×")
        yield from [line.strip()] * (int(times) if times else 1)
        return
    seats = [int(word) for word in words if word.isdecimal()]
    match verb:
        case "start":
            yield cmd.StartGame()
            yield from _until(look, lambda game: game.step not in {Step.DEAL, *NIGHT_ZERO}, cmd.Next())
        case "to":
            yield from _until(look, lambda game: game.step == words[0], cmd.Next())
        case "until":
            yield from _until(look, lambda game: game.seat == seats[0], cmd.EndSpeech())
        case "nominate":
            for seat in seats:
                yield cmd.Nominate(seat)
                yield cmd.EndSpeech()
        case "speeches":
            yield from _until(look, lambda game: game.step not in TALK, cmd.EndSpeech())
        case "votes":
            for count in seats:
                yield cmd.Votes(count)
        case "out":
            yield from _out(seats[0], look)
        case "quiet":
            yield from _until(look, lambda game: game.step is Step.HUNT, cmd.EndSpeech())
        case "kill" | "miss":
            yield cmd.Shot(seats[0] if seats else None)
            yield from _until(look, lambda game: game.step in TALK, cmd.Next())
        case _:
            raise ValueError(f"no such step: {step}")


def _until(look: Look, reached: Callable[[Game], bool], command: cmd.Command) -> Iterator[cmd.Command]:
    for _ in range(100):
        if reached(look()):
            return
        yield command
    raise ValueError(f"not reached; the game stands at {look().step}")


def _out(seat: int, look: Look) -> Iterator[cmd.Command]:
    game = look()
    other = next(s for s in game.alive if s != seat)
    yield cmd.Nominate(seat)
    yield cmd.EndSpeech()
    if game.day == 1:
        yield cmd.Nominate(other)
    yield from _until(look, lambda game: game.step not in TALK, cmd.EndSpeech())
    if look().step is Step.VOTE:
        yield cmd.Votes(len(look().alive))
    yield from _until(look, lambda game: game.step is not Step.LAST_WORD, cmd.EndSpeech())
