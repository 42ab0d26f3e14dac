"""Wire type of all that an agent needs in the middle of a session."""

from attrs import frozen

from rove_memory.memory.model import MemoryItem
from rove_memory.sessions.event_model import SessionEvent
from rove_memory.sessions.model import SessionInfo
from rove_memory.work_state import BlockingItem, CriterionState


@frozen(kw_only=True)
class SessionContext:
    """All that one should know in the middle of a session.

    Attributes:
        session: The session.
        events: Its notes, the last ones, oldest first.
        memory: Include related memories.
        acceptance_criteria: Include the criteria of its ticket.
        blocking_items: What blocks its ticket.
        pending_changes: Changes that wait to be sent.
        events_left_out: How many of its notes are not shown.
    """

    session: SessionInfo
    events: tuple[SessionEvent, ...]
    memory: tuple[MemoryItem, ...]
    acceptance_criteria: tuple[CriterionState, ...]
    blocking_items: tuple[BlockingItem, ...]
    pending_changes: int
    events_left_out: int = 0
