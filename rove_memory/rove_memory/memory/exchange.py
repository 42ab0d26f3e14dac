"""Export and import a project's memory as JSON."""

from collections.abc import Mapping, Sequence
from sqlite3 import Connection
from typing import Any, Final

from attrs import frozen

from rove_core import WrongCall
from rove_memory.memory.redaction import without_secrets
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


@frozen(kw_only=True)
class ImportResult:
    """The result of an import.

    Attributes:
        added: How many rows are new, by table.
        known: How many were there already.
        conflicts: Keys of memories that say something else here; what is here stays, and the
            other text became an earlier version of it.
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
    total, conflicts = 0, []
    db.execute("PRAGMA defer_foreign_keys = ON")
    renamed: dict[str, str] = {}
    for table in TABLES:
        known = {row["name"] for row in db.execute(f"PRAGMA table_info({table})")}
        for row in tables.get(table, ()):
            total += 1
            values = _checked(table, row, known)
            if "project_id" in known:
                values["project_id"] = store.project_id(db)
            values = {name: _renamed(value, renamed) for name, value in values.items()}
            if table == "memory" and (own := _own_memory(db, values)):
                renamed[values["id"]] = own["id"]
                if own["fingerprint"] != values.get("fingerprint"):
                    conflicts.append(f"{values['memory_type']}/{values['key']}")
                continue
            if table == "external_items" and (other := _own_ticket(db, values)):
                renamed[values["id"]] = other
                continue
            added[table] = added.get(table, 0) + _insert(db, table, values)
    rebuild_index(db)
    return ImportResult(
        added={table: count for table, count in added.items() if count},
        known=total - sum(added.values()),
        conflicts=tuple(conflicts),
    )


def _checked(table: str, row: Row, known: set[str]) -> dict[str, Any]:
    if wrong := set(row) - known:
        raise WrongCall(
            f"{table} has no column {min(wrong)}", hint="Export it again: rove memory export"
        )
    return {
        name: without_secrets(value) if isinstance(value, str) else value
        for name, value in row.items()
    }


def _renamed(value: Any, renamed: Mapping[str, str]) -> Any:  # noqa: ANN401  # a column's value
    return renamed.get(value, value) if isinstance(value, str) else value


def _own_memory(db: Connection, values: Row) -> Row | None:
    found: Row | None = db.execute(
        "SELECT id, fingerprint FROM memory WHERE memory_type = ? AND key = ? AND id <> ?",
        [values.get("memory_type"), values.get("key"), values.get("id")],
    ).fetchone()
    return found


def _own_ticket(db: Connection, values: Row) -> str | None:
    row = db.execute(
        "SELECT id FROM external_items WHERE provider_id = ? AND account = ? AND id <> ?",
        [values.get("provider_id"), values.get("account", ""), values.get("id")],
    ).fetchone()
    return str(row["id"]) if row else None


def _insert(db: Connection, table: str, values: Row) -> int:
    if table == "sessions" and values.get("status") == "active":
        # Nobody works here in a session of another machine.
        values = {**values, "status": "interrupted"}
    names, slots = ", ".join(values), ", ".join(f":{name}" for name in values)
    return db.execute(
        f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({slots})",  # noqa: S608  # checked names
        dict(values),
    ).rowcount
