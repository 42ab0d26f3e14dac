"""Words of code and questions: split identifiers, stemmed words.

A word is kept as a number that is made from its letters alone, so that it is the same in each
process. Two words rarely share one: of half a million, one in eight thousand.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from threading import local
from typing import Final
from zlib import crc32

import Stemmer  # type: ignore[import-not-found]  # PyStemmer has no types.

TOKEN: Final = re.compile(r"[^\W\d]\w*|\d+")
PART: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
#: Replaces what is no part of a token in an ASCII text.
_BLANKS: Final = {code: " " for code in range(128) if not re.match(r"\w", chr(code))}
#: A word of fewer letters says too little for another form of it to be looked for.
_SHORTEST: Final = 3
#: What a thread remembers is forgotten when it gets too much for a program that runs for days.
_REMEMBERED: Final = 200_000


def tokens(text: str) -> list[str]:
    """Return the identifiers, words and numbers of a text, as they are written."""
    return TOKEN.findall(text)


def parts(token: str) -> list[str]:
    """Return the parts of an identifier: ``get_HTTPResponse2`` is get, http, response and 2."""
    found = PART.findall(token) if token.isascii() else filter(None, token.split("_"))
    return [part.lower() for part in found]


def exact(name: str) -> int:
    """Return the term number of an identifier as a whole."""
    return crc32(name.encode("utf-8", "surrogatepass"))


def terms(token: str) -> tuple[int, ...]:
    """Return the numbers that a token is found by: its parts', and its own if it has several."""
    return _remembered().seen[token]


def kin(token: str) -> tuple[tuple[int, int], ...]:
    """Return the numbers of a token's parts, each with that of a word akin to it.

    That is who does it, or what such a one does: to a stemmer, which takes endings from long words
    only, ``parse`` and ``parser`` have nothing to do with each other.
    """
    memory = _remembered()
    entry = memory.kin.get(token)
    if entry is None:
        if len(memory.kin) > _REMEMBERED:
            memory.kin.clear()
        entry = memory.kin[token] = tuple(_kin(token, memory.stems.stem))
    return entry


def counted(texts: Iterable[str]) -> Mapping[int, int]:
    """Return how often each term is in texts."""
    lookup = _remembered().seen.__getitem__
    found: Counter[int] = Counter()
    for text in texts:
        found.update(chain.from_iterable(map(lookup, _split(text))))
    return found


def _split(text: str) -> list[str]:
    """Return the tokens of a text; what begins with a digit may be several.

    In ASCII, this takes a third of the time that the expression takes.
    """
    return text.translate(_BLANKS).split() if text.isascii() else TOKEN.findall(text)


class _Stems(dict[str, int]):
    """The numbers of words without their endings, by the words."""

    def __init__(self) -> None:
        super().__init__()
        self.stem: Callable[[str], str] = Stemmer.Stemmer("english").stemWord

    def __missing__(self, word: str) -> int:
        if len(self) > _REMEMBERED:
            self.clear()
        self[word] = number = exact(self.stem(word))
        return number


class _Terms(dict[str, tuple[int, ...]]):
    """The numbers that tokens are found by, by the tokens."""

    def __init__(self, stems: _Stems) -> None:
        super().__init__()
        self._stems = stems

    def __missing__(self, token: str) -> tuple[int, ...]:
        if len(self) > _REMEMBERED:
            self.clear()
        if token[:1].isdigit() and len(found := TOKEN.findall(token)) > 1:
            numbers = tuple(chain.from_iterable(self[each] for each in found))
        else:
            numbers = self._numbers(parts(token))
        self[token] = numbers
        return numbers

    def _numbers(self, found: list[str]) -> tuple[int, ...]:
        numbers = tuple([self._stems[part] for part in found if len(part) > 1])
        return (*numbers, exact("=" + "".join(found))) if len(found) > 1 else numbers


class _Memory(local):
    """Per-thread stemmer and cache; a stemmer is not thread-safe."""

    def __init__(self) -> None:
        self.stems = _Stems()
        self.seen = _Terms(self.stems)
        self.kin: dict[str, tuple[tuple[int, int], ...]] = {}


_memory: Final = _Memory()


def _remembered() -> _Memory:
    return _memory


def _kin(token: str, stem: Callable[[str], str]) -> Iterator[tuple[int, int]]:
    for part in parts(token):
        own = stem(part)
        forms = {stem(form) for form in (*_doers(own), *_deeds(part)) if len(form) >= _SHORTEST}
        yield from ((exact(own), exact(form)) for form in sorted(forms - {own}))


def _doers(stem: str) -> Iterator[str]:
    """Yield agent nouns of a stem: ``parser``, ``runner``, ``selector``."""
    if len(stem) >= _SHORTEST and stem.isalpha():
        bare = stem.removesuffix("e")
        yield from (f"{bare}er", f"{bare}{bare[-1]}er", f"{bare}or")


def _deeds(word: str) -> Iterator[str]:
    """Yield the verbs of an agent noun: ``parser``, ``runner``, ``selector``."""
    one = word.removesuffix("s")
    if one.endswith(("er", "or")):
        bare = one[:-2]
        yield from (bare, f"{bare}e")
        if bare[-1:] == bare[-2:-1]:
            yield bare[:-1]
