"""Linear's filters, applied to its answers."""

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from attrs import frozen

from rove_sim.linear.times import read, written


@frozen
class FilteredNodes:
    """Something that is given page by page, though a filter looks at all of it.

    Attributes:
        every: Returns all of it.
    """

    every: Callable[[], Sequence[Mapping[str, object]]]


def fits(value: object, limits: object) -> bool:
    """Return whether a value matches a filter; a missing filter matches all."""
    # A listing of thousands of issues comes here millions of times: no abstract classes, no loops
    # in generators.
    if isinstance(limits, dict):
        for name, limit in limits.items():
            if limit is not None and not _fits(value, name, limit):
                return False
    return True


def _fits(value: object, name: str, limit: object) -> bool:
    if isinstance(limit, dict):
        return _inside_fits(value, name, limit)
    if isinstance(limit, list) and name in ("and", "or"):
        matching = (fits(value, each) for each in limit)
        return all(matching) if name == "and" else any(matching)
    if name == "null":
        return (value is None) is limit
    return _compares(value, name, limit)


def _inside_fits(value: object, name: str, limit: Mapping[str, object]) -> bool:
    if isinstance(value, dict):
        return fits(_of(value, name), _times(limit) if name.endswith("At") else limit)
    if not isinstance(value, list):
        return False
    if name == "every":
        return all(fits(each, limit) for each in value)
    inner = limit if name == "some" else {name: limit}
    return any(fits(each, inner) for each in value)


def _of(node: Mapping[str, object], name: str) -> object:
    """Return the value that a filter compares: a list's nodes, or both ids of an issue."""
    value = node.get(name)
    if name == "id" and "identifier" in node:
        return (value, node["identifier"])
    if isinstance(value, FilteredNodes):
        return list(value.every())
    return value({}) if callable(value) else value


def _times(limits: Mapping[str, object]) -> dict[str, object]:
    """Return limits with their times as Linear writes them, which sort like times."""
    return {name: _time(limit) for name, limit in limits.items()}


def _time(limit: object) -> object:
    if isinstance(limit, list):
        return [_time(each) for each in limit]
    return _written(limit) if isinstance(limit, str) else limit


@lru_cache(256)
def _written(limit: str) -> str:
    """Return a time as Linear writes it: a filter is compared with thousands of issues."""
    return written(read(limit))


def _is(one: object, other: object) -> bool:
    return other in one if isinstance(one, tuple) else one == other


def _is_any(one: object, others: Sequence[object]) -> bool:
    return any(_is(one, other) for other in others)


_COMPARISONS: Final[Mapping[str, Callable[..., bool]]] = {
    "eq": _is,
    "in": _is_any,
    "lt": operator.lt,
    "lte": operator.le,
    "gt": operator.gt,
    "gte": operator.ge,
    "contains": operator.contains,
    "startsWith": str.startswith,
    "endsWith": str.endswith,
}
_OPPOSITES: Final = {
    "neq": "eq",
    "nin": "in",
    "notContains": "contains",
    "notStartsWith": "startsWith",
    "notEndsWith": "endsWith",
}


def _compares(value: object, name: str, limit: object) -> bool:
    if name.endswith("IgnoreCase"):
        lowered = value.lower() if isinstance(value, str) else value
        return _compares(lowered, name.removesuffix("IgnoreCase"), str(limit).lower())
    if name in _OPPOSITES:
        return not _compares(value, _OPPOSITES[name], limit)
    return value is not None and _COMPARISONS[name](value, limit)
