"""Convert typed values to plain JSON data and back.

Nothing is converted on the way in: ``"7"`` and ``True`` are no int, a text is not a list. Times
are UTC, in whole seconds, with a ``Z``.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from enum import Enum
from functools import cached_property
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final, TypeVar, overload

import attrs

from rove_core.safety.secret import Secret
from rove_core.wire.json_types import JSON, is_shown
from rove_core.wire.scalars import (
    SCALAR_READERS,
    Problem,
    Read,
    WrongShape,
    choose,
    kind_of,
    read_array,
    read_object,
    unexpected,
)
from rove_core.wire.type_shapes import (
    Anything,
    Choice,
    Many,
    OneOf,
    Record,
    Scalar,
    Shape,
    Table,
    TaggedUnion,
    expectation,
    fields_of,
    kinds,
    shape_of,
)

if TYPE_CHECKING:
    from cattrs import Converter
    from cattrs.errors import ClassValidationError

__all__ = ["STRICT", "TOLERANT", "Structurer", "WrongShape", "to_json"]

_Typed = TypeVar("_Typed")


class Structurer:
    """Makes typed values of plain JSON data."""

    def __init__(self, *, strict: bool) -> None:
        self._strict = strict
        self._records: dict[type, Read] = {}

    @overload
    def structure(self, value: object, shape: type[_Typed]) -> _Typed: ...
    @overload
    def structure(self, value: object, shape: object) -> object: ...
    def structure(self, value: object, shape: object) -> object:
        """Return the value as the type says, or raise :class:`WrongShape`.

        Args:
            value: What ``json.loads`` gave.
            shape: A type out of the closed set of :mod:`rove_core.wire.type_shapes`.
        """
        try:
            return self._reader(shape_of(shape))(value)
        except RecursionError:
            raise WrongShape(Problem("", "it is nested too deeply")) from None

    def _reader(self, shape: Shape) -> Read:  # noqa: PLR0911  # one for each kind of shape
        match shape:
            case Scalar(kind):
                return SCALAR_READERS[kind]
            case Choice():
                return lambda value: choose(value, shape)
            case Many(of, into):
                item = self._reader(of)
                return lambda value: into(_each(enumerate(read_array(value)), item))
            case Table(of):
                item = self._reader(of)
                return lambda value: _read_table(value, item)
            case Record(cls):
                # It is looked up late: a class may hold itself.
                return lambda value: self._record(cls)(value)  # noqa: PLW0108  # see above
            case TaggedUnion():
                return self._read_tagged(shape)
            case OneOf():
                return self._one_of(shape)
            case Anything():
                return lambda value: value

    def _one_of(self, shape: OneOf) -> Read:
        readers = {kind: self._reader(one) for one in shape.members for kind in kinds(one)}
        if "number" in readers:
            readers.setdefault("integer", readers["number"])

        def read(value: object) -> object:
            reader = readers.get(kind_of(value))
            if reader is None:
                raise unexpected(shape, value)
            return reader(value)

        return read

    def _read_tagged(self, shape: TaggedUnion) -> Read:
        tags = Choice(tuple(shape.records))

        def read(value: object) -> object:
            fields = read_object(value)
            if shape.tag not in fields:
                raise WrongShape(Problem(shape.tag, f"missing, expected {expectation(tags)}"))
            (tag,) = _each([(shape.tag, fields[shape.tag])], lambda tag: choose(tag, tags))
            return self._record(shape.records[tag].cls)(fields)

        return read

    def _record(self, cls: type[attrs.AttrsInstance]) -> Read:
        if cls not in self._records:
            self._records[cls] = self._compile(cls)
        return self._records[cls]

    def _compile(self, cls: type[attrs.AttrsInstance]) -> Read:
        from cattrs import ClassValidationError  # noqa: PLC0415  # 45 ms that only a record should pay
        from cattrs.gen import make_dict_structure_fn  # noqa: PLC0415  # the same

        fields = fields_of(cls)
        required = {field.alias for field in fields if field.default is attrs.NOTHING}
        derived = {field.alias for field in attrs.fields(cls) if is_shown(field) and not field.init}
        for field in fields:
            shape_of(field.type)  # What is outside the set is refused here, in our words.
        build = make_dict_structure_fn(
            cls, self._converter, _cattrs_forbid_extra_keys=self._strict, _cattrs_use_alias=True
        )

        def read(value: object) -> object:
            fields = read_object(value)
            if derived:
                fields = {k: v for k, v in fields.items() if k not in derived}
            if not self._strict:
                fields = {k: v for k, v in fields.items() if v is not None or k in required}
            try:
                return build(fields, cls)
            except ClassValidationError as error:
                raise WrongShape(*_problems_of(error, cls)) from None

        return read

    @cached_property
    def _converter(self) -> "Converter":
        from cattrs import Converter  # noqa: PLC0415  # the same

        converter = Converter()
        converter.register_structure_hook_factory(lambda _: True, self._hook)
        for kind in SCALAR_READERS:
            converter.register_structure_hook(kind, self._hook(kind))
        return converter

    def _hook(self, hint: object) -> Callable[[object, object], Any]:
        read = self._reader(shape_of(hint))
        return lambda value, _: read(value)


#: For what a caller gives: it must fit exactly.
STRICT: Final = Structurer(strict=True)
#: For what a vendor sends: unknown keys are left out, and null is as good as nothing.
TOLERANT: Final = Structurer(strict=False)


def to_json(value: object) -> JSON:  # noqa: PLR0911  # one for each kind of value
    """Return a typed value as plain JSON data; what JSON cannot say is a TypeError."""
    match value:
        case Enum():
            return to_json(value.value)
        case None | bool() | int() | str():
            return value
        case float() if math.isfinite(value):
            return value
        case datetime() if value.tzinfo is not None:
            return f"{value.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat()}Z"
        case date() if not isinstance(value, datetime):
            return value.isoformat()
        case PurePath():
            return str(value)
        case list() | tuple():
            return [to_json(item) for item in value]
        case Mapping():
            return {_name(key): to_json(item) for key, item in value.items()}
    if attrs.has(kind := type(value)):
        fields = [field for field in attrs.fields(kind) if is_shown(field)]
        return {_name(field.alias): to_json(getattr(value, field.name)) for field in fields}
    raise _not_encodable(value)


def _name(key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"a key must be text in JSON, not {type(key).__name__} ({key!r})")
    return key


def _not_encodable(value: object) -> TypeError:
    match value:
        case Secret():
            return TypeError("a Secret cannot be sent: return only what people may see")
        case float():
            return TypeError(f"JSON has no number {value}")
        case datetime():
            return TypeError(f"the time {value.isoformat()} has no zone")
        case _:
            return TypeError(f"{type(value).__qualname__} cannot be written as JSON")


def _read_table(value: object, read: Read) -> Mapping[str, object]:
    table = read_object(value)
    return dict(zip(table, _each(table.items(), read), strict=True))


def _each(items: Iterable[tuple[str | int, object]], read: Read) -> list[Any]:
    good, problems = [], []
    for key, value in items:
        try:
            good.append(read(value))
        except WrongShape as error:
            problems += [problem.below(key) for problem in error.problems]
    if problems:
        raise WrongShape(*problems)
    return good


def _problems_of(
    error: "ClassValidationError", cls: type[attrs.AttrsInstance]
) -> Iterator[Problem]:
    """Turn cattrs' exception groups into Rove's messages."""
    from cattrs import ForbiddenExtraKeysError  # noqa: PLC0415  # it is loaded by now

    aliases = {field.name: field.alias or field.name for field in attrs.fields(cls)}
    of_fields, of_all = error.group_exceptions()
    for wrong, note in of_fields:
        yield from (problem.below(aliases[note.name]) for problem in _problems(wrong))
    for wrong in of_all:
        if isinstance(wrong, ForbiddenExtraKeysError):
            yield from (Problem("", "unknown key").below(key) for key in sorted(wrong.extra_fields))
        else:
            yield from _problems(wrong)


def _problems(error: Exception) -> Sequence[Problem]:
    match error:
        case WrongShape():
            return error.problems
        case KeyError():
            return [Problem("", "missing")]
        case _:
            # attrs' own validators append what they checked to the sentence.
            return [Problem("", str(error.args[0] if error.args else error))]
