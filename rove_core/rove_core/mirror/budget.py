"""Keep a mirror within its disk budget: the oldest items are removed."""

import json
import sqlite3
from datetime import datetime
from typing import Final

from rove_core.mirror.clock_faults import AHEAD
from rove_core.mirror.copies import forget_where
from rove_core.mirror.state import HAS_OLD_WORDS, count_items

#: The share of the items that is removed at once if a mirror takes too much space.
_TOO_MANY: Final = 0.1


def keep_within_budget(db: sqlite3.Connection, account: str, budget: int, now: datetime) -> None:
    """Remove the oldest items while a mirror takes too much space.

    Args:
        db: The mirror, in a transaction.
        account: Its account.
        budget: Maximum bytes.
        now: The time.
    """
    if _used_bytes(db) > budget and _has_old_words(db):
        _erase_old_words(db)
    while _used_bytes(db) > budget and (many := count_items(db)):
        _remove_oldest(db, account, max(1, int(many * _TOO_MANY)), now)
        _erase_old_words(db)


def pragma(db: sqlite3.Connection, name: str) -> int:
    """Return a number that SQLite knows of a database, by its name."""
    return int(db.execute(f"PRAGMA {name}").fetchone()[0])


def _remove_oldest(db: sqlite3.Connection, account: str, many: int, now: datetime) -> None:
    """Remove items; those of the future come first, because their times are wrong."""
    latest = (now + AHEAD).timestamp()
    query = "SELECT row FROM items WHERE at > ? ORDER BY row LIMIT ?"
    rows = [row for (row,) in db.execute(query, [latest, many])]
    query = "SELECT row FROM items WHERE at <= ? ORDER BY at, row LIMIT ?"
    rows += [row for (row,) in db.execute(query, [latest, many - len(rows)])]
    forget_where(db, account, "row IN (SELECT value FROM json_each(?))", [json.dumps(rows)])
    # Of the oldest time that is left, only some items may be there.
    (oldest,) = db.execute("SELECT min(at) FROM items WHERE at <= ?", [latest]).fetchone()
    seconds = now.timestamp()
    cut_at = seconds if oldest is None else min(oldest, seconds)
    db.execute("INSERT OR REPLACE INTO facts VALUES ('full_since', ?)", [repr(cut_at)])


def _has_old_words(db: sqlite3.Connection) -> bool:
    query = "SELECT count(*) FROM facts WHERE name = ?"
    return bool(db.execute(query, [HAS_OLD_WORDS]).fetchone()[0])


def _erase_old_words(db: sqlite3.Connection) -> None:
    """Rewrite the index: until then, the words of removed items take space."""
    db.execute("INSERT INTO texts (texts) VALUES ('optimize')")


def _used_bytes(db: sqlite3.Connection) -> int:
    pages = pragma(db, "page_count") - pragma(db, "freelist_count")
    return pages * pragma(db, "page_size")
