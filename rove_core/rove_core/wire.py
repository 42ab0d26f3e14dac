"""The edges: typed values to plain JSON data and back.

Nothing is converted on the way in: ``"7"`` and ``True`` are no int, a text is no list. Times
are UTC, in whole seconds, with a ``Z``.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from enum import Enum
from pathlib import Path, PurePath
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, overload

import attrs
from attrs import frozen

from rove_core.items import JSON
from rove_core.secret import Secret
from rove_core.shapes import (
    Anything,
    Choice,
    Many,
    OneOf,
    Record,
    Scalar,
    Shape,
    Table,
    Tagged,
    expectation,
    fields_of,
    kinds,
    shape_of,
)

if TYPE_CHECKING:
    from cattrs.errors import ClassValidationError

_Typed = TypeVar("_Typed")
_Read: TypeAlias = Callable[[object], Any]

_MOST_PROBLEMS: Final = 10
_MOST_LETTERS: Final = 40


@frozen
class Problem:
    """One place where a value is not what it must be.

    Attributes:
        path: Where (``evidence.tests[1]``); empty for the value itself.
        text: What is wrong there.
    """

    path: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}: {self.text}" if self.path else self.text

    def below(self, key: str | int) -> "Problem":
        """Return the same problem as the value that holds this one, under a key, tells it."""
        dot = "." if self.path and not self.path.startswith("[") else ""
        return Problem(f"{_step(key)}{dot}{self.path}", self.text)


class WrongShape(ValueError):
    """What came in does not have the shape it must have; it names all that is wrong."""

    def __init__(self, *problems: Problem) -> None:
        said = [str(problem) for problem in problems[:_MOST_PROBLEMS]]
        if len(problems) > _MOST_PROBLEMS:
            said.append(f"and {len(problems) - _MOST_PROBLEMS} more")
        super().__init__("; ".join(said))
        self.problems = problems


class Structuring:
    """Makes typed values of plain JSON data."""

    def __init__(self, *, strict: bool) -> None:
        self._strict = strict
        self._records: dict[type, _Read] = {}

    @overload
    def structure(self, value: object, shape: type[_Typed]) -> _Typed: ...
    @overload
    def structure(self, value: object, shape: object) -> object: ...
    def structure(self, value: object, shape: object) -> object:
        """Return the value as the type says, or raise :class:`WrongShape`.

        Args:
            value: What ``json.loads`` gave.
            shape: A type out of the closed set of :mod:`rove_core.shapes`.
        """
        try:
            return self._reader(shape_of(shape))(value)
        except RecursionError:
            raise WrongShape(Problem("", "it is nested too deeply")) from None

    def _reader(self, shape: Shape) -> _Read:
        match shape:
            case Scalar(kind):
                return _SCALARS[kind]
            case Choice():
                return lambda value: _choose(value, shape)
            case Many(of, into):
                item = self._reader(of)
                return lambda value: into(_each(enumerate(_array(value)), item))
            case Table(of):
                item = self._reader(of)
                return lambda value: dict(
                    zip(value, _each(_object(value).items(), item), strict=True)
                )
            case Record(cls):
                return lambda value: self._record(cls)(value)
            case Tagged():
                return self._tagged(shape)
            case OneOf():
                return self._one_of(shape)
            case Anything():
                return lambda value: value

    def _one_of(self, shape: OneOf) -> _Read:
        readers = {kind: self._reader(one) for one in shape.members for kind in kinds(one)}
        if "number" in readers:
            readers.setdefault("integer", readers["number"])

        def read(value: object) -> object:
            reader = readers.get(_kind(value))
            if reader is None:
                raise _unexpected(shape, value)
            return reader(value)

        return read

    def _tagged(self, shape: Tagged) -> _Read:
        tags = Choice(tuple(shape.records))

        def read(value: object) -> object:
            given = _object(value)
            if shape.tag not in given:
                raise WrongShape(Problem(shape.tag, f"missing; expected {expectation(tags)}"))
            (tag,) = _each([(shape.tag, given[shape.tag])], lambda tag: _choose(tag, tags))
            return self._record(shape.records[tag].cls)(given)

        return read

    def _record(self, cls: type[attrs.AttrsInstance]) -> _Read:
        """Return the reader of an attrs class; it is only made when needed: classes may recur."""
        if cls not in self._records:
            self._records[cls] = self._compile(cls)
        return self._records[cls]

    def _compile(self, cls: type[attrs.AttrsInstance]) -> _Read:
        from cattrs import ClassValidationError, Converter  # noqa: PLC0415  # 45 ms
        from cattrs.gen import make_dict_structure_fn, override  # noqa: PLC0415  # the same

        fields = {field.name: field for field in fields_of(cls)}
        required = {field.alias for field in fields.values() if field.default is attrs.NOTHING}
        build = make_dict_structure_fn(
            cls,
            Converter(),
            _cattrs_forbid_extra_keys=self._strict,
            _cattrs_detailed_validation=True,
            **{
                name: override(rename=field.alias, struct_hook=self._hook(field.type))
                for name, field in fields.items()
            },
        )

        def read(value: object) -> object:
            given = _object(value)
            if not self._strict:
                given = {k: v for k, v in given.items() if v is not None or k in required}
            try:
                return build(given, cls)
            except ClassValidationError as error:
                raise WrongShape(*_told(error, cls)) from None

        return read

    def _hook(self, hint: object) -> Callable[[object, object], Any]:
        read = self._reader(shape_of(hint))
        return lambda value, _: read(value)


#: For what a caller gives: it must fit exactly.
STRICT: Final = Structuring(strict=True)
#: For what a vendor sends: unknown keys are left out, and null is as good as nothing.
TOLERANT: Final = Structuring(strict=False)


def to_json(value: object) -> JSON:
    """Return a typed value as plain JSON data; what JSON cannot say is a TypeError."""
    match value:
        case Enum():
            return to_json(value.value)
        case None | bool() | int() | str():
            return value
        case float() if math.isfinite(value):
            return value
        case datetime() if value.tzinfo is not None:
            return value.astimezone(UTC).strftime(...)
        case date() if not isinstance(value, datetime):
            return value.isoformat()
        case PurePath():
            return str(value)
        case Mapping():
            return {_key(key): to_json(item) for key, item in value.items()}
        case list() | tuple():
            return [to_json(item) for item in value]
        case Secret():
            raise TypeError("a Secret never crosses the wire: return what people may see of it")
    if attrs.has(type(value)):
        ...
    raise TypeError
