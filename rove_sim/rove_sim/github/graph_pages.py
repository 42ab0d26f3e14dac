"""Connections of GitHub's GraphQL API, which require a page size."""

from base64 import b64decode, b64encode
from binascii import Error
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from rove_sim.graphql import Arguments, FieldError, Node

_Thing = TypeVar("_Thing")
_MOST: Final = 100


def page(
    things: Sequence[_Thing],
    arguments: Arguments,
    write: Callable[[_Thing], Node],
    size: Callable[[int, int], int],
) -> Node:
    """Return one page of things.

    Args:
        things: All of them.
        arguments: What was asked for.
        write: Returns one of them as it is told.
        size: Tells how many a page holds.
    """
    first, last = _page_size(arguments, "first"), _page_size(arguments, "last")
    if first is None and last is None:
        message = "You must provide a `first` or `last` value to properly paginate the connection."
        raise FieldError(message, {"type": "MISSING_PAGINATION_BOUNDARIES"})
    start = _place(arguments.get("after"), -1) + 1
    end = min(_place(arguments.get("before"), len(things)), len(things))
    if first is not None:
        end = min(end, start + size(first, _MOST))
    if last is not None:
        start = max(start, end - size(last, _MOST))
    found: list[Node] = [write(each) for each in things[start:end]]
    cursors = [_cursor(place) for place in range(start, start + len(found))]
    edges: list[Node] = [
        {"cursor": cursor, "node": node} for cursor, node in zip(cursors, found, strict=True)
    ]
    info: Node = {
        "startCursor": cursors[0] if cursors else None,
        "endCursor": cursors[-1] if cursors else None,
        "hasPreviousPage": start > 0,
        "hasNextPage": end < len(things),
    }
    return {"edges": edges, "nodes": found, "pageInfo": info, "totalCount": len(things)}


def _page_size(arguments: Arguments, name: str) -> int | None:
    number = arguments.get(name)
    if not isinstance(number, int):
        return None
    if not 1 <= number <= _MOST:
        message = f"Requesting {number} records exceeds the `{name}` limit of {_MOST} records."
        raise FieldError(message, {"type": "EXCESSIVE_PAGINATION"})
    return number


def _cursor(place: int) -> str:
    return b64encode(f"cursor:v1:{place}".encode()).decode()


def _place(cursor: object, default: int) -> int:
    if cursor is None:
        return default
    try:
        return int(b64decode(str(cursor)).decode().removeprefix("cursor:v1:"))
    except (Error, ValueError):
        message = f"`{cursor}` does not appear to be a valid cursor."
        raise FieldError(message, {"type": "INVALID_CURSOR_ARGUMENTS"}) from None
