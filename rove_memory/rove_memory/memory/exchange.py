"""Export and import a project's memory as JSON."""

from collections.abc import Mapping, Sequence
from sqlite3 import Connection, IntegrityError
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from attrs import frozen

from rove_core import WrongCall
from rove_memory.memory.earlier_versions import add_earlier_versions
from rove_memory.memory.exchange_merging import drop_circles, merge_criteria, merge_tickets
from rove_memory.memory.exchange_rows import checked_rows
from rove_memory.memory.text_index import rebuild_index
from rove_memory.store import ProjectStore

#: What a document says of itself.
FORMAT: Final = "rove-memory/1"
#: Every table, those that others refer to first.
TABLES: Final = (
    "external_items",
    "sessions",
    "session_events",
    "memory",
    "memory_versions",
    "memory_uses",
    "memory_links",
    "memory_mentions",
    "local_plans",
    "dependencies",
    "acceptance_criteria",
    "ac_attempts",
)
#: What one machine knows of itself means nothing on another one.
_LOCAL: Final = {"memory": ("number", "project_id")}

Row = Mapping[str, Any]
Tables = Mapping[str, Sequence[Row]]


class ImportedData(NamedTuple):
    """The content of a file that is imported.

    Attributes:
        tables: Its rows, by table.
        provider: The columns of a project's tracker, if the file has any.
        notes: What the file holds besides, and what was left out.
    """

    tables: dict[str, list[dict[str, Any]]]
    provider: Mapping[str, str | None] = MappingProxyType({})
    notes: Sequence[str] = ()


@frozen(kw_only=True)
class ImportResult:
    """The result of an import.

    Attributes:
        added: How many rows are new, by table.
        known: How many were there already.
        conflicts: Keys of memories that say something else here; what is here stays, and texts
            it never had became earlier versions of it.
        notes: What else happened.
    """

    added: Mapping[str, int]
    known: int
    conflicts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def dump_tables(db: Connection) -> dict[str, list[dict[str, Any]]]:
    """Return every row of a project's memory, in an order that stays."""
    tables = {}
    for table in TABLES:
        left_out = (*_LOCAL.get(table, ()), "project_id")
        rows = [
            {name: row[name] for name in row.keys() if name not in left_out}  # noqa: SIM118  # sqlite3.Row
            for row in db.execute(f"SELECT * FROM {table}")  # noqa: S608  # our own names
        ]
        tables[table] = sorted(rows, key=lambda row: str([str(value) for value in row.values()]))
    return tables


def load_tables(db: Connection, store: ProjectStore, tables: Tables) -> ImportResult:
    """Add missing rows without changing existing ones; loading is idempotent.

    Secrets are redacted, as in everything that is stored.

    Raises:
        WrongCall: A row is not one of this format.
    """
    added: dict[str, int] = {}
    total, conflicts = 0, list[str]()
    own, renamed = dict[str, Row](), dict[str, str]()
    checked = checked_rows(tables, {table: _columns(db, table) for table in TABLES})
    earlier = {row["id"] for row in db.execute("SELECT id FROM dependencies")}
    db.execute("PRAGMA defer_foreign_keys = ON")
    for table in TABLES:
        rows: Sequence[Row] = checked[table]
        total += len(rows)
        if table == "memory":
            own = {row["id"]: here for row in rows if (here := _own_memory(db, row))}
            renamed |= {identifier: here["id"] for identifier, here in own.items()}
            conflicts = [
                f"{row['memory_type']}/{row['key']}"
                for row in rows
                if row["id"] in own and own[row["id"]]["fingerprint"] != row["fingerprint"]
            ]
        elif table == "external_items":
            renamed |= merge_tickets(db, rows)
        elif table == "acceptance_criteria":
            rows, same = merge_criteria(db, rows, renamed)
            renamed |= same
        elif table == "memory_versions":
            added[table] = _merge_versions(db, store, own, checked)
        for row in rows:
            if _is_merged(table, row, own) or (table == "external_items" and row["id"] in renamed):
                continue
            values = {name: _rename_ids(value, renamed) for name, value in row.items()}
            if "project_id" in _columns(db, table):
                values["project_id"] = store.project_id(db)
            added[table] = added.get(table, 0) + _insert(db, table, values)
    _check_references(db)
    circles = drop_circles(db, earlier) if added.get("dependencies") else []
    if circles:
        added["dependencies"] -= len(circles)
    rebuild_index(db)
    return ImportResult(
        added={table: count for table, count in added.items() if count},
        known=total - sum(added.values()) - len(circles),
        conflicts=tuple(conflicts),
        notes=tuple(circles),
    )


def _is_merged(table: str, row: Row, own: Mapping[str, Row]) -> bool:
    """Return whether a row is about an existing memory with different content."""
    column = {"memory": "id", "memory_versions": "memory_id", "memory_mentions": "memory_id"}
    return table in column and row[column[table]] in own


def _merge_versions(
    db: Connection, store: ProjectStore, own: Mapping[str, Row], rows: Mapping[str, Sequence[Row]]
) -> int:
    """Add the texts of memories that are here to their earlier versions; return how many."""
    texts: dict[str, list[Row]] = {identifier: [] for identifier in own}
    for row in sorted(rows["memory_versions"], key=lambda row: int(row["version"])):
        if row["memory_id"] in texts:
            texts[row["memory_id"]].append(row)
    for row in rows["memory"]:
        if row["id"] in texts:
            # An edited export may hold a text that is none of its versions.
            texts[row["id"]].append({**row, "valid_from": row["updated_at"]})
    return sum(
        add_earlier_versions(db, own[identifier]["id"], found, store.now())
        for identifier, found in texts.items()
    )


def _own_memory(db: Connection, values: Row) -> Row | None:
    found: Row | None = db.execute(
        "SELECT id, fingerprint FROM memory WHERE (memory_type = ? AND key = ?) OR id = ? "
        "ORDER BY id = ?",
        [values["memory_type"], values["key"], values["id"], values["id"]],
    ).fetchone()
    return found


def _rename_ids(value: Any, renamed: Mapping[str, str]) -> Any:  # noqa: ANN401  # a column's value
    return renamed.get(value, value) if isinstance(value, str) else value


def _insert(db: Connection, table: str, values: Row) -> int:
    if table == "sessions" and values.get("status") == "active":
        # Nobody works here in a session of another machine.
        values = {**values, "status": "interrupted"}
    names, slots = ", ".join(values), ", ".join(f":{name}" for name in values)
    try:
        # Unlike OR IGNORE, this skips nothing but rows that are here already.
        return db.execute(
            f"INSERT INTO {table} ({names}) VALUES ({slots}) ON CONFLICT DO NOTHING",  # noqa: S608  # checked names
            dict(values),
        ).rowcount
    except IntegrityError as error:
        raise WrongCall(f"{table} cannot have the row {values.get('id', '')!r}: {error}") from error


def _check_references(db: Connection) -> None:
    if row := db.execute("PRAGMA foreign_key_check").fetchone():
        raise WrongCall(
            f"a row of {row['table']} is about a row of {row['parent']} that is missing"
        )


def _columns(db: Connection, table: str) -> frozenset[str]:
    return frozenset(row["name"] for row in db.execute(f"PRAGMA table_info({table})"))
