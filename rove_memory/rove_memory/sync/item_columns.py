"""The columns of ``external_items`` with merged fields and waiting edits."""

from collections.abc import Mapping
from sqlite3 import Connection
from typing import Final

from rove_core import JSON
from rove_memory.memory.redaction import without_secrets
from rove_memory.store.values import json_text, read_json
from rove_memory.sync.fields import category_of, shown_value

#: Columns of ``external_items`` that show each field; none for a parent.
_COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "title": ("title",),
    "description": ("description",),
    "status": ("status", "status_category"),
    "priority": ("priority",),
    "assignee": ("assignee", "assignee_name"),
    "labels": ("labels",),
    "parent": (),
    "iteration": ("sprint_id", "sprint_name"),
    "due": ("due_date",),
    "estimate": ("points",),
}


def write_columns(db: Connection, item_id: str, values: Mapping[str, JSON]) -> None:
    """Show values of fields."""
    columns: dict[str, object] = {}
    for field, value in values.items():
        if names := _COLUMNS[field]:
            columns |= zip(names, _columns_of(field, value), strict=True)
    if columns:
        assignments = ", ".join(f"{name} = :{name}" for name in columns)
        change = f"UPDATE external_items SET {assignments} WHERE id = :id"  # noqa: S608  # our own names
        db.execute(change, {**columns, "id": item_id})


def show_edits(db: Connection, item_id: str) -> None:
    """Show the edits of an item that wait over what its tracker has."""
    rows = db.execute(
        "SELECT field, payload FROM pending_changes WHERE external_item_id = ? "
        "AND status = 'pending' AND change_type = 'field'",
        [item_id],
    )
    write_columns(db, item_id, {row["field"]: read_json(row["payload"]) for row in rows})


def _columns_of(field: str, value: JSON) -> tuple[object, ...]:
    """Return the columns of a field, in the order of ``_COLUMNS``."""
    if field in ("title", "description"):
        return (without_secrets(str(value or "")),)
    if field == "status":
        return shown_value(field, value) or None, category_of(value) or None
    if field == "assignee":
        name = shown_value(field, value) or None
        return name, name
    if field == "labels":
        return (json_text(value or []),)
    if field == "iteration":
        identifier = str(value["id"]) if isinstance(value, dict) else None
        return identifier, shown_value(field, value) or None
    return (value,)
