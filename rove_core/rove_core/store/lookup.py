"""The fast path: find a ticket's file, or count documents, with nothing but SQLite imported."""

import os
import sqlite3

from rove_core.store.migrations import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

#: The bits of a mode that say what a file is, and those of a regular one.
_FORMAT = 0o170000
_FILE = 0o100000
_SELECT = """
SELECT filename FROM context_files
WHERE ticket_id = ? AND (SELECT user_version FROM pragma_user_version) = ?
"""
_NEWEST = """
SELECT last_updated FROM context_files WHERE ticket_id = ?1 COLLATE NOCASE
ORDER BY ticket_id = ?1 DESC, last_updated DESC LIMIT 1
"""


def find_filename(index: str, ticket_id: str) -> str | None:
    """Return the file name of a ticket's only document, or None when anything is in doubt.

    Args:
        index: The path of the database.
        ticket_id: The ticket, exactly as its account names it.
    """
    if not all(map(_is_file_or_none, (index, f"{index}-wal", f"{index}-shm", f"{index}-journal"))):
        return None
    try:
        db = sqlite3.connect(database_uri(index, "mode=ro"), uri=True, timeout=0.2)
        try:
            rows = db.execute(_SELECT, [ticket_id, VERSION]).fetchall()
        finally:
            db.close()
    except (sqlite3.Error, UnicodeEncodeError):
        return None
    if len(rows) != 1 or "/" in rows[0][0]:
        return None
    return str(rows[0][0])


def last_written(db: sqlite3.Connection, ticket_id: str) -> "datetime | None":
    """Return when a document of a ticket was last written; None if there is none.

    Args:
        db: The index (see :meth:`LocalProject.reading`).
        ticket_id: The ticket. Large and small letters are told apart only when both are there.
    """
    from rove_core.store.values import moment, storable  # noqa: PLC0415  # the fast path needs none

    row = db.execute(_NEWEST, [storable(ticket_id)]).fetchone()
    return moment(row[0]) if row else None


def count_documents(db: sqlite3.Connection) -> int:
    """Return the number of documents in the index."""
    (count,) = db.execute("SELECT count(*) FROM context_files").fetchone()
    return int(count)


def _is_file_or_none(path: str) -> bool:
    """Return whether a path is a file or missing; SQLite would block on a pipe."""
    try:
        return os.lstat(path).st_mode & _FORMAT == _FILE
    except OSError:
        return True


def database_uri(path: str, options: str) -> str:
    """Return the URI by which SQLite opens a file with options."""
    quoted = path.replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    return f"file:{quoted}?{options}"
