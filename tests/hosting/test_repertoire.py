"""What a voice pack is made of: whatever a game may say is in it, whole or in pieces."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from voicehost.hosting.repertoire import essential, repertoire
from voicehost.hosting.script import Cue
from voicehost.hosting.words import Words
from voicehost.language.cues import CUES
from voicehost.language.pack import load_pack
from voicehost.language.styles import load_style
from voicehost.rules.ruleset import SHIPPED, shipped
from voicehost.tts.pack import About, Clip, VoicePack, key_of


def pack_of(words: Words, rules: str, players: int = 10) -> VoicePack:
    """A pack that would hold everything, without its sounds."""
    texts = [said.text for said in repertoire(words, shipped(rules), players)]
    clips = {key_of(text): Clip(text, "x.flac", "", 1.0, -18.0) for text in texts}
    return VoicePack(Path("x"), About("ru", "e", "v", "l", 24000), clips)


@pytest.mark.parametrize("rules", SHIPPED)
@pytest.mark.parametrize("language", ["ru", "bg"])
def test_lists_of_any_length_are_joined_from_pieces(rules: str, language: str) -> None:
    words = Words(load_pack(language), shipped(rules).manner)
    pack = pack_of(words, rules)
    for phrase, names in CUES.items():
        if "seats" not in names:
            continue
        for seats in ((3,), (5, 2), (1, 3, 6), (10, 9, 8, 7, 1), *permutations((4, 6, 2))):
            for count, needed in ((6, 6), (2, 6)):
                if (phrase == "lift-passed" and count < needed) or (phrase == "lift-failed" and count >= needed):
                    continue
                values = {"seats": seats, "number": 2, "count": count, "needed": needed}
                line = words.line(Cue(phrase, {name: values[name] for name in names}))
                assert not line or pack.has(line), line


def test_a_line_with_a_number_is_there_whole() -> None:
    words = Words(load_pack("ru"), "classic")
    texts = {said.text for said in repertoire(words, shipped("classic"), 20)}
    for seat in range(1, 21):
        for phrase, more in (("speech", {"seconds": 60}), ("candidate", {}), ("last-word", {"seconds": 30})):
            assert words.line(Cue(phrase, {"seat": seat, **more})) in texts
        assert words.line(Cue("votes-counted", {"seat": seat, "count": 20})) in texts


def test_each_line_comes_once_and_none_is_empty() -> None:
    words = Words(load_pack("ru"), "fsm", load_style(load_pack("ru"), "noir"))
    texts = [said.text.casefold() for said in repertoire(words, shipped("fsm"), 10)]
    assert len(texts) == len(set(texts))
    assert all(text.strip() for text in texts)


def test_a_style_brings_all_its_wordings_and_the_names() -> None:
    pack = load_pack("ru")
    words = Words(pack, "sport", load_style(pack, "noir"))
    words.call_by(lambda seat: "Аня" if seat == 1 else None)
    texts = {said.text for said in repertoire(words, shipped("sport"), 10)}
    assert {"Гаснут последние окна. Город засыпает.", "Часы на башне бьют полночь. Город спит."} <= texts
    assert "Аня, ваша минута. Номер один." in texts
    assert not any("Аня" in text and "номер два" in text for text in texts)


def test_a_piece_before_a_list_is_spoken_without_falling() -> None:
    words = Words(load_pack("ru"), "professional")
    spoken = {said.text: said.spoken for said in repertoire(words, shipped("professional"), 10)}
    assert spoken["На голосование выставлены номера"] == "На голосование выставлены номера,"
    assert spoken["пять,"] == ""
    assert spoken["и пять."] == ""


def test_the_essential_lines_begin_with_the_numbers_of_the_hunt_and_are_part_of_all() -> None:
    words = Words(load_pack("ru"), "sport")
    lines = essential(words, shipped("sport"), 10)
    assert lines[:2] == ["Один.", "Два."]
    assert lines[10] == "Десять секунд."
    assert set(lines) <= {said.text for said in repertoire(words, shipped("sport"), 10)}
