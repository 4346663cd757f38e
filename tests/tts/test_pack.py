from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.components import require
from tests.tts.helpers import BrokenVoice, SineVoice, tone
from voicehost.errors import UserError
from voicehost.tts import pack as packs
from voicehost.tts import shaping
from voicehost.tts.cache import CachedVoice
from voicehost.tts.pack import About, VoicePack, key_of
from voicehost.tts.pack_making import FORMATS, Line, keep, make
from voicehost.tts.packed import PackedVoice
from voicehost.tts.voice import VoiceFailed

ABOUT = About("ru", "sine", "sine:one", "CC0-1.0", 24000, made="2026-01-02", rules=("sport",))
LINES = ["Игрок номер пять, одна минута.", "Десять секунд.", "Время вышло."]


@pytest.fixture
def pack(tmp_path: Path) -> VoicePack:
    require("soundfile")
    made = packs.empty(tmp_path / "голос", ABOUT)
    make(made, [Line(text) for text in LINES], [SineVoice("sine:one"), SineVoice("sine:one")])
    return made


def test_a_pack_says_what_it_is_and_survives_the_disk(pack: VoicePack) -> None:
    again = VoicePack.open(pack.folder)
    assert again.about == ABOUT
    assert packs.texts_of(again.clips) == packs.texts_of(pack.clips)
    assert sorted(packs.texts_of(again.clips)) == sorted(LINES)
    assert again.verify() == []
    clip = again.clips[key_of(LINES[1])]
    assert clip.loudness == pytest.approx(-18.0, abs=0.5)
    assert clip.seconds == pytest.approx(again.sound(LINES[1]).seconds, abs=1e-3)  # type: ignore[union-attr]


def test_flac_gives_back_every_bit(pack: VoicePack) -> None:
    sound = shaping.finish(tone(0.7), 24000)
    keep(pack, "бит в бит", sound)
    assert VoicePack.sound(pack, "бит в бит") == sound


def test_opus_is_smaller_and_as_long(tmp_path: Path) -> None:
    require("soundfile")
    sizes = {}
    for form in FORMATS:
        made = packs.empty(tmp_path / form, ABOUT)
        make(made, [Line(text) for text in LINES], [SineVoice()], form=form)
        assert made.verify() == []
        sizes[form] = sum(path.stat().st_size for path in made.folder.rglob(f"*.{form}"))
        assert made.sound(LINES[0]).seconds == pytest.approx(0.07 * len(LINES[0]), abs=0.1)  # type: ignore[union-attr]
    assert sizes["opus"] < 0.8 * sizes["flac"]


def test_case_and_spaces_do_not_matter_but_the_end_of_the_sentence_does(pack: VoicePack) -> None:
    assert pack.has("игрок  номер ПЯТЬ, одна минута.")
    assert not pack.has("Игрок номер пять, одна минута?")
    assert pack.sound("Чего нет.") is None


def test_a_list_is_joined_from_pieces_with_pauses_after_commas(tmp_path: Path) -> None:
    require("soundfile")
    made = packs.empty(tmp_path / "p", ABOUT)
    pieces = ["Выставлены номера", "пять,", "два", "и восемь.", "и восемь"]
    make(made, [Line(text) for text in pieces], [SineVoice()])
    line = "Выставлены номера пять, два и восемь."
    assert [clip.text for clip in made.pieces(line) or ()] == pieces[:4]
    sound = made.sound(line)
    assert sound is not None
    parts = [made.sound(text) for text in pieces[:4]]
    assert sound.seconds == pytest.approx(sum(part.seconds for part in parts if part) + 0.09, abs=1e-3)
    # No seam clicks: every piece starts and ends at nothing.
    samples = shaping.samples_of(sound)
    place = 0
    for part in parts[:-1]:
        assert part is not None
        place += len(part.pcm) // 2
        assert abs(samples[place - 1]) < 0.01
        assert abs(samples[place]) < 0.01
        place += round(0.09 * 24000) if part is parts[1] else 0
    assert made.pieces("Выставлены номера пять, три и восемь.") is None


def test_the_longest_piece_is_taken(tmp_path: Path) -> None:
    require("soundfile")
    made = packs.empty(tmp_path / "p", ABOUT)
    make(made, [Line(text) for text in ("один", "один, два", "один,", "два", "и три.")], [SineVoice()])
    assert [clip.text for clip in made.pieces("один, два и три.") or ()] == ["один, два", "и три."]


def test_a_piece_may_be_spoken_otherwise_than_it_is_found(tmp_path: Path) -> None:
    require("soundfile")
    made = packs.empty(tmp_path / "p", ABOUT)
    voice = SineVoice()
    make(made, [Line("номера", "номера,")], [voice])
    assert voice.said == ["номера,"]
    assert made.has("номера")


def test_an_interrupted_pack_goes_on_and_damage_is_mended(pack: VoicePack) -> None:
    clip = pack.clips[key_of(LINES[0])]
    (pack.folder / clip.file).write_bytes(b"rubbish")
    (pack.folder / pack.clips[key_of(LINES[1])].file).unlink()
    assert sorted((fault.text, fault.why) for fault in pack.verify()) == [(LINES[1], "missing"), (LINES[0], "changed")]
    voice = SineVoice()
    made = make(pack, [Line(text) for text in [*LINES, "Новая."]], [voice])
    assert (made.rendered, made.kept, made.failed) == (3, 1, ())
    assert set(voice.said) == {LINES[0], LINES[1], "Новая."}
    assert VoicePack.open(pack.folder).verify() == []


def test_a_line_that_fails_is_tried_twice_and_named(tmp_path: Path) -> None:
    require("soundfile")
    made = packs.empty(tmp_path / "p", ABOUT)
    voice = BrokenVoice(why="died")
    result = make(made, [Line("раз")], [voice])
    assert voice.said == ["раз", "раз"]
    assert voice.closed == 2
    assert [text for text, _ in result.failed] == ["раз"]
    assert not made.clips


def test_what_was_made_stays_when_it_is_interrupted(tmp_path: Path) -> None:
    require("soundfile")
    made = packs.empty(tmp_path / "p", ABOUT)

    def stop(done: int, of: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make(made, [Line(text) for text in LINES], [SineVoice()], progress=stop)
    again = VoicePack.open(made.folder)
    assert len(again.clips) >= 2
    assert again.verify() == []


@pytest.mark.parametrize(
    ("manifest", "key"),
    [
        ("not json", "tts.pack-broken"),
        ('{"format": 99, "about": {}, "clips": {}}', "tts.pack-newer"),
        ('{"format": 1, "about": {"language": "ru"}, "clips": {}}', "tts.pack-broken"),
        ("[]", "tts.pack-broken"),
        (None, "tts.pack-missing"),
    ],
)
def test_a_folder_that_is_no_pack_is_told_in_a_sentence(manifest: str | None, key: str, tmp_path: Path) -> None:
    if manifest is not None:
        (tmp_path / "manifest.json").write_text(manifest, encoding="utf-8")
    with pytest.raises(UserError) as caught:
        VoicePack.open(tmp_path)
    assert caught.value.key == key


def test_the_manifest_names_hash_engine_voice_and_licence(pack: VoicePack) -> None:
    data = json.loads((pack.folder / "manifest.json").read_text(encoding="utf-8"))
    assert data["about"]["engine"] == "sine"
    assert data["about"]["voice"] == "sine:one"
    assert data["about"]["licence"] == "CC0-1.0"
    for key, clip in data["clips"].items():
        assert key == key_of(clip["text"])
        assert (pack.folder / clip["file"]).is_file()


def test_the_users_packs_are_found_newest_first(tmp_path: Path) -> None:
    require("soundfile")
    for name, made, language in (("old", "2025-01-01", "ru"), ("new", "2026-01-01", "ru"), ("bg", "2027-01-01", "bg")):
        one = packs.empty(tmp_path / name, About(language, "e", "v", "l", 24000, made))
        make(one, [Line("раз")], [SineVoice()])
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "manifest.json").write_text("{", encoding="utf-8")
    assert [pack.name for pack in packs.installed("ru", tmp_path)] == ["new", "old"]
    assert packs.installed("ru", tmp_path / "nowhere") == []
    found = packs.find("old", tmp_path)
    assert found is not None
    assert found.about.made == "2025-01-01"
    assert packs.find("nobody", tmp_path) is None


def test_a_pack_speaks_and_a_living_voice_says_the_rest(pack: VoicePack) -> None:
    behind = SineVoice("behind")
    voice = PackedVoice(pack, _ready(behind))
    assert voice.render(LINES[0]) == pack.sound(LINES[0])
    assert behind.said == []
    assert voice.render("Чего нет.").seconds > 0.3
    assert behind.said == ["Чего нет."]
    assert voice.ready(LINES[0])
    voice.prerender([LINES[0], "Ещё."])
    voice.close()
    assert LINES[0] not in behind.said


def test_a_damaged_clip_is_synthesised_and_told_once(pack: VoicePack) -> None:
    for clip in pack.clips.values():
        (pack.folder / clip.file).write_bytes(b"rubbish")
    told: list[VoiceFailed] = []
    behind = SineVoice("behind")
    voice = PackedVoice(VoicePack.open(pack.folder), _ready(behind), lambda failed, then: told.append(failed))
    for text in LINES:
        assert voice.render(text).seconds > 0.3
    assert behind.said == LINES
    assert len(told) == 1


def test_without_any_engine_the_pack_still_speaks(pack: VoicePack) -> None:
    voice = PackedVoice(pack, None)
    assert voice.render(LINES[0]).seconds > 0.3
    with pytest.raises(VoiceFailed):
        voice.render("Чего нет.")


def _ready(voice: SineVoice) -> CachedVoice:
    return CachedVoice(voice)
