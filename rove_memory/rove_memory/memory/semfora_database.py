"""Import of a Semfora PM database, version 1."""

import json
import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from rove_core import WrongCall, counted
from rove_memory.memory.exchange import ImportedData
from rove_memory.memory.semfora_config import provider_values
from rove_memory.memory.words import fingerprint, names_in, parts_of, title_of
from rove_memory.store.values import json_text, time_text

_HEADER: Final = b"SQLite format 3\x00"
#: Columns of its tables that are the same here. Its log of syncs, its queue of changes and the
#: rows of its projects stay behind.
_COPIED: Final[Mapping[str, str]] = {
    "external_items": "id provider_id item_type title description description_html status "
    "status_category priority priority_label assignee assignee_name labels parent_id sprint_id "
    "sprint_name epic_id epic_name due_date estimate estimate_unit url provider_data "
    "created_at_provider updated_at_provider synced_at",
    "sessions": "id external_item_id started_at ended_at status summary outcome outcome_notes "
    "context_on_start files_modified commits_made duration_seconds parent_session_id metadata",
    "session_events": "id session_id event_type importance content context created_at",
    "memory": "id memory_type key content summary importance confidence created_at updated_at "
    "expires_at source_session_id source_context tags related_items last_accessed access_count",
    "local_plans": "id external_item_id title description status priority order_index tags "
    "created_at updated_at completed_at",
    "dependencies": "id source_type source_id target_type target_id relation strength "
    "bidirectional notes created_at created_by_session metadata",
    "acceptance_criteria": "id external_item_id criterion_text criterion_index source_type status "
    "verified_at verified_by_session failed_at failed_reason evidence attempts created_at "
    "updated_at",
}
_TIMES: Final = re.compile(r"_at$|_at_provider$|^last_accessed$")
_LISTS: Final = frozenset({"labels", "tags", "related_items", "files_modified", "commits_made"})
_RECORDS: Final = frozenset({"evidence", "context", "provider_data"})


class _Reference(NamedTuple):
    """A column that names a row of another table; Semfora PM does not enforce any."""

    table: str
    column: str
    parent: str
    needed: bool = False


_REFERENCES: Final = (
    _Reference("external_items", "parent_id", "external_items"),
    _Reference("sessions", "external_item_id", "external_items"),
    _Reference("sessions", "parent_session_id", "sessions"),
    _Reference("session_events", "session_id", "sessions", needed=True),
    _Reference("memory", "source_session_id", "sessions"),
    _Reference("local_plans", "external_item_id", "external_items"),
    _Reference("dependencies", "created_by_session", "sessions"),
    _Reference("acceptance_criteria", "external_item_id", "external_items", needed=True),
    _Reference("acceptance_criteria", "verified_by_session", "sessions"),
)


def is_database(data: bytes) -> bool:
    """Return whether bytes are those of a SQLite database."""
    return data.startswith(_HEADER)


def read_database(path: Path) -> ImportedData:
    """Return the content of a Semfora PM database.

    Raises:
        WrongCall: It is another database.
    """
    uri = f"{path.as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as db:
            db.row_factory = sqlite3.Row
            db.execute("PRAGMA trusted_schema = OFF")
            tables = {table: _rows(db, table) for table in _COPIED}
            provider, unsent = _provider(db), _unsent(db)
    except sqlite3.Error as error:
        raise WrongCall(f"{path} is not a database of Semfora PM") from error
    notes = [*_drop_dangling(tables), *unsent]
    tables["memory_versions"] = [_version(row) for row in tables["memory"]]
    tables["memory_uses"] = [
        {
            "memory_id": row["id"],
            "last_accessed": row.pop("last_accessed", None) or row["updated_at"],
            "access_count": row.pop("access_count", None) or 0,
        }
        for row in tables["memory"]
    ]
    tables["memory_mentions"] = [
        {"memory_id": row["id"], "name": name}
        for row in tables["memory"]
        for name in names_in(row["content"])
    ]
    return ImportedData(tables, provider, notes)


def _rows(db: sqlite3.Connection, table: str) -> list[dict[str, Any]]:
    there = _columns(db, table)
    if not there and table == "memory":
        raise WrongCall("it has no table memory")
    names = [name for name in _COPIED[table].split() if name in there]
    if not names:
        return []
    rows = db.execute(f"SELECT {', '.join(names)} FROM {table}")  # noqa: S608  # our own names
    return [_row(table, {name: _value(name, row[name]) for name in names}) for row in rows]


def _columns(db: sqlite3.Connection, table: str) -> set[str]:
    return {row["name"] for row in db.execute(f"PRAGMA table_info({table})")}


def _value(name: str, value: Any) -> Any:  # noqa: ANN401  # a column's value
    """Return a value in the form of this version's columns."""
    if value and _TIMES.search(name):
        return _time(value)
    if name in _LISTS:
        found = _json(value)
        names = [each for each in found if isinstance(each, str)] if isinstance(found, list) else []
        return json_text(names)
    if name in _RECORDS:
        return value if isinstance(_json(value), dict) else None
    return value


def _row(table: str, row: dict[str, Any]) -> dict[str, Any]:
    match table:
        case "memory":
            row.setdefault("tags", "[]")
            row.setdefault("related_items", "[]")
            content = row["content"]
            row |= {
                "title": title_of(content),
                "parts": parts_of(content),
                "fingerprint": fingerprint(content),
            }
        case "sessions":
            row["last_active_at"] = row.get("ended_at") or row["started_at"]
        case "external_items":
            row["synced_at"] = row.get("synced_at") or time_text(datetime(1970, 1, 1, tzinfo=UTC))
            row["points"] = row.get("estimate")
        case "dependencies":
            row["strength"] = min(3, max(1, row.get("strength") or 2))
        case "acceptance_criteria":
            row["number"] = row["criterion_index"] + 1
            # It stays although Rove may not recognise it in the text of the ticket.
            row["given"] = 1
    return row


def _drop_dangling(tables: Mapping[str, list[dict[str, Any]]]) -> list[str]:
    """Remove references to missing rows, and rows that mean nothing without them; say which."""
    before = {table: len(rows) for table, rows in tables.items()}
    for reference in _REFERENCES:
        parent_ids = {row["id"] for row in tables[reference.parent]}
        for row in tables[reference.table]:
            if row.get(reference.column) not in parent_ids:
                row[reference.column] = None
        if reference.needed:
            tables[reference.table][:] = [
                row for row in tables[reference.table] if row[reference.column]
            ]
    items = {("local", row["id"]) for row in tables["local_plans"]}
    items |= {("external", row["id"]) for row in tables["external_items"]}
    tables["dependencies"][:] = [
        row
        for row in tables["dependencies"]
        if {(row["source_type"], row["source_id"]), (row["target_type"], row["target_id"])} <= items
    ]
    return [
        f"not imported: {gone} of {table} about something that is missing"
        for table, rows in tables.items()
        if (gone := before[table] - len(rows))
    ]


def _provider(db: sqlite3.Connection) -> Mapping[str, str | None]:
    names = _columns(db, "projects") & {"provider_type", "provider_project_id", "provider_config"}
    if not names:
        return {}
    row = db.execute(f"SELECT {', '.join(sorted(names))} FROM projects LIMIT 1").fetchone()  # noqa: S608  # our own names
    if row is None:
        return {}
    record = dict(row)
    config = _json(record.get("provider_config"))
    return provider_values(
        record.get("provider_type"),
        config if isinstance(config, dict) else {},
        record.get("provider_project_id"),
    )


def _unsent(db: sqlite3.Connection) -> list[str]:
    """Say how many changes it never sent to its tracker: nobody knows what they were based on."""
    if "status" not in _columns(db, "pending_changes"):
        return []
    (count,) = db.execute(
        "SELECT count(*) FROM pending_changes WHERE status IN ('pending', 'failed')"
    ).fetchone()
    return [f"not imported: {counted(count, 'change')} not sent to the tracker"] if count else []


def _version(row: Mapping[str, Any]) -> dict[str, Any]:
    names = ("memory_type", "content", "summary", "importance", "confidence", "tags")
    return {
        "memory_id": row["id"],
        "version": 1,
        **{name: row.get(name) for name in names},
        "related_items": row["related_items"],
        "valid_from": row["created_at"],
        "recorded_at": row["created_at"],
        "session_id": row.get("source_session_id"),
    }


def _time(text: str) -> str:
    """Return one of its times, which have no zone and are UTC."""
    at = datetime.fromisoformat(text)
    return time_text(at if at.tzinfo else at.replace(tzinfo=UTC))


def _json(text: Any) -> Any:  # noqa: ANN401  # any JSON
    try:
        return json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None
