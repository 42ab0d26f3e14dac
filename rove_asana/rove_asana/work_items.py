"""Convert a task to a work item."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Final

from rove_asana.facts import changed, day
from rove_asana.references import AsanaReferences
from rove_asana.replies import CustomFieldReply, TaskReply
from rove_asana.rich_text import markdown_to_rich_text, rich_text_to_markdown, with_mark
from rove_asana.statuses import choice, options_of, status_of
from rove_core import (
    JSON,
    Assignee,
    WorkField,
    WorkItem,
    WorkItemChange,
    WorkItemType,
    WrongCall,
    find_hidden_mark,
    without_hidden_marks,
)
from rove_core.json_reader import reply_object

_ALWAYS: Final[tuple[WorkField, ...]] = (
    *("title", "description", "status", "assignee", "labels", "parent", "due"),
)
#: What the options of a field "Priority" mean, by their names in small letters.
_PRIORITIES: Final[Mapping[str, int]] = {
    **dict.fromkeys(("none", "no priority"), 0),
    **dict.fromkeys(("low", "lowest", "p3", "minor"), 1),
    **dict.fromkeys(("medium", "normal", "p2"), 2),
    **dict.fromkeys(("high", "p1", "major"), 3),
    **dict.fromkeys(("urgent", "highest", "critical", "blocker", "p0"), 4),
}
#: What a field is called that holds an estimate, and its unit.
_ESTIMATES: Final[Mapping[str, str]] = {
    "estimate": "",
    "points": "points",
    "story points": "points",
    "estimated hours": "hours",
}
_TYPES: Final[Mapping[str, tuple[WorkItemType, str]]] = {
    "milestone": ("milestone", "Milestone"),
    "approval": ("ticket", "Approval"),
}
_TASK: Final[tuple[WorkItemType, str]] = ("ticket", "Task")
_SUBTASK: Final[tuple[WorkItemType, str]] = ("subtask", "Subtask")
_DIGITS: Final = 16


def work_item(mentions: AsanaReferences, task: TaskReply) -> WorkItem:
    """Return a task as work."""
    kind = _SUBTASK if task.parent else _TASK
    type_, type_name = _TYPES.get(task.resource_subtype, kind)
    priority, estimate = choice(task, "priority"), _estimate(task)
    level = priority.enum_value.name if priority and priority.enum_value else ""
    return WorkItem(
        ref=mentions.ref(task.gid),
        type=type_,
        type_name=type_name,
        title=task.name,
        description=rich_text_to_markdown(without_hidden_marks(task.html_notes)),
        description_source=without_hidden_marks(task.html_notes),
        status=status_of(task),
        priority=_PRIORITIES.get(level.lower()) if level else None,
        priority_name=level,
        assignee=Assignee(id=task.assignee.gid, name=task.assignee.name) if task.assignee else None,
        labels=tuple(each.name for each in task.tags),
        parent=mentions.ref(task.parent.gid) if task.parent else None,
        due=day(task.due_on),
        estimate=estimate.number_value if estimate else None,
        estimate_unit=_ESTIMATES[_name(estimate)] if estimate else "",
        created=task.created_at or changed(task),
        updated=changed(task),
        revision=_revision(task),
        changeable=(
            *_ALWAYS,
            *(("priority",) if priority else ()),
            *(("estimate",) if estimate else ()),
        ),
        raw=reply_object(task),
    )


def task_fields(change: WorkItemChange, task: TaskReply) -> dict[str, JSON]:
    """Return what Asana calls the fields of a change that one request can change.

    Args:
        change: The fields, as they are to be.
        task: The task, as it is.
    """
    values: Mapping[WorkField, tuple[str, Callable[[], JSON]]] = {
        "title": ("name", lambda: change.title),
        "description": ("html_notes", lambda: _notes(change.description or "", task)),
        "assignee": ("assignee", lambda: change.assignee),
        "due": ("due_on", lambda: change.due.isoformat() if change.due else None),
    }
    own_fields = {values[name][0]: values[name][1]() for name in change.fields if name in values}
    fields = {**_priority(change, task), **_points(change, task)}
    return {**own_fields, **({"custom_fields": fields} if fields else {})}


def _notes(markdown: str, task: TaskReply) -> str:
    """Return a description with the mark that it had."""
    html, mark = markdown_to_rich_text(markdown), find_hidden_mark(task.html_notes)
    return with_mark(html, mark) if mark else html


def _priority(change: WorkItemChange, task: TaskReply) -> dict[str, JSON]:
    field = choice(task, "priority")
    if field is None or "priority" not in change.fields:
        return {}
    if not change.priority:
        return {field.gid: None}
    for option in options_of(field):
        if _PRIORITIES.get(option.name.lower()) == change.priority:
            return {field.gid: option.gid}
    possible = ", ".join(each.name for each in options_of(field))
    raise WrongCall(f"{task.gid} has no priority {change.priority} of 4, only {possible}")


def _points(change: WorkItemChange, task: TaskReply) -> dict[str, JSON]:
    field = _estimate(task)
    return {field.gid: change.estimate} if field and "estimate" in change.fields else {}


def _estimate(task: TaskReply) -> CustomFieldReply | None:
    numbers = (each for each in task.custom_fields if each.type == "number")
    return next((each for each in numbers if _name(each) in _ESTIMATES), None)


def _name(field: CustomFieldReply) -> str:
    return field.name.strip().lower()


def _revision(task: TaskReply) -> str:
    """Return a revision that also covers changes which keep the modification time."""
    values = [f"{each.gid}={each.display_value}" for each in task.custom_fields]
    sections = [each.section.gid for each in task.memberships if each.section]
    parts = (
        *(changed(task).isoformat(), task.name, task.html_notes, task.due_on, str(task.completed)),
        *(task.assignee.gid if task.assignee else "", task.parent.gid if task.parent else ""),
        *("", *sorted(each.gid for each in task.tags), "", *sections, "", *values),
    )
    return sha256("\0".join(parts).encode(errors="replace")).hexdigest()[:_DIGITS]
