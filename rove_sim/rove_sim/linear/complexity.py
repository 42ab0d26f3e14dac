"""Query complexity: .1 per value, 1 per object, times the page size."""

from collections.abc import Iterable
from math import ceil
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rove_sim.graphql.engine import SelectedField

_DEFAULT_PAGE: Final = 50
_VALUE: Final = 0.1
_OBJECT: Final = 1.0


def complexity(fields: Iterable["SelectedField"]) -> int:
    """Return the complexity of a query, independent of its results."""
    return ceil(_total(fields) - 1e-9)


def _total(fields: Iterable["SelectedField"]) -> float:
    return sum(map(_cost, fields))


def _cost(field: "SelectedField") -> float:
    if not field.fields:
        return _VALUE
    return _OBJECT + _total(field.fields) * (_page(field) if field.pages else 1)


def _page(field: "SelectedField") -> int:
    numbers = (value for name, value in field.arguments.items() if name in {"first", "last"})
    number = next(numbers, None)
    return number if isinstance(number, int) else _DEFAULT_PAGE
