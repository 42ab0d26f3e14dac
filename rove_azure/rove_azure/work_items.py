"""Convert Azure's work items to Rove's."""

from typing import Final

from rove_azure import fields as names
from rove_azure.facts import (
    RELATIONS,
    account_of,
    changed,
    due,
    iteration,
    iteration_name,
    number_in,
    person,
    size,
    status,
    tags,
)
from rove_azure.references import AzureReferences
from rove_azure.replies import WorkItemReply, WorkTypeReply
from rove_azure.texts import is_markdown, text_of
from rove_azure.work_types import category_of
from rove_core import Assignee, ItemStatus, WorkField, WorkItem, WorkItemType, without_hidden_marks
from rove_core.json_reader import integer, moment, string, text

_ALWAYS: Final[tuple[WorkField, ...]] = (
    "title",
    "description",
    "status",
    "assignee",
    "labels",
    "parent",
    "iteration",
)
_BUG: Final = "Bug"
_TYPES: Final[dict[str, WorkItemType]] = {"Epic": "epic", "Feature": "epic", "Task": "subtask"}
#: Azure counts priorities from 1, the highest, to 4; Rove from 4 to 1.
TURNED: Final = 5
_PRIORITIES: Final = range(1, TURNED)


def work_item(mentions: AzureReferences, reply: WorkItemReply, kind: WorkTypeReply) -> WorkItem:
    """Return a work item as work.

    Args:
        mentions: Knows the account's own work items.
        reply: The work item.
        kind: Its type.
    """
    fields, at, ref = reply.fields, changed(reply), prose_of(reply)
    state, parent = text(fields, names.STATE), parent_of(reply)
    priority, assignee = integer(fields, names.PRIORITY), account_of(fields, names.ASSIGNEE)
    estimate, unit = size(reply)
    source = "" if is_markdown(reply, ref) else without_hidden_marks(string(fields, ref))
    return WorkItem(
        ref=mentions.ref(reply.id),
        type=_TYPES.get(text(fields, names.TYPE), "ticket"),
        type_name=text(fields, names.TYPE),
        title=text(fields, names.TITLE),
        description=text_of(reply, ref),
        description_source=source,
        status=status(reply, category_of(kind, state)) or ItemStatus(name=""),
        priority=_our_priority(priority),
        priority_name=text(fields, names.PRIORITY),
        assignee=Assignee(id=assignee, name=person(fields, names.ASSIGNEE)) if assignee else None,
        labels=tags(reply),
        parent=mentions.ref(parent) if parent else None,
        iteration=iteration(reply),
        iteration_name=iteration_name(reply),
        due=due(reply),
        estimate=estimate,
        estimate_unit=unit,
        created=moment(fields, names.CREATED) or at,
        updated=at,
        revision=str(reply.rev),
        changeable=_changeable(kind),
        raw={"id": reply.id, "rev": reply.rev, "fields": dict(fields)},
    )


def prose_of(reply: WorkItemReply) -> str:
    """Return the field that describes a work item: the form of a bug shows steps to repeat it."""
    is_bug = text(reply.fields, names.TYPE) == _BUG
    return (
        names.STEPS if is_bug and not string(reply.fields, names.DESCRIPTION) else names.DESCRIPTION
    )


def parent_of(reply: WorkItemReply) -> int | None:
    """Return the number of the work item that one is a part of."""
    found = (each.url for each in reply.relations if RELATIONS.get(each.rel) == "parent")
    return number_in(next(found, "")) or integer(reply.fields, names.PARENT)


def field_for(kind: WorkTypeReply, candidates: tuple[str, ...]) -> str:
    """Return which of several fields a type has; empty if it has none."""
    own = {each.referenceName for each in kind.fieldInstances}
    return next((each for each in candidates if each in own), "")


def _our_priority(priority: int | None) -> int | None:
    """Return a priority as Rove counts; None for one that fits none of these."""
    if not priority:
        return 0
    return TURNED - priority if priority in _PRIORITIES else None


def _changeable(kind: WorkTypeReply) -> tuple[WorkField, ...]:
    possible: dict[WorkField, tuple[str, ...]] = {
        "priority": (names.PRIORITY,),
        "due": names.DUES,
        "estimate": tuple(names.SIZES),
    }
    further = [field for field, refs in possible.items() if field_for(kind, refs)]
    return (*_ALWAYS, *further)
