"""Items of a graph, and the graph itself, as operations return them."""

from collections.abc import Sequence

from rove_memory.plans.graph import GraphItem, WorkGraph, WorkKey
from rove_memory.plans.graph_model import DependencyGraph, GraphEdge, WorkSummary


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
