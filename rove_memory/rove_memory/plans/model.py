"""Result types of the plan operations."""

from datetime import datetime

from attrs import frozen

from rove_memory.plans.statuses import PlanStatus


@frozen(kw_only=True)
class LocalPlan:
    """A step that an agent planned. It never leaves this machine.

    Attributes:
        id: Its id (``p-7k2f9``).
        title: What is to be done.
        description: A description.
        external_item_id: The ticket it belongs to (``TB-123``), if any.
        status: ``pending``, ``in_progress``, ``completed``, ``blocked`` or ``canceled``.
        priority: 0 none, 1 low, 2 normal, 3 high, 4 urgent.
        order_index: Its place among those that are alike otherwise.
        tags: Its tags.
        created_at: When it was made.
        updated_at: When it was changed last.
        completed_at: When it was completed.
        claimed_by: Who works on it right now.
        blocked_by: The ids of what it waits for.
    """

    id: str
    title: str
    description: str = ""
    external_item_id: str | None = None
    status: PlanStatus = "pending"
    priority: int = 2
    order_index: int = 0
    tags: tuple[str, ...] = ()
    created_at: datetime
    updated_at: datetime
    completed_at: datetime | None = None
    claimed_by: str = ""
    blocked_by: tuple[str, ...] = ()
