"""Sessions as lists and their ends show them."""

from datetime import datetime
from sqlite3 import Row

from attrs import frozen

from rove_memory.sessions.statuses import SessionOutcome, SessionStatus
from rove_memory.store.values import read_names, read_time, time_of


@frozen(kw_only=True)
class SessionSummary:
    """A session that has ended, or one of a list.

    Attributes:
        session_id: Its id.
        external_item_id: The ticket it was about; empty for none.
        status: Its status.
        outcome: How it ended; None while it is active.
        outcome_notes: More about the outcome.
        started_at: When it began.
        ended_at: When it ended; None while it is active.
        duration_seconds: How long it took; 0 while it is active.
        events_count: How many notes it has.
        memories_created: How many memories it stored.
        ac_verified: How many criteria it verified.
        ac_failed: How many criteria it found failing.
        changes_pushed: How many changes it sent to a tracker.
        files_modified: The files it changed, as git tells.
        commits_made: The commits it made, as git tells.
        branch: The branch it worked on.
        agent: Who worked; empty if nobody said.
        summary: What it came to.
        closed: The plans and criteria that its end closed, as its notes say.
        released: The plans and tickets that it had claimed, and that others may take now.
    """

    session_id: str
    external_item_id: str
    status: SessionStatus
    outcome: SessionOutcome | None
    outcome_notes: str
    started_at: datetime
    ended_at: datetime | None
    duration_seconds: int
    events_count: int
    memories_created: int
    ac_verified: int
    ac_failed: int
    changes_pushed: int
    files_modified: tuple[str, ...]
    commits_made: tuple[str, ...]
    branch: str
    agent: str
    summary: str
    closed: tuple[str, ...] = ()
    released: tuple[str, ...] = ()


def summary_row(row: Row) -> SessionSummary:
    """Return the summary of a session's row."""
    return SessionSummary(
        session_id=row["id"],
        external_item_id=row["ticket"] or "",
        status=row["status"],
        outcome=row["outcome"],
        outcome_notes=row["outcome_notes"] or "",
        started_at=time_of(row["started_at"]),
        ended_at=read_time(row["ended_at"]),
        duration_seconds=row["duration_seconds"] or 0,
        events_count=row["events"],
        memories_created=row["memories"],
        ac_verified=row["verified"],
        ac_failed=row["failed"],
        changes_pushed=row["pushed"],
        files_modified=read_names(row["files_modified"]),
        commits_made=read_names(row["commits_made"]),
        branch=row["branch"],
        agent=row["agent"],
        summary=row["summary"] or "",
    )
