"""Query complexity: .1 per value, 1 per object, times the page size."""

from collections.abc import Iterable
from math import ceil
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rove_sim.graphql.engine import AskedField

_DEFAULT_PAGE: Final = 50
_VALUE: Final = 0.1
_OBJECT: Final = 1.0


def complexity(asked: Iterable["AskedField"]) -> int:
    """Return the complexity of a query, independent of its results."""
    return ceil(_total(asked) - 1e-9)


def _total(asked: Iterable["AskedField"]) -> float:
    return sum(map(_cost, asked))


def _cost(asked: "AskedField") -> float:
    if not asked.fields:
        return _VALUE
    return _OBJECT + _total(asked.fields) * (_page(asked) if asked.pages else 1)


def _page(asked: "AskedField") -> int:
    numbers = (value for name, value in asked.arguments.items() if name in {"first", "last"})
    number = next(numbers, None)
    return number if isinstance(number, int) else _DEFAULT_PAGE
