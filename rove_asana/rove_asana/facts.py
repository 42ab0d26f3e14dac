"""Facts of an Asana task: state, fields and related tasks."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Final

from rove_asana.replies import CustomFieldReply, NamedObject, StoryReply, TaskReply, WholeTask
from rove_asana.statuses import COMPLETED, OPEN, home, status_of
from rove_core import JSON, Facts, ItemStatus, NamedValue, Relation

#: When something was changed of which Asana does not say it.
LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)
#: The lines of a task's history that explain how it came to be as it is.
_EXPLAINS: Final = frozenset(
    {"marked_complete", "marked_incomplete", "section_changed", "assigned", "unassigned"}
    | {
        "enum_custom_field_changed",
        "approval_status_changed",
        "marked_duplicate",
        "due_date_changed",
    }
)
#: Fields that have a place of their own.
_TOLD_ELSEWHERE: Final = frozenset({"status", "priority"})


def facts(whole: WholeTask) -> Facts:
    """Return the facts of a task."""
    task = whole.task
    project = home(task)[0]
    return Facts(
        short_name=custom_id(task),
        created=task.created_at,
        status=status_of(task),
        type="Milestone" if task.resource_subtype == "milestone" else "",
        priority=next(filter(None, map(_priority, task.custom_fields)), ""),
        assignees=_names(task.assignee),
        due=day(task.due_on),
        labels=_names(*task.tags),
        project=project.name if project else "",
        attachments=tuple(
            each.name for each in whole.attachments if each.resource_subtype != "external"
        ),
        fields=tuple(
            NamedValue(name=each.name, value=each.display_value)
            for each in task.custom_fields
            if each.name and each.display_value and not _is_title_field(each)
        ),
        incomplete=whole.gaps,
    )


def task_metadata(task: TaskReply) -> dict[str, JSON]:
    """Return this source's own metadata of a task: followers and further projects."""
    others = [each.project.name for each in task.memberships[1:] if each.project]
    metadata = {"followers": [*_names(*task.followers)], "also_in": others, "start": task.start_on}
    return {name: value for name, value in metadata.items() if value}


def neighbours(whole: WholeTask) -> Iterator[tuple[Relation, str, NamedObject]]:
    """Yield the related tasks, each with its relation to this one."""
    task = whole.task
    if task.parent:
        yield "parent", "subtask of", task.parent
    yield from (("child", "has the subtask", each) for each in whole.subtasks)
    yield from (("blocked_by", "depends on", each) for each in task.dependencies)
    yield from (("blocks", "blocks", each) for each in task.dependents)


def changed(task: TaskReply) -> datetime:
    """Return when a task was last changed."""
    return task.modified_at or task.created_at or LONG_AGO


def custom_id(task: TaskReply) -> str:
    """Return the number that a custom field gives a task (``TB-123``); empty without one."""
    numbers = (each for each in task.custom_fields if each.representation_type == "custom_id")
    return next(filter(None, (each.display_value for each in numbers)), "")


def day(text: str) -> date | None:
    """Return a day, if Asana says one."""
    with suppress(ValueError):
        return date.fromisoformat(text)
    return None


def name(someone: NamedObject | None) -> str:
    """Return the name of a person; empty if there is none."""
    return someone.name if someone else ""


def is_worth_showing(story: StoryReply) -> bool:
    """Return whether a story is a comment, or a line of history that explains something."""
    return story.type == "comment" or story.resource_subtype in _EXPLAINS


def status_after(story: StoryReply) -> ItemStatus | None:
    """Return the status that a line of history ends with, where Asana's words say it."""
    ends = {"marked_complete": COMPLETED, "marked_incomplete": OPEN, "marked_duplicate": _DUPLICATE}
    return ends.get(story.resource_subtype)


_DUPLICATE: Final = ItemStatus(name="Duplicate", category="canceled")


def _priority(field: CustomFieldReply) -> str:
    return field.display_value if field.name.strip().lower() == "priority" else ""


def _is_title_field(field: CustomFieldReply) -> bool:
    is_number = field.representation_type == "custom_id"
    return is_number or field.name.strip().lower() in _TOLD_ELSEWHERE


def _names(*people: NamedObject | None) -> tuple[str, ...]:
    return tuple(each.name for each in people if each and each.name)
