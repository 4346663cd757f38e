from __future__ import annotations

import struct

import pytest

from tests.tts.helpers import tone, wav_bytes
from voicehost.tts import wav
from voicehost.tts.voice import Sound


def test_a_correct_file() -> None:
    sound = tone(0.1, 22050)
    assert wav.read(wav_bytes(sound)) == sound


@pytest.mark.parametrize("lie", [0x7FFFF000, 0xFFFFFFFF])
def test_a_header_that_promises_too_much(lie: int) -> None:
    sound = tone(0.1)
    data = bytearray(wav_bytes(sound))
    struct.pack_into("<I", data, 4, lie)
    struct.pack_into("<I", data, 40, lie)
    assert wav.read(bytes(data)) == sound


def test_other_chunks_are_not_sound() -> None:
    sound = tone(0.1)
    plain = wav_bytes(sound)
    noted = (
        plain[:12] + b"LIST" + struct.pack("<I", 3) + b"abc\0" + plain[12:] + b"LIST" + struct.pack("<I", 4) + b"tail"
    )
    assert wav.read(noted) == sound


def test_two_channels_are_averaged() -> None:
    stereo = Sound(struct.pack("<6h", 100, 300, -100, -300, 32767, 32767), 16000)
    assert wav.read(wav_bytes(stereo, channels=2)) == Sound(struct.pack("<3h", 200, -200, 32767), 16000)


def _aiff(kind: bytes | None, order: str) -> bytes:
    # 22050 as an 80-bit number: 22050 = 0xAC44 * 2**-1.
    common = struct.pack(">hIh", 1, 3, 16) + struct.pack(">HQ", 16383 + 14, 0xAC44 << 48)
    if kind is not None:
        common += kind + b"\0\0"
    sound = struct.pack(">II", 0, 0) + struct.pack(f"{order}3h", 1, -2, 300)
    body = b"AIFC" if kind is not None else b"AIFF"
    for name, chunk in ((b"COMM", common), (b"SSND", sound)):
        body += name + struct.pack(">I", len(chunk)) + chunk
    return b"FORM" + struct.pack(">I", len(body)) + body


@pytest.mark.parametrize(("kind", "order"), [(None, ">"), (b"NONE", ">"), (b"twos", ">"), (b"sowt", "<")])
def test_aiff_of_either_byte_order(kind: bytes | None, order: str) -> None:
    assert wav.read(_aiff(kind, order)) == Sound(struct.pack("<3h", 1, -2, 300), 22050)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"RIFF",
        b"Error: no voice",
        wav_bytes(tone(0.01))[:30],
        wav_bytes(tone(0.01)).replace(struct.pack("<HH", 2, 16), struct.pack("<HH", 1, 8)),
        _aiff(b"ulaw", ">"),
    ],
)
def test_what_is_no_sound(data: bytes) -> None:
    with pytest.raises(wav.NotSound):
        wav.read(data)
