"""Estimate an upper bound of a text's tokens, without a tokenizer."""

import re
from functools import lru_cache
from math import ceil
from typing import Final

_RUN: Final = re.compile(r"[A-Za-z0-9]+")
_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
#: Letters that no natural word has: they belong to an id, in which every few letters are a token.
_NO_WORD: Final = re.compile(r"[b-df-hj-np-tv-xz]{4}", re.IGNORECASE)
_MARK: Final = re.compile(r"[!-/:-@\[-`{-~\x00-\x08\x0e-\x1f\x7f]")
#: White space that is a token of its own: all but a single space before a word.
_GAP: Final = re.compile(r"[ \t](?=[ \t0-9])[ \t]*")
_LINES: Final = re.compile(r"\n(?:\r?\n)*")
_WIDE: Final = re.compile(r"[^\x00-\x7f]+")
#: Maximum tokens of a character in ordinary texts, by script.
_SCRIPTS: Final = (
    (re.compile("[\x80-\u024f]"), 1.0),
    (re.compile("[\u0250-\u07ff]"), 0.5),
    (re.compile("[\u3040-\u9fff\uac00-\ud7a3]"), 1.0),
    (re.compile("[\u0800-\u303f\ua000-\uabff\ud7a4-\uffff]"), 1.5),
    (re.compile("[\U00010000-\U0010ffff]"), 3.0),
)


def tokens(text: str) -> int:
    """Return an upper bound of a text's tokens; a model's own count is about a quarter lower."""
    words = sum(map(_cost, _RUN.findall(text)))
    marks = sum(len(each.findall(text)) for each in (_MARK, _GAP, _LINES))
    return words + marks + (0 if text.isascii() else _wide(text))


def _wide(text: str) -> int:
    runs = _WIDE.findall(text)
    wide = "".join(runs)
    return ceil(len(runs) / 2 + sum(cost * len(one.findall(wide)) for one, cost in _SCRIPTS))


@lru_cache(maxsize=16_384)
def _cost(run: str) -> int:
    if run.isdigit():
        return ceil(len(run) / 3)
    if not run.isalpha():
        return ceil(len(run) * 3 / 4)
    return sum(map(_word, _PART.findall(run)))


def _word(word: str) -> int:
    length = len(word)
    if length < 4:
        return 1
    if word.isupper():
        return ceil(length / 2) if length < 6 else ceil(length * 2 / 3)
    if _NO_WORD.search(word):
        return ceil(length * 5 / 9)
    return 1 + (length > 7) + max(0, length - 9) // 3
