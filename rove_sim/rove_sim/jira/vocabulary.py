"""Statuses, types and priorities of a site."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from rove_sim import ids

if TYPE_CHECKING:
    from rove_sim.jira.store import TicketStore

PRIORITIES = ("Highest", "High", "Medium", "Low", "Lowest")
TYPES = ("Epic", "Story", "Task", "Bug", "Sub-task")
RESOLUTIONS = ("Done", "Won't Do", "Duplicate", "Cannot Reproduce")
STATUSES = ("To Do", "In Progress", "In Review", "Done")

_CATEGORIES = {
    "new": (2, "To Do", "blue-gray"),
    "indeterminate": (4, "In Progress", "yellow"),
    "done": (3, "Done", "green"),
}
_BEGUN = frozenset({"in progress", "in review", "blocked", "testing", "review", "qa"})
_OVER = frozenset({"done", "closed", "resolved", "released", "won't do", "cancelled"})


def category(status: str) -> tuple[str, str]:
    """Return the key and the name of the category that a status falls into."""
    name = status.lower()
    key = "done" if name in _OVER else "indeterminate" if name in _BEGUN else "new"
    return key, _CATEGORIES[key][1]


def category_id(status: str) -> tuple[int, str]:
    """Return the number and the colour of the category that a status falls into."""
    number, _, colour = _CATEGORIES[category(status)[0]]
    return number, colour


def number(kind: str, name: str) -> str:
    """Return the id of a status, a type, a priority or a component."""
    return str(10_000 + ids.number(f"jira/{kind}/{name}", below=80_000))


def site_values(field: str, tickets: "TicketStore") -> set[str]:
    """Return a field's values on the site, in lower case."""
    return {name.lower() for name in _values(field, tickets)}


def _values(field: str, tickets: "TicketStore") -> Iterable[str]:
    used = list(tickets.all())
    values: Mapping[str, Iterable[str]] = {
        "project": (name for each in tickets.projects() for name in (each.key, each.name)),
        "status": (*STATUSES, *(ticket.status for ticket in used)),
        "statuscategory": (name for _, name, _ in _CATEGORIES.values()),
        "issuetype": (*TYPES, *(ticket.type for ticket in used)),
        "priority": PRIORITIES,
        "resolution": ("Unresolved", *RESOLUTIONS, *(ticket.resolution for ticket in used)),
        "component": (name for ticket in used for name in ticket.components),
    }
    return values[field]
