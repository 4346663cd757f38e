"""A tiny Whisper model of random weights, written as the real ones are, and a plain decoder to compare with."""

from __future__ import annotations

import json
import struct
from math import erf, exp, log, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from voicehost.stt.whisper_tokens import SPECIAL

WIDTH, HEADS, LAYERS, LONGEST = 16, 2, 2, 64
Tensors = dict[str, npt.NDArray[Any]]
_TYPES = {"float32": 0, "int8": 1, "int16": 2, "float16": 4}


def random_weights(vocabulary: int, seed: int = 1) -> Tensors:
    """The tensors of a decoder."""
    rng = np.random.default_rng(seed)

    def make(*shape: int) -> npt.NDArray[Any]:
        return (rng.standard_normal(shape) * 0.3).astype(np.float16)

    made: Tensors = {
        "encoder/conv1/weight": make(4, 4),
        "decoder/num_heads": np.asarray(HEADS, np.int16),
        "decoder/embeddings/weight": make(vocabulary, WIDTH) * 3,
        "decoder/position_encodings/encodings": make(LONGEST, WIDTH),
    }

    def linear(name: str, out: int, into: int) -> None:
        made[f"{name}/weight"], made[f"{name}/bias"] = make(out, into), make(out)

    def norm(name: str) -> None:
        made[f"{name}/gamma"], made[f"{name}/beta"] = 1 + make(WIDTH), make(WIDTH)

    norm("decoder/layer_norm")
    for layer in range(LAYERS):
        base = f"decoder/layer_{layer}"
        for part in ("self_attention", "attention", "ffn"):
            norm(f"{base}/{part}/layer_norm")
        linear(f"{base}/self_attention/linear_0", 3 * WIDTH, WIDTH)
        linear(f"{base}/self_attention/linear_1", WIDTH, WIDTH)
        linear(f"{base}/attention/linear_0", WIDTH, WIDTH)
        linear(f"{base}/attention/linear_1", 2 * WIDTH, WIDTH)
        linear(f"{base}/attention/linear_2", WIDTH, WIDTH)
        linear(f"{base}/ffn/linear_0", 4 * WIDTH, WIDTH)
        linear(f"{base}/ffn/linear_1", WIDTH, 4 * WIDTH)
    return made


def write_model(path: Path, tensors: Tensors, *, version: int = 6, specification: str = "WhisperSpec") -> None:
    """Write tensors as CTranslate2 does."""

    def text(value: str) -> bytes:
        return struct.pack("<H", len(value) + 1) + value.encode() + b"\0"

    data = struct.pack("<I", version) + text(specification) + struct.pack("<II", 3, len(tensors))
    for name, tensor in tensors.items():
        data += text(name) + struct.pack("<B", tensor.ndim)
        data += b"".join(struct.pack("<I", size) for size in tensor.shape)
        data += struct.pack("<BI", _TYPES[str(tensor.dtype)], tensor.nbytes) + tensor.tobytes()
    path.write_bytes(data + struct.pack("<I", 0))


def write_tokenizer(path: Path, pieces: tuple[str, ...] = ()) -> None:
    """Write a byte-level vocabulary: every byte, the given pieces of words, and the special tokens."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [byte for byte in range(256) if byte not in plain]
    letters = {byte: chr(byte) for byte in plain} | {byte: chr(256 + place) for place, byte in enumerate(rest)}
    vocabulary = [letters[byte] for byte in range(256)]
    merges: list[list[str]] = []
    for piece in pieces:
        symbols = [letters[byte] for byte in piece.encode()]
        whole = symbols[0]
        for symbol in symbols[1:]:
            if whole + symbol not in vocabulary:
                vocabulary.append(whole + symbol)
                merges.append([whole, symbol])
            whole += symbol
    added = [
        {
            "id": len(vocabulary) + place, "content": name, "special": True, "single_word": False, "lstrip": False,
            "rstrip": False, "normalized": False,
        }
        for place, name in enumerate((*SPECIAL, "<|ru|>"))
    ]  # fmt: skip
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    model = {
        "type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
        "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
        "vocab": {token: place for place, token in enumerate(vocabulary)}, "merges": merges,
    }  # fmt: skip
    whole_file = {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": added, "normalizer": None,
        "pre_tokenizer": level, "post_processor": None, "decoder": level, "model": model,
    }  # fmt: skip
    path.write_text(json.dumps(whole_file), encoding="utf-8")


def plain_decode(tensors: Tensors, encoded: npt.NDArray[Any], tokens: list[int], wanted: list[int]) -> list[float]:
    """The log probabilities of the token after ``tokens``: everything anew, one number after another, no cache."""
    t = {name: tensor.astype(np.float64) for name, tensor in tensors.items()}

    def linear(x: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
        return np.array([[float(row @ out) for out in t[f"{name}/weight"]] for row in x]) + t[f"{name}/bias"]

    def normed(x: npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
        rows = []
        for row in x:
            spread = sqrt(float(((row - row.mean()) ** 2).mean()) + 1e-5)
            rows.append((row - row.mean()) / spread * t[f"{name}/gamma"] + t[f"{name}/beta"])
        return np.array(rows)

    def attend(
        query: npt.NDArray[Any], key: npt.NDArray[Any], value: npt.NDArray[Any], causal: bool
    ) -> npt.NDArray[Any]:
        size = WIDTH // HEADS
        out = np.zeros_like(query)
        for place in range(len(query)):
            seen = place + 1 if causal else len(key)
            for head in range(HEADS):
                part = slice(head * size, (head + 1) * size)
                scores = [exp(float(query[place, part] @ key[other, part]) / sqrt(size)) for other in range(seen)]
                for other in range(seen):
                    out[place, part] += scores[other] / sum(scores) * value[other, part]
        return out

    x = np.array([t["decoder/embeddings/weight"][token] for token in tokens])
    x = x + t["decoder/position_encodings/encodings"][: len(tokens)]
    for layer in range(LAYERS):
        base = f"decoder/layer_{layer}"
        own = linear(normed(x, f"{base}/self_attention/layer_norm"), f"{base}/self_attention/linear_0")
        mixed = attend(own[:, :WIDTH], own[:, WIDTH : 2 * WIDTH], own[:, 2 * WIDTH :], causal=True)
        x = x + linear(mixed, f"{base}/self_attention/linear_1")
        query = linear(normed(x, f"{base}/attention/layer_norm"), f"{base}/attention/linear_0")
        heard = linear(encoded, f"{base}/attention/linear_1")
        x = x + linear(attend(query, heard[:, :WIDTH], heard[:, WIDTH:], causal=False), f"{base}/attention/linear_2")
        inner = linear(normed(x, f"{base}/ffn/layer_norm"), f"{base}/ffn/linear_0")
        active = np.array([[value * 0.5 * (1 + erf(value / sqrt(2))) for value in row] for row in inner])
        x = x + linear(active, f"{base}/ffn/linear_1")
    last = normed(x[-1:], "decoder/layer_norm")[0]
    logits = [float(last @ t["decoder/embeddings/weight"][token]) for token in wanted]
    whole = log(sum(exp(logit) for logit in logits))
    return [logit - whole for logit in logits]
