"""Items from sources, stored so that a document need not fetch them twice.

Each is kept as each document saw it. What one has read in full another may know from a search
alone, and what is news to the one the other may have read already: neither may change what the
other takes for known.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from rove_core.items import ContextItem, ItemRef
from rove_core.store.first_items import upgraded
from rove_core.store.item_facts import facts_body, facts_of, link_body, link_of, ref_body, ref_of
from rove_core.store.values import DamagedValueError, json_text, json_value, second_text, storable

if TYPE_CHECKING:
    import aiosqlite

    from rove_core.wire.json_types import JSON

_SAVE: Final = """
INSERT INTO items (account, id, kind, url, timestamp, fetched_at, body, version)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (account, id, version) DO UPDATE SET fetched_at = excluded.fetched_at
"""

#: Items of an index whose words are merged whenever some are forgotten: that takes 1 s for each
#: 100,000 items.
_SMALL: Final = 20_000
#: Deletes the items that no document uses, and returns their rows.
FORGET_UNUSED: Final = """
DELETE FROM items WHERE NOT EXISTS (
    SELECT 1 FROM document_items AS used
    WHERE used.account = items.account AND used.id = items.id AND used.version = items.version
) AND NOT EXISTS (
    SELECT 1 FROM context_files AS of
    WHERE of.account = items.account AND of.ticket_id = items.id AND of.version = items.version
) RETURNING rowid
"""

_SAVE_TEXT: Final = """
INSERT INTO item_texts (rowid, title, content)
SELECT rowid, ?, ? FROM items WHERE account = ? AND id = ? AND version = ?
AND NOT EXISTS (SELECT 1 FROM item_texts WHERE item_texts.rowid = items.rowid)
"""


def read_items(db: sqlite3.Connection, refs: Iterable[ItemRef]) -> tuple[ContextItem, ...]:
    """Return the stored items among the references, in that order."""
    query = (
        "SELECT body FROM items WHERE account = ? AND id = ? ORDER BY fetched_at DESC, rowid DESC"
    )
    rows = (db.execute(query, [ref.account, storable(ref.id)]).fetchone() for ref in refs)
    return tuple(item_of(row[0]) for row in rows if row)


async def save_items(
    db: "aiosqlite.Connection", items: Iterable[ContextItem], fetched_at: datetime
) -> None:
    """Keep items; their older versions stay as long as a document is made of them."""
    rows = [(item, _row(item, fetched_at)) for item in items]
    await db.executemany(_SAVE, [row for _, row in rows])
    await db.executemany(
        _SAVE_TEXT,
        [(storable(item.title), _text(item), row[0], row[1], row[-1]) for item, row in rows],
    )


async def forget_unused_items(db: "aiosqlite.Connection") -> None:
    """Forget the items, and the versions of them, that no document uses any more."""
    forgotten = await db.execute_fetchall(FORGET_UNUSED)
    await db.executemany("DELETE FROM item_texts WHERE rowid = ?", forgotten)
    if forgotten and await _is_small(db):
        # The words of deleted rows stay in a full-text index until it is merged.
        await db.execute("INSERT INTO item_texts (item_texts) VALUES ('optimize')")


async def _is_small(db: "aiosqlite.Connection") -> bool:
    ((count,),) = await db.execute_fetchall("SELECT count(*) FROM items")
    return int(count) <= _SMALL


def version_of(item: ContextItem) -> str:
    """Return a fingerprint that distinguishes versions of an item."""
    return _version(json_text(item_body(item)))


def item_of(body: str) -> ContextItem:
    """Return a stored item."""
    try:
        return item_of_body(json_value(body))
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DamagedValueError(f"not an item: {error}") from error


def item_body(item: ContextItem) -> "dict[str, JSON]":
    """Return an item as plain data."""
    return {
        "ref": ref_body(item.ref),
        "source": item.source,
        "role": item.role,
        "title": item.title,
        "content": item.content,
        "timestamp": item.timestamp.astimezone(UTC).isoformat(),
        "author": item.author,
        "facts": facts_body(item.facts),
        "links": [link_body(link) for link in item.links],
        "thread": [item_body(below) for below in item.thread],
        "metadata": item.metadata,
    }


def item_of_body(body: Any) -> ContextItem:  # noqa: ANN401  # JSON that item_body made
    """Return the item in plain data."""
    fields: Mapping[str, Any] = upgraded(body)
    return ContextItem(
        **{
            **fields,
            "ref": ref_of(fields["ref"]),
            "timestamp": datetime.fromisoformat(fields["timestamp"]),
            "facts": facts_of(fields["facts"]),
            "links": tuple(map(link_of, fields["links"])),
            "thread": tuple(map(item_of_body, fields["thread"])),
        }
    )


def _text(item: ContextItem) -> str:
    """Return the text of an item and its thread."""
    return storable("\n".join([item.content, *map(_text, item.thread)]))


def _version(body: str) -> str:
    from hashlib import blake2b  # noqa: PLC0415  # it loads OpenSSL, and reading needs none

    return blake2b(body.encode(), digest_size=8).hexdigest()


def _row(item: ContextItem, fetched_at: datetime) -> tuple[str, ...]:
    body = json_text(item_body(item))
    return (
        item.account,
        storable(item.ref.id),
        storable(item.ref.kind),
        storable(item.ref.url),
        second_text(item.timestamp),
        second_text(fetched_at),
        body,
        _version(body),
    )
