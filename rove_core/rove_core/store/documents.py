"""The documents that were built, and when each account was last asked for them."""

import sqlite3
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Final, TypeAlias, cast

from attrs import field, frozen
from attrs.converters import optional

from rove_core.store.values import (
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
    """What is known of one document without opening it. Times are kept to the second.

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


@frozen
class DocumentHit:
    """A document that a search found.

    Attributes:
        document: Which one.
        score: How well it fits: above 0, at most 1.
    """

    document: DocumentRecord
    score: float


_Row: TypeAlias = tuple[str, str, str, str, str, str, str, str, str | None, str | None, str | None]

_MOST_WORDS: Final = 20

_SELECT: Final = """
SELECT
    account, ticket_id, filename, last_updated, created_at, title, url, keywords, since, until,
    changed_at
FROM context_files
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

_SAVE_FETCHED: Final = """
INSERT INTO fetch_history (context_file_id, source, last_fetched)
SELECT id, ?, ? FROM context_files WHERE account = ? AND ticket_id = ?
ON CONFLICT (context_file_id, source) DO UPDATE SET last_fetched = excluded.last_fetched
"""

#: What one word of a search is worth in one document.
_WORTH: Final = """min(1.0,
    (instr(ticket, {word}) > 0)
    + 0.3 * (instr(keywords, {word}) > 0)
    + 0.3 * (instr(keywords, '"' || {word} || '"') > 0)
    + 0.4 * (instr(title, {word}) > 0))"""

_SEARCH: Final = """
WITH folded AS MATERIALIZED (
    SELECT id, last_updated, {fold}(ticket_id) AS ticket,
        {fold}(keywords) AS keywords, {fold}(title) AS title
    FROM context_files
)
SELECT id, round(({worth}) / {count}, 2) AS score FROM folded
WHERE score > 0 ORDER BY score DESC, last_updated DESC, ticket LIMIT :limit
"""


def find_documents(db: sqlite3.Connection, ticket_id: str) -> tuple[DocumentRecord, ...]:
    """Return the documents of a ticket, one for each account that has it.

    Large and small letters are told apart only when both are there.
    """
    query = f"{_SELECT} WHERE ticket_id = ?"
    wanted = [storable(ticket_id)]
    rows = db.execute(query, wanted).fetchall() or db.execute(f"{query} COLLATE NOCASE", wanted)
    return tuple(map(_record, rows))


def find_titled(db: sqlite3.Connection, title: str) -> tuple[DocumentRecord, ...]:
    """Return the documents with this title, whatever the case of its letters; newest first."""
    query = f"{_SELECT} WHERE title = ? COLLATE NOCASE ORDER BY last_updated DESC, ticket_id"
    return tuple(map(_record, db.execute(query, [storable(title)])))


def list_documents(db: sqlite3.Connection) -> tuple[DocumentRecord, ...]:
    """Return every document, newest first."""
    return tuple(map(_record, db.execute(f"{_SELECT} ORDER BY last_updated DESC, ticket_id")))


def read_fetch_history(
    db: sqlite3.Connection, account: str, ticket_id: str
) -> Mapping[str, datetime]:
    """Return when each account was last asked for a document with success."""
    rows = db.execute(
        "SELECT source, last_fetched FROM fetch_history JOIN context_files ON id = context_file_id"
        " WHERE account = ? AND ticket_id = ?",
        [account, storable(ticket_id)],
    )
    return {source: moment(text) for source, text in rows}


def search_documents(
    db: sqlite3.Connection, words: str, limit: int = 20
) -> tuple[DocumentHit, ...]:
    """Return the documents in which some of the words occur, best first.

    A word counts 1 when it occurs in the ticket's id; else 0.6 as a keyword or 0.3 as a part of
    one, and 0.4 more in the title. The score is the mean over the words.
    """
    wanted = sorted(set(storable(words).casefold().split()))[:_MOST_WORDS]
    if not wanted:
        return ()
    worths = (_WORTH.format(word=f":word{number}") for number in range(len(wanted)))
    # SQLite's own lower() is faster than ours, and knows ASCII alone.
    fold = "lower" if words.isascii() else "casefold"
    db.create_function("casefold", 1, str.casefold, deterministic=True)
    query = _SEARCH.format(fold=fold, worth=" + ".join(worths), count=len(wanted))
    named = {f"word{number}": word for number, word in enumerate(wanted)}
    scores = db.execute(query, {**named, "limit": limit}).fetchall()
    return tuple(DocumentHit(_document(db, row), score) for row, score in scores)


async def save_document(
    db: "aiosqlite.Connection", document: DocumentRecord, fetched: Mapping[str, datetime]
) -> None:
    """Write a document's record, and when accounts were asked for it with success.

    Args:
        db: A transaction's connection.
        document: The record; it replaces that of the same account and ticket.
        fetched: When, for each account that answered; those left out keep what they had.
    """
    await db.execute(_SAVE, _row(document))
    which = (document.account, storable(document.ticket_id))
    await db.executemany(
        _SAVE_FETCHED, [(source, second_text(at), *which) for source, at in fetched.items()]
    )


async def remove_document(db: "aiosqlite.Connection", account: str, ticket_id: str) -> None:
    """Forget a document and its fetch history; its file is not touched."""
    await db.execute(
        "DELETE FROM context_files WHERE account = ? AND ticket_id = ?",
        [account, storable(ticket_id)],
    )


def _document(db: sqlite3.Connection, row_id: int) -> DocumentRecord:
    return _record(db.execute(f"{_SELECT} WHERE id = ?", [row_id]).fetchone())


def _record(row: _Row) -> DocumentRecord:
    account, ticket_id, filename, last_updated, created_at, title, url, keywords, *times = row
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
