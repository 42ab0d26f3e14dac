"""When sessions trigger a sync."""

from datetime import datetime, timedelta
from sqlite3 import Connection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rove_memory.sessions.model import SyncState
    from rove_memory.settings import SyncSettings


def is_pull_due(settings: "SyncSettings", state: "SyncState", now: datetime) -> bool:
    """Return whether the server should read tickets, now that a session has started."""
    old = timedelta(seconds=settings.auto_pull_threshold_seconds)
    at = state.last_synced_at
    # A time that is still to come was written before the clock was put back.
    is_old = at is None or not timedelta(0) <= now - at < old
    return settings.auto_pull_on_session_start and is_old


def edits_wait(db: Connection) -> bool:
    """Return whether an edit waits to be sent."""
    found = db.execute("SELECT 1 FROM pending_changes WHERE status = 'pending' LIMIT 1").fetchone()
    return found is not None


def may_push_automatically(settings: "SyncSettings", db: Connection) -> bool:
    """Return whether the server may send waiting edits by itself."""
    if settings.auto_push_on_status_change:
        return True
    active = db.execute("SELECT 1 FROM sessions WHERE status = 'active' LIMIT 1").fetchone()
    return settings.auto_push_on_session_end and active is None
