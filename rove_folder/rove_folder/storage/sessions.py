"""Open client sessions, and how many files each has sent."""

import sqlite3
from collections.abc import Iterable


def open_session(  # noqa: PLR0913  # the columns of the row
    db: sqlite3.Connection, connection: str, session: str, *, project: str, total: int, now: int
) -> None:
    """Open a session unless it is open."""
    db.execute(
        "INSERT OR IGNORE INTO index_sessions (connection, session_id, project_id, total, begun_at)"
        " VALUES (?, ?, ?, ?, ?)",
        [connection, session, project, total, now],
    )


def progress_of(db: sqlite3.Connection, connection: str, session: str) -> tuple[int, int] | None:
    """Return how many files a session has sent, and of how many; None if it is not open."""
    row = db.execute(
        "SELECT (SELECT count(*) FROM index_session_files AS files"
        " WHERE files.connection = open.connection AND files.session_id = open.session_id), total"
        " FROM index_sessions AS open WHERE connection = ? AND session_id = ?",
        [connection, session],
    ).fetchone()
    return (row[0], row[1]) if row else None


def record_files(
    db: sqlite3.Connection, connection: str, session: str, paths: Iterable[str]
) -> None:
    """Count files of a session; one that comes twice counts once."""
    db.executemany(
        "INSERT OR IGNORE INTO index_session_files (connection, session_id, rel_path)"
        " VALUES (?, ?, ?)",
        ((connection, session, path) for path in paths),
    )


def close_session(db: sqlite3.Connection, connection: str, session: str) -> bool:
    """Forget a session; return whether it was open."""
    closed = db.execute(
        "DELETE FROM index_sessions WHERE connection = ? AND session_id = ?", [connection, session]
    )
    return closed.rowcount == 1


def drop_connection(db: sqlite3.Connection, connection: str) -> None:
    """Forget all sessions of a connection."""
    db.execute("DELETE FROM index_sessions WHERE connection = ?", [connection])
