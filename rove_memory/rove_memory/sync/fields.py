"""The merged fields of a work item as JSON values, and their equality."""

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from rove_core import JSON

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rove_core import ItemRef, WorkField, WorkItem, WorkItemChange

#: The fields that are merged.
SYNCED: "Final[tuple[WorkField, ...]]" = (
    "title",
    "description",
    "status",
    "priority",
    "assignee",
    "labels",
    "parent",
    "iteration",
    "due",
    "estimate",
)
_TEXTS: Final = ("title", "description")


def values_of(work: "WorkItem") -> dict[str, JSON]:
    """Return the merged fields of a work item; None for a field without a value."""
    assignee, status = work.assignee, work.status
    return {
        "title": work.title,
        "description": work.description,
        "status": {"name": status.name, "category": status.category},
        "priority": work.priority,
        "assignee": {"id": assignee.id, "name": assignee.name} if assignee else None,
        "labels": sorted(work.labels),
        "parent": parent_value(work.parent),
        "iteration": {"id": work.iteration, "name": work.iteration_name}
        if work.iteration
        else None,
        "due": work.due.isoformat() if work.due else None,
        "estimate": work.estimate,
    }


def parent_value(ref: "ItemRef | None") -> JSON:
    """Return an item's parent as the sync keeps it."""
    return {"account": ref.account, "kind": ref.kind, "id": ref.id} if ref else None


def change_of(values: Mapping[str, JSON], if_revision: str) -> "WorkItemChange":
    """Return the change that sets fields to values, and clears those without one."""
    from rove_core import WorkItemChange  # noqa: PLC0415  # the quick commands send no changes

    fields: dict[str, Any] = {
        name: _value_to_send(name, value) for name, value in values.items() if value is not None
    }
    cleared: Sequence[WorkField] = [name for name in SYNCED if values.get(name, "") is None]
    return WorkItemChange(**fields, clear=tuple(cleared), if_revision=if_revision)


def same_value(field: str, one: JSON, other: JSON) -> bool:
    """Return whether two values of a field are the same to a person.

    Trackers reformat texts and spell a status in one way, so spaces and capitals do not count.
    """
    return _comparable(field, one) == _comparable(field, other)


def shown_value(field: str, value: JSON) -> str:
    """Return a value in words."""
    if value is None:
        return ""
    if isinstance(value, dict):
        return str(value.get("name") or value.get("id") or "")
    if field == "labels" and isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)


def category_of(value: JSON) -> str:
    """Return the category of a status value; empty if unknown."""
    return str(value.get("category") or "") if isinstance(value, dict) else ""


def _comparable(field: str, value: JSON) -> object:
    if field in _TEXTS:
        return " ".join(str(value or "").split())
    if field == "status" and isinstance(value, dict):
        return str(value.get("name", "")).casefold()
    if field == "labels" and isinstance(value, list):
        return sorted(map(str, value))
    if isinstance(value, dict):
        return value.get("id")
    return value


def _value_to_send(field: str, value: JSON) -> object:
    if field == "status" and isinstance(value, dict):
        return value["name"]
    if field == "labels" and isinstance(value, list):
        return tuple(map(str, value))
    if field == "due":
        return date.fromisoformat(str(value))
    if field == "parent" and isinstance(value, dict):
        from rove_core import ItemRef  # noqa: PLC0415  # as above

        return ItemRef(**{name: str(each) for name, each in value.items()})
    return value["id"] if isinstance(value, dict) else value
