"""Check values as they are written against the types they are meant for."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from attrs import frozen

from rove_sim.graphql.nodes import (
    EnumName,
    ListOf,
    NamedType,
    NonNull,
    ObjectValue,
    TypeRef,
    Value,
    Variable,
)
from rove_sim.graphql.schema import InputField, Schema, Type

_WIDEST: Final = 2**31


@frozen
class Use:
    """Where a variable is used: what is wanted there, and whether it may be left out.

    Attributes:
        type: None inside of a value that no type describes.
    """

    name: str
    type: TypeRef | None
    optional: bool = False


#: What a check finds: a complaint, or the use of a variable, which its definition has to suit.
Finding: TypeAlias = str | Use


def in_literal(schema: Schema, wanted: InputField, value: Value) -> Iterator[Finding]:
    """Yield what is to be said of a value that stands for an argument or an input's field."""
    if isinstance(value, Variable):
        yield Use(value.name, wanted.type, optional=wanted.default is not None)
    else:
        yield from _in_value(schema, wanted.type, value)


def repeated(names: Iterable[str]) -> list[str]:
    """Return the names that are there more than once."""
    return [name for name, times in Counter(names).items() if times > 1]


def scalar_fits(name: str, value: object) -> bool:
    """Tell whether a plain value is one of a built-in scalar; any is one of another scalar."""
    match name:
        case "Int":
            return _whole(value) and -_WIDEST <= int(str(value)) < _WIDEST
        case "Float":
            return _whole(value) or isinstance(value, float)
        case "String":
            return isinstance(value, str)
        case "Boolean":
            return isinstance(value, bool)
        case "ID":
            return isinstance(value, str) or _whole(value)
        case _:
            return True


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _in_value(schema: Schema, ref: TypeRef, value: Value) -> Iterator[Finding]:
    match ref, value:
        case _, Variable():
            yield Use(value.name, ref)
        case NonNull(), None:
            yield f'Expected value of type "{ref}", found null.'
        case NonNull(), _:
            yield from _in_value(schema, ref.of, value)
        case _, None:
            return
        case ListOf(), tuple():
            for each in value:
                yield from _in_value(schema, ref.of, each)
        case ListOf(), _:
            yield from _in_value(schema, ref.of, value)
        case NamedType(), _:
            yield from _in_named(schema, schema.of(ref), value)


def _in_named(schema: Schema, type_: Type, value: Value) -> Iterator[Finding]:
    match type_.kind, value:
        case "input", ObjectValue():
            yield from _in_object(schema, type_, value)
        case "scalar", EnumName() | ObjectValue() | tuple() if _built_in(type_):
            yield f'Expected value of type "{type_.name}", found {_written(value)}.'
        case "scalar", EnumName() | ObjectValue() | tuple():
            yield from _in_free(value)
        case "scalar", _ if scalar_fits(type_.name, value):
            return
        case "enum", EnumName(name) if name in type_.values:
            return
        case _:
            yield f'Expected value of type "{type_.name}", found {_written(value)}.'


def _in_object(schema: Schema, type_: Type, value: ObjectValue) -> Iterator[Finding]:
    given = [name for name, _ in value.pairs]
    yield from _twice(given)
    for name, field in type_.inputs.items():
        if field.required and name not in given:
            yield f'Field "{type_.name}.{name}" of required type "{field.type}" was not provided.'
    for name, inner in value.pairs:
        if name in type_.inputs:
            yield from in_literal(schema, type_.inputs[name], inner)
        else:
            yield f'Field "{name}" is not defined by type "{type_.name}".'


def _built_in(type_: Type) -> bool:
    return type_.name in {"Int", "Float", "String", "Boolean", "ID"}


def _in_free(value: Value) -> Iterator[Finding]:
    """Check a value that no type describes: only its form can be wrong."""
    match value:
        case Variable(name):
            yield Use(name, None)
        case tuple():
            for each in value:
                yield from _in_free(each)
        case ObjectValue(pairs):
            yield from _twice(name for name, _ in pairs)
            for _, each in pairs:
                yield from _in_free(each)


def _twice(names: Iterable[str]) -> Iterator[str]:
    for name in repeated(names):
        yield f'There can be only one input field named "{name}".'


def _written(value: Value) -> str:
    match value:
        case EnumName(name):
            return name
        case ObjectValue():
            return "an object"
        case tuple():
            return "a list"
        case bool():
            return str(value).lower()
        case _:
            return repr(value)


def plain(value: Value, variables: Mapping[str, object]) -> object:
    """Return what a value means; a field whose variable is not given is left out."""
    match value:
        case Variable(name):
            return variables.get(name)
        case EnumName(name):
            return name
        case tuple():
            return [plain(each, variables) for each in value]
        case ObjectValue(pairs):
            return {
                name: plain(each, variables)
                for name, each in pairs
                if not isinstance(each, Variable) or each.name in variables
            }
        case _:
            return value
