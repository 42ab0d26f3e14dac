"""Items of every document: how they were found, and their outcome."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, cast

from attrs import frozen

from rove_core.build.gather.candidates import (
    Candidate,
    Key,
    SearchRecord,
    SearchRecords,
    Trace,
)
from rove_core.items import ContextItem, ItemRef
from rove_core.store.item_facts import ref_body, ref_of
from rove_core.store.items import item_of, version_of
from rove_core.store.values import (
    exact_text,
    json_text,
    json_value,
    moment,
    second_text,
    storable,
)

if TYPE_CHECKING:
    import aiosqlite


@frozen(kw_only=True)
class ItemUse:
    """The outcome of one item in one document.

    Attributes:
        candidate: The item, and how it was found.
        score: How much it matters.
        reason: Why it is in the document, or why not.
        tokens: How much of the document it takes.
        kept: Whether the document quotes it.
        merged: Where else the same is said; that is not quoted again.
        gone: When it was found to be no longer at its source; None while it is there.
    """

    candidate: Candidate
    score: float
    reason: str
    tokens: int = 0
    kept: bool = False
    merged: tuple[ItemRef, ...] = ()
    gone: datetime | None = None


_THE_DOCUMENT: Final = "(SELECT id FROM context_files WHERE account = ? AND ticket_id = ?)"

_READ: Final = f"""
SELECT body, hop, whole, traces, score, reason, tokens, kept, merged, gone_at
FROM document_items JOIN items USING (account, id, version)
WHERE context_file_id = {_THE_DOCUMENT} ORDER BY position
"""  # noqa: S608  # both parts are constants

_TICKET: Final = """
SELECT body FROM context_files JOIN items
ON items.account = context_files.account AND items.id = ticket_id
AND items.version = context_files.version
WHERE context_files.account = ? AND ticket_id = ?
"""

_USERS: Final = """
SELECT ticket_id FROM document_items JOIN context_files ON context_files.id = context_file_id
WHERE document_items.account = :account AND document_items.id = :id AND kept
UNION SELECT ticket_id FROM context_files WHERE account = :account AND ticket_id = :id
ORDER BY ticket_id
"""

_SAVE: Final = f"""
INSERT INTO document_items (
    context_file_id, position, account, id, version, hop, whole, traces, score, reason, tokens,
    kept, merged, gone_at
) VALUES ({_THE_DOCUMENT}, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""  # noqa: S608  # both parts are constants


def read_ticket(db: sqlite3.Connection, account: str, ticket_id: str) -> ContextItem | None:
    """Return a ticket as its document was made of it; None when there is no such document."""
    row = db.execute(_TICKET, [account, storable(ticket_id)]).fetchone()
    return item_of(row[0]) if row else None


def read_uses(db: sqlite3.Connection, account: str, ticket_id: str) -> tuple[ItemUse, ...]:
    """Return the items of a document, best first, including those left out."""
    return tuple(map(_use, db.execute(_READ, [account, storable(ticket_id)])))


def read_searches(db: sqlite3.Connection, account: str, ticket_id: str) -> SearchRecords:
    """Return what each account was searched for on behalf of a document, and when."""
    rows = db.execute(
        "SELECT account, text, asked_at, requests FROM document_queries"  # noqa: S608  # a constant
        f" WHERE context_file_id = {_THE_DOCUMENT}",
        [account, storable(ticket_id)],
    )
    searches: dict[str, dict[str, SearchRecord]] = {}
    for name, text, at, requests in rows:
        record = SearchRecord(moment(at) if at else None, requests)
        searches.setdefault(name, {})[text] = record
    return searches


def read_users(db: sqlite3.Connection, item: Key) -> tuple[str, ...]:
    """Return the tickets whose documents quote an item or are about it."""
    named = {"account": item[0], "id": storable(item[1])}
    return tuple(ticket for (ticket,) in db.execute(_USERS, named))


async def save_ticket(db: "aiosqlite.Connection", ticket: ContextItem) -> None:
    """Note which version of a ticket its document is made of; that itself is saved as well."""
    await db.execute(
        "UPDATE context_files SET version = ? WHERE account = ? AND ticket_id = ?",
        [version_of(ticket), ticket.account, storable(ticket.ref.id)],
    )


async def save_uses(
    db: "aiosqlite.Connection",
    document: tuple[str, str],
    uses: Sequence[ItemUse],
    searches: SearchRecords,
) -> None:
    """Replace the stored items of a document.

    Args:
        db: A transaction's connection; the items themselves are saved by it as well.
        document: The account that has the ticket, and the ticket's id.
        uses: What became of each item, the best first.
        searches: What each account was searched for, and when.
    """
    account, ticket_id = document[0], storable(document[1])
    for table in ("document_items", "document_queries"):
        await db.execute(
            f"DELETE FROM {table} WHERE context_file_id = {_THE_DOCUMENT}",  # noqa: S608  # constants
            [account, ticket_id],
        )
    await db.executemany(
        _SAVE, [(account, ticket_id, *_row(position, use)) for position, use in enumerate(uses)]
    )
    await db.executemany(
        "INSERT INTO document_queries (context_file_id, account, text, asked_at, requests)"  # noqa: S608  # a constant
        f" VALUES ({_THE_DOCUMENT}, ?, ?, ?, ?)",
        [
            (
                *(account, ticket_id, name, storable(text)),
                exact_text(each.at) if each.at else None,
                each.requests,
            )
            for name, records in searches.items()
            for text, each in records.items()
        ],
    )


def _row(position: int, use: ItemUse) -> tuple[object, ...]:
    candidate = use.candidate
    return (
        position,
        candidate.item.account,
        storable(candidate.item.ref.id),
        version_of(candidate.item),
        candidate.hop,
        candidate.whole,
        json_text([[trace.way, trace.by] for trace in candidate.traces]),
        use.score,
        storable(use.reason),
        use.tokens,
        use.kept,
        json_text([ref_body(ref) for ref in use.merged]),
        second_text(use.gone) if use.gone else None,
    )


def _use(row: tuple[Any, ...]) -> ItemUse:
    body, hop, whole, traces, score, reason, tokens, is_kept, merged, gone = row
    ways = cast("list[Any]", json_value(traces))
    return ItemUse(
        candidate=Candidate(
            item=item_of(body),
            traces=tuple(Trace(way, by) for way, by in ways),
            hop=hop,
            whole=bool(whole),
        ),
        score=score,
        reason=reason,
        tokens=tokens,
        kept=bool(is_kept),
        merged=tuple(map(ref_of, cast("list[Any]", json_value(merged)))),
        gone=moment(gone) if gone else None,
    )


def cited_ids(db: sqlite3.Connection, account: str) -> Sequence[str]:
    """Return the ids of an account's items that documents quote or are about."""
    rows = db.execute(
        "SELECT id FROM document_items WHERE account = :account AND kept"
        " UNION ALL SELECT ticket_id FROM context_files WHERE account = :account",
        {"account": account},
    )
    return [name for (name,) in rows]
