"""The closed set of types that operations and vendors' replies may use.

::

    Scalar     str, int, float, bool, None, datetime, date, Path
    Choice     Literal[...], an Enum by its values
    Many       list[T], tuple[T, ...], Sequence[T]
    Table      Mapping[str, T], dict[str, T]
    Record     an attrs class
    Tagged     a union of attrs classes, each with another Literal in one field
    OneOf      any other union whose members can be told apart in JSON
    Anything   Any, JSON
"""

import builtins
import collections.abc
import json
import types
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from enum import Enum
from itertools import combinations
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Any,
    Final,
    ForwardRef,
    Literal,
    TypeAlias,
    Union,
    get_args,
    get_origin,
)

import attrs
from attrs import frozen

from rove_core.wire.json_types import JSON, is_shown
from rove_core.wire.parameters import without_help

#: Each scalar, with what JSON Schema calls it and how people are told that it is due.
SCALARS: Final[Mapping[type, tuple[str, str]]] = {
    str: ("string", "text"),
    int: ("integer", "a whole number"),
    float: ("number", "a number"),
    bool: ("boolean", "true or false"),
    NoneType: ("null", "null"),
    datetime: ("string", "a time with its zone, like 2024-12-15T10:00:00Z"),
    date: ("string", "a date like 2024-12-15"),
    Path: ("string", "a path"),
}

_KINDS: Final = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_ALLOWED: Final = (
    "use str, int, float, bool, None, datetime, date, Path, Literal, Enum, JSON, attrs classes, "
    "and list, tuple[T, ...], Mapping[str, T] or unions of these"
)
_NAMES_OF_JSON: Final = ("JSON", ForwardRef("JSON"))
_JSON_MEMBERS: Final = {NoneType, bool, int, float, str, Sequence, Mapping}


@frozen
class Scalar:
    """One of :data:`SCALARS`."""

    type: type


@frozen
class Choice:
    """One of a few values: a Literal, or an Enum by its values."""

    values: tuple[str | int | bool, ...]
    enum: type[Enum] | None = None


@frozen
class Many:
    """Any number of one shape, as a list or a tuple."""

    of: "Shape"
    into: type[list[object]] | type[tuple[object, ...]]


@frozen
class Table:
    """Any number of one shape, each under a name."""

    of: "Shape"


@frozen
class Record:
    """An attrs class."""

    cls: type[attrs.AttrsInstance]


@frozen
class TaggedUnion:
    """A union of records that a Literal field distinguishes.

    Attributes:
        tag: The field.
        records: The record of each of its values.
    """

    tag: str
    records: Mapping[str, Record]


@frozen
class OneOf:
    """A union of types with different JSON types."""

    members: "tuple[Shape, ...]"


@frozen
class Anything:
    """Whatever JSON can say."""


Shape: TypeAlias = Scalar | Choice | Many | Table | Record | TaggedUnion | OneOf | Anything


def shape_of(hint: object) -> Shape:
    """Return the shape of a type, or raise a TypeError that names the type.

    Args:
        hint: The type, as ``typing.get_type_hints`` gives it.
    """
    bare, _ = without_help(hint)
    if _is_json(bare):
        return Anything()
    if get_origin(bare) is Literal:
        return Choice(_choosable(bare, get_args(bare)))
    if get_origin(bare) in (Union, UnionType):
        return _one_of(bare)
    if get_origin(bare) is not None:
        return _collection(bare)
    return _plain_shape(bare)


def kinds(shape: Shape) -> frozenset[str]:
    """Return the JSON types in which a shape is written."""
    match shape:
        case Scalar(kind):
            return frozenset({SCALARS[kind][0]})
        case Choice(values):
            return frozenset(SCALARS[type(value)][0] for value in values)
        case Many():
            return frozenset({"array"})
        case Table() | Record() | TaggedUnion():
            return frozenset({"object"})
        case OneOf(members):
            return frozenset().union(*map(kinds, members))
        case Anything():
            return _KINDS


def expectation(shape: Shape) -> str:
    """Describe a shape in words."""
    match shape:
        case Scalar(kind):
            return SCALARS[kind][1]
        case Choice(values):
            return "one of " + ", ".join(json.dumps(value) for value in values)
        case Many():
            return "a list"
        case Table() | Record() | TaggedUnion():
            return "an object"
        case OneOf(members):
            return " or ".join(map(expectation, members))
        case Anything():
            return "anything"


def fields_of(record: type[attrs.AttrsInstance]) -> "Sequence[attrs.Attribute[Any]]":
    """Return the fields that an attrs class takes, their types resolved."""
    return [field for field in shown_fields(record) if field.init]


def shown_fields(record: type[attrs.AttrsInstance]) -> "Sequence[attrs.Attribute[Any]]":
    """Return the fields that an attrs class takes or has ``IN_JSON``, their types resolved."""
    try:
        attrs.resolve_types(record)
    except NameError as error:
        if error.name != "JSON":
            raise TypeError(f"{record.__qualname__}: {error}") from error
        # A module that writes `items.JSON` cannot itself resolve what JSON says of itself.
        attrs.resolve_types(record, localns={"JSON": JSON})
    return [field for field in attrs.fields(record) if is_shown(field)]


def _plain_shape(hint: object) -> Shape:
    if not isinstance(hint, type):
        raise _outside(hint)
    if hint in SCALARS:
        return Scalar(hint)
    if attrs.has(hint):
        return Record(hint)
    if issubclass(hint, Enum):
        return Choice(_choosable(hint, [member.value for member in hint]), hint)
    raise _outside(hint)


def _collection(hint: object) -> Shape:
    match get_origin(hint), get_args(hint):
        case (builtins.list, (item,)):
            return Many(shape_of(item), list)
        case (builtins.tuple, (item, types.EllipsisType())) | (collections.abc.Sequence, (item,)):
            return Many(shape_of(item), tuple)
        case (builtins.dict | collections.abc.Mapping, (builtins.str, item)):
            return Table(shape_of(item))
        case _:
            raise _outside(hint)


def _one_of(hint: object) -> Shape:
    shapes = [shape_of(member) for member in get_args(hint)]
    records = [shape for shape in shapes if isinstance(shape, Record)]
    if len(records) > 1:
        shapes = [shape for shape in shapes if shape not in records] + [
            _tagged_union(hint, records)
        ]
    if any(kinds(one) & kinds(other) for one, other in combinations(shapes, 2)):
        raise _alike(hint)
    return OneOf(tuple(shapes)) if len(shapes) > 1 else shapes[0]


def _tagged_union(hint: object, records: Sequence[Record]) -> TaggedUnion:
    tags = [_literals(record) for record in records]
    for name in tags[0]:
        named = [
            (value, record)
            for record, literals in zip(records, tags, strict=True)
            for value in literals.get(name, ())
        ]
        if all(name in literals for literals in tags) and len(named) == len(dict(named)):
            return TaggedUnion(name, dict(named))
    raise _alike(hint)


def _literals(record: Record) -> Mapping[str, tuple[str, ...]]:
    """Return the values of each field that is a Literal of texts."""
    hints = {field.alias: without_help(field.type)[0] for field in fields_of(record.cls)}
    found = {name: get_args(hint) for name, hint in hints.items() if get_origin(hint) is Literal}
    return {
        name: values
        for name, values in found.items()
        if name and all(isinstance(value, str) for value in values)
    }


def _choosable(hint: object, values: Sequence[object]) -> tuple[str | int | bool, ...]:
    chosen = tuple(value for value in values if isinstance(value, str | int))
    if len(chosen) != len(values):
        raise _outside(hint)
    return chosen


def _is_json(hint: object) -> bool:
    """Return whether a type is Any or JSON, which is recursive."""
    if hint is Any or hint in _NAMES_OF_JSON:
        return True
    members = get_args(hint) if get_origin(hint) in (Union, UnionType) else ()
    if {get_origin(member) or member for member in members} != _JSON_MEMBERS:
        return False
    return all(_is_json(get_args(member)[-1]) for member in members if get_args(member))


def _alike(hint: object) -> TypeError:
    return TypeError(f"{hint}: its members look the same in JSON")


def _outside(hint: object) -> TypeError:
    name = hint.__qualname__ if isinstance(hint, type) else str(hint)
    return TypeError(f"{name} is not allowed here: {_ALLOWED}")
