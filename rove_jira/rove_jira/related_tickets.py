"""Relations of a ticket."""

from collections.abc import Iterator, Mapping
from typing import Final

from attrs import frozen

from rove_core import JSON, Relation
from rove_core.json_reader import elements, text, value_at

#: What Jira's own types of links mean, from the ticket that has the link and back.
_RELATIONS: Final[Mapping[str, tuple[Relation, Relation]]] = {
    "blocks": ("blocks", "blocked_by"),
    "duplicate": ("duplicates", "duplicated_by"),
}


@frozen(kw_only=True)
class RelatedTicket:
    """Another ticket.

    Attributes:
        relation: How the ticket stands to it.
        how: The same in the words of its site (``is blocked by``).
        key: Its key.
        title: Its title.
        status: Its status.
    """

    relation: Relation
    how: str
    key: str
    title: str
    status: str


def related(issue: JSON) -> Iterator[RelatedTicket]:
    """Yield a ticket's parent, subtasks and links."""
    yield from _one("parent", "is part of", value_at(issue, "fields", "parent"))
    for below in elements(issue, "fields", "subtasks"):
        yield from _one("child", "has the subtask", below)
    for link in elements(issue, "fields", "issuelinks"):
        kind = value_at(link, "type")
        called = text(kind, "name") or "is linked to"
        out, back = _RELATIONS.get(called.lower(), ("relates", "relates"))
        yield from _one(out, text(kind, "outward") or called, value_at(link, "outwardIssue"))
        yield from _one(back, text(kind, "inward") or called, value_at(link, "inwardIssue"))


def related_keys(issue: JSON) -> list[str]:
    """Return the keys of the related tickets, without duplicates."""
    return [*dict.fromkeys(other.key for other in related(issue))]


def _one(relation: Relation, how: str, other: JSON) -> Iterator[RelatedTicket]:
    if key := text(other, "key"):
        fields = value_at(other, "fields")
        title, status = text(fields, "summary"), text(fields, "status", "name")
        yield RelatedTicket(relation=relation, how=how, key=key, title=title, status=status)
