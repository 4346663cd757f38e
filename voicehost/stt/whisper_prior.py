"""How likely the model finds a text when it hears nothing: its expectation, which must not pass for evidence.

A decoder that hears poorly falls back on what it expects («дальше», «выставляю номер три»), so that the likeliest
command is often the most ordinary one. Taking a part of the expectation away leaves what the sound itself says for
a command (the internal language model of Meng et al. 2021). It depends on the words alone and is therefore kept from
one utterance to the next.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
import numpy.typing as npt

from voicehost.stt.whisper_decoder import Decoder, Floats, Heard, Run

Halves = npt.NDArray[np.float16]


@dataclass(frozen=True, slots=True)
class _Node:
    """One decoded token: its keys and values by layer, shape (layers, 2, heads, size), and what may come next."""

    memory: Halves
    chances: Halves


class Nodes:
    """Decoded beginnings of texts, about 20 kB each, shared by the priors of all prompts.

    Those that were not wanted for longest are forgotten first, so that the moments of a game that have most to say
    have most of the room.
    """

    def __init__(self, kept: int = 3000) -> None:
        """Remember at most so many."""
        self._kept = kept
        self._nodes: OrderedDict[tuple[int, tuple[int, ...]], _Node] = OrderedDict()
        self._owners = count()

    def room(self) -> _Room:
        """Return the room of one more prior."""
        return _Room(self._nodes, next(self._owners))

    def tidy(self) -> None:
        """Forget what is too much."""
        while len(self._nodes) > self._kept:
            self._nodes.popitem(last=False)


class _Room:
    """What one prior has in the shared memory."""

    def __init__(self, nodes: OrderedDict[tuple[int, tuple[int, ...]], _Node], owner: int) -> None:
        self._nodes, self._owner = nodes, owner

    def __contains__(self, text: tuple[int, ...]) -> bool:
        return (self._owner, text) in self._nodes

    def __getitem__(self, text: tuple[int, ...]) -> _Node:
        self._nodes.move_to_end((self._owner, text))
        return self._nodes[self._owner, text]

    def __setitem__(self, text: tuple[int, ...], node: _Node) -> None:
        self._nodes[self._owner, text] = node


class Prior:
    """The log probabilities of the next token after any text, for one prompt and a silent room."""

    def __init__(self, decoder: Decoder, silence: Heard, prompt: Sequence[int], *, memory: Nodes | None = None) -> None:
        """Decode the prompt.

        Args:
            decoder: the decoder.
            silence: a silent room, as the decoder looks at it; the same for all prompts.
            prompt: the tokens of the model before the text.
            memory: what other priors share.
        """
        self._decoder = decoder
        self._run, self.first = decoder.start(silence, prompt)
        self._memory = memory or Nodes()
        self._nodes = self._memory.room()

    def after(self, texts: Sequence[tuple[int, ...]]) -> list[Floats]:
        """Return the log probabilities, shape (vocabulary,), after each text; all have one length, at least 1."""
        new = [text for text in dict.fromkeys(texts) if text not in self._nodes]
        if new:
            self._decode(new)
        found = [self._nodes[text].chances.astype(np.float32) for text in texts]
        self._memory.tidy()
        return found

    def _decode(self, texts: Sequence[tuple[int, ...]]) -> None:
        """Decode the last token of each text, those before it first where they were forgotten."""
        length = len(texts[0])
        if length > 1:
            lost = [text[:-1] for text in dict.fromkeys(texts) if text[:-1] not in self._nodes]
            if lost:
                self._decode(list(dict.fromkeys(lost)))
        run = Run(self._run.heard)
        run.prefix, run.prefix_length = self._run.prefix, self._run.prefix_length
        run.length = length - 1
        if run.length:
            # (rows, tokens, layers, 2, heads, size)
            chains = np.stack([self._chain(text[:-1]) for text in texts]).astype(np.float32)
            run.rows = [
                (chains[:, :, layer, 0].transpose(0, 2, 1, 3), chains[:, :, layer, 1].transpose(0, 2, 1, 3))
                for layer in range(chains.shape[2])
            ]
        chances = self._decoder.step(run, [text[-1] for text in texts])
        for row, text in enumerate(texts):
            memory = np.stack([np.stack([keys[row, :, -1], values[row, :, -1]]) for keys, values in run.rows])
            self._nodes[text] = _Node(memory.astype(np.float16), chances[row].astype(np.float16))

    def _chain(self, text: tuple[int, ...]) -> Halves:
        parts = []
        for length in range(1, len(text) + 1):
            if text[:length] not in self._nodes:
                self._decode([text[:length]])
            parts.append(self._nodes[text[:length]].memory)
        return np.stack(parts)
