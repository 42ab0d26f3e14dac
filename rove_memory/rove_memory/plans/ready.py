"""Ready work, in order, and why other items are not ready."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from rove_memory.plans.graph import GraphItem, WorkGraph, WorkKey


class Claim(NamedTuple):
    """A temporary claim of an item by an agent.

    Attributes:
        owner: Who.
        lease_until: Until when nobody else may take it.
    """

    owner: str
    lease_until: datetime


class Viewer(NamedTuple):
    """The viewer of ready work: person and time.

    Attributes:
        now: The time.
        owner: The name under which they claim; empty for nobody's.
        names: How trackers name them as assignee, in lower case.
        others_too: Whether tickets of other people count as ready.
        has_tracker: Whether a tracker is connected that can say which tickets exist.
    """

    now: datetime
    owner: str = ""
    names: Collection[str] = ()
    others_too: bool = False
    has_tracker: bool = False

    def is_among(self, assignees: str) -> bool:
        """Return whether they are one of those to whom a ticket is assigned."""
        return any(each.strip().casefold() in self.names for each in assignees.split(","))


class Readiness(NamedTuple):
    """Whether an item is ready, and why.

    Attributes:
        item: It.
        reason: Why, in words.
        waits_for: The items that block it now.
        is_ready: Whether it may be taken.
    """

    item: GraphItem
    reason: str
    waits_for: Sequence[GraphItem] = ()
    is_ready: bool = False


def explained(
    graph: WorkGraph, claims: Mapping[WorkKey, Claim], viewer: Viewer
) -> Sequence[Readiness]:
    """Return all unresolved items, ready ones first, each with its reason."""
    found = [
        readiness(graph, item, claims, viewer)
        for item in graph.items.values()
        if not item.is_resolved
    ]
    return sorted(found, key=lambda each: (not each.is_ready, rank(each.item)))


def rank(item: GraphItem) -> tuple[object, ...]:
    """Return the key that work is ordered by."""
    key = item.key
    return (-item.priority, item.created_at, key.type != "external", item.order, key.id)


def readiness(
    graph: WorkGraph, item: GraphItem, claims: Mapping[WorkKey, Claim], viewer: Viewer
) -> Readiness:
    """Return whether an item may be taken now, and why."""
    if item.gone:
        return Readiness(item, "its tracker no longer has it")
    if item.unread and viewer.has_tracker:
        return Readiness(item, f"it was never read; read it: rove ticket show {item.name}")
    if item.category != "todo" or item.status == "blocked":
        return Readiness(item, f"its status is {item.status}")
    return obstacle(graph, item, claims, viewer) or Readiness(
        item, _free(graph, item), is_ready=True
    )


def obstacle(
    graph: WorkGraph, item: GraphItem, claims: Mapping[WorkKey, Claim], viewer: Viewer
) -> Readiness | None:
    """Return what keeps the caller from working on an item; None if nothing does."""
    if waits_for := graph.open_blockers(item.key):
        return Readiness(item, _blocked_text(graph, item, waits_for), waits_for)
    claim = claims.get(item.key)
    if claim and claim.lease_until > viewer.now and claim.owner != viewer.owner:
        until = f"{claim.lease_until:%Y-%m-%d %H:%M} UTC"
        return Readiness(item, f"claimed by {claim.owner} until {until}")
    if not viewer.others_too and item.assignee and not viewer.is_among(item.assignee):
        return Readiness(item, f"assigned to {item.assignee}")
    return None


def _free(graph: WorkGraph, item: GraphItem) -> str:
    over = [graph.items[key] for key in graph.blocked_by.get(item.key, ())]
    waiting = sum(not graph.items[key].is_resolved for key in graph.blocks.get(item.key, ()))
    parts = ["nothing blocks it"]
    if over:
        done = ", ".join(f"{each.name} ({_resolution(each)})" for each in over)
        parts = [f"no longer blocked by {done}"]
    if waiting:
        parts.append(f"{waiting} {'item waits' if waiting == 1 else 'items wait'} for it")
    return "; ".join(parts)


def _resolution(item: GraphItem) -> str:
    return "gone" if item.gone else item.status


def _blocked_text(graph: WorkGraph, item: GraphItem, waits_for: Sequence[GraphItem]) -> str:
    for blocker in waits_for:
        if way := graph.block_path(item.key, blocker.key):
            names = [graph.items[key].name for key in (*way, item.key)]
            return f"in a cycle: {' → '.join(names)}"
    return f"blocked by {', '.join(f'{each.name} ({each.status})' for each in waits_for)}"
