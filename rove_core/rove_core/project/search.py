"""Searching the documents of a project."""

from typing import TYPE_CHECKING, Annotated, Final

from attrs import frozen

from rove_core.build.free_text import id_of_words
from rove_core.errors import WrongCall
from rove_core.store.document_search import (
    DocumentExcerpt,
    DocumentHit,
    excerpt_of,
    search_documents,
)
from rove_core.store.document_texts import read_changed_texts
from rove_core.store.documents import find_documents

if TYPE_CHECKING:
    import sqlite3

    from rove_core.project.local import LocalProject

_MOST: Final = 1_000


@frozen(kw_only=True)
class SearchResult:
    """A document that a search found.

    Attributes:
        ticket_id: The ticket it is about.
        filename: Its name below ``.context``.
        title: The ticket's title.
        keywords: What it is about.
        score: How well it matches: above 0, at most 1.
        excerpt: Where it says some of the words, or an item that was found for it.
    """

    ticket_id: str
    filename: str
    title: str
    keywords: tuple[str, ...]
    score: float
    excerpt: DocumentExcerpt | None


@frozen(kw_only=True)
class SearchResults:
    """What a search found, best first.

    Attributes:
        query: What was searched for.
        results: The documents.
    """

    query: str
    results: tuple[SearchResult, ...]

    @property
    def nothing(self) -> str:
        """What to tell a person when there is no result."""
        return f"no document matches {self.query[:200]!r}"


async def search(
    rove: "LocalProject",
    *,
    words: Annotated[str, "What to look for; a word matches whatever its ending."],
    limit: Annotated[int, "How many documents at most."] = 20,
) -> SearchResults:
    """Search documents, and what was found for them, for words."""
    if not 1 <= limit <= _MOST:
        raise WrongCall(f"limit {limit}: a number from 1 to {_MOST} is expected")
    read_changed_texts(rove.places.index, rove.places.context)
    with rove.reading() as db:
        return search_results(db, words, limit)


def search_results(db: "sqlite3.Connection", words: str, limit: int) -> SearchResults:
    """Return the documents that match words, best first, as every door shows them."""
    hits = document_hits(db, words, limit)
    return SearchResults(query=words, results=tuple(_result(db, hit, words) for hit in hits))


def document_hits(db: "sqlite3.Connection", words: str, limit: int) -> tuple[DocumentHit, ...]:
    """Return the documents that match words, best first.

    The document that was built from these words comes before all others.
    """
    about = find_documents(db, id_of_words(words))
    others = (hit for hit in search_documents(db, words, limit) if hit.document not in about)
    return (*(DocumentHit(document, 1.0) for document in about), *others)[:limit]


def _result(db: "sqlite3.Connection", hit: DocumentHit, words: str) -> SearchResult:
    return SearchResult(
        ticket_id=hit.document.ticket_id,
        filename=hit.document.filename,
        title=hit.document.title,
        keywords=hit.document.keywords,
        score=hit.score,
        excerpt=excerpt_of(db, hit.document, words),
    )
