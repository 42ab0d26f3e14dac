"""Work items: a tracker's data about a piece of work, field by field."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Final, Literal, TypeAlias

from attrs import Attribute, field, frozen
from attrs.validators import deep_iterable, ge, in_, instance_of, le, optional

from rove_core.facts import ItemStatus
from rove_core.items import ItemRef
from rove_core.wire.json_types import JSON

#: What a work item is in its tracker's plan, whatever its vendor calls it.
WorkItemType: TypeAlias = Literal["epic", "ticket", "subtask", "sprint", "milestone"]
#: The fields of a work item that people change.
WorkField: TypeAlias = Literal[
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
]

_TYPES: Final = ("epic", "ticket", "subtask", "sprint", "milestone")
_STATES: Final = ("planned", "active", "completed")
_TEXT: Final = instance_of(str)
_TEXTS: Final = deep_iterable(_TEXT, instance_of(tuple))
PRIORITY: Final = optional([instance_of(int), ge(0), le(4)])


def _is_aware(owner: object, attribute: "Attribute[Any]", value: object) -> None:
    if not isinstance(value, datetime) or value.tzinfo is None:
        name = f"{type(owner).__name__}.{attribute.name}"
        raise ValueError(f"{name} is {value!r}, which is not a valid time with a time zone")


@frozen(kw_only=True)
class Assignee:
    """A person at a vendor.

    Attributes:
        id: The vendor's own name for them.
        name: How the vendor shows them.
    """

    id: str = field(validator=_TEXT)
    name: str = field(default="", validator=_TEXT)


@frozen(kw_only=True)
class Iteration:
    """A sprint or cycle.

    Attributes:
        id: The vendor's own name for it.
        name: Its name.
        state: Whether it is still to come, under way or over.
        starts: When it starts; aware.
        ends: When it ends; aware.
        goal: What it is for.
    """

    id: str = field(validator=_TEXT)
    name: str = field(validator=_TEXT)
    state: Literal["planned", "active", "completed"] = field(validator=in_(_STATES))
    starts: datetime | None = field(default=None, validator=optional(_is_aware))
    ends: datetime | None = field(default=None, validator=optional(_is_aware))
    goal: str = field(default="", validator=_TEXT)


@frozen(kw_only=True)
class StatusOption:
    """A status that a work item can take now.

    Attributes:
        status: The status.
        needs: The names of the fields that the vendor wants filled in for it.
    """

    status: ItemStatus = field(validator=instance_of(ItemStatus))
    needs: tuple[str, ...] = field(default=(), validator=_TEXTS)


@frozen(kw_only=True)
class WorkItem:
    """A piece of work as its tracker has it at one revision.

    What one quotes of a ticket is its :class:`ContextItem`; this is what one changes of it.

    Attributes:
        ref: Where it is.
        type: What it is in its tracker's plan.
        type_name: What its vendor calls that (``Story``, ``Bug``).
        title: Its title.
        description: Its description as Markdown.
        description_source: Its description as the vendor stores it: wiki markup, HTML, or a tree
            as JSON. Empty where that is Markdown.
        status: Where it stands, in the vendor's words, and what that means.
        priority: From 0, none, to 4, urgent; None where the vendor's word fits none of these.
        priority_name: The vendor's word for it.
        assignee: Who does it.
        labels: Its labels.
        parent: What it is a part of.
        epic: The epic it belongs to, where its parent is another item.
        iteration: The sprint or cycle it is planned in, by its id.
        iteration_name: Its name.
        due: The day it is due.
        estimate: Its estimated size.
        estimate_unit: The unit of that (``points``, ``hours``).
        created: When it was written; aware, UTC.
        updated: When it last changed; aware, UTC.
        revision: What tells this revision from every other one of it.
        changeable: The fields that this login may change now.
        raw: The vendor's reply in its own words, for what has no field here.
    """

    ref: ItemRef = field(validator=instance_of(ItemRef))
    type: WorkItemType = field(default="ticket", validator=in_(_TYPES))
    type_name: str = field(default="", validator=_TEXT)
    title: str = field(validator=_TEXT)
    description: str = field(default="", validator=_TEXT)
    description_source: str = field(default="", validator=_TEXT)
    status: ItemStatus = field(validator=instance_of(ItemStatus))
    priority: int | None = field(default=None, validator=PRIORITY)
    priority_name: str = field(default="", validator=_TEXT)
    assignee: Assignee | None = field(default=None, validator=optional(instance_of(Assignee)))
    labels: tuple[str, ...] = field(default=(), validator=_TEXTS)
    parent: ItemRef | None = field(default=None, validator=optional(instance_of(ItemRef)))
    epic: ItemRef | None = field(default=None, validator=optional(instance_of(ItemRef)))
    iteration: str = field(default="", validator=_TEXT)
    iteration_name: str = field(default="", validator=_TEXT)
    due: date | None = field(default=None, validator=optional(instance_of(date)))
    estimate: float | None = field(default=None, validator=optional(instance_of((int, float))))
    estimate_unit: str = field(default="", validator=_TEXT)
    created: datetime = field(validator=_is_aware)
    updated: datetime = field(validator=_is_aware)
    revision: str = field(validator=_TEXT)
    changeable: tuple[WorkField, ...] = field(default=(), validator=instance_of(tuple))
    raw: Mapping[str, JSON] = field(factory=dict, validator=instance_of(dict))
