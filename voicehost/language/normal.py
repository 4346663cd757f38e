"""What is left of an utterance once spelling no longer matters: small letters, е for ё, no punctuation."""

from __future__ import annotations

import re
import unicodedata

# A number may carry its ending («5-го», «3-ти»); any other punctuation only parts words.
_TOKEN = re.compile(r"(\d+)(?:(?:-[^\W\d_]{1,4}|[^\W\d_]{1,2})\b)?|[^\W\d_]+")
_MARKS = re.compile(r"[\u0300-\u036f\u00ad\u200b-\u200d\u2060]")
_FOLDED = str.maketrans({"ё": "е", "ѐ": "е", "ѝ": "и"})


def fold(word: str) -> str:
    """Return the word with е for ё (and the Bulgarian и for ѝ), in small letters."""
    return word.lower().translate(_FOLDED)


def tokens(text: str) -> list[str]:
    """Return the words and numbers of an utterance, folded; numbers keep their digits and lose an ending."""
    if not text.isascii():
        text = _MARKS.sub("", fold(unicodedata.normalize("NFKC", text.replace("№", " номер "))))
    else:
        text = text.lower()
    return [match[1] or match[0] for match in _TOKEN.finditer(text)]


def normalise(text: str) -> str:
    """Return the utterance in small letters, with е for ё and without punctuation; digits are kept.

    «Выставляю №5-го!» becomes «выставляю номер 5».
    """
    return " ".join(tokens(text))
