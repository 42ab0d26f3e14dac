"""Import of Semfora PM data: a version 1 database and ``.pm/config.json``."""

import re
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from rove_core import WrongCall
from rove_memory.memory.words import fingerprint, names_in, parts_of, title_of
from rove_memory.store.values import json_text, read_json, time_text

_HEADER: Final = b"SQLite format 3\x00"
_SECRET: Final = re.compile(r"(?i)key|token|secret|password|pat$")
#: Columns of its tables that are the same here, and when a row is from if nothing else says so.
_COPIED: Final[Mapping[str, str]] = {
    "external_items": "id provider_id item_type title description status status_category priority "
    "assignee assignee_name labels sprint_id sprint_name epic_id epic_name due_date estimate url",
    "sessions": "id external_item_id started_at ended_at status summary outcome outcome_notes "
    "files_modified commits_made duration_seconds",
    "session_events": "id session_id event_type importance content context created_at",
    "memory": "id memory_type key content summary importance confidence created_at updated_at "
    "expires_at tags related_items last_accessed access_count",
    "local_plans": "id external_item_id title description status priority order_index tags "
    "created_at updated_at completed_at",
    "dependencies": "id source_type source_id target_type target_id relation strength "
    "bidirectional notes created_at",
    "acceptance_criteria": "id external_item_id criterion_text criterion_index source_type status "
    "verified_at failed_at failed_reason evidence attempts created_at updated_at",
}
_TIMES: Final = re.compile(r"_at$|_at_provider$|^last_accessed$")


def is_database(data: bytes) -> bool:
    """Return whether bytes are those of a SQLite database."""
    return data.startswith(_HEADER)


def read_database(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the tables of a Semfora PM database as this version has them.

    Raises:
        WrongCall: It is another database.
    """
    uri = f"{path.as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(uri, uri=True)) as db:
            db.row_factory = sqlite3.Row
            db.execute("PRAGMA trusted_schema = OFF")
            tables = {table: _rows(db, table) for table in _COPIED}
    except sqlite3.Error as error:
        raise WrongCall(f"{path} is not a database of Semfora PM: {error}") from error
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
    return tables


def read_config(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of ``.pm/config.json`` without credentials, and the new settings.

    Raises:
        WrongCall: It is another file.
    """
    for name in ("provider_config", "sync", "memory", "session", "acceptance_criteria"):
        if not isinstance(config.get(name) or {}, Mapping):
            raise WrongCall(f"its {name} is not an object")
    if not isinstance(config.get("provider") or "", str):
        raise WrongCall("its provider is not a name")
    provider = {
        "provider": config.get("provider"),
        "provider_config": _without_secrets(config.get("provider_config") or {}),
        "sync": config.get("sync") or {},
    }
    lines = ["To keep its settings, write into .rove/settings.toml:"]
    for section, known in (
        (
            "memory",
            (
                "max_items_per_type",
                "decay_after_days",
                "importance_threshold",
                "auto_decay_on_session_end",
            ),
        ),
        (
            "session",
            ("auto_generate_summary", "max_events_before_compaction", "warn_on_unended_session"),
        ),
        ("acceptance_criteria", ("auto_parse", "require_evidence_for_verification")),
    ):
        own = config.get(section) or {}
        values = [f"{key} = {_toml(own[key])}" for key in known if key in own]
        if values:
            lines += [f"[{section}]", *values]
    notes = lines if len(lines) > 1 else ["It holds no settings of memory."]
    if provider["provider"]:
        notes.append(f"Log in to its tracker with: rove --add-source {provider['provider']}")
    return {"provider_config": provider, "notes": notes}


def _rows(db: sqlite3.Connection, table: str) -> list[dict[str, Any]]:
    there = {row["name"] for row in db.execute(f"PRAGMA table_info({table})")}
    if not there and table == "memory":
        raise WrongCall("it has no table memory")
    names = [name for name in _COPIED[table].split() if name in there]
    if not names:
        return []
    rows = db.execute(f"SELECT {', '.join(names)} FROM {table}")  # noqa: S608  # our own names
    return [_row(table, dict(row)) for row in rows]


def _row(table: str, row: dict[str, Any]) -> dict[str, Any]:
    row = {
        name: _time(value) if value and _TIMES.search(name) else value
        for name, value in row.items()
    }
    match table:
        case "memory":
            row["tags"], row["related_items"] = (
                row.get("tags") or "[]",
                row.get("related_items") or "[]",
            )
            content = row["content"]
            row |= {
                "title": title_of(content),
                "parts": parts_of(content),
                "fingerprint": fingerprint(content),
            }
        case "sessions":
            row["last_active_at"] = row.get("ended_at") or row["started_at"]
        case "external_items":
            row["synced_at"] = time_text(datetime(1970, 1, 1, tzinfo=UTC))
        case "local_plans":
            row["tags"] = json_text(read_json(row.get("tags"), []))
        case "dependencies":
            row["strength"] = min(3, max(1, row.get("strength") or 2))
        case "acceptance_criteria":
            row["number"] = row["criterion_index"] + 1
    return row


def _version(row: Mapping[str, Any]) -> dict[str, Any]:
    names = ("memory_type", "content", "summary", "importance", "confidence", "tags")
    return {
        "memory_id": row["id"],
        "version": 1,
        **{name: row.get(name) for name in names},
        "related_items": row["related_items"],
        "valid_from": row["created_at"],
        "recorded_at": row["created_at"],
    }


def _time(text: str) -> str:
    """Return one of its times, which have no zone and are UTC."""
    at = datetime.fromisoformat(text)
    return time_text(at if at.tzinfo else at.replace(tzinfo=UTC))


def _without_secrets(config: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in config.items() if not _SECRET.search(key)}


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
