"""Query ready work: the first few of many thousands."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice
from sqlite3 import Connection
from typing import Final

from rove_memory.plans.graph import ItemType, WorkKey
from rove_memory.plans.items import load_around, load_claims, load_near
from rove_memory.plans.ready import Readiness, Viewer, obstacle, readiness

#: Whether an item is ready is decided by :func:`readiness` alone. These tables are large, so the
#: query leaves out what cannot be, and puts the rest in the order of :func:`ready.rank`.
_BLOCKED: Final = """
    SELECT d.target_id FROM dependencies d JOIN local_plans p ON p.id = d.source_id
    WHERE d.relation = 'blocks' AND d.source_type = 'local' AND d.target_type = '{0}'
    AND p.status NOT IN ('completed', 'canceled')
    UNION ALL
    SELECT d.target_id FROM dependencies d JOIN external_items e ON e.id = d.source_id
    WHERE d.relation = 'blocks' AND d.source_type = 'external' AND d.target_type = '{0}'
    AND e.deleted_at IS NULL AND coalesce(e.status_category, 'todo') NOT IN ('done', 'canceled')
"""
_CANDIDATES: Final = f"""
SELECT 'external' AS item_type, id, coalesce(priority, 0) AS priority,
    coalesce(created_at_provider, synced_at) AS created, 0 AS place
FROM external_items
WHERE :external AND coalesce(status_category, 'todo') = 'todo' AND deleted_at IS NULL
AND id NOT IN ({_BLOCKED.format("external")})
UNION ALL
SELECT 'local', id, priority, created_at, order_index FROM local_plans
WHERE :local AND status = 'pending' AND (:ticket IS NULL OR external_item_id = :ticket)
AND id NOT IN ({_BLOCKED.format("local")})
ORDER BY priority DESC, created, item_type, place, id
"""  # noqa: S608  # our own words
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
        for keys in _batches(db, _CANDIDATES, values):
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
    cursor = db.execute(select, values)
    while rows := cursor.fetchmany(_BATCH):
        yield [WorkKey(row[0], row[1]) for row in rows]
