"""The table of documents, and when each account was last queried for them."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from attrs import field, frozen
from attrs.converters import optional

from rove_core.store.values import (
    DamagedValueError,
    json_text,
    json_value,
    moment,
    second_text,
    storable,
    whole_second,
)

if TYPE_CHECKING:
    import aiosqlite


@frozen(kw_only=True)
class DocumentRecord:
    """The index record of a document. Times have a resolution of seconds.

    Attributes:
        account: The account that has the ticket.
        ticket_id: The ticket, as its account names it.
        filename: The document's file below ``.context``; it never changes.
        last_updated: When it was last written.
        created_at: When it was first written.
        title: The ticket's title.
        url: Where a person reads the ticket.
        keywords: What it is about.
        since: Where its window of time begins.
        until: Where its window of time ends.
        changed_at: When a build last found something new; None if that is not known.
    """

    account: str
    ticket_id: str
    filename: str
    last_updated: datetime = field(converter=whole_second)
    created_at: datetime = field(converter=whole_second)
    title: str = ""
    url: str = ""
    keywords: tuple[str, ...] = ()
    since: datetime | None = field(default=None, converter=optional(whole_second))
    until: datetime | None = field(default=None, converter=optional(whole_second))
    changed_at: datetime | None = field(default=None, converter=optional(whole_second))


_Row: TypeAlias = tuple[str, str, str, str, str, str, str, str, str | None, str | None, str | None]

_SELECT: Final = """
SELECT
    account, ticket_id, filename, last_updated, created_at, title, url, keywords, since, until,
    changed_at
FROM context_files
"""

_SCORED: Final = """
SELECT
    account, ticket_id, filename, last_updated, created_at, title, url, keywords, since, until,
    changed_at, scored.value
FROM json_each(?) AS scored JOIN context_files ON context_files.id = CAST(scored.key AS INTEGER)
ORDER BY scored.value DESC, last_updated DESC, ticket_id LIMIT ?
"""

_SAVE: Final = """
INSERT INTO context_files (
    account, ticket_id, filename, last_updated, created_at, title, url, keywords, since, until,
    changed_at
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (account, ticket_id) DO UPDATE SET
    filename = excluded.filename, last_updated = excluded.last_updated,
    created_at = excluded.created_at, title = excluded.title, url = excluded.url,
    keywords = excluded.keywords, since = excluded.since, until = excluded.until,
    changed_at = excluded.changed_at
"""

#: What a search finds of a document without its file.
_SAVE_TEXT: Final = (
    """
INSERT INTO document_texts (rowid, ticket_id, title, keywords, body)
SELECT id, ticket_id, '', '', '' FROM context_files WHERE account = :account AND ticket_id = :ticket
AND NOT EXISTS (SELECT 1 FROM document_texts WHERE document_texts.rowid = context_files.id)
""",
    """
UPDATE document_texts SET title = :title, keywords = :keywords
WHERE rowid = (SELECT id FROM context_files WHERE account = :account AND ticket_id = :ticket)
AND (title, keywords) IS NOT (:title, :keywords)
""",
)

_REMOVE_TEXT: Final = """
DELETE FROM document_texts
WHERE rowid = (SELECT id FROM context_files WHERE account = ? AND ticket_id = ?)
"""

_SAVE_FETCHED: Final = """
INSERT INTO fetch_history (context_file_id, source, last_fetched)
SELECT id, ?, ? FROM context_files WHERE account = ? AND ticket_id = ?
ON CONFLICT (context_file_id, source) DO UPDATE SET last_fetched = excluded.last_fetched
"""


def find_documents(db: sqlite3.Connection, ticket_id: str) -> tuple[DocumentRecord, ...]:
    """Return the documents of a ticket, one for each account that has it.

    Large and small letters are told apart only when both are there.
    """
    query = f"{_SELECT} WHERE ticket_id = ?"
    parameters = [storable(ticket_id)]
    rows = db.execute(query, parameters).fetchall() or db.execute(
        f"{query} COLLATE NOCASE", parameters
    )
    return tuple(map(_record, rows))


def find_titled(db: sqlite3.Connection, title: str) -> tuple[DocumentRecord, ...]:
    """Return the documents with this title in any case, newest first."""
    query = f"{_SELECT} WHERE title = ? COLLATE NOCASE ORDER BY last_updated DESC, ticket_id"
    return tuple(map(_record, db.execute(query, [storable(title)])))


def document_ids(db: sqlite3.Connection, most: int) -> Sequence[str]:
    """Return the ids of the newest documents.

    Args:
        db: The index.
        most: How many at most.
    """
    query = "SELECT ticket_id FROM context_files ORDER BY last_updated DESC LIMIT ?"
    return [row[0] for row in db.execute(query, [most])]


def list_documents(db: sqlite3.Connection) -> tuple[DocumentRecord, ...]:
    """Return every document, newest first."""
    return tuple(map(_record, db.execute(f"{_SELECT} ORDER BY last_updated DESC, ticket_id")))


def scored_documents(
    db: sqlite3.Connection, scores: Mapping[int, float], limit: int
) -> tuple[tuple[DocumentRecord, float], ...]:
    """Return documents with their scores, best first, the newest first where these are equal.

    Args:
        db: The index.
        scores: Each document's score, by the id of its row.
        limit: How many to return at most.
    """
    rows = db.execute(
        _SCORED, [json_text({str(row): score for row, score in scores.items()}), limit]
    )
    return tuple((_record(row), score) for *row, score in rows)


def read_fetch_history(
    db: sqlite3.Connection, account: str, ticket_id: str
) -> Mapping[str, datetime]:
    """Return when each account was last queried successfully for a document."""
    rows = db.execute(
        "SELECT source, last_fetched FROM fetch_history JOIN context_files ON id = context_file_id"
        " WHERE account = ? AND ticket_id = ?",
        [account, storable(ticket_id)],
    )
    return {source: moment(text) for source, text in rows}


async def save_document(
    db: "aiosqlite.Connection", document: DocumentRecord, fetched: Mapping[str, datetime]
) -> None:
    """Write a document's record, with the times of successful queries.

    Args:
        db: A transaction's connection.
        document: The record; it replaces that of the same account and ticket.
        fetched: When, for each account that answered; those left out keep what they had.
    """
    await db.execute(_SAVE, _row(document))
    which = (document.account, storable(document.ticket_id))
    text = {
        "account": which[0],
        "ticket": which[1],
        "title": storable(document.title),
        "keywords": storable(" ".join(document.keywords)),
    }
    for statement in _SAVE_TEXT:
        await db.execute(statement, text)
    await db.executemany(
        _SAVE_FETCHED, [(source, second_text(at), *which) for source, at in fetched.items()]
    )


async def remove_document(db: "aiosqlite.Connection", account: str, ticket_id: str) -> None:
    """Forget a document and its fetch history; its file is not touched."""
    which = [account, storable(ticket_id)]
    await db.execute(_REMOVE_TEXT, which)
    await db.execute("DELETE FROM context_files WHERE account = ? AND ticket_id = ?", which)


def is_document_name(name: object) -> bool:
    """Return whether a name is a file's below ``.context``, and leads nowhere else."""
    return isinstance(name, str) and not {"", ".", ".."}.intersection(name.split("/"))


def _record(row: _Row) -> DocumentRecord:
    account, ticket_id, filename, last_updated, created_at, title, url, keywords, *times = row
    if not is_document_name(filename):
        raise DamagedValueError(f"{str(filename)[:80]!r} is not a document name")
    since, until, changed_at = (moment(time) if time else None for time in times)
    return DocumentRecord(
        account=account,
        ticket_id=ticket_id,
        filename=filename,
        last_updated=moment(last_updated),
        created_at=moment(created_at),
        title=title,
        url=url,
        keywords=tuple(cast("list[str]", json_value(keywords))),
        since=since,
        until=until,
        changed_at=changed_at,
    )


def _row(document: DocumentRecord) -> _Row:
    return (
        document.account,
        storable(document.ticket_id),
        document.filename,
        second_text(document.last_updated),
        second_text(document.created_at),
        storable(document.title),
        storable(document.url),
        json_text(document.keywords),
        _second(document.since),
        _second(document.until),
        _second(document.changed_at),
    )


def _second(time: datetime | None) -> str | None:
    return second_text(time) if time else None
