"""Facts of a Linear issue: state, relations, history."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Final, TypeVar
from urllib.parse import urlsplit

from rove_core import JSON, Facts, ItemStatus, NamedValue, Relation, StatusCategory
from rove_linear.replies import (
    CycleNode,
    HistoryNode,
    IssueNode,
    LinkedIssueNode,
    NamedNode,
    StateNode,
)

#: When something was changed of which Linear does not say it.
LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)
_PRIORITIES: Final = ("No priority", "Urgent", "High", "Medium", "Low")
_THERE: Final = {"duplicate": "duplicate of", "related": "related to", "similar": "similar to"}
_BACK: Final = {**_THERE, "blocks": "blocked by", "duplicate": "duplicated by"}
#: What each of these words means to everybody else.
_RELATIONS: Final[Mapping[str, Relation]] = {
    "child of": "parent",
    "parent of": "child",
    "blocks": "blocks",
    "blocked by": "blocked_by",
    "duplicate of": "duplicates",
    "duplicated by": "duplicated_by",
}
#: What Linear's types of states mean.
_CATEGORIES: Final[Mapping[str, StatusCategory]] = {
    "triage": "todo",
    "backlog": "todo",
    "unstarted": "todo",
    "started": "in_progress",
    "completed": "done",
    "canceled": "canceled",
    "duplicate": "canceled",
}

#: Where files are that were uploaded; everything else that is attached is an address.
_FILES: Final = "uploads.linear.app"

_Node = TypeVar("_Node")


def facts(pages: Sequence[IssueNode]) -> Facts:
    """Return the facts of an issue.

    Args:
        pages: What Linear sent of it: first its facts, then the rest of its lists.
    """
    issue, cycle = pages[0], cycle_name(pages[0].cycle)
    assignee = name(issue.assignee)
    return Facts(
        created=issue.createdAt,
        status=status(issue.state),
        priority=issue.priorityLabel,
        assignees=(assignee,) if assignee else (),
        due=day(issue.dueDate),
        labels=tuple(each.name for page in pages for each in present(page.labels.nodes)),
        project=name(issue.project),
        iteration=cycle,
        branch=issue.branchName,
        attachments=tuple(
            each.title
            for page in pages
            for each in present(page.attachments.nodes)
            if urlsplit(each.url).hostname == _FILES
        ),
        fields=(NamedValue(name="Cycle", value=cycle),) if cycle else (),
    )


def issue_metadata(pages: Sequence[IssueNode]) -> dict[str, JSON]:
    """Return this source's own metadata of an issue: history and former ids.

    Args:
        pages: What Linear sent of it: first its facts, then the rest of its lists.
    """
    issue = pages[0]
    metadata: Mapping[str, JSON] = {
        "archived": issue.archivedAt.isoformat() if issue.archivedAt else "",
        "history": _history([each for page in pages for each in present(page.history.nodes)]),
        "previous_ids": present(issue.previousIdentifiers),
    }
    return {fact: value for fact, value in metadata.items() if value}


def neighbours(pages: Sequence[IssueNode]) -> Iterator[tuple[Relation, str, LinkedIssueNode]]:
    """Yield the related issues, each with its relation to this one."""
    for how, other in _neighbours(pages):
        if other and other.identifier:
            yield _RELATIONS.get(how, "relates"), how, other


def changed(issue: IssueNode) -> datetime:
    """Return when an issue was last changed."""
    return issue.updatedAt or issue.createdAt or LONG_AGO


def present(nodes: Sequence[_Node | None]) -> list[_Node]:
    """Return the nodes of a list, which may be missing."""
    return [node for node in nodes if node is not None]


def name(*candidates: NamedNode | None) -> str:
    """Return the first name that is present."""
    return next((each.name for each in candidates if each and each.name), "")


def status(state: StateNode | None) -> ItemStatus | None:
    """Return a workflow state as a status."""
    if state is None or not state.name:
        return None
    return ItemStatus(name=state.name, category=_CATEGORIES.get(state.type))


def day(text: str) -> date | None:
    """Return a day, if Linear says one."""
    with suppress(ValueError):
        return date.fromisoformat(text)
    return None


def cycle_name(cycle: CycleNode | None) -> str:
    """Return the number of a cycle, and its name if it has one."""
    if cycle is None or cycle.number is None:
        return name(cycle)
    return f"{cycle.number:g} {cycle.name}".strip()


def _neighbours(pages: Sequence[IssueNode]) -> Iterator[tuple[str, LinkedIssueNode | None]]:
    yield "child of", pages[0].parent
    for page in pages:
        yield from (("parent of", child) for child in page.children.nodes)
        for there in present(page.relations.nodes):
            yield _THERE.get(there.type, there.type), there.relatedIssue
        for back in present(page.inverseRelations.nodes):
            yield _BACK.get(back.type, back.type), back.issue


def _history(changes: Sequence[HistoryNode]) -> list[JSON]:
    """Return the relevant changes of an issue, oldest first."""
    in_order = sorted(changes, key=lambda change: change.createdAt or LONG_AGO)
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


def _differences(change: HistoryNode) -> Iterator[tuple[str, str, str]]:
    """Yield the relevant changes; reordering and retitling are not."""
    yield "status", name(change.fromState), name(change.toState)
    yield "assignee", name(change.fromAssignee), name(change.toAssignee)
    yield "priority", _priority(change.fromPriority), _priority(change.toPriority)


def _priority(number: float | None) -> str:
    if number is None:
        return ""
    return _PRIORITIES[int(number)] if number in range(len(_PRIORITIES)) else f"{number:g}"
