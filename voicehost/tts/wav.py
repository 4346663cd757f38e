"""Reading what engines write: WAV whose headers may lie, and the AIFF of macOS."""

from __future__ import annotations

import array
import struct
import sys

from voicehost.tts.voice import Sound


class NotSound(ValueError):
    """The bytes are no 16-bit sound that we know."""


def read(data: bytes) -> Sound:
    """Mono sound from a WAV or AIFF file in memory.

    A data chunk longer than the file (programs that write to a pipe do not know the length beforehand) means: to the
    end.
    Raises NotSound.
    """
    if data[:4] == b"RIFF" and data[8:12] == b"WAVE":
        return _read_wav(data)
    if data[:4] == b"FORM" and data[8:12] in (b"AIFF", b"AIFC"):
        return _read_aiff(data)
    raise NotSound("neither WAV nor AIFF" if data else "an empty file")


def _chunks(data: bytes, order: str) -> dict[bytes, bytes]:
    found: dict[bytes, bytes] = {}
    at = 12
    while at + 8 <= len(data):
        name = data[at : at + 4]
        (size,) = struct.unpack_from(f"{order}I", data, at + 4)
        found.setdefault(name, data[at + 8 : at + 8 + size])
        at += 8 + size + size % 2
    return found


def _read_wav(data: bytes) -> Sound:
    chunks = _chunks(data, "<")
    if len(chunks.get(b"fmt ", b"")) < 16 or b"data" not in chunks:
        raise NotSound("no format or no data in the WAV")
    _, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", chunks[b"fmt "])
    if bits != 16 or channels < 1 or rate < 1000:
        raise NotSound(f"{bits} bits, {channels} channels, {rate} Hz")
    return Sound(_mono(chunks[b"data"], channels, swap=sys.byteorder == "big"), rate)


def _read_aiff(data: bytes) -> Sound:
    chunks = _chunks(data, ">")
    common = chunks.get(b"COMM", b"")
    if len(common) < 18 or b"SSND" not in chunks:
        raise NotSound("no format or no data in the AIFF")
    channels, _, bits = struct.unpack_from(">hIh", common)
    exponent, mantissa = struct.unpack_from(">HQ", common, 8)
    rate = round(mantissa * 2.0 ** (exponent - 16383 - 63))
    kind = common[18:22] if data[8:12] == b"AIFC" else b"NONE"
    if bits != 16 or channels < 1 or rate < 1000 or kind not in (b"NONE", b"twos", b"sowt"):
        raise NotSound(f"{bits} bits, {channels} channels, {rate} Hz, {kind!r}")
    stored = "little" if kind == b"sowt" else "big"
    return Sound(_mono(chunks[b"SSND"][8:], channels, swap=stored != sys.byteorder), rate)


def _mono(pcm: bytes, channels: int, swap: bool) -> bytes:
    samples = array.array("h", pcm[: len(pcm) // (2 * channels) * (2 * channels)])
    if swap:
        samples.byteswap()
    if channels > 1:
        each = [samples[c::channels] for c in range(channels)]
        samples = array.array("h", [sum(frame) // channels for frame in zip(*each, strict=True)])
    if sys.byteorder == "big":
        samples.byteswap()
    return samples.tobytes()
