"""Result types of the dependency operations."""

from datetime import datetime

from attrs import frozen

from rove_core import StatusCategory
from rove_memory.plans.graph import DependencyKind, ItemType


@frozen(kw_only=True)
class Dependency:
    """A dependency between two items.

    Attributes:
        id: Its id.
        source_type: ``external`` for a ticket, ``local`` for a plan.
        source_id: The item that blocks, is the parent, or was discovered.
        target_type: The same of the other one.
        target_id: The item that is blocked, is the child, or led to the discovery.
        relation: ``blocks``, ``parent_of``, ``discovered_from`` or ``related_to``.
        notes: Why.
        bidirectional: Whether the same holds the other way round.
        created_at: When it was written down.
        created_by_session: In which session.
    """

    id: str
    source_type: ItemType
    source_id: str
    target_type: ItemType
    target_id: str
    relation: DependencyKind
    notes: str = ""
    bidirectional: bool = False
    created_at: datetime
    created_by_session: str | None = None


@frozen(kw_only=True)
class WorkSummary:
    """A ticket or a plan in a few words.

    Attributes:
        item_type: ``external`` for a ticket, ``local`` for a plan.
        id: What people call it: ``TB-123``, or the plan's id.
        title: Its title.
        status: Its status, in the words of where it is from.
        status_category: What that means.
        priority: 0 none to 4 urgent.
    """

    item_type: ItemType
    id: str
    title: str
    status: str
    status_category: StatusCategory
    priority: int = 0


@frozen(kw_only=True)
class BlockerInfo:
    """An item that another one waits for.

    Attributes:
        item: It.
        relation: How it stands to the other one.
        depth: 1 is next to it, 2 blocks a blocker.
        resolved: Whether it is done, canceled, or gone at its tracker.
        resolved_at: When it was, if that is known.
        path: The ids from the one that waits to this one.
    """

    item: WorkSummary
    relation: DependencyKind = "blocks"
    depth: int = 1
    resolved: bool = False
    resolved_at: datetime | None = None
    path: tuple[str, ...] = ()


@frozen(kw_only=True)
class DependentInfo:
    """An item that waits for another one.

    Attributes:
        item: It.
        relation: How the other one stands to it.
        depth: 1 is next to it.
        path: The ids from the one that is waited for to this one.
    """

    item: WorkSummary
    relation: DependencyKind = "blocks"
    depth: int = 1
    path: tuple[str, ...] = ()


@frozen(kw_only=True)
class GraphEdge:
    """A dependency between two nodes of a graph.

    Attributes:
        source: The id of the node from which it leads.
        target: The id of the other one.
        relation: What it means.
    """

    source: str
    target: str
    relation: DependencyKind


@frozen(kw_only=True)
class DependencyGraph:
    """Items and how they depend on each other.

    Attributes:
        nodes: The items.
        edges: The dependencies between them.
        cycles: Circles of items that block each other; the first id of each comes again at its end.
        orphans: The ids of items without any dependency.
        mermaid: The same as a Mermaid flowchart, if it was asked for.
        left_out: How many more items there are; root_id shows the part around one of them.
    """

    nodes: tuple[WorkSummary, ...]
    edges: tuple[GraphEdge, ...]
    cycles: tuple[tuple[str, ...], ...] = ()
    orphans: tuple[str, ...] = ()
    mermaid: str = ""
    left_out: int = 0
