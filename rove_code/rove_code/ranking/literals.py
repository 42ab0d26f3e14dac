"""Sequences of words in string literals, by which code is found that prints a message.

A message is a string literal, often with values put in: ``cannot open {path}: {error}``. The words
between two values stand in the same order wherever it is printed or quoted, so that three of them
in a row tell it from others, or both of a piece of two.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from rove_code.ranking.words import TOKEN, exact

#: How many words in a row say what is meant.
WORDS: Final = 3
#: Characters of a message: a shorter one says nothing, a longer one is a template or data.
_SHORTEST: Final = 5
_LONGEST: Final = 400
#: What begins with three quotes documents, and is not printed.
_DOUBLE: Final = re.compile(r'"""|"([^"\n]*)"')
_SINGLE: Final = re.compile(r"'''|'([^'\n]*)'")
_BACKTICK: Final = re.compile(r"`([^`]*)`")
#: In other languages a single quote begins a character or a lifetime.
_SINGLE_QUOTED: Final = frozenset(
    ("python", "javascript", "typescript", "tsx", "ruby", "php", "bash", "yaml", "toml", "dart")
)
_BACKTICKED: Final = frozenset(("javascript", "typescript", "tsx", "go"))
#: Where a value is put in, and what is written differently than it is printed.
_VALUE: Final = re.compile(
    r"\$?\{[^{}]*\}|#\{[^{}]*\}|\\\([^()]*\)|%(?:\([\w.]+\))?[-+#0]*[\d*]*(?:\.[\d*]+)?l{0,2}[a-zA-Z]"
    r"|\\[a-z]"
)
_LEFT: Final = "\0"


def sequences(text: str, language: str) -> dict[int, int]:
    """Return the sequences of words in a text's string literals, with counts."""
    found: Counter[int] = Counter()
    for literal in _literals(text, language):
        for piece in _VALUE.sub(_LEFT, literal).split(_LEFT):
            words = TOKEN.findall(piece.lower())
            if len(words) == WORDS - 1:
                found[number(words)] += 1
            found.update(map(number, runs(words, WORDS)))
    return found


def runs(words: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """Yield all runs of so many words."""
    return (words[at : at + size] for at in range(len(words) - size + 1))


def number(words: Sequence[str]) -> int:
    """Return the term number of a sequence of words."""
    return exact(" ".join(words))


def _literals(text: str, language: str) -> Iterator[str]:
    for form in _forms(language):
        for literal in form.findall(text):
            if _SHORTEST <= len(literal) <= _LONGEST and " " in literal:
                yield literal


def _forms(language: str) -> Iterator[re.Pattern[str]]:
    yield _DOUBLE
    if language in _SINGLE_QUOTED:
        yield _SINGLE
    if language in _BACKTICKED:
        yield _BACKTICK
