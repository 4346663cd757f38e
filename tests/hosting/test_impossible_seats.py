"""A command for a seat that no table has is refused, not passed over as talk."""

from __future__ import annotations

import pytest

from tests.hosting.typed import TypedGame
from voicehost.hosting.inputs import Said
from voicehost.language.commands import covering_phrases, parse
from voicehost.language.pack import load_pack
from voicehost.rules.legal import legal

LINES = {
    "sport": [
        ("выставляю номер ноль", "nominate"),
        ("выставляю номер 25", "nominate"),
        ("выставляю двадцать пятого", "nominate"),
        ("выставляю 99", "nominate"),
        ("фол двадцать пятому", "foul"),
        ("фол игроку 0", "foul"),
        ("снять фол с тридцать первого", "remove-foul"),
        ("удалить игрока номер сорок", "remove-player"),
        ("сколько фолов у пятидесятого", "ask-fouls"),
    ],
    "virtual": [
        ("номинирам номер нула", "nominate"),
        ("номинирам номер 25", "nominate"),
        ("фал на играч двадесет и пет", "foul"),
        ("отстранявам играч четиридесет", "remove-player"),
    ],
}


@pytest.mark.parametrize("spoken", [False, True])
@pytest.mark.parametrize(
    ("rules", "line", "command"), [(rules, *case) for rules, cases in LINES.items() for case in cases]
)
def test_an_impossible_seat_is_refused(rules: str, line: str, command: str, spoken: bool) -> None:
    game = TypedGame(rules).open()
    game.say("начинаем игру" if rules == "sport" else "започваме играта", *["/wait end"] * 4)
    assert game.ready["step"] == "speech"
    told = game.say(Said(line, spoken=spoken))
    assert told[0] == {"type": "refused", "text": line, "command": command, "reason": "no-such-seat"}


@pytest.mark.parametrize("line", ["номер 25", "двадцать пять минут", "мне двадцать пять лет", "ноль", "сто", "100"])
def test_a_number_alone_is_no_command(line: str) -> None:
    assert parse(load_pack("ru"), line, beyond=True) == parse(load_pack("ru"), line)


def test_recognisers_do_not_listen_for_such_seats() -> None:
    game = TypedGame("classic", roles=None).open()
    game.say("начинаем игру", "дальше", *["дальше"] * 3)
    assert game.ready["step"] == "speech"
    phrases = covering_phrases(load_pack("ru"), legal(game.game))
    assert "выставляю номер пять" in phrases
    assert not {"выставляю номер ноль", "выставляю номер двадцать пять"} & set(phrases)
