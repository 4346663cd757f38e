"""Whisper's decoder in numpy, step by step for several hypotheses at once.

CTranslate2 encodes; but its decoder cannot be led along an automaton without decoding every prefix anew at every
step. Here the keys and values of what was decoded are kept, those of the common prefix once for all hypotheses, and
logits are worked out only for the words that the language can write.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Indexes = npt.NDArray[np.intp]

_EPSILON = 1e-5


@dataclass(frozen=True, slots=True)
class _Layer:
    """The weights of one layer, matrices transposed for ``x @ w``."""

    self_norm: tuple[Floats, Floats]
    self_in: tuple[Floats, Floats]
    self_out: tuple[Floats, Floats]
    cross_norm: tuple[Floats, Floats]
    cross_query: tuple[Floats, Floats]
    cross_memory: tuple[Floats, Floats]
    cross_out: tuple[Floats, Floats]
    feed_norm: tuple[Floats, Floats]
    feed_in: tuple[Floats, Floats]
    feed_out: tuple[Floats, Floats]


@dataclass(frozen=True, slots=True)
class Heard:
    """The encoded sound as each layer looks at it: keys (heads, size, time) and values (heads, time, size)."""

    keys: tuple[Floats, ...]
    values: tuple[Floats, ...]


class Run:
    """The decoding of one sound: the common prefix, then some hypotheses of equal length.

    Keys and values by layer: of the prefix (heads, length, size), of the hypotheses (rows, heads, length, size).
    """

    def __init__(self, heard: Heard) -> None:
        self.heard = heard
        self.prefix: list[tuple[Floats, Floats]] = []
        self.prefix_length = 0
        self.rows: list[tuple[Floats, Floats]] = []
        self.length = 0
        """Tokens of each hypothesis so far, without the prefix."""

    def select(self, parents: Sequence[int] | Indexes) -> None:
        """Continue with these rows, in this order; one may be taken several times or not at all."""
        if self.length:
            index = np.asarray(parents, np.intp)
            self.rows = [(keys[index], values[index]) for keys, values in self.rows]


class Decoder:
    """The decoder of one model for a part of its vocabulary."""

    def __init__(self, weights: Mapping[str, npt.NDArray[Any]], vocabulary: Sequence[int]) -> None:
        """Take the weights (the tensors ``decoder/...`` of the file) and the tokens that logits are wanted for.

        Tokens are known here by their place in ``vocabulary``, except in ``start``.
        """
        embeddings = weights["decoder/embeddings/weight"]
        self._all_embeddings = embeddings
        self.embeddings = embeddings[np.asarray(vocabulary, np.intp)].astype(np.float32)
        self._positions = weights["decoder/position_encodings/encodings"].astype(np.float32)
        self._projection = np.ascontiguousarray(self.embeddings.T)
        self.heads = int(weights["decoder/num_heads"]) if "decoder/num_heads" in weights else 8
        self.width = int(embeddings.shape[1])
        self._norm = _pair(weights, "decoder/layer_norm", "gamma", "beta")
        self._layers: list[_Layer] = []
        while f"decoder/layer_{len(self._layers)}/self_attention/linear_0/weight" in weights:
            self._layers.append(_layer(weights, f"decoder/layer_{len(self._layers)}", self.width, self.heads))
        self.longest = len(self._positions)

    def listen(self, encoded: Floats) -> Heard:
        """Take an encoded sound, shape (time, width)."""
        keys, values = [], []
        for layer in self._layers:
            both = _linear(encoded, layer.cross_memory).reshape(len(encoded), 2, self.heads, -1)
            keys.append(np.ascontiguousarray(both[:, 0].transpose(1, 2, 0)))
            values.append(np.ascontiguousarray(both[:, 1].transpose(1, 0, 2)))
        return Heard(tuple(keys), tuple(values))

    def start(self, heard: Heard, prefix: Sequence[int]) -> tuple[Run, Floats]:
        """Decode the common prefix, given as tokens of the model.

        Returns:
            The run, and the log probabilities of the first token after it, shape (vocabulary,).
        """
        run = Run(heard)
        tokens = self._all_embeddings[np.asarray(prefix, np.intp)].astype(np.float32)
        x = tokens + self._positions[: len(prefix)]
        length = len(x)
        mask = np.triu(np.full((length, length), -np.inf, np.float32), 1)
        for number, layer in enumerate(self._layers):
            query, key, value = self._split(_linear(_normed(x, layer.self_norm), layer.self_in))
            run.prefix.append((key, value))
            mixed = _softmax(query @ key.transpose(0, 2, 1) + mask) @ value
            x = x + _linear(_joined(mixed), layer.self_out)
            x = self._look_and_think(x, number, heard)
        run.prefix_length = length
        return run, _log_softmax(self._logits(x[-1:]))[0]

    def step(self, run: Run, tokens: Sequence[int] | Indexes) -> Floats:
        """Add one token to each hypothesis.

        Args:
            run: its hypotheses must be as many as tokens; before the first step there are none and all begin anew.
            tokens: the new token of each, by its place in the vocabulary.

        Returns:
            The log probabilities of the next token, shape (rows, vocabulary).
        """
        x = self.embeddings[np.asarray(tokens, np.intp)] + self._positions[run.prefix_length + run.length]
        rows = []
        for number, layer in enumerate(self._layers):
            query, key, value = self._split(_linear(_normed(x, layer.self_norm), layer.self_in))
            # One token a row: (heads, rows, size) becomes (rows, heads, 1, size).
            keys, values = key.transpose(1, 0, 2)[:, :, None], value.transpose(1, 0, 2)[:, :, None]
            if run.length:
                keys = np.concatenate([run.rows[number][0], keys], axis=2)
                values = np.concatenate([run.rows[number][1], values], axis=2)
            rows.append((keys, values))
            old_keys, old_values = run.prefix[number]
            before = (query @ old_keys.transpose(0, 2, 1)).transpose(1, 0, 2)
            own = (keys @ query.transpose(1, 0, 2)[..., None])[..., 0]
            weights = _softmax(np.concatenate([before, own], axis=2))
            mixed = weights[:, :, : run.prefix_length].transpose(1, 0, 2) @ old_values
            mixed = mixed + (weights[:, :, None, run.prefix_length :] @ values)[:, :, 0].transpose(1, 0, 2)
            x = x + _linear(_joined(mixed), layer.self_out)
            x = self._look_and_think(x, number, run.heard)
        run.rows = rows
        run.length += 1
        return _log_softmax(self._logits(x))

    def judge(self, heard: Heard, prefix: Sequence[int], texts: Sequence[tuple[int, ...]], end: int) -> list[float]:
        """How likely each of some texts is, worked out for all at once.

        What several texts begin with is decoded once: their tokens are the nodes of a tree, and each looks only at
        those above it.

        Args:
            heard: the sound.
            prefix: tokens of the model that come before.
            texts: by their places in the vocabulary.
            end: the place of the token that ends a text.

        Returns:
            The log probability of each text with its end.
        """
        tree = _Tree.of(texts)
        length = len(prefix)
        before = self._all_embeddings[np.asarray(prefix, np.intp)].astype(np.float32)
        x = np.concatenate([before, self.embeddings[np.asarray(tree.tokens, np.intp)]])
        x = x + self._positions[[*range(length), *(length + depth for depth in tree.depths)]]
        mask = tree.mask(length)
        for number, layer in enumerate(self._layers):
            query, key, value = self._split(_linear(_normed(x, layer.self_norm), layer.self_in))
            mixed = _softmax(query @ key.transpose(0, 2, 1) + mask) @ value
            x = x + _linear(_joined(mixed), layer.self_out)
            x = self._look_and_think(x, number, heard)
        chances = _log_softmax(self._logits(x[length - 1 :]))
        totals = []
        for text in texts:
            # Row 0 follows the prefix, row n + 1 the node n.
            rows = [0, *(tree.places[text[: count + 1]] + 1 for count in range(len(text)))]
            totals.append(float(chances[rows, [*text, end]].sum()))
        return totals

    def _split(self, joined: Floats) -> tuple[Floats, Floats, Floats]:
        """Queries, keys and values, each (heads, rows, size)."""
        three = joined.reshape(len(joined), 3, self.heads, -1).transpose(1, 2, 0, 3)
        return three[0], three[1], three[2]

    def _look_and_think(self, x: Floats, number: int, heard: Heard) -> Floats:
        """The rest of a layer: attention to the sound, then the feed-forward part."""
        layer = self._layers[number]
        query = _linear(_normed(x, layer.cross_norm), layer.cross_query).reshape(len(x), self.heads, -1)
        mixed = _softmax(query.transpose(1, 0, 2) @ heard.keys[number]) @ heard.values[number]
        x = x + _linear(_joined(mixed), layer.cross_out)
        return x + _linear(gelu(_linear(_normed(x, layer.feed_norm), layer.feed_in)), layer.feed_out)

    def _logits(self, x: Floats) -> Floats:
        return _normed(x, self._norm) @ self._projection


@dataclass(frozen=True, slots=True)
class _Tree:
    """Texts by their beginnings: token, parent (-1: none) and depth of each node, and the node of each beginning."""

    tokens: list[int]
    parents: list[int]
    depths: list[int]
    places: dict[tuple[int, ...], int]

    @classmethod
    def of(cls, texts: Sequence[tuple[int, ...]]) -> _Tree:
        tree = cls([], [], [], {})
        for text in texts:
            for depth, token in enumerate(text):
                beginning = text[: depth + 1]
                if beginning not in tree.places:
                    tree.places[beginning] = len(tree.tokens)
                    tree.tokens.append(token)
                    tree.parents.append(tree.places.get(text[:depth], -1))
                    tree.depths.append(depth)
        return tree

    def mask(self, length: int) -> Floats:
        """What may be looked at, 0 or minus infinity: a prefix of ``length`` in its order, nodes those above them."""
        whole = length + len(self.tokens)
        mask = np.full((whole, whole), -np.inf, np.float32)
        mask[:length, :length] = np.triu(mask[:length, :length], 1)
        for node, parent in enumerate(self.parents):
            row = length + node
            mask[row] = mask[length + parent] if parent >= 0 else mask[length - 1]
            mask[row, row] = 0.0
        return mask


def gelu(x: Floats) -> Floats:
    """The Gaussian error linear unit, with the error function to 1.5e-7 (Abramowitz and Stegun, 7.1.26)."""
    z = np.abs(x) * np.float32(0.7071067811865476)
    t = 1.0 / (1.0 + np.float32(0.3275911) * z)
    series = t * (
        0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * np.float32(1.061405429))))
    )
    error = np.copysign(1.0 - series * np.exp(-z * z), x)
    return np.asarray(0.5 * x * (1.0 + error), np.float32)


def _layer(weights: Mapping[str, npt.NDArray[Any]], name: str, width: int, heads: int) -> _Layer:
    scale = np.float32((width // heads) ** -0.5)
    own, cross, feed = f"{name}/self_attention", f"{name}/attention", f"{name}/ffn"
    self_in = _matrix(weights, f"{own}/linear_0")
    # Queries are scaled once and for all.
    self_in[0][:, :width] *= scale
    self_in[1][:width] *= scale
    query = _matrix(weights, f"{cross}/linear_0")
    return _Layer(
        self_norm=_pair(weights, f"{own}/layer_norm", "gamma", "beta"),
        self_in=self_in,
        self_out=_matrix(weights, f"{own}/linear_1"),
        cross_norm=_pair(weights, f"{cross}/layer_norm", "gamma", "beta"),
        cross_query=(query[0] * scale, query[1] * scale),
        cross_memory=_matrix(weights, f"{cross}/linear_1"),
        cross_out=_matrix(weights, f"{cross}/linear_2"),
        feed_norm=_pair(weights, f"{feed}/layer_norm", "gamma", "beta"),
        feed_in=_matrix(weights, f"{feed}/linear_0"),
        feed_out=_matrix(weights, f"{feed}/linear_1"),
    )


def _pair(weights: Mapping[str, npt.NDArray[Any]], name: str, first: str, second: str) -> tuple[Floats, Floats]:
    return weights[f"{name}/{first}"].astype(np.float32), weights[f"{name}/{second}"].astype(np.float32)


def _matrix(weights: Mapping[str, npt.NDArray[Any]], name: str) -> tuple[Floats, Floats]:
    weight, bias = _pair(weights, name, "weight", "bias")
    return np.ascontiguousarray(weight.T), bias


def _linear(x: Floats, weight: tuple[Floats, Floats]) -> Floats:
    return x @ weight[0] + weight[1]


def _normed(x: Floats, norm: tuple[Floats, Floats]) -> Floats:
    centred = x - x.mean(axis=-1, keepdims=True)
    spread = np.sqrt(np.square(centred).mean(axis=-1, keepdims=True) + _EPSILON)
    normed: Floats = centred / spread * norm[0] + norm[1]
    return normed


def _joined(mixed: Floats) -> Floats:
    """(heads, rows, size) to (rows, width)."""
    return mixed.transpose(1, 0, 2).reshape(mixed.shape[1], -1)


def _softmax(x: Floats) -> Floats:
    raised = np.exp(x - x.max(axis=-1, keepdims=True))
    shares: Floats = raised / raised.sum(axis=-1, keepdims=True)
    return shares


def _log_softmax(x: Floats) -> Floats:
    lowered = x - x.max(axis=-1, keepdims=True)
    logs: Floats = lowered - np.log(np.exp(lowered).sum(axis=-1, keepdims=True))
    return logs
