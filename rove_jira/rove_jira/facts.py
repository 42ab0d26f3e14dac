"""Facts of a ticket: status, people, parent and relations."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import date
from typing import Final

from rove_core import JSON, Facts, ItemStatus, NamedValue, StatusCategory
from rove_core.json_reader import moment, text, texts, value_at
from rove_jira.custom import Custom, custom_fields

#: What Jira's categories of statuses mean; they have these keys in every language.
_CATEGORIES: Final[Mapping[str, StatusCategory]] = {
    "new": "todo",
    "indeterminate": "in_progress",
    "done": "done",
}
#: What the fields for sprints and estimates are called that come with Jira.
SPRINT: Final = ("sprint",)
ESTIMATE: Final = ("story points", "story point estimate")


def facts(issue: JSON) -> Facts:
    """Return the facts of a ticket."""
    fields = value_at(issue, "fields")
    chosen = [each for each in custom_fields(issue) if not each.is_prose and each.chosen]
    assignee = text(fields, "assignee", "displayName")
    return Facts(
        created=moment(fields, "created"),
        status=status_of(value_at(fields, "status")),
        resolution=text(fields, "resolution", "name"),
        type=text(fields, "issuetype", "name"),
        priority=text(fields, "priority", "name"),
        assignees=(assignee,) if assignee else (),
        reporter=text(fields, "reporter", "displayName"),
        due=day(text(fields, "duedate")),
        labels=tuple(texts(fields, "labels")),
        components=tuple(texts(fields, "components")),
        versions=tuple(texts(fields, "fixVersions")),
        iteration=_value_named(chosen, SPRINT),
        estimate=_number(_value_named(chosen, ESTIMATE)),
        attachments=tuple(texts(fields, "attachment", name="filename")),
        fields=tuple(NamedValue(name=each.name, value=each.chosen) for each in chosen),
    )


def status_of(status: JSON) -> ItemStatus | None:
    """Return a status, if it has a name."""
    name = text(status, "name")
    category = _CATEGORIES.get(text(status, "statusCategory", "key"))
    return ItemStatus(name=name, category=category) if name else None


def _value_named(chosen: Iterable[Custom], names: Iterable[str]) -> str:
    """Return the chosen value of the field with one of these names."""
    return next((each.chosen for each in chosen if each.name.lower() in names), "")


def _number(value: str) -> float | None:
    with suppress(ValueError):
        return float(value)
    return None


def day(text: str) -> date | None:
    """Return a day as Jira writes it, if it is one."""
    with suppress(ValueError):
        return date.fromisoformat(text)
    return None
