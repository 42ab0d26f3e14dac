"""The table of plans."""

from collections.abc import Mapping, Sequence
from sqlite3 import Connection, Row
from typing import Final, NamedTuple

from rove_core import WrongCall
from rove_memory.plans.graph import WorkGraph, WorkKey
from rove_memory.plans.items import load_claims, load_near, unknown_plan
from rove_memory.plans.model import LocalPlan
from rove_memory.plans.ready import Claim
from rove_memory.plans.statuses import PlanStatus, check_change
from rove_memory.store.project_store import ProjectStore
from rove_memory.store.values import json_text, new_id, read_names, read_time

_COLUMNS: Final = (
    "local_plans.*, external_items.provider_id AS ticket FROM local_plans "
    "LEFT JOIN external_items ON external_items.id = local_plans.external_item_id"
)
_HIGHEST: Final = 4


class PlanChange(NamedTuple):
    """Changes of a plan; None keeps a field.

    Attributes:
        title: Its title.
        description: What more there is to say.
        status: Its status.
        priority: 0 to 4.
        tags: Its tags.
    """

    title: str | None = None
    description: str | None = None
    status: PlanStatus | None = None
    priority: int | None = None
    tags: tuple[str, ...] | None = None


class PlanFilter(NamedTuple):
    """A filter of plans.

    Attributes:
        ticket: The id, in the tables, of the ticket they belong to; any when empty.
        status: Their status; any when None.
        tags: A tag that they have, of these.
        closed_too: Whether completed and canceled ones are listed.
    """

    ticket: str = ""
    status: PlanStatus | None = None
    tags: Sequence[str] = ()
    closed_too: bool = False


def check_priority(priority: int | None) -> None:
    """Raise :class:`WrongCall` for a priority that is none."""
    if priority is not None and not 0 <= priority <= _HIGHEST:
        raise WrongCall(
            f"priority {priority}: expected 0 (none), 1 (low), 2 (normal), 3 (high) or 4 (urgent)"
        )


def insert_plan(
    db: Connection, store: ProjectStore, values: Mapping[str, object], tags: Sequence[str]
) -> str:
    """Write down a plan, behind all others, and return its id."""
    identifier, now = new_id(db, "local_plans", "p"), store.now()
    (last,) = db.execute("SELECT coalesce(max(order_index), -1) FROM local_plans").fetchone()
    row = {
        **values,
        "id": identifier,
        "project_id": store.project_id(db),
        "order_index": last + 1,
        "tags": json_text([*tags]),
        "created_at": now,
        "updated_at": now,
    }
    names, slots = ", ".join(row), ", ".join(f":{name}" for name in row)
    db.execute(f"INSERT INTO local_plans ({names}) VALUES ({slots})", row)  # noqa: S608  # our own names
    return identifier


def change_plan(db: Connection, store: ProjectStore, plan: str, change: PlanChange) -> LocalPlan:
    """Change a plan, and return its new state.

    Raises:
        ItemNotFound: There is no such plan.
        WrongCall: Its status cannot become this one.
    """
    before = require_plan(db, plan)
    values: dict[str, object] = {}
    if change.status is not None and change.status != before.status:
        check_change(before.id, before.status, change.status)
        values["status"] = change.status
        values["completed_at"] = store.now() if change.status == "completed" else None
    for name in ("title", "description", "priority"):
        if (value := getattr(change, name)) is not None:
            values[name] = value
    if change.tags is not None:
        values["tags"] = json_text([*change.tags])
    if values:
        values |= {"updated_at": store.now()}
        names = ", ".join(f"{name} = :{name}" for name in values)
        db.execute(f"UPDATE local_plans SET {names} WHERE id = :id", {**values, "id": before.id})  # noqa: S608  # our own names
    if values.get("status") in ("completed", "canceled", "blocked"):
        delete = "DELETE FROM work_claims WHERE item_type = 'local' AND item_id = ?"
        db.execute(delete, [before.id])
    return require_plan(db, before.id)


def delete_plan(db: Connection, plan: str) -> None:
    """Delete a plan with its dependencies.

    Raises:
        ItemNotFound: There is no such plan.
    """
    db.execute("DELETE FROM local_plans WHERE id = ?", [require_plan(db, plan).id])


def require_plan(db: Connection, plan: str) -> LocalPlan:
    """Return a plan.

    Raises:
        ItemNotFound: There is none of this id; the error names those that are called much like it.
    """
    row = db.execute(f"SELECT {_COLUMNS} WHERE local_plans.id = ?", [plan]).fetchone()  # a constant
    if row is None:
        raise unknown_plan(db, plan)
    return _plan(row, load_near(db, [WorkKey("local", row["id"])]), load_claims(db))


def list_plans(db: Connection, plan_filter: PlanFilter) -> Sequence[LocalPlan]:
    """Return plans in their order."""
    rows = db.execute(
        f"SELECT {_COLUMNS} WHERE (:ticket = '' OR external_item_id = :ticket) "  # a constant
        "AND (:status IS NULL OR local_plans.status = :status) "
        "AND (:all OR :status IS NOT NULL OR local_plans.status NOT IN ('completed', 'canceled')) "
        "ORDER BY order_index, local_plans.created_at, local_plans.id",
        {"ticket": plan_filter.ticket, "status": plan_filter.status, "all": plan_filter.closed_too},
    ).fetchall()
    graph = load_near(db, [WorkKey("local", row["id"]) for row in rows])
    claims = load_claims(db)
    plans = (_plan(row, graph, claims) for row in rows)
    return [plan for plan in plans if not plan_filter.tags or {*plan.tags} & {*plan_filter.tags}]


def _plan(row: Row, graph: WorkGraph, claims: Mapping[WorkKey, Claim]) -> LocalPlan:
    key = WorkKey("local", row["id"])
    created, updated = read_time(row["created_at"]), read_time(row["updated_at"])
    if created is None or updated is None:  # The columns are never empty.
        raise AssertionError(row["id"])
    claim = claims.get(key)
    return LocalPlan(
        id=row["id"],
        title=row["title"],
        description=row["description"] or "",
        external_item_id=row["ticket"],
        status=row["status"],
        priority=row["priority"],
        order_index=row["order_index"],
        tags=read_names(row["tags"]),
        created_at=created,
        updated_at=updated,
        completed_at=read_time(row["completed_at"]),
        claimed_by=claim.owner if claim else "",
        blocked_by=tuple(item.name for item in graph.open_blockers(key)),
    )
