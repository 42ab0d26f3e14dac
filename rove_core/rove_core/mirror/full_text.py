"""Full-text search over several mirrors, with ranking and excerpts."""

import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from heapq import nlargest
from typing import Final

from rove_core.errors import RoveError
from rove_core.items import ContextItem
from rove_core.mirror.copies import read_copies
from rove_core.mirror.indexed_text import searchable
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.results import CopiedResult
from rove_core.mirror.search import rows_having
from rove_core.mirror.search_words import any_of
from rove_core.store.document_search import (
    EXCERPT_WORDS,
    HIT_BEGIN,
    HIT_END,
    marked_excerpt,
    searched_words,
)

_TOKEN: Final = re.compile(r"[^\W_]+")
_SAID: Final = """
CREATE VIRTUAL TABLE said USING fts5(
    text, item UNINDEXED, part UNINDEXED, tokenize = "porter unicode61 remove_diacritics 2"
)
"""
_EXCERPTS: Final = f"""
SELECT item, part, snippet(said, 0, '{HIT_BEGIN}', '{HIT_END}', '…', {EXCERPT_WORDS})
FROM said WHERE said MATCH ? ORDER BY rank DESC
"""  # noqa: S608  # constants


def search_mirrors(
    mirrors: Iterable[Mirror], text: str, limit: int, failures: dict[Mirror, RoveError]
) -> tuple[CopiedResult, ...]:
    """Return the items of some mirrors that match any of the words of a text, best first.

    Args:
        mirrors: The mirrors.
        failures: Receives why a mirror could not be searched.
        text: What to look for; a word matches whatever its ending.
        limit: Maximum items.
    """
    words = [*filter(None, map(_phrase, searched_words(text)))]
    if not words:
        return ()
    found: list[tuple[float, ContextItem]] = []
    for mirror in mirrors:
        try:
            found += _found(mirror, words, limit)
        except RoveError as error:
            failures[mirror] = error
    best = nlargest(limit, found, key=lambda each: (each[0], each[1].timestamp))
    excerpts = _excerpts([item for _, item in best], any_of(words))
    return tuple(
        _result(item, score, excerpts.get(number)) for number, (score, item) in enumerate(best)
    )


def _found(mirror: Mirror, words: Sequence[str], limit: int) -> list[tuple[float, ContextItem]]:
    """Return the items of a mirror that match any of some words, with their scores."""
    with mirror.reading() as db:
        return [
            (score, each.item)
            for row, score in rows_having(db, words, limit)
            for each in read_copies(db, mirror.account, [row])
        ]


def _phrase(word: str) -> str:
    """Return a word as an index phrase, since an id has several tokens."""
    return " ".join(_TOKEN.findall(searchable(word)))


def _titled(item: ContextItem) -> str:
    """Return an item's title and text; once if the title is how the text begins."""
    title = " ".join(item.title.removesuffix("…").split())
    repeats = " ".join(item.content.split()).startswith(title)
    return item.content if repeats else f"{item.title}\n{item.content}"


def _excerpts(items: Sequence[ContextItem], query: str) -> Mapping[int, tuple[int, str]]:
    """Return the best matching part of each item, and the text around the hits."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute(_SAID)
        db.executemany(
            "INSERT INTO said VALUES (?, ?, ?)",
            [
                (part.content if number else _titled(part), which, number)
                for which, item in enumerate(items)
                for number, part in enumerate((item, *item.thread))
            ],
        )
        # The best part comes last, and stays.
        return {which: (part, marked) for which, part, marked in db.execute(_EXCERPTS, [query])}


def _result(item: ContextItem, score: float, excerpt: tuple[int, str] | None) -> CopiedResult:
    part = (item, *item.thread)[excerpt[0]] if excerpt else item
    return CopiedResult(
        account=item.account,
        kind=item.ref.kind,
        id=item.ref.id,
        url=item.url,
        title=item.title,
        author=part.author,
        at=part.timestamp,
        score=max(0.01, round(score, 2)),
        excerpt=marked_excerpt(excerpt[1], item.account, part.ref.id, part.url or item.url)
        if excerpt
        else None,
    )
