"""Choose which versions to keep, and remove the rest."""

import zlib
from array import array
from collections.abc import Collection, Iterable
from datetime import timedelta
from sqlite3 import Connection
from typing import Final

#: So many versions of a repository are kept, for so long after they were asked for.
_VERSIONS: Final = 4
_KEPT_FOR: Final = timedelta(days=30)
#: What no version has may be a part of one that another process is still at.
_YOUNG: Final = timedelta(hours=1)
#: So much of what is kept may be what no version has: to remove it at once would take long.
_GARBAGE: Final = 0.1


def keep(db: Connection, version: tuple[str, str], rows: Collection[int], now: int) -> bool:
    """Store a version's content, and remove content that no version has any more.

    Args:
        db: The database, in a transaction.
        version: The version's repository, and what it is called there.
        rows: What it has.
        now: Seconds since 1970.

    Returns:
        Whether all of it is there; if not, nothing is changed.
    """
    there = {row for (row,) in db.execute("SELECT id FROM contents")}
    if not there.issuperset(rows):
        return False
    row = (*version, now, packed(rows))
    db.execute("INSERT OR REPLACE INTO versions VALUES (?, ?, ?, ?)", row)
    db.execute("DELETE FROM versions WHERE asked < ?", [now - _seconds(_KEPT_FOR)])
    db.execute(
        "DELETE FROM versions WHERE repository = ? AND name NOT IN"
        " (SELECT name FROM versions WHERE repository = ? ORDER BY asked DESC, name LIMIT ?)",
        [version[0], version[0], _VERSIONS],
    )
    _sweep(db, there, now)
    return True


def packed(rows: Iterable[int]) -> bytes:
    """Return numbers as bytes, the same in whatever order they are."""
    return zlib.compress(array("I", sorted(rows)).tobytes())


def _sweep(db: Connection, there: Collection[int], now: int) -> None:
    used_ids: set[int] = set()
    for (contents,) in db.execute("SELECT contents FROM versions"):
        used_ids.update(memoryview(zlib.decompress(contents)).cast("I"))
    if len(there) - len(used_ids) <= _GARBAGE * len(used_ids):
        return
    old = db.execute("SELECT id FROM contents WHERE added < ?", [now - _seconds(_YOUNG)])
    garbage = [row for row in old.fetchall() if row[0] not in used_ids]
    db.executemany("DELETE FROM contents WHERE id = ?", garbage)


def _seconds(time: timedelta) -> int:
    return int(time.total_seconds())
