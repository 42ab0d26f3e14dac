"""What a session or a document says of a ticket's criteria, its blockers and the next work."""

from collections.abc import Sequence
from sqlite3 import Connection
from typing import Final, Literal

from attrs import frozen

from rove_memory.criteria.model import CriterionStatus

_READY: Final = """
SELECT p.id, p.title, p.status, t.provider_id AS ticket FROM local_plans p
LEFT JOIN external_items t ON t.id = p.external_item_id
WHERE p.status IN ('pending', 'in_progress') AND (? IS NULL OR p.external_item_id = ?)
AND NOT EXISTS (
    SELECT 1 FROM dependencies d
    LEFT JOIN local_plans b ON d.source_type = 'local' AND b.id = d.source_id
    LEFT JOIN external_items e ON d.source_type = 'external' AND e.id = d.source_id
    WHERE d.relation = 'blocks' AND d.target_type = 'local' AND d.target_id = p.id
    AND coalesce(b.status, e.status_category, 'pending') NOT IN ('completed', 'canceled', 'done')
)
ORDER BY p.status = 'pending', p.priority DESC, p.created_at, p.id LIMIT ?
"""
_BLOCKERS: Final = """
SELECT d.source_type, d.source_id, coalesce(b.title, e.title) AS title,
    coalesce(b.status, e.status, 'unknown') AS status, e.provider_id
FROM dependencies d
LEFT JOIN local_plans b ON d.source_type = 'local' AND b.id = d.source_id
LEFT JOIN external_items e ON d.source_type = 'external' AND e.id = d.source_id
WHERE d.relation = 'blocks' AND d.target_type = 'external' AND d.target_id = ?
AND coalesce(b.status, e.status_category, 'pending') NOT IN ('completed', 'canceled', 'done')
ORDER BY d.created_at, d.id
"""


@frozen(kw_only=True)
class CriterionState:
    """Where an acceptance criterion stands.

    Attributes:
        id: Its id.
        number: What people call it in its ticket.
        text: What it says.
        status: Where it stands.
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
    """What keeps a ticket from being done.

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
    return tuple(
        BlockingItem(
            item_type=row["source_type"],
            id=row["provider_id"] or row["source_id"],
            title=row["title"],
            status=row["status"],
        )
        for row in db.execute(_BLOCKERS, [ticket])
    )


def ready_plans(db: Connection, ticket: str | None, limit: int) -> Sequence[str]:
    """Return the plans that could be gone on with, a line each: those begun first."""
    rows = db.execute(_READY, [ticket, ticket, limit])
    return [
        f"{row['id']} {row['title']}" + (" (begun)" if row["status"] == "in_progress" else "")
        for row in rows
    ]
