"""Words of a text in comparable form: stemmed, lower case, without stop words."""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain
from typing import Final

from attrs import frozen

#: A run of at least two letters, digits or underscores.
_RUN: Final = re.compile(r"\w\w+")
_PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_HAS_PARTS: Final = re.compile(r"[a-z][A-Z]|[A-Za-z]{2}\d|_")
_PAGE: Final = re.compile(r"\bhttps?://[^\s<>|\"]+")
_HASH: Final = re.compile(r"(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,}")
#: Scripts without spaces between words: pairs of characters stand for words there.
_UNSPACED: Final = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ENDINGS: Final = ("ations", "ation", "ings", "ing", "ies", "ed", "es", "s")
_SHORTEST_STEM: Final = 3
_LONGEST: Final = 40
_STOP: Final = frozenset(
    """
    a about above after again against all also am an and another any are aren around as ask at back
    be because been before being below between both but by call can cannot could couldn did didn do
    does doesn doing don done down during each either else etc even ever every few find first for
    from further get gets getting give go goes going gone good got had has hasn have haven having he
    hello her here hers hey hi him his how however if in instead into is isn it its itself just keep
    know last least less let like ll look looks made make makes making many may maybe me might mine
    more most much must my need needs neither never next no nor not nothing now of off oh ok okay on
    once one only onto or other others our ours out over own per perhaps please put quite rather re
    really said same say says see seem seems several shall she should shouldn since so some
    something still such sure take than thank thanks that the their theirs them then there these
    they thing things think this those though through thus till to together too two under unless
    until up upon us use used uses using ve very via want wants was wasn way we well went were weren
    what when where whether which while who whom whose why will with within without won would
    wouldn yeah yes yet you your yours
    """.split()  # noqa: SIM905  # a list of quotes hides the words
)


@frozen
class Word:
    """A word of a text, with its stem.

    Attributes:
        text: The word in lower case.
        stem: The word without its ending.
    """

    text: str
    stem: str


@lru_cache(maxsize=4096)
def stems(text: str) -> tuple[str, ...]:
    """Return the stems of a text's words, in order.

    An identifier counts as a whole and as each of its parts. The result is cached, because a build
    compares the same texts several times.
    """
    return tuple(iterate_stems(text))


def iterate_stems(text: str) -> Iterator[str]:
    """Yield the stems of a text's words, uncached, for texts that are needed only once."""
    return chain.from_iterable(map(_stems, _runs(text)))


@lru_cache(maxsize=1024)
def written(text: str) -> tuple[Word, ...]:
    """Return the meaningful words of a text as people write them, with identifiers whole.

    Bare numbers are left out: alone they say nothing.
    """
    return tuple(filter(None, map(_word, _runs(text))))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the stem of a lower-case English word; other words stay as they are."""
    if not word.isascii() or not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)]
    return word


def _runs(text: str) -> list[str]:
    """Return possible words, without those of URLs."""
    return _RUN.findall(_PAGE.sub(" ", text) if "://" in text else text)


@lru_cache(maxsize=65_536)
def _word(run: str) -> Word | None:
    word = run.lower().strip("_")
    if not _is_specific(word) or word.isdigit() or len(run) > _LONGEST or _HASH.fullmatch(run):
        return None
    return Word(word, stem(word))


@lru_cache(maxsize=65_536)
def _stems(run: str) -> tuple[str, ...]:
    if _UNSPACED.search(run):
        return tuple(run[at : at + 2] for at in range(len(run) - 1))
    if len(run) > _LONGEST or _HASH.fullmatch(run):
        return ()
    words = [run.lower().strip("_")]
    if _HAS_PARTS.search(run):
        words += [part.lower() for part in _PART.findall(run)]
    return tuple(stem(word) for word in dict.fromkeys(words) if _is_specific(word))


def _is_specific(word: str) -> bool:
    return len(word) > 1 and word not in _STOP
