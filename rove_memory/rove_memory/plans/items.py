"""Tickets and plans as nodes of one graph, and lookup by what a person types."""

from collections.abc import Collection, Iterator
from sqlite3 import Connection, Cursor, Row
from typing import TYPE_CHECKING, Final

from rove_core import ItemNotFound
from rove_memory.memory.redaction import quoted
from rove_memory.near_matches import near_matches
from rove_memory.plans.graph import DependencyKind, Edge, GraphItem, ItemType, WorkGraph, WorkKey
from rove_memory.plans.ready import Claim
from rove_memory.plans.statuses import CATEGORIES
from rove_memory.store.values import json_text, read_time

if TYPE_CHECKING:
    from rove_core import StatusCategory

_PLANS: Final = (
    "SELECT local_plans.id, local_plans.title, local_plans.status, local_plans.priority, "
    "local_plans.created_at, order_index, completed_at, external_items.provider_id AS ticket "
    "FROM local_plans LEFT JOIN external_items ON external_items.id = external_item_id"
)
_TICKETS: Final = (
    "SELECT id, account, provider_id, title, status, status_category, priority, assignee, "
    "deleted_at, created_at_provider, updated_at_provider, synced_at FROM external_items"
)
#: The types are named so that the indexes, which begin with them, are used.
_EDGES: Final = """
SELECT source_type, source_id, target_type, target_id, relation, created_at, rowid AS number
FROM dependencies
WHERE (:relation IS NULL OR relation = :relation) AND (
    (source_type IN ('local', 'external') AND source_id IN (SELECT value FROM json_each(:ids)))
    OR (target_type IN ('local', 'external') AND target_id IN (SELECT value FROM json_each(:ids)))
)
"""


def load_graph(db: Connection) -> WorkGraph:
    """Return all tickets and plans of a project with their dependencies."""
    items = {item.key: item for item in (*_tickets(db), *_plans(db))}
    rows = db.execute(
        "SELECT source_type, source_id, target_type, target_id, relation FROM dependencies "
        "ORDER BY created_at, rowid"
    )
    return WorkGraph(items, [_edge(row) for row in rows])


def load_near(db: Connection, keys: Collection[WorkKey]) -> WorkGraph:
    """Return some items with their neighbours and dependencies."""
    return load_around(db, keys, steps=1)


def load_around(
    db: Connection,
    keys: Collection[WorkKey],
    *,
    steps: int | None = None,
    relation: DependencyKind | None = None,
) -> WorkGraph:
    """Return some tickets and plans with what dependencies connect them to.

    Args:
        db: The database.
        keys: Where to begin.
        steps: How far to go, whatever the direction; to the end unless given.
        relation: Go along these dependencies alone; along all of them unless given.
    """
    near, outermost, edges = {*keys}, {*keys}, dict[tuple[str, int], Edge]()
    while outermost and steps != 0:
        found = _edges_at(db, outermost, relation)
        edges |= found
        beside = {key for edge in found.values() for key in (edge.source, edge.target)}
        outermost = beside - near
        near |= beside
        steps = None if steps is None else steps - 1
    ids = json_text([key.id for key in near])
    items = {item.key: item for item in (*_tickets(db, ids), *_plans(db, ids)) if item.key in near}
    return WorkGraph(items, [edges[row] for row in sorted(edges)])


def load_claims(db: Connection) -> dict[WorkKey, Claim]:
    """Return all claims, expired ones included."""
    found = {}
    for row in db.execute("SELECT item_type, item_id, owner, lease_until FROM work_claims"):
        until = read_time(row["lease_until"])
        if until:
            key = WorkKey(row["item_type"], row["item_id"])
            found[key] = Claim(owner=row["owner"], lease_until=until)
    return found


def find_item(db: Connection, text: str, item_type: ItemType | None = None) -> WorkKey:
    """Return the item that an id names.

    A plan's id is understood where a ticket is expected, too: no ticket is called like one.

    Args:
        db: The database.
        text: ``TB-123``, or a plan's id.
        item_type: What it should be; either unless given.

    Raises:
        ItemNotFound: There is none; the error names those that are called much like it.
    """
    from rove_memory.tickets.table import find_ticket, require_ticket  # noqa: PLC0415  # lists name no item

    if db.execute("SELECT 1 FROM local_plans WHERE id = ?", [text]).fetchone():
        return WorkKey("local", text)
    if item_type == "local" or (text.startswith("p-") and not find_ticket(db, text)):
        raise unknown_plan(db, text)
    return WorkKey("external", require_ticket(db, text).id)


def unknown_plan(db: Connection, text: str) -> ItemNotFound:
    """Return the error for a plan that is not there, with those that may be meant."""
    rows = db.execute("SELECT id, title FROM local_plans ORDER BY updated_at DESC LIMIT 5000")
    titles = {row["id"]: row["title"] for row in rows}
    near = (
        near_matches(text, titles)
        or [
            identifier
            for identifier, title in titles.items()
            if text.casefold() in title.casefold()
        ][:3]
    )
    meant = " or ".join(f"{each} ({titles[each]})" for each in near)
    guess = f"; did you mean {meant}?" if meant else ""
    return ItemNotFound(
        f"there is no plan {quoted(text)}{guess}", hint="List plans with: rove plan list"
    )


def _edges_at(
    db: Connection, keys: Collection[WorkKey], relation: DependencyKind | None
) -> dict[tuple[str, int], Edge]:
    """Return the dependencies that begin or end at items, by when each was made."""
    values = {"ids": json_text([key.id for key in keys]), "relation": relation}
    return {(row["created_at"], row["number"]): _edge(row) for row in db.execute(_EDGES, values)}


def _edge(row: Row) -> Edge:
    return Edge(WorkKey(row[0], row[1]), WorkKey(row[2], row[3]), row[4])


def _tickets(db: Connection, ids: str | None = None) -> Iterator[GraphItem]:
    for row in _rows(db, _TICKETS, "external_items", ids):
        category: StatusCategory = row["status_category"] or "todo"
        created = read_time(row["created_at_provider"]) or read_time(row["synced_at"])
        resolved = category in ("done", "canceled")
        if created is not None:
            yield GraphItem(
                key=WorkKey("external", row["id"]),
                name=row["provider_id"],
                title=row["title"],
                status=row["status"] or category,
                category=category,
                priority=row["priority"] or 0,
                created_at=created,
                assignee=row["assignee"] or "",
                gone=row["deleted_at"] is not None,
                unread=row["account"] == "",
                resolved_at=read_time(row["updated_at_provider"]) if resolved else None,
            )


def _rows(db: Connection, select: str, table: str, ids: str | None) -> Cursor:
    """Return all rows of a table, or those of a JSON list of ids."""
    if ids is None:
        return db.execute(select)
    return db.execute(f"{select} WHERE {table}.id IN (SELECT value FROM json_each(?))", [ids])  # noqa: S608  # our own names


def _plans(db: Connection, ids: str | None = None) -> Iterator[GraphItem]:
    for row in _rows(db, _PLANS, "local_plans", ids):
        created = read_time(row["created_at"])
        if created is not None:
            yield GraphItem(
                key=WorkKey("local", row["id"]),
                name=row["id"],
                title=row["title"],
                status=row["status"],
                category=CATEGORIES[row["status"]],
                priority=row["priority"],
                created_at=created,
                order=row["order_index"],
                ticket=row["ticket"] or "",
                resolved_at=read_time(row["completed_at"]),
            )
