"""What Linear keeps of an issue beside its words: its state, its neighbours, its history."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, TypeVar

from rove_core import JSON
from rove_linear.replies import Change, Issue, Linked, Named

#: When something was changed of which Linear does not say it.
_LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)
_PRIORITIES: Final = ("No priority", "Urgent", "High", "Medium", "Low")
_THERE: Final = {"duplicate": "duplicate of", "related": "related to", "similar": "similar to"}
_BACK: Final = {**_THERE, "blocks": "blocked by", "duplicate": "duplicated by"}

_Node = TypeVar("_Node")


def facts(pages: Sequence[Issue]) -> dict[str, JSON]:
    """Return all that is known of an issue; what is not known is left out.

    Args:
        pages: What Linear sent of it: first its facts, then the rest of its lists.
    """
    issue = pages[0]
    known: Mapping[str, JSON] = {
        "archived": issue.archivedAt.isoformat() if issue.archivedAt else "",
        "assignee": name(issue.assignee),
        "branch": issue.branchName,
        "created": issue.createdAt.isoformat() if issue.createdAt else "",
        "cycle": _cycle(issue),
        "due": issue.dueDate,
        "history": _history([each for page in pages for each in given(page.history.nodes)]),
        "labels": [each.name for page in pages for each in given(page.labels.nodes)],
        "previous_ids": given(issue.previousIdentifiers),
        "priority": issue.priorityLabel,
        "project": name(issue.project),
        "relations": [f"{how} {other.identifier}" for how, other in neighbours(pages)],
        "status": name(issue.state),
    }
    return {fact: value for fact, value in known.items() if value}


def neighbours(pages: Sequence[Issue]) -> Iterator[tuple[str, Linked]]:
    """Yield the issues around an issue, each with how this one stands to it."""
    for how, other in _around(pages):
        if other and other.identifier:
            yield how, other


def changed(issue: Issue) -> datetime:
    """Return when an issue was last changed, as far as Linear says."""
    return issue.updatedAt or issue.createdAt or _LONG_AGO


def given(nodes: Sequence[_Node | None]) -> list[_Node]:
    """Return what is there of a list."""
    return [node for node in nodes if node is not None]


def name(*candidates: Named | None) -> str:
    """Return the first name that is there."""
    return next((each.name for each in candidates if each and each.name), "")


def _around(pages: Sequence[Issue]) -> Iterator[tuple[str, Linked | None]]:
    yield "child of", pages[0].parent
    for page in pages:
        yield from (("parent of", child) for child in page.children.nodes)
        for there in given(page.relations.nodes):
            yield _THERE.get(there.type, there.type), there.relatedIssue
        for back in given(page.inverseRelations.nodes):
            yield _BACK.get(back.type, back.type), back.issue


def _cycle(issue: Issue) -> str:
    if issue.cycle is None or issue.cycle.number is None:
        return name(issue.cycle)
    return f"{issue.cycle.number:g} {issue.cycle.name}".strip()


def _history(changes: Sequence[Change]) -> list[JSON]:
    """Return what explains how an issue came to be as it is, oldest first."""
    in_order = sorted(changes, key=lambda change: change.createdAt or _LONG_AGO)
    return [
        {
            "at": change.createdAt.isoformat() if change.createdAt else "",
            "by": name(change.actor, change.botActor),
            "what": what,
            "from": before,
            "to": after,
        }
        for change in in_order
        for what, before, after in _differences(change)
        if before or after
    ]


def _differences(change: Change) -> Iterator[tuple[str, str, str]]:
    """Yield what matters later: who moved a line, or mended a title, does not."""
    yield "status", name(change.fromState), name(change.toState)
    yield "assignee", name(change.fromAssignee), name(change.toAssignee)
    yield "priority", _priority(change.fromPriority), _priority(change.toPriority)


def _priority(number: float | None) -> str:
    if number is None:
        return ""
    return _PRIORITIES[int(number)] if number in range(len(_PRIORITIES)) else f"{number:g}"
