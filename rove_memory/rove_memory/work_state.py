"""A ticket's criteria, blockers and next work, for sessions and documents."""

from collections.abc import Sequence
from sqlite3 import Connection
from typing import Literal

from attrs import frozen

from rove_memory.criteria.status import CriterionStatus
from rove_memory.plans.graph import WorkKey
from rove_memory.plans.items import load_near
from rove_memory.plans.ready import Viewer
from rove_memory.plans.ready_work import begun_work, ready_work


@frozen(kw_only=True)
class CriterionState:
    """Status of an acceptance criterion.

    Attributes:
        id: Its id.
        number: What people call it in its ticket.
        text: What it says.
        status: Its status.
        attempts: How often somebody tried to verify it.
        failed_reason: Why it failed; empty if it did not.
    """

    id: str
    number: int
    text: str
    status: CriterionStatus
    attempts: int = 0
    failed_reason: str = ""


@frozen(kw_only=True)
class BlockingItem:
    """An item that blocks a ticket.

    Attributes:
        item_type: ``external`` or ``local``.
        id: The id of the ticket, or of the plan.
        title: Its title.
        status: Its status.
    """

    item_type: Literal["external", "local"]
    id: str
    title: str
    status: str


def criteria_of(db: Connection, ticket: str) -> tuple[CriterionState, ...]:
    """Return the criteria of a ticket that it still has, in its order."""
    rows = db.execute(
        "SELECT * FROM acceptance_criteria WHERE external_item_id = ? AND gone_at IS NULL "
        "ORDER BY criterion_index, number, id",
        [ticket],
    )
    return tuple(
        CriterionState(
            id=row["id"],
            number=row["number"] or row["criterion_index"] + 1,
            text=row["criterion_text"],
            status=row["status"],
            attempts=row["attempts"],
            failed_reason=row["failed_reason"] or "",
        )
        for row in rows
    )


def blockers_of(db: Connection, ticket: str) -> tuple[BlockingItem, ...]:
    """Return what blocks a ticket and is not done."""
    key = WorkKey("external", ticket)
    return tuple(
        BlockingItem(item_type=each.key.type, id=each.name, title=each.title, status=each.status)
        for each in load_near(db, [key]).open_blockers(key)
    )


def next_plans(db: Connection, viewer: Viewer, ticket: str | None, limit: int) -> Sequence[str]:
    """Return the plans that could be gone on with, a line each: those begun first."""
    begun = begun_work(db, viewer, limit, ticket=ticket)
    new = ready_work(db, viewer, limit - len(begun), among=["local"], ticket=ticket)
    return [
        *(f"{each.item.name} {each.item.title} (begun)" for each in begun),
        *(f"{each.item.name} {each.item.title}" for each in new),
    ]
