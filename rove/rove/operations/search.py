"""Searching the documents of a project."""

from typing import TYPE_CHECKING, Annotated, Final

from attrs import frozen

from rove.operations.tables import columns, page
from rove_core.build.free_text import id_of_words
from rove_core.errors import WrongCall
from rove_core.operations import Operation
from rove_core.store.documents import DocumentHit, find_documents, search_documents

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
        score: How well it fits: above 0, at most 1.
    """

    ticket_id: str
    filename: str
    title: str
    keywords: tuple[str, ...]
    score: float


@frozen(kw_only=True)
class SearchResults:
    """What a search found, best first.

    Attributes:
        query: What was looked for.
        results: The documents.
    """

    query: str
    results: tuple[SearchResult, ...]


async def search(
    rove: "LocalProject",
    *,
    words: Annotated[str, "What to look for in ids, titles and keywords."],
    limit: Annotated[int, "How many documents at most."] = 20,
) -> SearchResults:
    """Search the documents for words."""
    if not 1 <= limit <= _MOST:
        raise WrongCall(f"limit {limit}: a number from 1 to {_MOST} is expected")
    with rove.reading() as db:
        hits = document_hits(db, words, limit)
    return SearchResults(
        query=words,
        results=tuple(
            SearchResult(
                ticket_id=hit.document.ticket_id,
                filename=hit.document.filename,
                title=hit.document.title,
                keywords=hit.document.keywords,
                score=hit.score,
            )
            for hit in hits
        ),
    )


def document_hits(db: "sqlite3.Connection", words: str, limit: int) -> tuple[DocumentHit, ...]:
    """Return the documents that words occur in, best first.

    Nothing fits better than what was built from these words.
    """
    about = find_documents(db, id_of_words(words))
    others = (hit for hit in search_documents(db, words, limit) if hit.document not in about)
    return (*(DocumentHit(document, 1.0) for document in about), *others)[:limit]


def _show(found: SearchResults) -> str:
    return page(
        columns(
            (f"{each.score:.2f}", each.ticket_id, each.title, f".context/{each.filename}")
            for each in found.results
        )
    )


SEARCH = Operation(search, offline=True, show=_show)
