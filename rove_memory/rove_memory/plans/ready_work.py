"""Query ready work: the first few of many thousands."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from sqlite3 import Connection
from typing import Final

from rove_memory.plans.graph import ItemType, WorkKey
from rove_memory.plans.items import load_around, load_claims, load_near
from rove_memory.plans.ready import Readiness, Viewer, obstacle, readiness
from rove_memory.store.values import json_text

#: Whether an item is ready is decided by :func:`readiness` alone. These tables are large, so the
#: queries leave out what cannot be, and put the rest in the order of :func:`ready.rank`.
_CANDIDATES: Final = """
SELECT 'external' AS item_type, id, coalesce(priority, 0) AS priority,
    coalesce(created_at_provider, synced_at) AS created, 0 AS place
FROM external_items
WHERE :external AND coalesce(status_category, 'todo') = 'todo' AND deleted_at IS NULL
UNION ALL
SELECT 'local', id, priority, created_at, order_index FROM local_plans
WHERE :local AND status = 'pending' AND (:ticket IS NULL OR external_item_id = :ticket)
ORDER BY priority DESC, created, item_type, place, id
"""
#: A plus keeps SQLite from going by relation or source: by the target there are few.
_BLOCKED: Final = """
SELECT d.target_type, d.target_id FROM dependencies d CROSS JOIN local_plans p
WHERE d.target_type IN ('local', 'external')
AND d.target_id IN (SELECT value FROM json_each(:ids))
AND +d.relation = 'blocks' AND +d.source_type = 'local' AND p.id = d.source_id
AND p.status NOT IN ('completed', 'canceled')
UNION ALL
SELECT d.target_type, d.target_id FROM dependencies d CROSS JOIN external_items e
WHERE d.target_type IN ('local', 'external')
AND d.target_id IN (SELECT value FROM json_each(:ids))
AND +d.relation = 'blocks' AND +d.source_type = 'external' AND e.id = d.source_id
AND e.deleted_at IS NULL AND coalesce(e.status_category, 'todo') NOT IN ('done', 'canceled')
"""
_UNRESOLVED: Final = """
SELECT 'external' AS item_type, id, coalesce(priority, 0) AS priority,
    coalesce(created_at_provider, synced_at) AS created, 0 AS place
FROM external_items
WHERE :external AND coalesce(status_category, 'todo') NOT IN ('done', 'canceled')
AND deleted_at IS NULL
UNION ALL
SELECT 'local', id, priority, created_at, order_index FROM local_plans
WHERE :local AND status NOT IN ('completed', 'canceled')
ORDER BY priority DESC, created, item_type, place, id
"""
_BEGUN: Final = """
SELECT 'local', id FROM local_plans
WHERE status = 'in_progress' AND (:ticket IS NULL OR external_item_id = :ticket)
ORDER BY priority DESC, created_at, order_index, id
"""
_BATCH: Final = 50


def ready_work(
    db: Connection,
    viewer: Viewer,
    limit: int,
    *,
    among: Collection[ItemType] = ("external", "local"),
    ticket: str | None = None,
) -> Sequence[Readiness]:
    """Return the ready items: by priority, age, tickets before plans.

    Args:
        db: The database.
        viewer: Who asks, and when.
        limit: The maximum number of results.
        among: Tickets, plans, or both.
        ticket: Only the plans of this ticket, by its id in the tables.
    """
    claims = load_claims(db)
    values = {"external": "external" in among, "local": "local" in among, "ticket": ticket}

    def found() -> Iterator[Readiness]:
        for keys in _unblocked(db, _batches(db, _CANDIDATES, values)):
            graph = load_near(db, keys)
            yield from (readiness(graph, graph.items[key], claims, viewer) for key in keys)

    return [*islice((each for each in found() if each.is_ready), limit)]


def explained_work(
    db: Connection,
    viewer: Viewer,
    limit: int,
    *,
    among: Collection[ItemType] = ("external", "local"),
) -> Sequence[Readiness]:
    """Return the ready items, then the others, each with its reason.

    Args:
        db: The database.
        viewer: Who asks, and when.
        limit: The maximum number of results.
        among: Tickets, plans, or both.
    """
    claims = load_claims(db)
    values = {"external": "external" in among, "local": "local" in among}

    def not_ready() -> Iterator[Readiness]:
        for keys in _batches(db, _UNRESOLVED, values):
            graph = load_around(db, keys, relation="blocks")
            found = (readiness(graph, graph.items[key], claims, viewer) for key in keys)
            yield from (each for each in found if not each.is_ready)

    ready = ready_work(db, viewer, limit, among=among)
    return [*ready, *islice(not_ready(), limit - len(ready))]


def begun_work(
    db: Connection, viewer: Viewer, limit: int, *, ticket: str | None = None
) -> Sequence[Readiness]:
    """Return the plans in progress that nothing blocks."""
    claims = load_claims(db)

    def found() -> Iterator[Readiness]:
        for keys in _batches(db, _BEGUN, {"ticket": ticket}):
            graph = load_near(db, keys)
            for item in (graph.items[key] for key in keys):
                if obstacle(graph, item, claims, viewer) is None:
                    yield Readiness(item, "it was begun", is_ready=True)

    return [*islice(found(), limit)]


def _batches(
    db: Connection, select: str, values: Mapping[str, str | bool | None]
) -> Iterator[Sequence[WorkKey]]:
    """Yield the items of a query in batches, each twice as large as the one before."""
    cursor, size = db.execute(select, values), _BATCH
    while rows := cursor.fetchmany(size):
        yield [WorkKey(row[0], row[1]) for row in rows]
        size *= 2


def _unblocked(db: Connection, batches: Iterable[Sequence[WorkKey]]) -> Iterator[Sequence[WorkKey]]:
    """Yield the items of batches that no unresolved item blocks."""
    for keys in batches:
        rows = db.execute(_BLOCKED, {"ids": json_text([key.id for key in keys])})
        blocked = {WorkKey(row[0], row[1]) for row in rows}
        if free := [key for key in keys if key not in blocked]:
            yield free
