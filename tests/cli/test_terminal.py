"""A game on a terminal: what the host reads, and what a table without a host must not."""

from __future__ import annotations

import json

import pytest

from tests.hosting.typed import TypedGame
from voicehost.cli.terminal import Terminal, json_line
from voicehost.hosting.clock import VirtualClock
from voicehost.hosting.inputs import Said
from voicehost.hosting.messages import Message
from voicehost.hosting.timekeeper import Timekeeper
from voicehost.hosting.words import Words
from voicehost.language.commands import parse
from voicehost.language.pack import load_pack
from voicehost.rules.game import Mode, Step
from voicehost.rules.legal import legal


class Screen:
    """A terminal that keeps what it prints."""

    def __init__(self, language: str = "ru", manner: str = "sport", *, host: bool = True) -> None:
        self.lines: list[str] = []
        self.terminal = Terminal(Words(load_pack(language), manner), host=host, echo=self._keep)

    def _keep(self, text: str) -> None:
        from click import unstyle

        self.lines += [line.strip() for line in unstyle(text).splitlines()]

    def show(self, *messages: Message) -> list[str]:
        before = len(self.lines)
        for message in messages:
            self.terminal(message)
        return self.lines[before:]


def played(*lines: str, mode: Mode = Mode.HOSTED) -> tuple[Screen, TypedGame]:
    """Play lines with a screen beside; return it cleared."""
    game = TypedGame(mode=mode).open()
    game.say(*lines)
    screen = Screen(host=mode is Mode.HOSTED)
    screen.show(*game.told)
    screen.lines.clear()
    return screen, game


TALK = ["начинаем игру", "дальше"]
NIGHT = [*TALK, *["спасибо"] * 10]


def test_the_spoken_lines_are_printed() -> None:
    screen, game = played(*TALK)
    assert screen.show(*game.say("выставляю номер пять", "спасибо")) == [
        "Принято, номер пять.",
        "Игрок номер два, одна минута.",
        "▶ 1:00",
    ]


def test_a_question_is_printed_once() -> None:
    screen, game = played(*TALK)
    assert screen.show(*game.say("удалить игрока номер пять")) == ["Удаление номера пять: подтверждаете?"]


def test_a_question_that_is_not_spoken_is_printed_too() -> None:
    screen, game = played(*NIGHT)
    told = game.say("удалить игрока номер пять")
    assert not [message for message in told if message["type"] == "say"]
    assert screen.show(*told) == ["Удаление номера пять: подтверждаете?"]


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("убит седьмой", "(Убит 7.)"),
        ("промах", "(Промах.)"),
        ("первый стреляет в седьмого", "(1 стреляет в 7.)"),
    ],
)
def test_the_host_reads_what_is_not_spoken(line: str, printed: str) -> None:
    screen, game = played(*NIGHT)
    assert screen.show(*game.say(line))[0] == printed


def test_the_host_reads_the_answers_to_the_checks() -> None:
    screen, game = played(*NIGHT, "промах")
    assert screen.show(*game.say("дон проверяет четвёртого"))[0] == "(Дон проверил 4: шериф.)"
    assert screen.show(*game.say("шериф проверяет второго"))[0] == "(Шериф проверил 2: чёрный.)"


def test_without_a_host_the_screen_is_the_tables() -> None:
    """Not even that the mafia missed is on it before the morning."""
    screen, game = played("начинаем игру", "/wait end", *["спасибо"] * 10, mode=Mode.HOME)
    told = [*game.say("/seat 1 tap"), *game.say("/wait 20"), *game.say("/seat 1 choose 4")]
    names = {message["name"] for message in told if message["type"] == "event"}
    assert names == {"shooter-shot", "shot-missed", "don-checked"}
    assert [line for line in screen.show(*told) if line.startswith("(")] == []


def test_a_refusal_says_why() -> None:
    screen, game = played(*TALK)
    assert screen.show(*game.say("убит пятый")) == ["✗ Сейчас так нельзя."]


def test_a_refusal_that_would_tell_a_role_aloud_still_has_words_for_the_host() -> None:
    screen, game = played(*NIGHT)
    [line] = screen.show(*game.say("пятый стреляет в седьмого"))
    assert line.startswith("✗ ")
    assert len(line) > len("✗ ")


def test_what_is_not_understood_is_shown_with_help() -> None:
    screen, game = played(*TALK)
    [unknown] = screen.show(*game.say("абракадабра"))
    assert "абракадабра" in unknown
    [bad] = screen.show(*game.say("/wait soon"))
    assert "/wait soon" in bad


def test_the_end_tells_the_roles() -> None:
    screen, game = played(*TALK)
    printed = screen.show(*game.say("закончить игру"))
    assert printed[-1].startswith("Роли: 1 — дон, 2 — мафия, 3 — мафия, 4 — шериф, 5 — мирный")


@pytest.mark.parametrize(
    ("lines", "where"),
    [
        ([], "перед игрой"),
        (["начинаем игру"], "ночь 0 · 1:00"),
        ([*TALK, "/wait 15"], "день 1 · место 1 · 0:45"),
        ([*TALK, "пауза"], "день 1 · место 1 · пауза · 1:00"),
        (NIGHT, "ночь 1 · 0:20"),
        ([*TALK, "выставляю номер два", "спасибо", "выставляю номер пять", *["спасибо"] * 9], "день 1 · за 2"),
        ([*TALK, "закончить игру"], "игра окончена"),
    ],
)
def test_the_line_under_the_prompt(lines: list[str], where: str) -> None:
    screen, game = played(*lines)
    assert screen.terminal.where(game.conductor.course.keeper) == where


def test_it_counts_down_between_messages() -> None:
    clock = VirtualClock()
    keeper = Timekeeper(clock)
    keeper.start("speech", 60, left=12.2)
    screen = Screen()
    assert screen.terminal.where(keeper).endswith("0:13")


def test_a_json_line_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    text = "а\nб\rв\u2028г\u2029д\u0085е\x0bж\x0cз\x1cи"
    json_line({"type": "unrecognised", "text": text})
    out = capsys.readouterr().out
    assert len(out.splitlines()) == 1
    assert json.loads(out)["text"] == text


# --- a game that is resumed


def resumed(*lines: str, mode: Mode = Mode.HOSTED, language: str = "ru") -> list[str]:
    """Play lines, begin again from the journal; return what a terminal says of where the game stands."""
    from voicehost.hosting.resume import replay

    game = TypedGame(mode=mode).open()
    game.say(*lines)
    history, timer = replay(game.setup, game.entries)
    again = TypedGame(setup=game.setup, history=history).open(timer)
    screen = Screen(language, host=mode is Mode.HOSTED)
    screen.show(*again.told)
    screen.lines.clear()
    screen.terminal.resumed(again.conductor.course.keeper)
    return screen.lines


@pytest.mark.parametrize("mode", list(Mode))
def test_a_resumed_game_says_where_it_stands(mode: Mode) -> None:
    day = ["начинаем игру", "/wait end"]
    assert resumed(*day, "спасибо", "/wait 23", mode=mode) == [
        "Игра продолжается: день 1, говорит игрок 2, осталось 0:37. Скажите «продолжить»."
    ]
    assert resumed("начинаем игру", "/wait 12.5", mode=mode) == [
        "Игра продолжается: ночь 0, знакомство мафии, осталось 0:48. Скажите «продолжить»."
    ]


def test_a_resumed_vote_waits_for_hands_not_for_a_clock() -> None:
    lines = ["начинаем игру", "дальше", "выставляю номер пять", "спасибо", "выставляю номер три", *["спасибо"] * 9]
    assert resumed(*lines) == [
        "Игра продолжается: день 1, голосование за игрока 5. Что можно сказать: «что можно сказать»."
    ]


def test_a_game_that_is_over_does_not_go_on() -> None:
    assert resumed("начинаем игру", "закончить игру") == []


@pytest.mark.parametrize("language", ["ru", "bg"])
def test_every_step_has_words_for_where_it_stands(language: str) -> None:
    words = Words(load_pack(language), "sport")
    for step in set(Step) - {Step.OVER}:
        assert words.message(f"hosting.stands-{step}", seat=5, candidate=5)
    assert resumed("начинаем игру", "дальше", language="bg") == [
        "Играта продължава: ден 1, говори играч 1, остават 1:00. Кажете „продължи“."
    ]


# --- what a dead leader checks


def test_the_host_is_told_that_the_leader_is_out_not_the_one_he_named() -> None:
    screen, game = played(*TALK, "удалить игрока номер один", "подтверждаю", *["спасибо"] * 9, "дальше")
    assert game.ready["step"] == "don-check"
    assert screen.show(*game.say("дон проверяет третьего")) == [
        "✗ Дона за столом уже нет: проверки не будет, его только зовут и ждут. Скажите «дальше»."
    ]
    assert screen.show(*game.say("удалить игрока номер один")) == ["✗ Этот игрок уже вне игры."]


# --- a mistyped line


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("выставлю пятаво", "выставляю пятого"),
        ("спосибо", "спасибо"),
        ("фол третему", "фол третьему"),
        ("пшла баба на базар", None),
        ("да", None),
    ],
)
def test_a_mistyped_line_gets_one_suggestion_and_does_nothing(line: str, near: str | None) -> None:
    screen, game = played(*TALK)
    words, before = game.conductor.course.words, game.game
    screen.terminal.suggest = lambda text: words.nearest(text, legal(game.game))
    printed = screen.show(*game.say(line))
    assert game.conductor.mistyped
    assert game.game == before
    assert (printed == [f"Не понял. Может быть: {near}?"]) == (near is not None)
    assert len(printed) == 1
    if near is not None:
        assert parse(load_pack("ru"), near, legal(game.game))


def test_what_was_heard_gets_no_suggestion() -> None:
    _, game = played(*TALK)
    game.say("выставлю пятаво", Said("выставлю пятаво", spoken=True))
    assert not game.conductor.mistyped
