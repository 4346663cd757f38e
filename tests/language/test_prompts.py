"""What recognisers are told beside the commands: how a game sounds, and talk that is no command."""

from __future__ import annotations

import re

import pytest

from voicehost.hosting.expectation import Expectation
from voicehost.language.commands import parse
from voicehost.language.pack import languages, load_pack
from voicehost.rules.commands import COMMANDS
from voicehost.rules.situations import legal_in

MOMENTS = ("lobby", "speech", "vote", "lift", "night-hunt", "don-check", "sheriff-check", "best-move", "any")


@pytest.mark.parametrize("language", languages())
def test_prompts_belong_to_commands_and_consist_of_commands(language: str) -> None:
    pack = load_pack(language)
    assert "day" in pack.prompts
    assert pack.prompts.keys() - {"day"} <= {command.name for command in COMMANDS.values()}
    for text in pack.prompts.values():
        for sentence in re.split(r"(?<=[.?!])\s+", text):
            assert parse(pack, sentence) is not None, sentence


@pytest.mark.parametrize("language", languages())
def test_prompts_are_short(language: str) -> None:
    """Each of their tokens is decoded with every utterance."""
    assert all(len(text.split()) <= 45 for text in load_pack(language).prompts.values())


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("moment", MOMENTS)
def test_each_moment_has_a_prompt_that_holds_what_is_awaited(language: str, moment: str) -> None:
    pack = load_pack(language)
    legal = legal_in(moment)
    prompt = Expectation(pack, legal).prompt()
    said = [parse(pack, sentence) for sentence in re.split(r"(?<=[.?!])\s+", prompt)]
    names = {meant.command.name for meant in said if meant is not None}
    awaited = {"votes", "shot", "don-check", "sheriff-check", "best-move", "start-game"} & legal.keys()
    assert awaited <= names
    assert awaited or {"nominate", "foul", "end-speech"} <= names


def test_a_game_has_a_handful_of_prompts() -> None:
    pack = load_pack("ru")
    assert len({Expectation(pack, legal_in(moment)).prompt() for moment in MOMENTS}) <= 8


@pytest.mark.parametrize("language", languages())
def test_decoys_are_no_commands(language: str) -> None:
    pack = load_pack(language)
    assert len(pack.decoys) >= 20
    assert [phrase for phrase in pack.decoys if parse(pack, phrase) is not None] == []
    assert all(re.fullmatch(r"[а-яё ]+", phrase) for phrase in pack.decoys)


def test_decoys_stand_beside_the_commands_for_who_searches_word_by_word() -> None:
    expectation = Expectation(load_pack("ru"), legal_in("speech"))
    digits = expectation.automaton(digits=True)
    heard = digits.heard(["дальше", "посмотрим"])
    assert heard is not None
    assert heard.command == "дальше посмотрим"
    assert getattr(digits.heard(["дальше"]), "command").name == "next"  # noqa: B009 - two kinds of meaning
    assert expectation.automaton().follow(["дальше", "посмотрим"]) is None
