"""Convert an issue to a work item."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from rove_core import (
    JSON,
    Assignee,
    ItemRef,
    ItemStatus,
    WorkField,
    WorkItem,
    WorkItemChange,
    WrongCall,
)
from rove_core.json_reader import reply_object
from rove_linear.facts import changed, cycle_name, day, name, present, status
from rove_linear.references import LinearReferences
from rove_linear.replies import IssueNode, StateNode, Team

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
#: What Linear is told for a field without a value, where that is not null.
_EMPTY: Final[Mapping[WorkField, JSON]] = {"description": "", "priority": 0, "labels": []}
#: The highest of Linear's priorities, which is the lowest of ours; no priority is 0 for both.
_LOWEST: Final = 4
#: The order of Linear's types of states. It sets those of duplicates by itself.
_TYPES: Final = ("triage", "backlog", "unstarted", "started", "completed", "canceled")


def work_item(mentions: LinearReferences, pages: Sequence[IssueNode]) -> WorkItem:
    """Return an issue as work.

    Args:
        mentions: Knows the account's own issues.
        pages: What Linear sent of it: first its facts, then the rest of its labels.
    """
    issue = pages[0]
    parent, at = issue.parent, changed(issue)
    assignee = issue.assignee
    return WorkItem(
        ref=mentions.ref(issue.identifier, issue.url),
        type="subtask" if parent else "ticket",
        type_name="Sub-issue" if parent else "Issue",
        title=issue.title,
        description=issue.description,
        status=status(issue.state) or ItemStatus(name=""),
        priority=_convert_priority(issue.priority),
        priority_name=issue.priorityLabel,
        assignee=Assignee(id=assignee.id, name=name(assignee)) if assignee else None,
        labels=tuple(label_ids(pages)),
        parent=mentions.ref(parent.identifier, parent.url) if parent else None,
        iteration=issue.cycle.id if issue.cycle else "",
        iteration_name=cycle_name(issue.cycle),
        due=day(issue.dueDate),
        estimate=issue.estimate,
        estimate_unit="points",
        created=issue.createdAt or at,
        updated=at,
        revision=at.isoformat(),
        changeable=_changeable(issue.team or Team()),
        raw=reply_object(issue),
    )


def label_ids(pages: Sequence[IssueNode]) -> dict[str, str]:
    """Return the labels of an issue, each with its id."""
    return {each.name: each.id for page in pages for each in present(page.labels.nodes)}


def states_of(pages: Sequence[IssueNode]) -> list[StateNode]:
    """Return the states that an issue can be given, as its team has them in order."""
    found = [
        each for page in pages if page.team for each in present(page.team.states.nodes) if each.name
    ]
    states = [each for each in found if each.type in _TYPES]
    return sorted(states, key=lambda each: (_TYPES.index(each.type), each.position))


def issue_input(change: WorkItemChange, *, state: str, labels: Sequence[str]) -> dict[str, JSON]:
    """Return what Linear calls the fields of a change.

    Args:
        change: The fields, as they are to be.
        state: The id of its status.
        labels: The ids of its labels.
    """
    values: Mapping[WorkField, tuple[str, Callable[[], JSON]]] = {
        "title": ("title", lambda: change.title),
        "description": ("description", lambda: change.description),
        "status": ("stateId", lambda: state),
        "priority": ("priority", lambda: _convert_priority(change.priority)),
        "assignee": ("assigneeId", lambda: change.assignee),
        "labels": ("labelIds", lambda: [*labels]),
        "parent": ("parentId", lambda: _id(change.parent)),
        "iteration": ("cycleId", lambda: change.iteration),
        "due": ("dueDate", lambda: change.due.isoformat() if change.due else None),
        "estimate": ("estimate", lambda: _points(change.estimate)),
    }
    return {
        values[field][0]: _EMPTY.get(field) if field in change.clear else values[field][1]()
        for field in change.fields
    }


def _changeable(team: Team) -> tuple[WorkField, ...]:
    cycles: tuple[WorkField, ...] = ("iteration",) if team.cyclesEnabled else ()
    is_estimated = team.issueEstimationType not in {"", "notUsed"}
    estimates: tuple[WorkField, ...] = ("estimate",) if is_estimated else ()
    return (*_ALWAYS, *cycles, *estimates)


def _convert_priority(priority: float | None) -> int | None:
    """Return a priority of Linear's as one of ours, and the other way round."""
    if priority is None or priority not in range(_LOWEST + 1):
        return None
    return _LOWEST + 1 - int(priority) if priority else 0


def _points(estimate: float | None) -> int | None:
    if estimate is None or estimate == int(estimate):
        return None if estimate is None else int(estimate)
    raise WrongCall(f"Linear estimates in whole points, not {estimate:g}")


def _id(ref: ItemRef | None) -> str | None:
    return ref.id if ref else None
