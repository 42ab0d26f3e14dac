"""Items and graphs as operations return them."""

from collections.abc import Callable, Sequence
from typing import Final

from attrs import evolve

from rove_memory.plans.graph import GraphItem, WorkGraph, WorkKey
from rove_memory.plans.graph_model import DependencyGraph, GraphEdge, WorkSummary
from rove_memory.token_budget import ANSWER, shorten, tokens_of

#: How long titles in a graph may be, in tokens.
_WIDTH: Final = 50
#: No answer has room for more items.
_MOST_NODES: Final = 300


def summary(item: GraphItem) -> WorkSummary:
    """Return an item in a few words."""
    return WorkSummary(
        item_type=item.key.type,
        id=item.name,
        title=item.title,
        status=item.status,
        status_category=item.category,
        priority=item.priority,
    )


def names_of(graph: WorkGraph, way: Sequence[WorkKey]) -> tuple[str, ...]:
    """Return what people call the items of a way."""
    return tuple(graph.items[key].name for key in way)


def short_summary(item: WorkSummary, width: int) -> WorkSummary:
    """Return an item with texts of at most so many tokens."""
    return evolve(item, title=shorten(item.title, width), status=shorten(item.status, width))


def fitting_graph(
    graph: DependencyGraph, drawn: Callable[[DependencyGraph], str] | None = None
) -> DependencyGraph:
    """Return a graph within the tokens of an answer: items with a dependency come first.

    Args:
        graph: All of it.
        drawn: Returns its diagram, if one was asked for.
    """
    alone = set(graph.orphans)
    nodes = [
        short_summary(each, _WIDTH) for each in sorted(graph.nodes, key=lambda n: n.id in alone)
    ]
    count = min(len(nodes), _MOST_NODES)
    while True:
        part = _part(graph, nodes[:count], len(nodes) - count)
        part = evolve(part, mermaid=drawn(part)) if drawn else part
        if count <= 1 or tokens_of(part) <= ANSWER:
            return part
        count = count * 4 // 5


def _part(graph: DependencyGraph, nodes: Sequence[WorkSummary], left_out: int) -> DependencyGraph:
    node_ids = {each.id for each in nodes}
    return DependencyGraph(
        nodes=tuple(nodes),
        edges=tuple(each for each in graph.edges if {each.source, each.target} <= node_ids),
        cycles=tuple(way for way in graph.cycles if node_ids.issuperset(way)),
        orphans=tuple(each for each in graph.orphans if each in node_ids),
        left_out=left_out,
    )


def listed(graph: WorkGraph) -> DependencyGraph:
    """Return a graph as lists, for a wire."""
    connected = graph.connected()
    return DependencyGraph(
        nodes=tuple(map(summary, graph.items.values())),
        edges=tuple(
            GraphEdge(
                source=graph.items[edge.source].name,
                target=graph.items[edge.target].name,
                relation=edge.relation,
            )
            for edge in graph.edges
            if edge.source in graph.items and edge.target in graph.items
        ),
        cycles=tuple(names_of(graph, way) for way in graph.cycles()),
        orphans=tuple(item.name for key, item in graph.items.items() if key not in connected),
    )
