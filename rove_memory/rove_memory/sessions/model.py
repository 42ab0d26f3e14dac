"""Wire types of sessions."""

from datetime import datetime

from attrs import frozen

from rove_core import Outcome
from rove_memory.memory.model import MemoryItem
from rove_memory.sessions.statuses import SessionStatus
from rove_memory.tickets.table import TicketInfo
from rove_memory.work_state import BlockingItem, CriterionState


@frozen(kw_only=True)
class ProjectInfo:
    """The project a session is in.

    Attributes:
        id: Its id.
        name: What people call it.
        path: Where it is.
        git_remote: The remote it is known by; empty without one.
    """

    id: str
    name: str
    path: str
    git_remote: str = ""


@frozen(kw_only=True)
class SyncState:
    """State of the sync.

    Attributes:
        last_synced_at: When its tickets were read last; None for never.
        pending_changes: Changes that wait to be sent.
    """

    last_synced_at: datetime | None = None
    pending_changes: int = 0


@frozen(kw_only=True)
class SessionInfo(Outcome):
    """A session, and what its agent should know.

    Attributes:
        session_id: Its id, for all further calls.
        project: The project.
        external_item: The ticket it is about; None for none.
        acceptance_criteria: The ticket's criteria; None without a ticket.
        blocking_items: What blocks the ticket.
        recent_memory: What was remembered that fits.
        last_session_summary: What the last session on it came to; None if there was none.
        sync_status: How things stand with the tracker.
        status: Where the session stands.
        resumed: Whether it goes on from before.
        started_at: When it began.
        warnings: What one should know first.
        ready_work: What could be done next, a line each.
    """

    session_id: str
    project: ProjectInfo
    external_item: TicketInfo | None
    acceptance_criteria: tuple[CriterionState, ...] | None
    blocking_items: tuple[BlockingItem, ...]
    recent_memory: tuple[MemoryItem, ...]
    last_session_summary: str | None
    sync_status: SyncState
    status: SessionStatus
    resumed: bool
    started_at: datetime
    warnings: tuple[str, ...] = ()
    ready_work: tuple[str, ...] = ()
