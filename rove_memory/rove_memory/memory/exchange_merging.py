"""Merge imported tickets and criteria with those that are here already."""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from sqlite3 import Connection
from typing import Any, Final

from rove_memory.criteria.words import compared
from rove_memory.plans.graph import WorkGraph, WorkKey
from rove_memory.plans.items import load_graph

Row = Mapping[str, Any]

#: The columns of a criterion that say whether it is met.
_STATE: Final = (
    *("status", "verified_at", "verified_by_session", "failed_at", "failed_reason"),
    *("evidence", "attempts"),
)


def merge_tickets(db: Connection, rows: Sequence[Row]) -> dict[str, str]:
    """Return the ids of imported tickets that are here under another id, and that id.

    A ticket that is known only by name takes what the imported one of that name says.
    """
    own = {str(row["id"]): found for row in rows if (found := _own_ticket(db, row))}
    renamed = {identifier: str(found["id"]) for identifier, found in own.items()}
    for row in rows:
        found = own.get(str(row["id"]))
        if found is None or found["account"]:
            continue
        is_named_only = found["title"] == found["provider_id"]
        if row.get("account") or is_named_only:
            values = {name: renamed.get(value, value) for name, value in row.items()}
            names = ", ".join(f"{name} = :{name}" for name in values)
            change = f"UPDATE external_items SET {names} WHERE id = :id"  # noqa: S608  # checked names
            db.execute(change, values)
    return renamed


def merge_criteria(
    db: Connection, rows: Sequence[Row], renamed: Mapping[str, str]
) -> tuple[list[Row], dict[str, str]]:
    """Return the imported criteria that are new, and those that are here under another id.

    A criterion is here if its ticket has one that says the same. If nobody has tried it here, it
    takes the state of the import. Numbers that are taken are given anew.

    Args:
        db: The database, in a transaction.
        rows: The imported criteria.
        renamed: The ids of imported tickets that are here under another id.
    """
    new, same = list[Row](), dict[str, str]()
    numbers: dict[str, set[int]] = {}
    for row in sorted(rows, key=lambda row: int(row.get("number") or 0)):
        ticket = renamed.get(row["external_item_id"], row["external_item_id"])
        if ticket not in numbers:
            sql = "SELECT number FROM acceptance_criteria WHERE external_item_id = ?"
            numbers[ticket] = {each["number"] for each in db.execute(sql, [ticket])}
        own = _own_criterion(db, ticket, row, set(same.values()))
        if own:
            same[row["id"]] = own
            _take_state(db, own, row)
            continue
        number = row.get("number") or 0
        if number < 1 or number in numbers[ticket]:
            number = max(numbers[ticket], default=0) + 1
        numbers[ticket].add(number)
        new.append({**row, "number": number})
    return new, same


def drop_circles(db: Connection, earlier: Collection[str]) -> list[str]:
    """Remove imported dependencies by which items block each other in a circle; return a note each.

    Args:
        db: The database, in a transaction.
        earlier: The ids of the dependencies that were here before; these stay.
    """
    notes = list[str]()
    while True:
        graph = load_graph(db)
        dropped = [note for circle in graph.cycles() if (note := _drop(db, graph, circle, earlier))]
        if not dropped:
            return notes
        notes += dropped


def _drop(
    db: Connection, graph: WorkGraph, circle: Sequence[WorkKey], earlier: Collection[str]
) -> str | None:
    """Remove the last imported step of a circle; return None if none of them was imported."""
    names = " → ".join(graph.items[key].name for key in circle)
    for source, target in reversed(list(pairwise(circle))):
        (identifier,) = db.execute(
            "SELECT id FROM dependencies WHERE source_type = ? AND source_id = ? "
            "AND target_type = ? AND target_id = ? AND relation = 'blocks'",
            [*source, *target],
        ).fetchone()
        if identifier not in earlier:
            db.execute("DELETE FROM dependencies WHERE id = ?", [identifier])
            one, other = graph.items[source].name, graph.items[target].name
            return f"not imported: {one} blocks {other}, because of the cycle {names}"
    return None


def _own_ticket(db: Connection, row: Row) -> Any:  # noqa: ANN401  # a row, or None
    account = row.get("account", "")
    found = db.execute(
        "SELECT id, account, provider_id, title FROM external_items "
        "WHERE provider_id = ? COLLATE NOCASE AND id <> ? AND (account IN (?, '') OR ? = '') "
        "ORDER BY account = ? DESC LIMIT 3",
        [row["provider_id"], row["id"], account, account, account],
    ).fetchall()
    if found and (len(found) == 1 or found[0]["account"] == account):
        return found[0]
    return None  # A name that tickets of several accounts have is none of them.


def _own_criterion(db: Connection, ticket: str, row: Row, taken: set[str]) -> str | None:
    """Return the criterion of a ticket that is the imported one, or says the same."""
    there = db.execute(
        "SELECT id, criterion_text FROM acceptance_criteria WHERE external_item_id = ? "
        "ORDER BY id <> ?, gone_at IS NOT NULL, number",
        [ticket, row["id"]],
    ).fetchall()
    text = compared(row["criterion_text"])
    for each in there:
        is_same = each["id"] == row["id"] or compared(each["criterion_text"]) == text
        if is_same and each["id"] not in taken:
            return str(each["id"])
    return None


def _take_state(db: Connection, own: str, row: Row) -> None:
    values = {name: row[name] for name in _STATE if name in row}
    names = ", ".join(f"{name} = :{name}" for name in values)
    if values:
        db.execute(
            f"UPDATE acceptance_criteria SET {names} WHERE id = :id AND status = 'pending' "  # noqa: S608  # our own names
            "AND attempts = 0 AND evidence IS NULL "
            "AND NOT EXISTS (SELECT 1 FROM ac_attempts WHERE criterion_id = :id)",
            {**values, "id": own},
        )
