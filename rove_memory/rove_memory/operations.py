"""The operations of this package."""

from collections.abc import Sequence

from rove_core import Operation
from rove_memory.criteria.operations import CRITERIA_OPERATIONS
from rove_memory.criteria.status_operations import STATUS_OPERATIONS as CRITERIA_STATUS
from rove_memory.memory.decay_operation import DECAY
from rove_memory.memory.exchange_operations import EXCHANGE_OPERATIONS
from rove_memory.memory.operations import MEMORY_CHANGES
from rove_memory.memory.purge_operation import PURGE
from rove_memory.memory.recall_operations import RECALL_OPERATIONS
from rove_memory.plans.graph_operations import GRAPH_OPERATIONS
from rove_memory.plans.operations import PLAN_OPERATIONS
from rove_memory.plans.ready_operations import READY_OPERATIONS
from rove_memory.sessions.operations import SESSION_OPERATIONS
from rove_memory.sessions.session_context import PRIME
from rove_memory.sessions.session_list import LIST
from rove_memory.sync.operations import RUN_OPERATIONS
from rove_memory.sync.review_operations import REVIEW_OPERATIONS
from rove_memory.tickets.field_change import FIELD_OPERATIONS
from rove_memory.tickets.sprints import SPRINT_STATUS
from rove_memory.tickets.status_change import STATUS_OPERATIONS
from rove_memory.tickets.suggestions import SPRINT_SUGGEST
from rove_memory.tickets.ticket_detail import TICKET_OPERATIONS


def operations() -> Sequence[Operation]:
    """Return what this package can do, by the names that agents know."""
    return (
        *SESSION_OPERATIONS,
        LIST,
        PRIME,
        *RECALL_OPERATIONS,
        *MEMORY_CHANGES,
        DECAY,
        *EXCHANGE_OPERATIONS,
        PURGE,
        *PLAN_OPERATIONS,
        *READY_OPERATIONS,
        *GRAPH_OPERATIONS,
        *CRITERIA_OPERATIONS,
        *CRITERIA_STATUS,
        *TICKET_OPERATIONS,
        SPRINT_STATUS,
        SPRINT_SUGGEST,
        *STATUS_OPERATIONS,
        *FIELD_OPERATIONS,
        *RUN_OPERATIONS,
        *REVIEW_OPERATIONS,
    )
