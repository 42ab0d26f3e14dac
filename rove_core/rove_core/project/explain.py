"""Explain a document: what was found, what became of each item, and why."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Self

from attrs import frozen

from rove_core.mirror.mirror import Mirror
from rove_core.project.document_lookup import document_meant, items_lost
from rove_core.project.layout import ProjectPaths
from rove_core.project.weights_line import weights_line
from rove_core.store.document_bases import base_path, taken_over_keys
from rove_core.store.documents import DocumentRecord
from rove_core.store.use_summaries import (
    UseSummary,
    is_ticket_stored,
    read_searches,
    read_summaries,
    unrequested_accounts,
)

if TYPE_CHECKING:
    import sqlite3

    from rove_core.project.local import LocalProject


@frozen(kw_only=True)
class SaidToo:
    """Another item with the same text.

    Attributes:
        id: The item's id.
        url: Where a person reads it.
    """

    id: str
    url: str


@frozen(kw_only=True)
class ExplainedItem:
    """One thing that was found for a document.

    Attributes:
        id: Its id.
        account: The account that has it.
        kind: What it is in its source's words.
        url: Where a person reads it.
        title: One line about it.
        tokens: How much of the document it takes.
        kept: Whether the document quotes it.
        merged: Where else the same is said; that is not quoted again.
        hop: How many references away from the ticket it is.
        score: How much it matters: above 0, at most 1.
        reason: Why it is in the document, or why not.
        gone: When it was found to be no longer at its source, if it was.
    """

    id: str
    account: str
    kind: str
    url: str
    title: str
    tokens: int
    kept: bool
    merged: tuple[SaidToo, ...]
    hop: int
    score: float
    reason: str
    gone: datetime | None

    @classmethod
    def of(cls, use: UseSummary) -> Self:
        """Return the explanation of an item's outcome."""
        return cls(
            id=use.id,
            account=use.account,
            kind=use.kind,
            url=use.url,
            title=use.title,
            tokens=use.tokens,
            kept=use.kept,
            merged=tuple(SaidToo(id=other, url=url) for other, url in use.merged),
            hop=use.hop,
            score=round(use.score, 4),
            reason=use.reason,
            gone=use.gone,
        )


@frozen(kw_only=True)
class Explanation:
    """The items found for a document, and why each is in it or not.

    Attributes:
        ticket: The ticket it is about.
        account: The account that has the ticket.
        items: What was found, the best first; what was left out is there too.
        asked: The words that each account was asked for.
        held_back: What Rove does not write into it any more, because somebody changed or
            removed it there.
        weights: By which weights documents are made here now.
        copies: The accounts of which only the local copies were searched.
    """

    ticket: str
    account: str
    items: tuple[ExplainedItem, ...]
    asked: Mapping[str, tuple[str, ...]]
    held_back: tuple[str, ...]
    weights: str = ""
    copies: tuple[str, ...] = ()


async def explain(
    rove: "LocalProject",
    *,
    ticket: Annotated[str, "The ticket's id, the title of its document, or the words it is about."],
    account: Annotated[str | None, "The account, if several have this id."] = None,
) -> Explanation:
    """Explain why each item that was found is in a document or not."""
    with rove.reading() as db:
        record = document_meant(db, ticket, account)
        uses = read_summaries(db, record.account, record.ticket_id)
        searches = read_searches(db, record.account, record.ticket_id)
        unrequested = unrequested_accounts(db, record.account, record.ticket_id)
        is_lost = not uses and not _is_stored(db, record)
    if is_lost:
        raise items_lost(record)
    return Explanation(
        ticket=record.ticket_id,
        account=record.account,
        items=tuple(map(ExplainedItem.of, uses)),
        asked=searches,
        held_back=_taken_over(rove.places, record),
        weights=weights_line(rove.places),
        copies=tuple(name for name in unrequested if Mirror.of(rove.places, name).exists),
    )


def _is_stored(db: "sqlite3.Connection", record: DocumentRecord) -> bool:
    """Return whether the document's ticket is stored; a document about words has none."""
    return not record.account or is_ticket_stored(db, record.account, record.ticket_id)


def _taken_over(places: ProjectPaths, record: DocumentRecord) -> tuple[str, ...]:
    return taken_over_keys(base_path(places, record.account, record.filename))
