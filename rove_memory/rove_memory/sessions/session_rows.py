"""Read the rows of sessions, with the checkout of each."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from sqlite3 import Connection, Row
from typing import TYPE_CHECKING, Final, NamedTuple

from rove_core import checkout_of
from rove_memory.store.project_store import project_folder
from rove_memory.store.values import time_of

if TYPE_CHECKING:
    from rove_core import LocalProject

_SELECT: Final = """
SELECT s.*, t.provider_id AS ticket,
    (SELECT count(*) FROM session_events WHERE session_id = s.id) AS events,
    (SELECT count(*) FROM memory WHERE source_session_id = s.id) AS memories,
    (SELECT count(*) FROM ac_attempts WHERE session_id = s.id AND status = 'verified') AS verified,
    (SELECT count(*) FROM ac_attempts WHERE session_id = s.id AND status = 'failed') AS failed,
    (SELECT count(*) FROM pending_changes
        WHERE session_id = s.id AND status = 'synced') AS pushed
FROM sessions s LEFT JOIN external_items t ON t.id = s.external_item_id
"""
#: How the line of an item ends that a note calls done and this project does not know.
UNKNOWN: Final = ": unknown here, so not closed"
#: The summary of a session that left nothing behind.
NOTHING_NOTED: Final = "Nothing was noted."


class Workplace(NamedTuple):
    """An agent's workplace; each has one active session.

    Attributes:
        checkout: The working folder.
        agent: Who works; empty if nobody said.
    """

    checkout: Path
    agent: str = ""


def workplace(rove: "LocalProject", project_path: str | None, agent: str) -> Workplace:
    """Return where an agent works: the checkout it is in, or the folder it names."""
    if agent:
        from rove_memory.memory.redaction import clean_name  # noqa: PLC0415  # few name an agent

        agent = clean_name(agent, "the agent's name")
    if project_path:
        from rove_core import project_root  # noqa: PLC0415  # few name a folder

        folder = project_folder(project_path)
        return Workplace(checkout=checkout_of(Path(project_root(str(folder))), folder), agent=agent)
    return Workplace(checkout=checkout_of(rove.places.root), agent=agent)


def active_row(db: Connection, place: Workplace) -> Row | None:
    """Return the active session of a place, however long it has been quiet."""
    row: Row | None = db.execute(
        f"{_SELECT} WHERE s.status = 'active' AND s.worktree = ? AND s.agent = ?",
        [str(place.checkout), place.agent],
    ).fetchone()
    return row


def is_alive(row: Row, now: datetime, close_after: timedelta) -> bool:
    """Return whether an active session has not been quiet for too long."""
    return time_of(row["last_active_at"]) >= now - close_after


def row_of(db: Connection, identifier: str) -> Row | None:
    """Return the session of an id; None if there is none."""
    row: Row | None = db.execute(f"{_SELECT} WHERE s.id = ?", [identifier]).fetchone()
    return row


def last_result_row(db: Connection, ticket: str | None) -> Row | None:
    """Return the newest session that left something behind: a summary, outcome notes or notes.

    Args:
        db: The database.
        ticket: Only those on this ticket, by its id in the tables.
    """
    row: Row | None = db.execute(
        f"{_SELECT} WHERE (? IS NULL OR s.external_item_id = ?) "
        "AND (coalesce(nullif(s.summary, ''), ?) <> ? "
        "OR s.outcome_notes IS NOT NULL OR events > 0) "
        "ORDER BY s.started_at DESC, s.rowid DESC LIMIT 1",
        [ticket, ticket, NOTHING_NOTED, NOTHING_NOTED],
    ).fetchone()
    return row


def newest_rows(
    db: Connection, ticket: str | None, status: str | None = None, *, limit: int, offset: int = 0
) -> Sequence[Row]:
    """Return sessions, the newest first.

    Args:
        db: The database.
        ticket: Only those on this ticket, by its id in the tables.
        status: Only sessions with this status.
        limit: The maximum number of results.
        offset: How many of the newest to skip.
    """
    return db.execute(
        f"{_SELECT} WHERE (? IS NULL OR s.external_item_id = ?) AND (? IS NULL OR s.status = ?)"
        " ORDER BY s.started_at DESC, s.rowid DESC LIMIT ? OFFSET ?",
        [ticket, ticket, status, status, limit, offset],
    ).fetchall()


def session_result(row: Row) -> str:
    """Return what a session came to, its outcome notes first; empty if it left nothing behind."""
    summary = row["summary"] if row["summary"] != NOTHING_NOTED else None
    return "\n".join(filter(None, [row["outcome_notes"], summary]))
