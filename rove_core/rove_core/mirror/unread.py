"""Items of a mirror that could not be read or filtered: they are read again later.

None of them delays another: an item that was never tried comes first, and one that failed waits
twice as long each time.
"""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from rove_core.items import ItemRef
from rove_core.mirror.codec import unpack
from rove_core.store.values import storable

#: How long an item waits after its first failed read, and at most.
_FIRST_WAIT: Final = timedelta(minutes=15)
_LONGEST_WAIT: Final = timedelta(days=1)

_UNTRIED: Final = """
SELECT body FROM items
WHERE container = ? AND NOT whole AND id NOT IN (SELECT id FROM unread)
ORDER BY at DESC LIMIT ?
"""
#: A time that is farther ahead than anything waits was stored by a clock that was ahead.
_DUE: Final = """
SELECT id, kind FROM unread
WHERE container = ? AND again_at NOT BETWEEN ? AND ? ORDER BY again_at LIMIT ?
"""


def put_off(db: sqlite3.Connection, container: str, ref: ItemRef, now: datetime) -> None:
    """Record that an item could not be read or filtered.

    Args:
        db: The mirror, in a transaction.
        container: The container it was listed in.
        ref: The item.
        now: The time.
    """
    name = storable(ref.id)
    found = db.execute("SELECT attempts FROM unread WHERE id = ?", [name]).fetchone()
    attempts = int(found[0]) if found else 0
    again = now + min(_FIRST_WAIT * 2 ** min(attempts, 10), _LONGEST_WAIT)
    db.execute(
        "INSERT OR REPLACE INTO unread VALUES (?, ?, ?, ?, ?)",
        [name, storable(ref.kind), container, attempts + 1, again.timestamp()],
    )


def container_of_unread(db: sqlite3.Connection, name: str) -> str | None:
    """Return the container of an item that is to be read again; None for other items."""
    query = "SELECT container FROM unread WHERE id = ?"
    found = db.execute(query, [storable(name)]).fetchone()
    return str(found[0]) if found else None


def is_unread(db: sqlite3.Connection, name: str) -> bool:
    """Return whether an item is to be read again, so that the mirror may lack it."""
    return container_of_unread(db, name) is not None


def forget_unread(db: sqlite3.Connection, name: str) -> None:
    """Forget the failed reads of an item."""
    db.execute("DELETE FROM unread WHERE id = ?", [storable(name)])


def items_to_read(
    db: sqlite3.Connection, account: str, container: str, most: int, now: datetime
) -> Sequence[ItemRef]:
    """Return the items of a container that are to be read in full.

    These are the ones that were listed in part, newest first, then the ones whose wait is over.

    Args:
        db: The mirror.
        account: Its account.
        container: The container.
        most: How many to return at most.
        now: The time.
    """
    listed = db.execute(_UNTRIED, [container, most])
    untried = [unpack(body, account).ref for (body,) in listed]
    wait = [now.timestamp(), (now + _LONGEST_WAIT).timestamp()]
    due = db.execute(_DUE, [container, *wait, most - len(untried)])
    again = [ItemRef(account=account, kind=kind, id=name) for name, kind in due]
    return [*untried, *again]
