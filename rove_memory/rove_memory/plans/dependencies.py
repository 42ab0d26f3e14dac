"""The table of dependencies."""

from sqlite3 import Connection, Row
from typing import Final

from attrs import frozen

from rove_core import Conflict, WrongCall
from rove_memory.plans.graph import DependencyKind, WorkKey
from rove_memory.plans.graph_model import Dependency
from rove_memory.plans.items import load_around
from rove_memory.store.project_store import ProjectStore
from rove_memory.store.values import new_id, read_time

_WORDS: Final = {
    "blocks": "blocks",
    "parent_of": "is the parent of",
    "discovered_from": "was discovered from",
    "related_to": "is related to",
}


@frozen(kw_only=True)
class NewDependency:
    """A dependency to be written down.

    Attributes:
        source: From where it leads.
        target: To where.
        relation: What it means.
        notes: Why.
        bidirectional: Whether it holds the other way round, too.
        session: In which session it was found.
    """

    source: WorkKey
    target: WorkKey
    relation: DependencyKind
    notes: str = ""
    bidirectional: bool = False
    session: str | None = None


def add_dependency(db: Connection, store: ProjectStore, new: NewDependency) -> Dependency:
    """Store a dependency, or the new notes of an existing one, and return it.

    Raises:
        WrongCall: An item would depend on itself.
        Conflict: Items would block each other in a circle; the error shows the way round.
    """
    # Only along blockers can they come round to each other.
    graph = load_around(db, [new.source, new.target], relation="blocks")
    source, target = graph.items[new.source], graph.items[new.target]
    if new.source == new.target:
        raise WrongCall(f"{source.name} cannot depend on itself: {_WORDS[new.relation]} needs two")
    if new.relation == "blocks":
        if new.bidirectional:
            raise Conflict(
                f"{source.name} and {target.name} cannot block each other: neither could start",
                hint="Decide which comes first, or use related_to.",
            )
        if way := graph.block_path(new.target, new.source):
            names = " → ".join(graph.items[key].name for key in (*way, new.target))
            raise Conflict(
                f"{source.name} cannot block {target.name}, which blocks it already: {names}",
                hint=f"Remove one of these first: rove plan unlink {target.name} "
                f"{graph.items[way[1]].name}",
            )
    found = _insert(db, store, new)
    if new.bidirectional:
        _insert(db, store, _reverse(new))
    return found


def remove_dependencies(
    db: Connection, source: WorkKey, target: WorkKey, relation: DependencyKind | None
) -> int:
    """Remove what leads from one item to another, and what holds both ways; return how many."""
    there = [source.type, source.id, target.type, target.id]
    back = [target.type, target.id, source.type, source.id]
    condition = (
        "source_type = ? AND source_id = ? AND target_type = ? AND target_id = ? "
        "AND (? IS NULL OR relation = ?)"
    )
    removed = 0
    for ends, more in ((there, ""), (back, " AND bidirectional")):
        done = db.execute(
            f"DELETE FROM dependencies WHERE {condition}{more}",  # noqa: S608  # our own words
            [*ends, relation, relation],
        )
        removed += done.rowcount
    return removed


def _reverse(new: NewDependency) -> NewDependency:
    return NewDependency(
        source=new.target,
        target=new.source,
        relation=new.relation,
        notes=new.notes,
        bidirectional=True,
        session=new.session,
    )


def _insert(db: Connection, store: ProjectStore, new: NewDependency) -> Dependency:
    values = {
        "id": new_id(db, "dependencies", "d"),
        "source_type": new.source.type,
        "source_id": new.source.id,
        "target_type": new.target.type,
        "target_id": new.target.id,
        "relation": new.relation,
        "bidirectional": int(new.bidirectional),
        "notes": new.notes or None,
        "created_at": store.now(),
        "created_by_session": new.session,
    }
    names, slots = ", ".join(values), ", ".join(f":{name}" for name in values)
    row = db.execute(
        f"INSERT INTO dependencies ({names}) VALUES ({slots}) "  # noqa: S608  # our own names
        "ON CONFLICT (source_type, source_id, target_type, target_id, relation) DO UPDATE SET "
        "notes = coalesce(excluded.notes, notes), "
        "bidirectional = max(bidirectional, excluded.bidirectional) RETURNING *",
        values,
    ).fetchone()
    return _dependency(db, row)


def _dependency(db: Connection, row: Row) -> Dependency:
    created = read_time(row["created_at"])
    if created is None:  # The column is never empty.
        raise AssertionError(row["id"])
    return Dependency(
        id=row["id"],
        source_type=row["source_type"],
        source_id=_name(db, row["source_type"], row["source_id"]),
        target_type=row["target_type"],
        target_id=_name(db, row["target_type"], row["target_id"]),
        relation=row["relation"],
        notes=row["notes"] or "",
        bidirectional=bool(row["bidirectional"]),
        created_at=created,
        created_by_session=row["created_by_session"],
    )


def _name(db: Connection, item_type: str, identifier: str) -> str:
    if item_type == "local":
        return identifier
    row = db.execute("SELECT provider_id FROM external_items WHERE id = ?", [identifier]).fetchone()
    return str(row[0])
