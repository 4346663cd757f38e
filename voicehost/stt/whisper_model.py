"""A Whisper model on disk (the format of faster-whisper) and the parts of it that hearing takes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from voicehost.errors import UserError
from voicehost.stt.whisper_decoder import Decoder, Floats, Heard, Run
from voicehost.stt.whisper_features import RATE, log_mel
from voicehost.stt.whisper_prior import Nodes, Prior
from voicehost.stt.whisper_tokens import Vocabulary
from voicehost.stt.whisper_weights import read_weights

WINDOW = 8.0
"""Seconds that are encoded; shorter windows make the decoder repeat itself, longer ones cost more."""
LONG_WINDOW = 15.0
"""Seconds for utterances that do not fit."""

PROMPTS_KEPT = 7
"""Prompts whose expectation is kept: a night and its day have six of them."""

EXPECTATIONS_KEPT = 4000
"""Texts whose likelihood in a silent room is remembered."""

FILES = ("model.bin", "tokenizer.json", "config.json")


class WhisperModel:
    """A loaded model; it serves one recogniser at a time."""

    def __init__(self, folder: Path, language: str = "ru", *, threads: int = 1) -> None:
        """Load encoder and decoder.

        Args:
            folder: with ``model.bin``, ``tokenizer.json`` and ``config.json``.
            language: code of the language that is spoken.
            threads: of the encoder.

        Raises:
            UserError: ``models.no-whisper``: a library is missing; ``models.broken``: a file is.
        """
        self.folder = folder
        self.name = folder.name
        for name in FILES:
            if not (folder / name).is_file():
                raise UserError("models.broken", file=folder / name, detail="-")
        self.vocabulary = Vocabulary(folder / "tokenizer.json", language)
        weights = read_weights(folder / "model.bin", lambda name: name.startswith("decoder/"))
        self.decoder = Decoder(weights, self.vocabulary.tokens)
        del weights
        self._library = _library()
        try:
            self._encoder: Any = self._library.models.Whisper(
                str(folder), device="cpu", compute_type="int8", intra_threads=threads
            )
        except (RuntimeError, ValueError) as error:
            raise UserError("models.broken", file=folder / "model.bin", detail=error) from error
        room = np.random.default_rng(0).standard_normal(3 * RATE).astype(np.float32) * np.float32(1e-3)
        self._silence = self.heard(room)
        self._prompts: OrderedDict[str, tuple[list[int], Prior]] = OrderedDict()
        self._nodes = Nodes()
        self._expected: dict[tuple[int, ...], float] = {}

    def encode(self, samples: Floats) -> Floats:
        """Encode a sound (16 kHz, full scale 1): shape (time, width)."""
        window = WINDOW if len(samples) <= WINDOW * RATE else LONG_WINDOW
        features = log_mel(samples, window)[None]
        encoded = self._encoder.encode(self._library.StorageView.from_array(features))
        rows: Floats = np.asarray(np.array(encoded), np.float32)[0]
        return rows

    def heard(self, samples: Floats) -> Heard:
        """Encode a sound (16 kHz, full scale 1) as the decoder looks at it."""
        return self.decoder.listen(self.encode(samples))

    def begin(self, heard: Heard, prompt: str = "") -> tuple[Run, Floats]:
        """Decode the prompt, what was said before a sound; see ``Decoder.start``."""
        return self.decoder.start(heard, self._prompted(prompt)[0])

    def evidence(self, heard: Heard, texts: Sequence[tuple[int, ...]], expectation: float) -> list[float]:
        """Return what a sound says for each text, by its places in the vocabulary, without any prompt, in nats.

        ``expectation``: how much of the likelihood in a silent room is taken away.
        """
        unknown = [text for text in texts if text not in self._expected]
        if unknown:
            self._expected.update(zip(unknown, self._likelihoods(self._silence, unknown), strict=True))
        found = [
            total - expectation * self._expected[text]
            for text, total in zip(texts, self._likelihoods(heard, texts), strict=True)
        ]
        while len(self._expected) > EXPECTATIONS_KEPT:
            del self._expected[next(iter(self._expected))]
        return found

    def _likelihoods(self, heard: Heard, texts: Sequence[tuple[int, ...]]) -> list[float]:
        """With or without a full stop at the end."""
        stop = self.vocabulary.stops[0]
        both = [end for text in texts for end in (text, (*text, stop))]
        totals = self.decoder.judge(heard, self.vocabulary.prompt(""), both, self.vocabulary.end_place)
        return [float(np.logaddexp(*pair)) for pair in zip(totals[::2], totals[1::2], strict=True)]

    def prior(self, prompt: str = "") -> Prior:
        """Return what the model expects to hear after a prompt."""
        return self._prompted(prompt)[1]

    def _prompted(self, prompt: str) -> tuple[list[int], Prior]:
        known = self._prompts.get(prompt)
        if known is None:
            tokens = self.vocabulary.prompt(prompt)
            known = self._prompts[prompt] = tokens, Prior(self.decoder, self._silence, tokens, memory=self._nodes)
        self._prompts.move_to_end(prompt)
        while len(self._prompts) > PROMPTS_KEPT:
            self._prompts.popitem(last=False)
        return known

    def close(self) -> None:
        """Let the encoder go. May be called twice."""
        self._encoder = None


def _library() -> Any:
    try:
        import ctranslate2
    except (ImportError, OSError) as error:
        raise UserError("models.no-whisper", detail=error) from error
    return ctranslate2
