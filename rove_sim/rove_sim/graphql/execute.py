"""Answer a checked request from plain data.

An object is a mapping from the names of its fields to their values. A value may be a function:
it is called with the field's arguments when, and only when, it is asked for. The real type of
something that could be of several stands under ``__typename``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from attrs import field, frozen

from rove_core import JSON
from rove_sim.graphql.nodes import (
    Field,
    GraphDocument,
    GraphOperation,
    Inline,
    ListOf,
    NonNull,
    Selection,
    Spread,
    TypeRef,
)
from rove_sim.graphql.schema import DIRECTIVES, Schema, Type
from rove_sim.graphql.variables import InputError, argument_values, variable_values

Arguments: TypeAlias = Mapping[str, object]
Answer: TypeAlias = (
    str
    | int
    | float
    | Sequence["Answer"]
    | Mapping[str, "Answer"]
    | Callable[[Arguments], "Answer"]
    | None
)
Node: TypeAlias = Mapping[str, Answer]
_Path: TypeAlias = tuple[str | int, ...]


class FieldError(Exception):
    """A field cannot be answered; the rest of the reply can.

    Attributes:
        extensions: What the vendor says beside the message.
    """

    def __init__(self, message: str, extensions: Mapping[str, JSON] | None = None) -> None:
        super().__init__(message)
        self.extensions = dict(extensions or {})


@frozen
class GraphOutcome:
    """What came of a request; without data when it could not be begun."""

    data: dict[str, JSON] | None
    errors: list[JSON] = field(factory=list)


@frozen
class _MergedField:
    """Fields that are one in the reply."""

    first: Field
    selections: tuple[Selection, ...]


class _NullAbove(Exception):  # noqa: N818  # it carries a null upwards, and is no error to anybody
    """What is around a field has to be null as well."""


def operation_named(document: GraphDocument, name: str) -> GraphOperation:
    """Return the operation that a request wants run.

    Raises:
        InputError: When there is none of that name, or several and no name.
    """
    found = [each for each in document.operations if not name or each.name == name]
    if not found:
        raise InputError(
            f'Unknown operation named "{name}".' if name else "Must provide an operation."
        )
    if len(found) > 1:
        raise InputError("Must provide operation name if query contains multiple operations.")
    return found[0]


def execute(
    schema: Schema,
    document: GraphDocument,
    root: Node,
    *,
    variables: Mapping[str, object],
    name: str = "",
) -> GraphOutcome:
    """Answer an operation of a request that was checked.

    Raises:
        InputError: When there is no such operation, or its variables do not fit.
    """
    operation = operation_named(document, name)
    run = _Run(schema, document, variable_values(schema, operation, variables))
    try:
        data = run.object(schema.types["Query"], operation.selections, root, ())
    except _NullAbove:
        return GraphOutcome(None, run.errors)
    return GraphOutcome(data, run.errors)


class _Run:
    def __init__(
        self, schema: Schema, document: GraphDocument, variables: Mapping[str, object]
    ) -> None:
        self.errors: list[JSON] = []
        self._schema = schema
        self._fragments = document.fragments_by_name
        self._variables = variables

    def object(
        self, type_: Type, selections: tuple[Selection, ...], source: Node, path: _Path
    ) -> dict[str, JSON]:
        """Answer what is selected of an object."""
        return {
            key: self._field(type_, asked, source, (*path, key))
            for key, asked in self._asked(type_, selections).items()
        }

    def _asked(self, type_: Type, selections: tuple[Selection, ...]) -> dict[str, _MergedField]:
        asked: dict[str, _MergedField] = {}
        for each in self._fields(type_, selections, set()):
            before = asked.get(each.key)
            more = (before.selections if before else ()) + each.selections
            asked[each.key] = _MergedField(before.first if before else each, more)
        return asked

    def _fields(
        self, type_: Type, selections: tuple[Selection, ...], spread: set[str]
    ) -> Iterator[Field]:
        """Yield the fields that are wanted of this type, each fragment once."""
        for selection in selections:
            if not self._wanted(selection):
                continue
            match selection:
                case Field():
                    yield selection
                case Inline(on=on) if on is None or self._is(type_, on):
                    yield from self._fields(type_, selection.selections, spread)
                case Spread(name=name) if name not in spread:
                    spread.add(name)
                    fragment = self._fragments[name]
                    if self._is(type_, fragment.on):
                        yield from self._fields(type_, fragment.selections, spread)

    def _wanted(self, selection: Selection) -> bool:
        conditions = {
            directive.name: argument_values(
                self._schema, DIRECTIVES[directive.name], directive.arguments, self._variables
            )["if"]
            for directive in selection.directives
        }
        return conditions.get("include", True) is True and conditions.get("skip") is not True

    def _is(self, type_: Type, name: str) -> bool:
        return type_.name in self._schema.possible(self._schema.types[name])

    def _field(self, type_: Type, asked: _MergedField, source: Node, path: _Path) -> JSON:
        if asked.first.name == "__typename":
            return type_.name
        definition = type_.fields[asked.first.name]
        try:
            given = argument_values(
                self._schema, definition.arguments, asked.first.arguments, self._variables
            )
            value = source.get(asked.first.name)
            answer = value(given) if callable(value) else value
            return self._complete(definition.type, asked, answer, path)
        except (FieldError, InputError) as fault:
            self._note(fault, path)
        except _NullAbove:
            pass
        if isinstance(definition.type, NonNull):
            raise _NullAbove
        return None

    def _note(self, fault: FieldError | InputError, path: _Path) -> None:
        error: dict[str, JSON] = {"message": str(fault), "path": list(path)}
        if isinstance(fault, FieldError) and fault.extensions:
            error["extensions"] = fault.extensions
        self.errors.append(error)

    def _complete(self, ref: TypeRef, asked: _MergedField, answer: Answer, path: _Path) -> JSON:
        match ref, answer:
            case NonNull(), None:
                raise FieldError("Cannot return null for non-nullable field.")
            case NonNull(), _:
                return self._complete(ref.of, asked, answer, path)
            case _, None:
                return None
            case ListOf(), Sequence():
                return self._list(ref, asked, answer, path)
            case _, Mapping() if self._schema.of(ref).composite:
                type_ = self._real(self._schema.of(ref), answer)
                return self.object(type_, asked.selections, answer, path)
            case _:
                return answer  # type: ignore[return-value]  # a leaf: plain JSON

    def _list(
        self, ref: ListOf, asked: _MergedField, answers: Sequence[Answer], path: _Path
    ) -> list[JSON]:
        return [
            self._item(ref.of, asked, answer, (*path, number))
            for number, answer in enumerate(answers)
        ]

    def _item(self, ref: TypeRef, asked: _MergedField, answer: Answer, path: _Path) -> JSON:
        try:
            return self._complete(ref, asked, answer, path)
        except FieldError as fault:
            self._note(fault, path)
        except _NullAbove:
            pass
        if isinstance(ref, NonNull):
            raise _NullAbove
        return None

    def _real(self, type_: Type, source: Node) -> Type:
        return self._schema.types[str(source["__typename"])] if type_.kind != "type" else type_
