"""Changes as JSON Patch with Azure's field names."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from rove_azure import fields as names
from rove_azure.facts import RELATIONS
from rove_azure.references import number_of
from rove_azure.replies import WorkItemReply, WorkTypeReply
from rove_azure.texts import is_markdown
from rove_azure.work_items import TURNED, field_for, prose_of
from rove_core import (
    JSON,
    WorkField,
    WorkItemChange,
    WrongCall,
    find_hidden_mark,
    markdown_to_html,
)
from rove_core.json_reader import string, text

PARENT: Final = next(rel for rel, relation in RELATIONS.items() if relation == "parent")
#: A moment that is of one day nearly everywhere.
_OF_THE_DAY: Final = "T10:00:00Z"


def guard(revision: int) -> JSON:
    """Return what refuses a change of another revision."""
    return {"op": "test", "path": "/rev", "value": revision}


def set_field(ref: str, value: JSON) -> JSON:
    """Return what gives a field a value."""
    return {"op": "add", "path": f"/fields/{ref}", "value": value}


def add_relation(rel: str, url: str, **attributes: str) -> JSON:
    """Return what adds a relation."""
    value: JSON = {"rel": rel, "url": url, "attributes": attributes}
    return {"op": "add", "path": "/relations/-", "value": value}


def patch(
    change: WorkItemChange, reply: WorkItemReply, kind: WorkTypeReply, url: Callable[[int], str]
) -> list[JSON]:
    """Return the operations of a change, guarded by the revision that was read.

    Args:
        change: The fields, as they are to be.
        reply: The work item as it is.
        kind: Its type.
        url: Returns the address of a work item, for programs.
    """
    return [guard(reply.rev), *_operations(change, reply, kind, url)]


def _operations(
    change: WorkItemChange, reply: WorkItemReply, kind: WorkTypeReply, url: Callable[[int], str]
) -> Iterator[JSON]:
    refs = _refs(reply, kind)
    for field in change.fields:
        if field == "parent":
            yield from _parent(change, reply, url)
            continue
        ref = refs[field]
        value = _empty(field, reply) if field in change.clear else _value(field, change, reply)
        if value is not None:
            yield set_field(ref, value)
        elif reply.fields.get(ref) is not None:
            yield {"op": "remove", "path": f"/fields/{ref}"}


def _refs(reply: WorkItemReply, kind: WorkTypeReply) -> Mapping[WorkField, str]:
    """Return what Azure calls the fields of a work item."""
    return {
        "title": names.TITLE,
        "description": prose_of(reply),
        "status": names.STATE,
        "priority": names.PRIORITY,
        "assignee": names.ASSIGNEE,
        "labels": names.TAGS,
        "iteration": names.ITERATION,
        "due": field_for(kind, names.DUES),
        "estimate": field_for(kind, tuple(names.SIZES)),
    }


def _value(field: WorkField, change: WorkItemChange, reply: WorkItemReply) -> JSON:
    """Return the value of a field; None for a cleared one."""
    match field:
        case "description":
            return prose(change.description or "", reply)
        case "priority":
            return TURNED - change.priority if change.priority else None
        case "labels":
            return _tags(change.labels or ())
        case "due":
            return f"{change.due}{_OF_THE_DAY}"
    value: JSON = getattr(change, field)
    return value


def _empty(field: WorkField, reply: WorkItemReply) -> JSON:
    """Return the empty value of a field; None if it has to be removed."""
    match field:
        case "description":
            return prose("", reply)
        case "assignee" | "labels":
            return ""
        case "iteration":
            return text(reply.fields, names.PROJECT)
    return None


def prose(markdown: str, reply: WorkItemReply) -> str:
    """Return a text in its field's format, with the hidden mark that it had."""
    ref = prose_of(reply)
    mark = find_hidden_mark(string(reply.fields, ref))
    return marked(markdown if is_markdown(reply, ref) else markdown_to_html(markdown), mark)


def marked(value: str, mark: str) -> str:
    """Return a text with a mark at the end of its words."""
    words = value.rstrip()
    before, tag, after = words.rpartition("</") if words.endswith(">") else (words, "", "")
    return f"{before}{mark}{tag}{after}" if tag else f"{words}{mark}"


def _tags(labels: Sequence[str]) -> str:
    for label in labels:
        if set(";,") & {*label}:
            raise WrongCall(f"a tag of Azure DevOps has no comma and no semicolon: {label!r}")
    return "; ".join(labels)


def _parent(
    change: WorkItemChange, reply: WorkItemReply, url: Callable[[int], str]
) -> Iterator[JSON]:
    """Yield what takes a work item away from its parent, and gives it to another one."""
    for index, each in enumerate(reply.relations):
        if each.rel == PARENT:
            yield {"op": "remove", "path": f"/relations/{index}"}
    if change.parent:
        yield add_relation(PARENT, url(number_of(change.parent)))
