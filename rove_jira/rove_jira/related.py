"""What a ticket itself says that it is related to."""

from collections.abc import Iterator

from attrs import frozen

from rove_core import JSON
from rove_jira.reading import at, each, text


@frozen
class Related:
    """Another ticket.

    Attributes:
        how: How the ticket stands to it (``is blocked by``).
        key: Its key.
        title: Its title.
        status: Where it stands.
    """

    how: str
    key: str
    title: str
    status: str


def related(issue: JSON) -> Iterator[Related]:
    """Yield what a ticket is below of, what is below of it, and what it is linked to."""
    yield from _one("is part of", at(issue, "fields", "parent"))
    for below in each(issue, "fields", "subtasks"):
        yield from _one("has the subtask", below)
    for link in each(issue, "fields", "issuelinks"):
        kind = at(link, "type")
        called = text(kind, "name") or "is linked to"
        yield from _one(text(kind, "outward") or called, at(link, "outwardIssue"))
        yield from _one(text(kind, "inward") or called, at(link, "inwardIssue"))


def related_keys(issue: JSON) -> list[str]:
    """Return the keys of what a ticket is related to, each once."""
    return [*dict.fromkeys(other.key for other in related(issue))]


def _one(how: str, other: JSON) -> Iterator[Related]:
    if key := text(other, "key"):
        fields = at(other, "fields")
        yield Related(how, key, text(fields, "summary"), text(fields, "status", "name"))
