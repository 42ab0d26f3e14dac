"""The row of a project: its linked folder, and the lease of its scan."""

import sqlite3
from collections.abc import Sequence
from typing import Any, Final, Literal, TypeAlias

from attrs import frozen

ScanStatus: TypeAlias = Literal["idle", "scanning", "error"]

#: How long a scan that gives no sign of life blocks others.
LEASE_MS: Final = 60_000
#: What a scan that ended without a word leaves behind.
INTERRUPTED: Final = "The last scan was interrupted."

_COLUMNS: Final = (
    "id, name, root, folder_path, folder_last_scanned_at, folder_last_scan_status,"
    " folder_total_files, last_error, last_scan_began_ns, lease_owner, lease_until, scan_done,"
    " scan_total, last_whole_scan_at"
)


@frozen(kw_only=True)
class LinkedProject:
    """A project's row.

    Attributes:
        id: The project's id.
        name: What people call it.
        root: Its own folder.
        folder_path: The linked folder; None when none is linked.
        scanned_at: When the folder was last scanned, in milliseconds; None if never.
        status: What became of the last scan; ``scanning`` only while its lease lasts.
        total_files: How many files the manifest has.
        error: Why the last scan failed; empty when it did not.
        began_ns: When the last scan that ended well began, in nanoseconds.
        lease_owner: Who scans it.
        done: How many files the running scan has read.
        total: How many it has to read.
        whole_scan_at: When a scan last left nothing to read, in milliseconds; 0 if none did.
    """

    id: str
    name: str
    root: str
    folder_path: str | None
    scanned_at: int | None
    status: ScanStatus
    total_files: int
    error: str
    began_ns: int
    lease_owner: str
    done: int
    total: int
    whole_scan_at: int


def read_project(db: sqlite3.Connection, project: str, now: int) -> LinkedProject | None:
    """Return a project; None when no folder was ever linked to it."""
    rows = db.execute(f"SELECT {_COLUMNS} FROM projects WHERE id = ?", [project])  # noqa: S608  # our own columns
    row = rows.fetchone()
    return _project(row, now) if row else None


def linked_projects(db: sqlite3.Connection, now: int) -> Sequence[LinkedProject]:
    """Return every project with a linked folder, by name."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM projects WHERE folder_path IS NOT NULL ORDER BY name, id"  # noqa: S608  # as above
    )
    return [_project(row, now) for row in rows]


def link(db: sqlite3.Connection, project: str, *, name: str, root: str, folder: str) -> None:
    """Link a folder, and forget the previous one's data."""
    db.execute("DELETE FROM projects WHERE id = ? AND folder_path IS NOT ?", [project, folder])
    db.execute(
        "INSERT INTO projects (id, name, root, folder_path) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (id) DO UPDATE SET name = excluded.name, root = excluded.root",
        [project, name, root, folder],
    )


def unlink(db: sqlite3.Connection, project: str) -> bool:
    """Forget a project's folder and its files; return whether one was linked."""
    return db.execute("DELETE FROM projects WHERE id = ?", [project]).rowcount > 0


def take_lease(db: sqlite3.Connection, project: str, owner: str, now: int) -> None:
    """Record that a scan begins, under the folder's lock."""
    db.execute(
        "UPDATE projects SET lease_owner = ?, lease_until = ?, scan_done = 0, scan_total = 0,"
        " folder_last_scan_status = 'scanning', scan_cancelled = 0"
        " WHERE id = ? AND folder_path IS NOT NULL",
        [owner, now + LEASE_MS, project],
    )


def renew_lease(  # noqa: PLR0913  # the columns of one statement
    db: sqlite3.Connection, project: str, owner: str, now: int, *, done: int, total: int
) -> bool:
    """Show a sign of life; return False when the scan was cancelled, or is another's by now."""
    renewed = db.execute(
        "UPDATE projects SET lease_until = ?, scan_done = ?, scan_total = ?"
        " WHERE id = ? AND lease_owner = ? AND NOT scan_cancelled",
        [now + LEASE_MS, done, total, project, owner],
    )
    return renewed.rowcount == 1


def cancel_scan(db: sqlite3.Connection, project: str, now: int) -> bool:
    """Ask the running scan to stop; return whether one was running."""
    cancelled = db.execute(
        "UPDATE projects SET scan_cancelled = 1"
        " WHERE id = ? AND folder_last_scan_status = 'scanning' AND lease_until > ?",
        [project, now],
    )
    return cancelled.rowcount == 1


def end_scan(  # noqa: PLR0913  # as above
    db: sqlite3.Connection,
    project: str,
    owner: str,
    now: int,
    *,
    error: str,
    began_ns: int,
    is_whole: bool,
) -> None:
    """Release the lease and record the scan's result.

    Args:
        db: The database, in a transaction.
        project: The project.
        owner: Who scanned it.
        now: The time.
        error: Why the scan failed; empty when it did not.
        began_ns: When it began; 0 when it did not come to its end.
        is_whole: Whether the next one is due in a day, and not sooner.
    """
    db.execute(
        "UPDATE projects SET folder_last_scan_status = ?, last_error = ?, lease_owner = '',"
        " lease_until = 0, folder_last_scanned_at = CASE WHEN ? THEN ? ELSE"
        " folder_last_scanned_at END, last_scan_began_ns = CASE WHEN ? THEN ? ELSE"
        " last_scan_began_ns END, last_whole_scan_at = CASE WHEN ? THEN ? ELSE last_whole_scan_at"
        " END, folder_total_files ="
        " (SELECT count(*) FROM project_folder_files WHERE project_id = projects.id)"
        " WHERE id = ? AND lease_owner = ?",
        [
            "error" if error else "idle",
            error,
            *(began_ns, now),
            *(began_ns, began_ns),
            *(is_whole, now),
            *(project, owner),
        ],
    )


def _project(row: Sequence[Any], now: int) -> LinkedProject:
    key, name, root, folder, scanned, status, files, error, began, owner, until, *rest = row
    done, total, whole_scan_at = rest
    if status == "scanning" and until <= now:
        # Its process died: a flag would block every scan from now on, a lease has run out.
        status, error, owner = "error", INTERRUPTED, ""
    return LinkedProject(
        id=key,
        name=name,
        root=root,
        folder_path=folder,
        scanned_at=scanned,
        status=status,
        total_files=files,
        error=error,
        began_ns=began,
        lease_owner=owner,
        done=done,
        total=total,
        whole_scan_at=whole_scan_at,
    )
