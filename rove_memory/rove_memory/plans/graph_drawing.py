"""Draw a dependency graph: as Mermaid, or as a tree for the terminal."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rove_core import visible
from rove_memory.plans.graph import DependencyKind
from rove_memory.plans.graph_model import DependencyGraph, WorkSummary

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


def mermaid(graph: DependencyGraph) -> str:
    """Return the graph as Mermaid; a title cannot be anything but a label."""
    numbers = {node.id: f"n{at}" for at, node in enumerate(graph.nodes, 1)}
    lines = ["flowchart LR"]
    lines += [
        f'    {numbers[node.id]}["{_label(node)}"]:::{node.status_category}' for node in graph.nodes
    ]
    for edge in graph.edges:
        arrow = f"{_ARROWS[edge.relation]}{_LABELS[edge.relation]}"
        lines.append(f"    {numbers[edge.source]} {arrow} {numbers[edge.target]}")
    lines += [
        "    classDef todo fill:#fff,stroke:#888",
        "    classDef in_progress fill:#fff3c4,stroke:#b58900",
        "    classDef done fill:#d5f5d5,stroke:#2e7d32",
        "    classDef canceled fill:#eee,stroke:#bbb,color:#888",
    ]
    return "\n".join(lines)


def tree(graph: DependencyGraph) -> str:
    """Return the graph as indented lines, with blocked items and parts below each item.

    An item with several parents is drawn once; later lines refer to it.
    """
    nodes = {node.id: node for node in graph.nodes}
    below: dict[str, list[tuple[str, str]]] = {}
    has_parent: set[str] = set()
    for edge in graph.edges:
        over, under, words = edge.source, edge.target, edge.relation.replace("_", " ")
        if edge.relation == "discovered_from":
            over, under, words = edge.target, edge.source, "led to"
        below.setdefault(over, []).append((words, under))
        has_parent.add(under)
    roots = [each for each in nodes if each not in has_parent and each in below]
    seen: set[str] = set()
    lines: list[str] = []
    for root in [*roots, *below]:  # In a cycle every item has a parent.
        if root not in seen:
            lines += _branch(nodes, below, root, seen)
    alone = [node for each, node in nodes.items() if each not in seen]
    return "\n".join([*lines, *map(_line, alone)])


def _branch(
    nodes: Mapping[str, WorkSummary],
    below: Mapping[str, Sequence[tuple[str, str]]],
    root: str,
    seen: set[str],
) -> Iterator[str]:
    """Yield the lines of an item and all below it, without recursion."""
    seen.add(root)
    yield _line(nodes[root])
    waiting = [("", [*below.get(root, ())])]
    while waiting:
        indent, others = waiting[-1]
        if not others:
            waiting.pop()
            continue
        words, other = others.pop(0)
        again = other in seen
        mark = "├─" if others else "└─"
        more = " (see above)" if again else ""
        yield f"{indent}{mark} {words} {_line(nodes[other])}{more}"
        if not again:
            seen.add(other)
            waiting.append((f"{indent}{'│  ' if others else '   '}", [*below.get(other, ())]))


def _line(node: WorkSummary) -> str:
    title = visible(node.title) if node.title != node.id else ""
    return f"{_SIGNS[node.status_category]} {node.id} {title}".rstrip()


def _label(node: WorkSummary) -> str:
    words = visible(f"{node.id} {node.title}" if node.title != node.id else node.id)
    cut = words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
    return _SPECIAL.sub(lambda found: f"#{ord(found[0])};", cut)
