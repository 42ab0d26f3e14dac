"""Convert a ticket to a work item."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Final

from attrs import asdict, evolve

from rove_core import (
    JSON,
    Assignee,
    ItemRef,
    ItemStatus,
    WorkField,
    WorkItem,
    WorkItemChange,
    WorkItemType,
    WrongCall,
    without_hidden_marks,
)
from rove_core.json_reader import elements, integer, mapping, moment, text, texts, value_at
from rove_jira.facts import ESTIMATE, SPRINT, day, status_of
from rove_jira.items import UNKNOWN_TIME, JiraItems, name_of, people_in
from rove_jira.markup import Dialect
from rove_jira.sprints import sprint_of

_ALWAYS: Final[tuple[WorkField, ...]] = (
    "title",
    "description",
    "status",
    "priority",
    "assignee",
    "labels",
    "parent",
    "due",
)
#: How the priorities are called that Jira comes with, and those of older sites.
_PRIORITIES: Final[Mapping[str, int]] = {
    "highest": 4,
    "blocker": 4,
    "critical": 4,
    "high": 3,
    "major": 3,
    "medium": 2,
    "normal": 2,
    "low": 1,
    "minor": 1,
    "lowest": 1,
    "trivial": 1,
    "none": 0,
    "not set": 0,
}
_EPIC_LEVEL: Final = 1
#: Fields that are items of their own, or told by a work item as they were sent.
_APART: Final = frozenset({"attachment", "comment", "description", "worklog"})
_FIELDS: Final[Mapping[WorkField, str]] = {
    "title": "summary",
    "description": "description",
    "priority": "priority",
    "assignee": "assignee",
    "labels": "labels",
    "parent": "parent",
    "due": "duedate",
}


def work_item(tickets: JiraItems, issue: JSON) -> WorkItem:
    """Return a ticket as work.

    Args:
        tickets: Makes the account's references and reads its texts.
        issue: What Jira sent, with the names and schemas of its fields.
    """
    fields = value_at(issue, "fields")
    description = value_at(fields, "description")
    created = moment(fields, "created") or UNKNOWN_TIME
    assignee, sprint = value_at(fields, "assignee"), _sprint(issue)
    estimate = value_at(fields, field_named(issue, ESTIMATE))
    priority = text(fields, "priority", "name")
    parent, epic = _parent(tickets, issue)
    work = WorkItem(
        ref=tickets.ref(name_of(issue)),
        type=_type(value_at(fields, "issuetype")),
        type_name=text(fields, "issuetype", "name"),
        title=text(fields, "summary") or name_of(issue),
        description=tickets.shown(description, people_in(fields), {}),
        description_source=_source(description),
        status=status_of(value_at(fields, "status")) or ItemStatus(name=""),
        priority=_PRIORITIES.get(priority.lower()) if priority else 0,
        priority_name=priority,
        assignee=_assignee(assignee),
        labels=tuple(texts(fields, "labels")),
        parent=parent,
        epic=epic,
        iteration=text(sprint, "id"),
        iteration_name=text(sprint, "name"),
        due=day(text(fields, "duedate")),
        estimate=estimate if isinstance(estimate, int | float) else None,
        estimate_unit="points",
        created=created,
        updated=moment(fields, "updated") or created,
        revision="",
        raw=_raw(issue),
    )
    return evolve_revision(work, changeable(tickets, issue))


def field_named(issue: JSON, names: Sequence[str]) -> str:
    """Return the id of the field that has one of some names; empty where there is none."""
    for id_, name in mapping(issue, "names").items():
        if text(name).lower() in names:
            return id_
    return ""


def changeable(tickets: JiraItems, issue: JSON) -> tuple[WorkField, ...]:
    """Return the fields of a ticket that can be changed."""
    is_server = bool(tickets.api and tickets.api.is_data_center)
    # Data Center keeps the parent of a subtask for good, and puts other tickets into epics.
    always = tuple(name for name in _ALWAYS if not (is_server and name == "parent"))
    planned: tuple[WorkField, ...] = ("iteration",) if field_named(issue, SPRINT) else ()
    sized: tuple[WorkField, ...] = ("estimate",) if field_named(issue, ESTIMATE) else ()
    return (*always, *planned, *sized)


def changed_fields(
    change: WorkItemChange, issue: JSON, priorities: Sequence[JSON], dialect: Dialect
) -> dict[str, JSON]:
    """Return what Jira calls the fields of a change, without the status.

    Args:
        change: The fields, as they are to be.
        issue: The ticket as it is.
        priorities: The priorities that the ticket can have.
        dialect: How its site writes.
    """
    mark = dialect.mark(value_at(issue, "fields", "description"))
    values: Mapping[WorkField, partial[JSON]] = {
        "title": partial(_same, change.title),
        "description": partial(dialect.document, change.description or "", mark),
        "priority": partial(_priority, change.priority, priorities),
        "assignee": partial(_name_or_id, dialect.person, change.assignee),
        "labels": partial(_same, [*(change.labels or ())]),
        "parent": partial(_name_or_id, "key", change.parent.id if change.parent else None),
        "due": partial(_same, change.due.isoformat() if change.due else None),
        "iteration": partial(_number, change.iteration),
        "estimate": partial(_same, change.estimate),
    }
    ids = {
        **_FIELDS,
        "iteration": field_named(issue, SPRINT),
        "estimate": field_named(issue, ESTIMATE),
    }
    return {ids[name]: values[name]() for name in change.fields if name != "status"}


def evolve_revision(work: WorkItem, fields: tuple[WorkField, ...]) -> WorkItem:
    """Return a ticket with a revision that also covers changes within one second."""
    # What was sent also changes when somebody only looks at the ticket.
    values = {
        name: str(value) for name, value in asdict(work, recurse=False).items() if name != "raw"
    }
    digest = sha256(json.dumps(values, sort_keys=True).encode(errors="replace")).hexdigest()
    revision = f"{work.updated.isoformat()} {digest[:16]}"
    return evolve(work, revision=revision, changeable=fields)


def _raw(issue: JSON) -> dict[str, JSON]:
    """Return what Jira sent of the ticket itself: its fields with a value, and their names."""
    filled = {
        name: value
        for name, value in mapping(issue, "fields").items()
        if value not in (None, [], {}) and name not in _APART
    }
    names = {id_: name for id_, name in mapping(issue, "names").items() if id_ in filled}
    own = {name: text(issue, name) for name in ("id", "key", "self")}
    return {**own, "fields": filled, "names": names}


def _type(kind: JSON) -> WorkItemType:
    if value_at(kind, "subtask") is True:
        return "subtask"
    return "epic" if epic_level(kind) == _EPIC_LEVEL else "ticket"


def epic_level(kind: JSON) -> int:
    """Return the hierarchy level of a type; Data Center identifies epics by name only."""
    level = integer(kind, "hierarchyLevel")
    return int(text(kind, "name") == "Epic") if level is None else level


def _source(description: JSON) -> str:
    """Return a description as it came."""
    if isinstance(description, str):
        return without_hidden_marks(description)
    return json.dumps(description) if description else ""


def _assignee(person: JSON) -> Assignee | None:
    id_ = text(person, "accountId") or text(person, "name")
    return Assignee(id=id_, name=text(person, "displayName")) if id_ else None


def _parent(tickets: JiraItems, issue: JSON) -> tuple[ItemRef | None, ItemRef | None]:
    """Return the parent of a ticket, and its epic where an older site stores it separately."""
    key = text(issue, "fields", "parent", "key")
    link = text(issue, "fields", field_named(issue, ("epic link",)))
    parent = tickets.ref(key) if key else None
    return parent, tickets.ref(link) if link and link != key else None


def _sprint(issue: JSON) -> JSON:
    """Return the sprint that a ticket is planned in: the last one that is not over."""
    found = [*map(sprint_of, elements(issue, "fields", field_named(issue, SPRINT)))]
    planned = [each for each in found if text(each, "state") != "closed"]
    return planned[-1] if planned else None


def _same(value: JSON) -> JSON:
    return value


def _name_or_id(key: str, value: str | None) -> JSON:
    return {key: value} if value else None


def _number(value: str | None) -> JSON:
    if value and not value.isdecimal():
        raise WrongCall(f"a sprint of Jira has a number, not {value!r}")
    return int(value) if value else None


def _priority(value: int | None, possible: Sequence[JSON]) -> JSON:
    if value is None:
        return None
    names = [text(each, "name") for each in possible]
    for each in possible:
        if _PRIORITIES.get(text(each, "name").lower()) == value:
            return {"id": text(each, "id")}
    raise WrongCall(f"Jira has no priority for {value}, only {', '.join(names)}")
