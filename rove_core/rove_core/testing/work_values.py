"""Values of work items for the standard tests."""

import re
from datetime import date
from typing import Final

import attrs

from rove_core.testing.scene import Scene
from rove_core.work.items import WorkField, WorkItem

TITLE: Final = "A title of the suite"
#: What follows every change, and is not a field that people set.
_FOLLOWS: Final = {"updated", "revision", "raw", "changeable"}
_HIGH: Final = 3


def values_for(work: WorkItem, assignee: str) -> dict[WorkField, object]:
    """Return a value for each field that can be changed, other than the one it has."""
    values: dict[WorkField, object] = {
        "title": TITLE,
        "description": "Words of the suite",
        "priority": 2 if work.priority == _HIGH else _HIGH,
        "labels": ("suite",),
        "due": date(2031, 1, 15),
        "estimate": 5.0,
    }
    if assignee:
        values["assignee"] = assignee
    return {name: value for name, value in values.items() if name in work.changeable}


def number_of(work: WorkItem) -> int:
    """Return the last number in an id, by which many vendors order items."""
    found = re.findall("[0-9]+", work.ref.id)
    return int(found[-1]) if found else 0


def own_id(scene: Scene) -> str:
    """Return the id of whoever logged in; empty if unknown."""
    return scene.account.identity.id if scene.account.identity else ""


def value_of(work: WorkItem, name: WorkField) -> object:
    """Return a field as a change sets it."""
    if name == "assignee":
        return work.assignee and work.assignee.id
    return getattr(work, name)


def fields_of(work: WorkItem, *, without: str = "") -> dict[str, object]:
    """Return the fields that people set."""
    fields = attrs.asdict(work, recurse=False)
    return {name: fields[name] for name in fields if name not in {*_FOLLOWS, without}}
