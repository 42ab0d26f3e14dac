"""Inspect a Rove database without changing it, and move a damaged one aside."""

import sqlite3
from itertools import count
from pathlib import Path
from typing import Final

from rove_core.store.files import FileLock

DAMAGED: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
#: A database, and what SQLite puts beside it.
PARTS: Final = ("", "-wal", "-shm", "-journal")


def open_quietly(path: Path) -> sqlite3.Connection:
    """Return a connection that reads alone, and trusts nothing that the database says."""
    from rove_core.store.lookup import database_uri  # noqa: PLC0415  # only who has a database

    uri = database_uri(str(path.absolute()), "mode=ro")
    db = sqlite3.connect(uri, uri=True, timeout=1.0, isolation_level=None)
    db.execute("PRAGMA trusted_schema = OFF")
    return db


def put_aside(path: Path) -> str:
    """Rename a damaged database with its side files, and return the new name."""
    with FileLock(path.with_name(f"{path.name}.lock"), timeout=1.0):
        names = (path.with_name(f"{path.name}.damaged-{number}") for number in count(1))
        aside = next(name for name in names if not name.exists())
        for part in PARTS:
            old = path.with_name(f"{path.name}{part}")
            if old.exists():
                old.rename(aside.with_name(f"{aside.name}{part}"))
    return aside.name
