"""The documents that were built: ``context_files``, and when each source was last asked for them."""

import sqlite3
from collections.abc import Mapping, Sequence
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


@frozen
class Hit:
    """A document that a search found.

    Attributes:
        document: Which one.
        score: How well it fits: above 0, at most 1.
    """

    document: DocumentRecord
    score: float


_Row: TypeAlias = tuple[str, str, str, str, str, str, str, str, str | None, str | None]

_COLUMNS: Final = (
    "account, ticket_id, filename, last_updated, created_at, title, url, keywords, since, until"
)

#: What a word is worth, once for each word of a search: all of it in the ticket's id.
_WORTH: Final = """min(1.0,
    (instr(ticket, {word}) > 0)
    + 0.3 * (instr(keywords, {word}) > 0)
    + 0.3 * (instr(keywords, '"' || {word} || '"') > 0)
    + 0.4 * (instr(title, {word}) > 0))"""

_SEARCH: Final = """
WITH folded AS MATERIALIZED (
    SELECT id AS file, last_updated AS updated, {fold}(ticket_id) AS ticket,
        {fold}(keywords) AS keywords, {fold}(title) AS title
    FROM context_files
),
best AS MATERIALIZED (
    SELECT file, updated, ticket, round(({worth}) / {count}, 2) AS score
    FROM folded WHERE score > 0 ORDER BY score DESC, updated DESC, ticket LIMIT :limit
)
SELECT {columns}, score FROM best JOIN context_files ON id = file
ORDER BY score DESC, updated DESC, ticket
"""


def find_documents(db: sqlite3.Connection, ticket_id: str) -> tuple[DocumentRecord, ...]:
    """Return the documents of a ticket, one for each account that has it.

    Whether letters are large or small matters only when both are there.
    """
    query = f"SELECT {_COLUMNS} FROM context_files WHERE ticket_id = ?"  # noqa: S608  # constants
    wanted = [storable(ticket_id)]
    rows = db.execute(query, wanted).fetchall() or db.execute(f"{query} COLLATE NOCASE", wanted)
    return tuple(_record(row) for row in rows)


def find_titled(db: sqlite3.Connection, title: str) -> tuple[DocumentRecord, ...]:
    """Return the documents with exactly this title, newest first."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM context_files WHERE title = ? COLLATE NOCASE"  # noqa: S608  # constants
        " ORDER BY last_updated DESC, ticket_id",
        [storable(title)],
    )
    return tuple(_record(row) for row in rows)


def list_documents(db: sqlite3.Connection) -> tuple[DocumentRecord, ...]:
    """Return every document, newest first."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM context_files ORDER BY last_updated DESC, ticket_id"  # noqa: S608  # constants
    )
    return tuple(_record(row) for row in rows)


def search_documents(db: sqlite3.Connection, words: str, limit: int = 20) -> tuple[Hit, ...]:
    """Return the documents in which words occur, best first.

    Each word counts 1 when it occurs in the ticket's id; else 0.6 for a keyword, 0.3 for a part
    of one, and 0.4 for the title. The score is the mean over the words.
    """
    wanted = sorted(set(storable(words).casefold().split()))[:_MOST_WORDS]
    if not wanted:
        return ()
    # SQLite's own lower() is fast and knows ASCII alone.
    fold = "lower" if words.isascii() else "casefold"
    db.create_function("casefold", 1, str.casefold, deterministic=True)
    query = _SEARCH.format(
        fold=fold,
        worth=" + ".join(_WORTH.format(word=f":word{number}") for number in range(len(wanted))),
        count=len(wanted),
        columns=_COLUMNS,
    )
    named = {f"word{number}": word for number, word in enumerate(wanted)}
    rows = db.execute(query, {**named, "limit": limit})
    return tuple(Hit(_record(row[:-1]), row[-1]) for row in rows)
