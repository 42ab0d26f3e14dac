"""Items of a mirror that the cursor of their container may lack.

A build's catch-up stores them, a listing that failed before its next cursor, or a listing during a
check, whose cursor replaces that listing's. The next listing that ends compares them, too:
otherwise nobody would notice that one of them was deleted or moved.
"""

import sqlite3
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

from rove_core.items import ItemRef
from rove_core.store.values import storable

_UNCONFIRMED: Final = """
SELECT items.id, items.kind, items.at FROM unconfirmed JOIN items USING (id)
WHERE unconfirmed.container = :name AND items.container = :name
"""


def unconfirmed_items(
    db: sqlite3.Connection, account: str, container: str
) -> Mapping[ItemRef, datetime]:
    """Return the unconfirmed items of a container with the times of their last changes."""
    return {
        ItemRef(account=account, kind=kind, id=name): datetime.fromtimestamp(at, UTC)
        for name, kind, at in db.execute(_UNCONFIRMED, {"name": container})
    }


def add_unconfirmed(
    db: sqlite3.Connection,
    container: str,
    refs: Iterable[ItemRef],
    *,
    cursor: str,
    is_check: bool,
) -> None:
    """Record which listed items the cursor of a container may lack later.

    Args:
        db: The mirror, in a transaction, before the items are stored.
        container: The container.
        refs: The items.
        cursor: The cursor that has them; empty for none.
        is_check: Whether a check listed them.
    """
    is_replaced = not is_check and _is_check_under_way(db, container)
    if cursor and not is_replaced:
        return
    query = "SELECT 1 FROM items WHERE id = ? AND container = ?"
    rows = [(storable(each.id), container) for each in refs]
    new = [row for row in rows if is_replaced or not db.execute(query, row).fetchone()]
    db.executemany("INSERT OR REPLACE INTO unconfirmed VALUES (?, ?)", new)


def confirm(db: sqlite3.Connection, container: str) -> None:
    """Record that a listing of a container ended, so that its cursor has all items."""
    if not _is_check_under_way(db, container):
        forget_unconfirmed(db, container)


def forget_unconfirmed(db: sqlite3.Connection, container: str) -> None:
    """Forget the unconfirmed items of a container."""
    db.execute("DELETE FROM unconfirmed WHERE container = ?", [container])


def _is_check_under_way(db: sqlite3.Connection, container: str) -> bool:
    """Return whether the cursor of a check will replace the one of a container's listings."""
    query = "SELECT 1 FROM containers WHERE name = ? AND check_cursor IS NOT NULL"
    return db.execute(query, [container]).fetchone() is not None
