"""Suggest names that are spelled like the words of a question when nothing matches it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from itertools import islice, pairwise
from pathlib import PurePosixPath
from typing import Final

from attrs import frozen

from rove_code.ranking.centrality import central
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.file_reader import Files
from rove_code.ranking.words import TOKEN, parts

#: So many words of a question are looked up, in the names of so many files.
_WORDS: Final = 12
_FILES: Final = 300
_MOST: Final = 5
#: Shorter words are alike by chance, and a longer one is no name.
_SHORTEST: Final = 3
_SHORTEST_PART: Final = 4
_LONGEST: Final = 60
_ALIKE: Final = 0.7
#: So many spellings with the most pairs of characters in common are compared one by one.
_COMPARED: Final = 30


def near_names(corpus: CodeCorpus, text: str) -> tuple[str, ...]:
    """Return names that a repository declares, or calls files by, and that a text may mean.

    A word may be a misspelt name, or one of the words that a name is made of.
    """
    words = dict.fromkeys(
        word.lower() for word in TOKEN.findall(text) if _SHORTEST <= len(word) <= _LONGEST
    )
    spellings = _Spellings.of(_names(corpus))
    found: dict[str, float] = {}
    for word in islice(words, _WORDS):
        for name, likeness in spellings.near(word):
            found[name] = max(likeness, found.get(name, 0.0))
    return tuple(sorted(found, key=found.__getitem__, reverse=True)[:_MOST])


@frozen
class _Spellings:
    """Names by how they, and the words in them, are spelled.

    Attributes:
        names: The most used name of each spelling.
        having: The spellings that have a pair of characters.
    """

    names: Mapping[str, str]
    having: Mapping[tuple[str, str], list[str]]

    @classmethod
    def of(cls, names: Iterable[str]) -> "_Spellings":
        """Index names, the most used first."""
        whole: dict[str, str] = {}
        in_part: dict[str, str] = {}
        for name in names:
            whole.setdefault(name.lower(), name)
            for part in parts(name):
                if len(part) >= _SHORTEST_PART:
                    in_part.setdefault(part, name)
        having: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        by_spelling = {**in_part, **whole}
        for spelling in by_spelling:
            for pair in _pairs(spelling):
                having[pair].append(spelling)
        return cls(by_spelling, having)

    def near(self, word: str) -> Iterator[tuple[str, float]]:
        """Yield names that are spelled like a word, or have a word like it, with the likeness."""
        shared = Counter(each for pair in _pairs(word) for each in self.having.get(pair, ()))
        matcher = SequenceMatcher(b=word, autojunk=False)

        def closeness(spelling: str) -> float:
            return shared[spelling] / (len(spelling) + len(word))

        for spelling in sorted(shared, key=closeness, reverse=True)[:_COMPARED]:
            matcher.set_seq1(spelling)
            if matcher.quick_ratio() >= _ALIKE and (likeness := matcher.ratio()) >= _ALIKE:
                yield self.names[spelling], likeness


def _pairs(word: str) -> set[tuple[str, str]]:
    """Return the neighbouring characters of a word, its beginning included."""
    return {*pairwise(f" {word}")}


def _names(corpus: CodeCorpus) -> Iterator[str]:
    """Yield the names that the files declare on which most others are built, then all files'."""
    files = Files(corpus)
    places = dict.fromkeys((repository, file) for repository, file, _ in central(corpus))
    for place in islice(places, _FILES):
        yield from (each.name for each in files.parsed(*place).declarations)
    for _, path in corpus.names:
        yield PurePosixPath(path).stem
