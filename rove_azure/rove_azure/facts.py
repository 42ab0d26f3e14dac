"""Facts of an Azure DevOps work item: state, people, sprint, history."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Final

from rove_azure import fields as names
from rove_azure.replies import RelationReply, WorkItemReply
from rove_azure.texts import is_long, name_of
from rove_core import JSON, Facts, ItemStatus, NamedValue, Relation, StatusCategory
from rove_core.json_reader import integer, mapping, moment, text, value_at

#: What the categories of states mean. What is resolved is not done: somebody still checks it.
CATEGORIES: Final[Mapping[str, StatusCategory]] = {
    "Proposed": "todo",
    "InProgress": "in_progress",
    "Resolved": "in_progress",
    "Completed": "done",
    "Removed": "canceled",
}
#: What each relation means to everybody; any other one relates.
RELATIONS: Final[Mapping[str, Relation]] = {
    "System.LinkTypes.Hierarchy-Reverse": "parent",
    "System.LinkTypes.Hierarchy-Forward": "child",
    "System.LinkTypes.Duplicate-Reverse": "duplicates",
    "System.LinkTypes.Duplicate-Forward": "duplicated_by",
    "System.LinkTypes.Dependency-Forward": "blocks",
    "System.LinkTypes.Dependency-Reverse": "blocked_by",
}
FILE: Final = "AttachedFile"
#: The changes that tell what became of a work item, by what people call the field.
_TOLD: Final = {
    names.STATE: "State",
    names.TITLE: "Title",
    names.ASSIGNEE: "Assigned To",
    names.PRIORITY: "Priority",
    names.ITERATION: "Iteration",
    names.AREA: "Area",
    names.TAGS: "Tags",
}
#: Azure keeps a day as the moment when it begins where somebody lives, east or west of Greenwich.
_HALF_A_DAY: Final = timedelta(hours=12)
_LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)


def facts_of(reply: WorkItemReply, category: StatusCategory | None) -> Facts:
    """Return the facts of a work item.

    Args:
        reply: The work item.
        category: What its state means.
    """
    fields = reply.fields
    assignee = person(fields, names.ASSIGNEE)
    return Facts(
        created=moment(fields, names.CREATED),
        status=status(reply, category),
        type=text(fields, names.TYPE),
        priority=text(fields, names.PRIORITY),
        assignees=(assignee,) if assignee else (),
        due=due(reply),
        labels=tags(reply),
        project=text(fields, names.PROJECT),
        iteration=iteration_name(reply),
        estimate=size(reply)[0],
        attachments=tuple(each.attributes.name for each in files(reply)),
        fields=tuple(_further(reply)),
    )


def status(reply: WorkItemReply, category: StatusCategory | None) -> ItemStatus | None:
    """Return the status of a work item."""
    state = text(reply.fields, names.STATE)
    return ItemStatus(name=state, category=category) if state else None


def changed(reply: WorkItemReply) -> datetime:
    """Return when a work item was last changed."""
    return moment(reply.fields, names.CHANGED) or moment(reply.fields, names.CREATED) or _LONG_AGO


def person(identity: JSON, ref: str) -> str:
    """Return the name of a person in a field; older servers use ``Ann Lee <ann@acme>``."""
    value = value_at(identity, ref)
    return text(value, "displayName") if mapping(value) else text(value).partition(" <")[0]


def account_of(identity: JSON, ref: str) -> str:
    """Return the unique name of a person, as needed to set a field."""
    value = value_at(identity, ref)
    if mapping(value):
        return text(value, "uniqueName") or text(value, "displayName")
    return text(value).partition("<")[2].rstrip(">") or text(value)


def tags(reply: WorkItemReply) -> tuple[str, ...]:
    """Return the tags of a work item."""
    named = text(reply.fields, names.TAGS).split(";")
    return tuple(filter(None, (each.strip() for each in named)))


def due(reply: WorkItemReply) -> date | None:
    """Return the day a work item is due."""
    for ref in names.DUES:
        if at := moment(reply.fields, ref):
            return (at + _HALF_A_DAY).date()
    return None


def size(reply: WorkItemReply) -> tuple[float | None, str]:
    """Return the estimated size of a work item, and its unit."""
    for ref, unit in names.SIZES.items():
        value = value_at(reply.fields, ref)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value), unit
    return None, ""


def iteration(reply: WorkItemReply) -> str:
    """Return the path of the sprint that a work item is planned in; empty for the backlog."""
    path = text(reply.fields, names.ITERATION)
    return path if "\\" in path else ""


def iteration_name(reply: WorkItemReply) -> str:
    """Return the name of that sprint."""
    return iteration(reply).rpartition("\\")[2]


def files(reply: WorkItemReply) -> list[RelationReply]:
    """Return the files that are attached to a work item."""
    return [each for each in reply.relations if each.rel == FILE]


def number_in(url: str) -> int | None:
    """Return the number of the work item to which a relation leads; None if it is none."""
    path, _, number = url.rpartition("/")
    is_item = path.lower().endswith("/workitems") and number.isascii() and number.isdecimal()
    return int(number) if is_item else None


def history_of(updates: Sequence[JSON]) -> list[JSON]:
    """Return the relevant changes of a work item, oldest first."""
    return [line for update in updates for line in _lines(update)]


def _lines(update: JSON) -> Iterator[JSON]:
    by = text(update, "revisedBy", "displayName")
    at = text(update, "fields", names.CHANGED, "newValue")
    for ref, name in _TOLD.items():
        change = value_at(update, "fields", ref)
        if not mapping(change) or integer(update, "rev") == 1:
            continue
        before, after = person(change, "oldValue"), person(change, "newValue")
        yield {"at": at, "by": by, "field": name, "from": before, "to": after}


def _further(reply: WorkItemReply) -> Iterator[NamedValue]:
    fields = reply.fields
    area = text(fields, names.AREA)
    if "\\" in area:
        yield NamedValue(name="Area", value=area.partition("\\")[2])
    if severity := text(fields, names.SEVERITY):
        yield NamedValue(name="Severity", value=severity)
    for ref in fields:
        if ref.startswith(names.OWN) and not is_long(reply, ref):
            value = person(fields, ref) if mapping(fields, ref) else text(fields, ref)
            if value:
                yield NamedValue(name=name_of(ref), value=value)
