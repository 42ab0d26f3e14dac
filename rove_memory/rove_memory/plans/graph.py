"""The graph of items and dependencies: blockers, order and cycles."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

from attrs import field, frozen

if TYPE_CHECKING:
    from rove_core import StatusCategory

ItemType: TypeAlias = Literal["external", "local"]
DependencyKind: TypeAlias = Literal["blocks", "parent_of", "discovered_from", "related_to"]

#: How far a walk goes along dependencies.
DEEPEST: Final = 10


class WorkKey(NamedTuple):
    """The key of a ticket or plan.

    Attributes:
        type: ``external`` for a ticket, ``local`` for a plan.
        id: Its id in the tables.
    """

    type: ItemType
    id: str


class GraphItem(NamedTuple):
    """A ticket or plan as a node of the graph.

    Attributes:
        key: Which it is.
        name: What people call it: ``TB-123``, or the plan's id.
        title: Its title.
        status: Its status, in the words of where it is from.
        category: What that means.
        created_at: When it was written down.
        priority: 0 none, 1 low, ... 4 urgent.
        order: Its place among those that are alike otherwise.
        assignee: Who does it, of a ticket.
        ticket: The ticket that a plan belongs to, by name.
        gone: Whether its tracker no longer has it.
        unread: Whether it is a ticket of which only the name is known: nobody read it yet.
        resolved_at: When it was done, if that is known.
    """

    key: WorkKey
    name: str
    title: str
    status: str
    category: "StatusCategory"
    created_at: datetime
    priority: int = 0
    order: int = 0
    assignee: str = ""
    ticket: str = ""
    gone: bool = False
    unread: bool = False
    resolved_at: datetime | None = None

    @property
    def is_resolved(self) -> bool:
        """Whether it is done, canceled, or gone at its tracker."""
        return self.gone or self.category in ("done", "canceled")


class Edge(NamedTuple):
    """A dependency: the source blocks the target, is its parent, was discovered from it.

    Attributes:
        source: From where it leads.
        target: To where.
        relation: What it means.
    """

    source: WorkKey
    target: WorkKey
    relation: DependencyKind


class BlockingOrder(NamedTuple):
    """An item that another one waits for, or that waits for it.

    Attributes:
        item: It.
        depth: How many steps away it is; 1 is next to it.
        path: The items between, in the order of the walk, both ends included.
    """

    item: GraphItem
    depth: int
    path: tuple[WorkKey, ...]


@frozen(eq=False, slots=False, repr=False)
class WorkGraph:
    """All items of a project, and how they depend on each other.

    Attributes:
        items: The items, by key.
        edges: The dependencies; one whose ends are not both items is ignored.
    """

    items: Mapping[WorkKey, GraphItem]
    edges: Sequence[Edge] = field(default=())

    @cached_property
    def blocked_by(self) -> Mapping[WorkKey, Sequence[WorkKey]]:
        """Direct blockers of each item, resolved or not."""
        return _group((edge.target, edge.source) for edge in self._blocks())

    @cached_property
    def blocks(self) -> Mapping[WorkKey, Sequence[WorkKey]]:
        """Items that each item blocks directly."""
        return _group((edge.source, edge.target) for edge in self._blocks())

    def open_blockers(self, key: WorkKey) -> Sequence[GraphItem]:
        """Return the unresolved blockers of an item."""
        blockers = (self.items[each] for each in self.blocked_by.get(key, ()))
        return [item for item in blockers if not item.is_resolved]

    def blockers(self, key: WorkKey, *, depth: int = 1) -> Sequence[BlockingOrder]:
        """Return what blocks an item, the nearest first, each once by the shortest way."""
        return self._walk(key, self.blocked_by, depth)

    def dependents(self, key: WorkKey, *, depth: int = 1) -> Sequence[BlockingOrder]:
        """Return the items that an item blocks, nearest first, without duplicates."""
        return self._walk(key, self.blocks, depth)

    def block_path(self, source: WorkKey, target: WorkKey) -> Sequence[WorkKey]:
        """Return the shortest way on which one item blocks another; empty if it does not."""
        if source == target:
            return [source]
        found = self._walk(source, self.blocks, len(self.items))
        return next((list(each.path) for each in found if each.item.key == target), [])

    def cycles(self) -> Sequence[Sequence[WorkKey]]:
        """Return the circles of items that block each other, one way round for each knot."""
        found = []
        for knot in _knots(self.blocks):
            inside = set(knot)
            within = {key: [to for to in self.blocks.get(key, ()) if to in inside] for key in knot}
            start = min(knot)
            found.append(_way_back(start, within))
        return sorted(found)

    def connected(self) -> frozenset[WorkKey]:
        """Return the items that have any dependency at all."""
        return frozenset(key for edge in self._inner_edges() for key in (edge.source, edge.target))

    def around(self, root: WorkKey, depth: int) -> "WorkGraph":
        """Return the part of the graph within some steps of an item, whatever the direction."""
        beside: dict[WorkKey, list[WorkKey]] = {}
        for edge in self._inner_edges():
            beside.setdefault(edge.source, []).append(edge.target)
            beside.setdefault(edge.target, []).append(edge.source)
        near = {root, *(each.item.key for each in self._walk(root, beside, depth))}
        edges = [edge for edge in self.edges if edge.source in near and edge.target in near]
        return WorkGraph({key: self.items[key] for key in self.items if key in near}, edges)

    def _blocks(self) -> Iterator[Edge]:
        return (edge for edge in self._inner_edges() if edge.relation == "blocks")

    def _inner_edges(self) -> Iterator[Edge]:
        for edge in self.edges:
            if edge.source in self.items and edge.target in self.items:
                yield edge

    def _walk(
        self, start: WorkKey, beside: Mapping[WorkKey, Sequence[WorkKey]], depth: int
    ) -> Sequence[BlockingOrder]:
        """Return what can be reached from an item, breadth first."""
        found: list[BlockingOrder] = []
        before: dict[WorkKey, WorkKey | None] = {start: None}
        waiting = deque([(start, 0)])
        while waiting:
            key, at = waiting.popleft()
            if at == depth:
                continue
            for other in beside.get(key, ()):
                if other not in before:
                    before[other] = key
                    path = tuple(_back_to(other, before))[::-1]
                    found.append(BlockingOrder(self.items[other], at + 1, path))
                    waiting.append((other, at + 1))
        return found


def _group(pairs: Iterable[tuple[WorkKey, WorkKey]]) -> Mapping[WorkKey, Sequence[WorkKey]]:
    found: dict[WorkKey, dict[WorkKey, None]] = {}
    for key, other in pairs:
        found.setdefault(key, {})[other] = None
    return {key: tuple(others) for key, others in found.items()}


def _back_to(key: WorkKey | None, before: Mapping[WorkKey, WorkKey | None]) -> Iterator[WorkKey]:
    while key is not None:
        yield key
        key = before[key]


def _knots(beside: Mapping[WorkKey, Sequence[WorkKey]]) -> Sequence[Sequence[WorkKey]]:
    """Return the sets of items that all reach each other: Tarjan's, without recursion."""
    index: dict[WorkKey, int] = {}
    low: dict[WorkKey, int] = {}
    stack: list[WorkKey] = []
    on_stack: set[WorkKey] = set()
    found: list[list[WorkKey]] = []
    for root in beside:
        if root in index:
            continue
        work = [(root, iter(beside.get(root, ())))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            key, others = work[-1]
            for other in others:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(beside.get(other, ()))))
                    break
                if other in on_stack:
                    low[key] = min(low[key], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[key])
                if low[key] == index[key]:
                    found.append(_pop_component(stack, on_stack, key))
    return [knot for knot in found if len(knot) > 1 or knot[0] in beside.get(knot[0], ())]


def _pop_component(stack: list[WorkKey], on_stack: set[WorkKey], last: WorkKey) -> list[WorkKey]:
    knot: list[WorkKey] = []
    while not knot or knot[-1] != last:
        knot.append(stack.pop())
        on_stack.discard(knot[-1])
    return knot


def _way_back(start: WorkKey, beside: Mapping[WorkKey, Sequence[WorkKey]]) -> list[WorkKey]:
    """Return the shortest way from an item back to itself, the item at both ends."""
    before: dict[WorkKey, WorkKey | None] = {start: None}
    waiting = deque([start])
    while waiting:
        key = waiting.popleft()
        for other in beside[key]:
            if other == start:
                return [*[*_back_to(key, before)][::-1], start]
            if other not in before:
                before[other] = key
                waiting.append(other)
    return [start, start]
