"""Status of a task: completed, its section, or its "Status" field."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from rove_asana.replies import CustomFieldReply, EnumOption, NamedObject, TaskReply
from rove_core import ItemStatus, StatusCategory

#: Of a task that is not completed and of which no section or field says more.
OPEN: Final = ItemStatus(name="Open", category="todo")
COMPLETED: Final = ItemStatus(name="Completed", category="done")
#: What Asana calls the section of a project that has none.
NO_SECTION: Final = "Untitled section"
#: Words in names of sections and options, and what they mean; the first that fits counts.
_MEANINGS: Final[Mapping[StatusCategory, re.Pattern[str]]] = {
    "canceled": re.compile(
        r"(?i)\b(cancell?ed|abandoned|declined|rejected|duplicates?|won.?t (do|fix))\b"
    ),
    "todo": re.compile(
        r"(?i)\b(to.?do|backlog|new|open|not started|planned|next|ready|later|triage|inbox)\b"
    ),
    "in_progress": re.compile(
        r"(?i)\b(in progress|doing|started|wip|working|active|review\w*|testing|qa)\b"
    ),
    "done": re.compile(
        r"(?i)\b(done|completed?|closed|finished|fixed|resolved|released|shipped|deployed)\b"
    ),
}


def status_of(task: TaskReply) -> ItemStatus:
    """Return the status of a task."""
    if task.completed:
        return COMPLETED
    field = status_field(task)
    if field is not None and field.enum_value is not None:
        return named_status(field.enum_value.name)
    section = home(task)[1]
    return section_status(section.name) if section else OPEN


def section_status(name: str) -> ItemStatus:
    """Return the status that a section represents."""
    return named_status(name) if name not in ("", NO_SECTION) else OPEN


def named_status(name: str) -> ItemStatus:
    """Return a status by its custom name, with a category from its words."""
    found = (category for category, words in _MEANINGS.items() if words.search(name))
    return ItemStatus(name=name, category=next(found, None))


def home(task: TaskReply) -> tuple[NamedObject | None, NamedObject | None]:
    """Return the first project of a task, and the section there."""
    for each in task.memberships:
        if each.project and each.project.gid:
            return each.project, each.section
    return None, None


def status_field(task: TaskReply) -> CustomFieldReply | None:
    """Return the field "Status" of a task, if it has one to choose from."""
    return choice(task, "status")


def choice(task: TaskReply, name: str) -> CustomFieldReply | None:
    """Return a task's enum field by its lower-case name."""
    fitting = (each for each in task.custom_fields if each.type == "enum" and each.enum_options)
    return next((each for each in fitting if each.name.strip().lower() == name), None)


def options_of(field: CustomFieldReply) -> Iterator[EnumOption]:
    """Yield what can be chosen."""
    return (each for each in field.enum_options if each.enabled and each.name)
