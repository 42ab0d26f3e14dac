"""Graph of how a document's quotes were found."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from rove.page.elements import Html, element, is_safe
from rove_core.store.use_summaries import UseSummary

_COLUMN: Final = 300
_ROW: Final = 46
_WIDE: Final = 220
_HIGH: Final = 34
_MARGIN: Final = 12
_LONGEST: Final = 28
#: More would be unreadable: the best are shown.
_MOST: Final = 60


class GraphNode(NamedTuple):
    """One thing in the graph.

    Attributes:
        key: Its id at its source.
        label: What stands in its box.
        about: All that is told of it.
        url: Where a person reads it.
        hop: How many references away from the ticket it is.
        by: The keys of what refers to it; empty where only its words were found.
    """

    key: str
    label: str
    about: str
    url: str
    hop: int
    by: tuple[str, ...]


def nodes_of(
    ticket_id: str, title: str, url: str, uses: Iterable[UseSummary]
) -> Sequence[GraphNode]:
    """Return the ticket and what its document quotes."""
    root = GraphNode(
        key=ticket_id, label=ticket_id, about=f"{ticket_id}: {title}", url=url, hop=0, by=()
    )
    quotes = [use for use in uses if use.kept and use.id != ticket_id]
    node_ids = {ticket_id, *(use.id for use in quotes)}
    return [root, *(_node(use, node_ids, ticket_id) for use in quotes[:_MOST])]


def graph(nodes: Sequence[GraphNode]) -> Html:
    """Return the graph: a column for each hop, an arrow for each reference."""
    places = _places(nodes)
    width = max(x for x, _ in places.values()) + _WIDE + 2 * _MARGIN
    height = max(y for _, y in places.values()) + _HIGH + 2 * _MARGIN
    root = nodes[0].key
    edges = [
        _edge(places[by], places[node.key], is_reference=bool(node.by))
        for node in nodes[1:]
        for by in [each for each in (node.by or (root,)) if each in places][:3]
    ]
    drawn = element(
        "svg",
        element("g", edges, class_="edges"),
        [_box(node, *places[node.key]) for node in nodes],
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="group",
        aria_label="Graph of references",
    )
    return element(
        "div", drawn, class_="wide", tabindex="0", role="group", aria_label="Graph of references"
    )


def _node(use: UseSummary, node_ids: set[str], ticket_id: str) -> GraphNode:
    by = tuple(
        dict.fromkeys(
            name
            for way, name in use.traces
            if way in {"link", "reference"} and name in node_ids and name != use.id
        )
    )
    return GraphNode(
        key=use.id,
        label=f"{use.account}: {use.line}",
        about=f"{use.id}: {use.line}. {use.reason}",
        url=use.url,
        hop=max(use.hop, 1),
        # Where the ticket itself refers to something, who else does matters little.
        by=(ticket_id,) if ticket_id in by else by,
    )


def _places(nodes: Sequence[GraphNode]) -> Mapping[str, tuple[int, int]]:
    """Return where each box is; those that one thing refers to are together."""
    columns: dict[int, list[GraphNode]] = {}
    for node in nodes:
        columns.setdefault(node.hop, []).append(node)
    places: dict[str, tuple[int, int]] = {}
    for number, hop in enumerate(sorted(columns)):
        column = columns[hop]
        column.sort(
            key=lambda node: min((places[by][1] for by in node.by if by in places), default=0)
        )
        for row, node in enumerate(column):
            places[node.key] = (_MARGIN + number * _COLUMN, _MARGIN + row * _ROW)
    return places


def _edge(begin: tuple[int, int], end: tuple[int, int], *, is_reference: bool) -> Html:
    x1, y1 = begin[0] + _WIDE, begin[1] + _HIGH // 2
    x2, y2 = end[0], end[1] + _HIGH // 2
    if x2 <= begin[0]:  # Both are in one column, or it points back.
        x2 = end[0] + _WIDE
    bend = x1 + (_COLUMN - _WIDE) // 2 if x2 > x1 else x1 + 30
    path = f"M{x1} {y1}C{bend} {y1} {bend if x2 <= x1 else x2 - 40} {y2} {x2} {y2}"
    return element("path", d=path, class_=None if is_reference else "words")


def _box(node: GraphNode, x: int, y: int) -> Html:
    cut = node.label if len(node.label) <= _LONGEST else f"{node.label[: _LONGEST - 1].rstrip()}…"
    drawn = (
        element("rect", element("title", node.about), x=x, y=y, width=_WIDE, height=_HIGH, rx=6),
        element("text", cut, x=x + 10, y=y + 22),
    )
    kind = "root" if node.hop == 0 else None
    if not is_safe(node.url):
        return element("g", drawn, class_=kind)
    return element("a", drawn, href=node.url, class_=kind, rel="noreferrer noopener")
