"""Suggest similar names and files when nothing matches a question."""

from collections.abc import Iterator
from difflib import get_close_matches
from itertools import islice
from pathlib import PurePosixPath
from typing import Final

from rove_code.ranking.centrality import central
from rove_code.ranking.corpus import CodeCorpus
from rove_code.ranking.file_reader import Files
from rove_code.ranking.words import TOKEN

#: So many words of a question are looked up, in the names of so many files.
_WORDS: Final = 12
_FILES: Final = 300
_MOST: Final = 5
_SHORTEST: Final = 3
_ALIKE: Final = 0.7


def near_names(corpus: CodeCorpus, text: str) -> tuple[str, ...]:
    """Return names that a repository declares, or calls files by, and that a text may mean."""
    words = dict.fromkeys(word for word in TOKEN.findall(text) if len(word) >= _SHORTEST)
    by_lower: dict[str, str] = {}
    for name in _names(corpus):
        by_lower.setdefault(name.lower(), name)
    found: dict[str, None] = {}
    for word in islice(words, _WORDS):
        alike = get_close_matches(word.lower(), by_lower, n=_MOST, cutoff=_ALIKE)
        found |= dict.fromkeys(by_lower[each] for each in alike)
    return tuple(found)[:_MOST]


def _names(corpus: CodeCorpus) -> Iterator[str]:
    """Yield the names that the files declare on which most others are built, then all files'."""
    files = Files(corpus)
    places = dict.fromkeys((repository, file) for repository, file, _ in central(corpus))
    for place in islice(places, _FILES):
        yield from (each.name for each in files.parsed(*place).declarations)
    for _, path in corpus.names:
        yield PurePosixPath(path).stem
