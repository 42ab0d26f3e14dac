"""The words of questions and memories."""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from rove_core import sha256_hex

#: Words of questions; they say nothing of what is looked for.
_STOP_TEXT: Final = (
    "a an and are as at be been but by can could did do does for from had has have he her his how "
    "i if in is it its me my of on or our she should so than that the their them there they this "
    "to was we were what when where which who whom whose why will with would you your"
)
_STOP: Final = frozenset(_STOP_TEXT.split())
_WORD: Final = re.compile(r"[^\W_]+")
_PART: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_HUMPS: Final = re.compile(r"[a-z][A-Z]|[A-Z][A-Z][a-z]|[A-Za-z]\d")
_NAME: Final = re.compile(r"(?<![\w-])[A-Za-z][A-Za-z0-9]*(?:[-_.:/][A-Za-z0-9]+)+(?![\w-])")
_TITLE: Final = 120
_MOST_WORDS: Final = 64
_MOST_NAMES: Final = 100


def question_words(text: str) -> tuple[str, ...]:
    """Return the search words of a question, without duplicates."""
    words = list(_with_parts(text))
    telling = [word for word in words if word not in _STOP]
    return tuple(dict.fromkeys(telling or words))[:_MOST_WORDS]


def content_words(text: str) -> tuple[str, ...]:
    """Return all words of a text in lower case, without those that say nothing."""
    # A list first: this runs over every candidate of a question.
    return tuple([word for word in _WORD.findall(text.lower()) if word not in _STOP])


def title_of(content: str) -> str:
    """Return the first line of a text, which is mostly its title."""
    first = next((line for line in content.splitlines() if line.strip()), "")
    return first.strip("#*- \t")[:_TITLE]


def parts_of(content: str) -> str:
    """Return the words that names like ``readHTTPFile`` are made of."""
    return " ".join(dict.fromkeys(_humps(content)))


def names_in(content: str) -> tuple[str, ...]:
    """Return names in a text that may be keys of memories, like ``auth-tokens``."""
    found = (match.rstrip(".").lower() for match in _NAME.findall(content))
    return tuple(dict.fromkeys(found))[:_MOST_NAMES]


def any_of(words: Sequence[str]) -> str:
    """Return words as a question to the text index: any of them."""
    return " OR ".join(f'"{word}"' for word in words)


def all_of(words: Sequence[str]) -> str:
    """Return words as a question to the text index: all of them."""
    return " AND ".join(f'"{word}"' for word in words)


def fingerprint(content: str) -> str:
    """Return what texts of the same words in the same order have in common."""
    words = " ".join(word.lower() for word in _WORD.findall(content))
    return sha256_hex(words.encode())[:16]


def likeness(one: AbstractSet[str], other: AbstractSet[str]) -> float:
    """Return how many of the words of two texts are in both, 0 to 1."""
    shared = len(one & other)
    union = len(one) + len(other) - shared
    return shared / union if union else 1.0


def _with_parts(text: str) -> Iterator[str]:
    for word in _WORD.findall(text):
        yield word.lower()
        yield from _humps(word)


def _humps(text: str) -> Iterator[str]:
    for word in _WORD.findall(text):
        if _HUMPS.search(word):
            yield from (part.lower() for part in _PART.findall(word) if len(part) > 1)
