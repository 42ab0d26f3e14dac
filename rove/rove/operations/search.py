"""Searching the documents of a project."""

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Annotated, Final

from attrs import frozen

from rove.operations.tables import ReadyLine, columns, page, visible
from rove.terminal import shortened, styled, width
from rove_core.build.free_text import id_of_words
from rove_core.errors import WrongCall
from rove_core.operations import Operation
from rove_core.store.document_search import DocumentHit, Excerpt, excerpt_of, search_documents
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
    excerpt: Excerpt | None


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
        return f"no document matches {visible(self.query)!r}"


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


def _show(found: SearchResults) -> str:
    heads = columns(
        [
            (f"{each.score:.2f}", each.ticket_id, each.title, f".context/{each.filename}")
            for each in found.results
        ],
        shrink=(2,),
        drop=(3,),
        styles={0: "dim", 1: "bold cyan", 3: "dim"},
    )
    lines: list[str] = []
    for head, result in zip(heads, found.results, strict=True):
        lines += [head, *_excerpt_lines(result.excerpt)]
    return page(lines)


def _excerpt_lines(excerpt: Excerpt | None) -> Iterator[str]:
    if excerpt is None:
        return
    source = f"{excerpt.account} {excerpt.item}: " if excerpt.item else ""
    room = (width() or 10_000) - 6 - len(source)
    text = shortened(visible(excerpt.text), max(room, 20))
    marked = f"      {styled(visible(source), 'dim')}{_marked(text, excerpt.hits)}"
    yield ReadyLine(marked.rstrip())


def _marked(text: str, hits: Collection[str]) -> str:
    """Return a text with the hits in bold, or between asterisks where nothing is bold."""
    if not hits:
        return text
    longest_first = sorted(map(re.escape, map(visible, hits)), key=len, reverse=True)
    # In a script without blanks a word has no edges.
    edge = r"\b" if all(map(str.isascii, longest_first)) else ""
    return re.sub(f"{edge}(?:{'|'.join(longest_first)}){edge}", _mark, text)


def _mark(hit: re.Match[str]) -> str:
    bold = styled(hit[0], "bold", "yellow")
    return bold if bold != hit[0] else f"*{hit[0]}*"


SEARCH = Operation(search, offline=True, show=_show)
