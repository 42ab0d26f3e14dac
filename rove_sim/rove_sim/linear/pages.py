"""Paging of Linear's lists."""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from attrs import frozen

from rove_sim.graphql import Arguments, Node
from rove_sim.linear.faults import invalid
from rove_sim.linear.filters import FilteredNodes, fits

#: Tells how many a page holds when so many are asked for and Linear gives no more.
PageSize: TypeAlias = Callable[[int, int], int]

_DEFAULT: Final = 50
_MOST: Final = 250


@frozen
class Connection(FilteredNodes):
    """A paged list.

    Attributes:
        every: Returns all of them, archived ones too.
        size: How many a page holds.
        ordered: Whether they are in their order already when none is asked for.
    """

    every: Callable[[], Sequence[Node]]
    size: PageSize
    ordered: bool = False

    def __call__(self, arguments: Arguments) -> Node:
        """Return one page."""
        found = self._found(arguments)
        page, before, after = self._page(found, arguments)
        edges: list[Node] = [{"cursor": node["id"], "node": node} for node in page]
        info: Node = {
            "startCursor": page[0]["id"] if page else None,
            "endCursor": page[-1]["id"] if page else None,
            "hasPreviousPage": before,
            "hasNextPage": after,
        }
        return {"edges": edges, "nodes": page, "pageInfo": info, "totalCount": float(len(found))}

    def _found(self, arguments: Arguments) -> list[Node]:
        found = [
            node
            for node in self.every()
            if arguments.get("includeArchived") is True or not node.get("archivedAt")
            if fits(node, arguments.get("filter"))
        ]
        order = arguments.get("orderBy") or ("" if self.ordered else "createdAt")
        if order:
            found.sort(key=lambda node: (str(node[str(order)]), str(node["id"])), reverse=True)
        return found

    def _page(self, found: list[Node], arguments: Arguments) -> tuple[list[Node], bool, bool]:
        """Return a page, and whether there is something before it and after it."""
        start = _after(found, arguments["after"]) if arguments.get("after") else 0
        end = _after(found, arguments["before"]) - 1 if arguments.get("before") else len(found)
        last = arguments.get("last")
        if last is not None and arguments.get("first") is None:
            start = max(start, end - self.size(_page_size(last), _MOST))
        else:
            first = arguments.get("first")
            end = min(
                end, start + self.size(_DEFAULT if first is None else _page_size(first), _MOST)
            )
        return found[start:end], start > 0, end < len(found)


def _page_size(number: object) -> int:
    if isinstance(number, int) and 1 <= number <= _MOST:
        return number
    raise invalid(f"a page holds from 1 to {_MOST}")


def _after(found: list[Node], cursor: object) -> int:
    """Return the place after the node of a cursor."""
    for place, node in enumerate(found):
        if node["id"] == cursor:
            return place + 1
    raise invalid("the cursor is of no item of this list")
