"""A dependency graph as a picture: Mermaid for documents, a tree for the terminal."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rove_core import visible
from rove_memory.plans.graph import DependencyKind, WorkGraph, WorkItem, WorkKey

_ARROWS: Final[Mapping[DependencyKind, str]] = {
    "blocks": "-->",
    "parent_of": "---",
    "discovered_from": "-.->",
    "related_to": "-.-",
}
_LABELS: Final[Mapping[DependencyKind, str]] = {
    "blocks": "",
    "parent_of": "|parent of|",
    "discovered_from": "|discovered from|",
    "related_to": "|related to|",
}
_SIGNS: Final = {"todo": "○", "in_progress": "◐", "done": "●", "canceled": "✗"}
_LONGEST: Final = 60
#: What would end a label of Mermaid, or begin something else in it.
_SPECIAL: Final = re.compile(r'["\[\](){}<>|`#;\\&%]')


def mermaid(graph: WorkGraph) -> str:
    """Return the graph in Mermaid's words; no title can be anything but a label."""
    numbers = {key: f"n{at}" for at, key in enumerate(graph.items, 1)}
    lines = ["flowchart LR"]
    for key, item in graph.items.items():
        lines.append(f'    {numbers[key]}["{_label(item)}"]:::{item.category}')
    for edge in graph.edges:
        if edge.source in numbers and edge.target in numbers:
            arrow = f"{_ARROWS[edge.relation]}{_LABELS[edge.relation]}"
            lines.append(f"    {numbers[edge.source]} {arrow} {numbers[edge.target]}")
    lines += [
        "    classDef todo fill:#fff,stroke:#888",
        "    classDef in_progress fill:#fff3c4,stroke:#b58900",
        "    classDef done fill:#d5f5d5,stroke:#2e7d32",
        "    classDef canceled fill:#eee,stroke:#bbb,color:#888",
    ]
    return "\n".join(lines)


def tree(graph: WorkGraph) -> str:
    """Return the graph as indented lines: what an item blocks or holds stands below it.

    An item that several others lead to is drawn once, and named again where it is met later.
    """
    below: dict[WorkKey, list[tuple[str, WorkKey]]] = {}
    has_parent: set[WorkKey] = set()
    for edge in graph.edges:
        if edge.source not in graph.items or edge.target not in graph.items:
            continue
        over, under, words = edge.source, edge.target, edge.relation.replace("_", " ")
        if edge.relation == "discovered_from":
            over, under, words = edge.target, edge.source, "led to"
        below.setdefault(over, []).append((words, under))
        has_parent.add(under)
    roots = [key for key in graph.items if key not in has_parent and key in below]
    seen: set[WorkKey] = set()
    lines: list[str] = []
    for root in [*roots, *below]:  # In a circle nothing is without a parent.
        if root not in seen:
            lines += _branch(graph, below, root, seen)
    alone = [key for key in graph.items if key not in seen]
    lines += [_line(graph.items[key]) for key in alone]
    return "\n".join(lines)


def _branch(
    graph: WorkGraph,
    below: Mapping[WorkKey, Sequence[tuple[str, WorkKey]]],
    root: WorkKey,
    seen: set[WorkKey],
) -> Iterator[str]:
    """Yield the lines of an item and all below it; depth is no problem for it."""
    seen.add(root)
    yield _line(graph.items[root])
    waiting = [(root, "", iter(below.get(root, ())), len(below.get(root, ())))]
    while waiting:
        key, indent, others, left = waiting.pop()
        found = next(others, None)
        if found is None:
            continue
        words, other = found
        last = left == 1
        waiting.append((key, indent, others, left - 1))
        again = other in seen
        mark = "└─" if last else "├─"
        more = " (see above)" if again else ""
        yield f"{indent}{mark} {words} {_line(graph.items[other])}{more}"
        if not again:
            seen.add(other)
            children = below.get(other, ())
            deeper = f"{indent}{'   ' if last else '│  '}"
            waiting.append((other, deeper, iter(children), len(children)))


def _line(item: WorkItem) -> str:
    return f"{_SIGNS[item.category]} {item.name} {visible(item.title)}".rstrip()


def _label(item: WorkItem) -> str:
    words = visible(f"{item.name} {item.title}" if item.title != item.name else item.name)
    cut = words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
    return _SPECIAL.sub(lambda found: f"#{ord(found[0])};", cut)
