"""Find fields that would be one in the reply, and do not mean the same."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

from attrs import frozen

from rove_sim.graphql.nodes import (
    Field,
    GraphDocument,
    Inline,
    ListOf,
    NamedType,
    NonNull,
    ObjectValue,
    Selection,
    Spread,
    TypeRef,
    Value,
)
from rove_sim.graphql.schema import Schema, Type


@frozen
class _TypedField:
    """A field, of which type, and what it gives."""

    parent: Type
    field: Field
    type: TypeRef


_Answers: TypeAlias = dict[str, list[_TypedField]]


def conflicts(schema: Schema, document: GraphDocument) -> Iterator[str]:
    """Yield the conflicts of a request that is right in all other ways."""
    merge = _Merge(schema, document)
    for operation in document.operations:
        yield from merge.below(schema.types[operation.kind.capitalize()], operation.selections)
    for fragment in document.fragments:
        yield from merge.below(schema.types[fragment.on], fragment.selections)


class _Merge:
    def __init__(self, schema: Schema, document: GraphDocument) -> None:
        self._schema = schema
        self._fragments = document.fragments_by_name

    def below(self, type_: Type, selections: Sequence[Selection]) -> Iterator[str]:
        """Yield the conflicts of selections, and of all within them."""
        for key, asked in self._answers(type_, selections).items():
            for one, other in combinations(asked, 2):
                if not self._agree(one, other, apart=False):
                    yield f'Fields "{key}" conflict. Use different aliases to fetch both.'
            for each in asked:
                yield from self.below(self._schema.of(each.type), each.field.selections)

    def _answers(self, type_: Type, selections: Sequence[Selection]) -> _Answers:
        found: _Answers = defaultdict(list)
        waiting = [(type_, selections)]
        spread: set[str] = set()
        while waiting:
            parent, several = waiting.pop()
            for selection in several:
                match selection:
                    case Field():
                        found[selection.key].append(self._asked(parent, selection))
                    case Inline(on=on):
                        within = self._schema.types[on] if on else parent
                        waiting.append((within, selection.selections))
                    case Spread(name=name) if name not in spread:
                        spread.add(name)
                        fragment = self._fragments[name]
                        waiting.append((self._schema.types[fragment.on], fragment.selections))
        return found

    def _asked(self, parent: Type, field: Field) -> _TypedField:
        definition = self._schema.field(parent, field.name)
        assert definition is not None  # noqa: S101  # unknown fields were refused before
        return _TypedField(parent, field, definition.type)

    def _agree(self, one: _TypedField, other: _TypedField, *, apart: bool) -> bool:
        """Tell whether two fields can be one; those of types apart never meet in a reply."""
        apart = apart or _never_both(one.parent, other.parent)
        if not apart and _meaning(one.field) != _meaning(other.field):
            return False
        if not self._same_shape(one.type, other.type):
            return False
        first = self._answers(self._schema.of(one.type), one.field.selections)
        second = self._answers(self._schema.of(other.type), other.field.selections)
        return all(
            self._agree(inner, outer, apart=apart)
            for key in first.keys() & second.keys()
            for inner in first[key]
            for outer in second[key]
        )

    def _same_shape(self, one: TypeRef, other: TypeRef) -> bool:
        match one, other:
            case NonNull(), NonNull():
                return self._same_shape(one.of, other.of)
            case ListOf(), ListOf():
                return self._same_shape(one.of, other.of)
            case NamedType(), NamedType():
                composite = self._schema.of(one).composite and self._schema.of(other).composite
                return composite or one == other
            case _:
                return False


def _never_both(one: Type, other: Type) -> bool:
    return one.name != other.name and one.kind == other.kind == "type"


def _meaning(field: Field) -> tuple[str, str]:
    arguments = sorted((given.name, _canonical(given.value)) for given in field.arguments)
    return field.name, repr(arguments)


def _canonical(value: Value) -> str:
    """Return a value as text; the order of an object's fields does not count."""
    match value:
        case ObjectValue(pairs):
            return repr(sorted((name, _canonical(each)) for name, each in pairs))
        case tuple():
            return repr([_canonical(each) for each in value])
        case _:
            return repr(value)
