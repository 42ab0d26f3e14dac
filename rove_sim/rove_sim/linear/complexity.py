"""What Linear counts for a query: a tenth for a value, 1 for an object, a page times its size."""

from collections.abc import Iterable, Mapping
from functools import partial
from math import ceil
from typing import Final

from attrs import frozen

from rove_sim.graphql import Schema
from rove_sim.graphql.nodes import Field, GraphDocument, GraphOperation, Selection, Spread, Variable

_DEFAULT_PAGE: Final = 50
_VALUE: Final = 0.1
_OBJECT: Final = 1.0


def complexity(
    schema: Schema,
    document: GraphDocument,
    operation: GraphOperation,
    variables: Mapping[str, object],
) -> int:
    """Return the complexity of an operation, whatever it finds."""
    count = _Count(schema, document, variables)
    return ceil(count.selections("Query", operation.selections) - 1e-9)


@frozen
class _Count:
    schema: Schema
    document: GraphDocument
    variables: Mapping[str, object]

    def selections(self, of: str, selections: Iterable[Selection]) -> float:
        return sum(map(partial(self._selection, of), selections))

    def _selection(self, of: str, selection: Selection) -> float:
        match selection:
            case Field():
                return self._field(of, selection)
            case Spread(name=name):
                fragment = self.document.fragments_by_name[name]
                return self.selections(fragment.on, fragment.selections)
            case _:
                return self.selections(selection.on or of, selection.selections)

    def _field(self, of: str, asked: Field) -> float:
        field = self.schema.field(self.schema.types[of], asked.name)
        if field is None or not asked.selections:
            return _VALUE
        inner = self.selections(self.schema.of(field.type).name, asked.selections)
        return _OBJECT + inner * (self._page(asked) if "first" in field.arguments else 1)

    def _page(self, asked: Field) -> int:
        for given in asked.arguments:
            if given.name in {"first", "last"}:
                value = given.value
                number = self.variables.get(value.name) if isinstance(value, Variable) else value
                return number if isinstance(number, int) else _DEFAULT_PAGE
        return _DEFAULT_PAGE
