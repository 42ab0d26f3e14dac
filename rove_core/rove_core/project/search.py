"""Search the documents of a project."""

import os
from typing import TYPE_CHECKING, Annotated, Final

import attrs
from attrs import frozen

from rove_core.build.free_text import id_of_words
from rove_core.errors import RoveError, WrongCall
from rove_core.mirror.results import CopiedResult, SearchedCopy
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
    from collections.abc import Sequence

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
    """Search results, best first.

    Attributes:
        query: What was searched for.
        results: The documents.
        items: What local copies have, where they were searched as well.
        copies: The local copies that were searched.
        copying: The accounts that were not searched, because their first copy is under way.
        notes: Why other local copies were not searched, a sentence each.
    """

    query: str
    results: tuple[SearchResult, ...]
    items: tuple[CopiedResult, ...] = ()
    copies: tuple[SearchedCopy, ...] = ()
    copying: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def nothing(self) -> str:
        """The message if there is no result."""
        what = "no document or local copy" if self.copies else "no document"
        accounts = ", ".join(self.copying)
        without = f"; {accounts} was not searched: its first copy is under way" if accounts else ""
        said = "".join(f". {each}" for each in self.notes)
        return f"{what} matches {self.query[:200]!r}{without}{said}"


async def search(
    rove: "LocalProject",
    *,
    words: Annotated[str, "What to look for; a word matches whatever its ending."],
    limit: Annotated[int, "The maximum number of documents."] = 20,
    everywhere: Annotated[
        bool, "Search the local copies of this project's accounts, too, without network."
    ] = False,
) -> SearchResults:
    """Search documents and the items that were found for them."""
    if not 1 <= limit <= _MOST:
        raise WrongCall(f"limit {limit}: expected 1 to {_MOST}")
    read_changed_texts(rove.places.index, rove.places.context)
    with rove.reading() as db:
        found = search_results(db, words, limit)
    return _with_copies(rove, found, limit) if everywhere else found


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


def _with_copies(rove: "LocalProject", found: SearchResults, limit: int) -> SearchResults:
    """Return the search results together with those from the project's mirrors."""
    from rove_core.mirror.full_text import search_mirrors  # noqa: PLC0415  # most searches need none
    from rove_core.mirror.mirror import Mirror, other_login_note, owner_of, unknown_login_note  # noqa: PLC0415  # the same
    from rove_core.mirror.state import MirrorState  # noqa: PLC0415  # the same

    used, now = rove.settings.sources.use, rove.clock.now()
    owners = {each.name: owner_of(each) for each in rove.book.accounts() if each.name in used}
    failures: dict[Mirror, RoveError] = {}
    running, others = dict[Mirror, MirrorState](), list[str]()
    for name, owner in owners.items():
        mirror = Mirror.of(rove.places, name)
        try:
            state = mirror.state()
        except RoveError as error:
            failures[mirror] = error
            continue
        if state and state.running and state.is_of(owner, os.environ):
            running[mirror] = state
        elif state and state.running:
            is_known = state.logins.owner(owner, os.environ)
            others.append(other_login_note(name) if is_known else unknown_login_note(name))
    searched = {mirror: state.updated_at for mirror, state in running.items() if state.updated_at}
    copying = tuple(mirror.account for mirror, state in running.items() if state.is_first_copy)
    if not (searched or others or failures):
        raise _nothing_to_search(copying)
    items = search_mirrors(searched, found.query, limit, failures)
    return attrs.evolve(
        found,
        items=items,
        copies=tuple(
            SearchedCopy.at(mirror.account, updated_at, now)
            for mirror, updated_at in searched.items()
            if mirror not in failures
        ),
        copying=copying,
        notes=(*others, *(f"{each.message}. {each.hint}" for each in failures.values())),
    )


def _nothing_to_search(copying: "Sequence[str]") -> WrongCall:
    if copying:
        return WrongCall(
            f"The first copy of {', '.join(copying)} is under way; no other account has one to "
            "search.",
            hint="See how far it is: rove mirror status",
        )
    return WrongCall(
        "No account of this project has a local copy to search.",
        hint="See the copies: rove mirror status; or start one: rove mirror start ACCOUNT",
    )


def _result(db: "sqlite3.Connection", hit: DocumentHit, words: str) -> SearchResult:
    return SearchResult(
        ticket_id=hit.document.ticket_id,
        filename=hit.document.filename,
        title=hit.document.title,
        keywords=hit.document.keywords,
        score=hit.score,
        excerpt=excerpt_of(db, hit.document, words),
    )
