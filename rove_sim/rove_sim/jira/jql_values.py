"""Ticket values that JQL compares and sorts by."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Final

from rove_sim.company_jira import Ticket
from rove_sim.jira.jql_tokens import JqlError
from rove_sim.jira.jql_tree import Sort
from rove_sim.jira.vocabulary import PRIORITIES, STATUSES, category

#: Other names of fields.
NAMES: Final = {
    "id": "key",
    "issue": "key",
    "issuekey": "key",
    "type": "issuetype",
    "updateddate": "updated",
    "createddate": "created",
    "resolved": "resolutiondate",
    "components": "component",
}
#: What a ticket holds, by the field: small letters, but for keys.
HELD: Final[Mapping[str, Callable[[Ticket], Iterable[str]]]] = {
    "key": lambda ticket: [ticket.key],
    "parent": lambda ticket: [ticket.parent],
    "status": lambda ticket: [ticket.status.lower()],
    "statuscategory": lambda ticket: [category(ticket.status)[1].lower()],
    "issuetype": lambda ticket: [ticket.type.lower()],
    "priority": lambda ticket: [ticket.priority.lower()],
    "resolution": lambda ticket: [ticket.resolution.lower() or "unresolved"],
    "labels": lambda ticket: map(str.lower, ticket.labels),
    "component": lambda ticket: map(str.lower, ticket.components),
    "sprint": lambda ticket: [ticket.sprint.lower()],
}
_ORDERS: Final[Mapping[str, Callable[[Ticket], tuple[str, float]]]] = {
    "key": lambda ticket: place(ticket.key),
    "created": lambda ticket: ("", ticket.created.timestamp()),
    "updated": lambda ticket: ("", (ticket.updated or ticket.created).timestamp()),
    "summary": lambda ticket: (ticket.title.lower(), 0),
    "priority": lambda ticket: rank(ticket.priority.lower()),
    "status": lambda ticket: ("", [*STATUSES, ticket.status].index(ticket.status)),
    "project": lambda ticket: (place(ticket.key)[0], 0),
}


def moment_of(ticket: Ticket, field: str) -> datetime | None:
    """Return when something happened to a ticket."""
    times = {"created": ticket.created, "updated": ticket.updated}
    return times.get(field, ticket.resolved)


def place(key: str | None) -> tuple[str, float]:
    """Return the sort key of an issue key."""
    project, _, number = str(key).rpartition("-")
    return project, int(number)


def rank(priority: str | None) -> tuple[str, float]:
    """Return the sort key of a priority, the lowest first."""
    names = [name.lower() for name in reversed(PRIORITIES)]
    return "", names.index(priority or "medium")


def order(sort: Sort) -> Callable[[Ticket], tuple[str, float]]:
    """Return by what to sort, or raise :class:`JqlError`."""
    field = NAMES.get(sort.field.lower(), sort.field.lower())
    if field not in _ORDERS:
        raise JqlError(f"Not able to sort using field '{sort.field}'.")
    return _ORDERS[field]
