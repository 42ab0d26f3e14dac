"""JSON Schema (2020-12) of operations' arguments and results."""

from collections.abc import Mapping, Sequence
from itertools import chain, count
from typing import Final, TypeAlias

import attrs

from rove_core.wire.json_types import JSON
from rove_core.wire.parameters import Parameter, parameters_of
from rove_core.wire.structure import to_json
from rove_core.wire.type_shapes import (
    SCALARS,
    Anything,
    Choice,
    Many,
    OneOf,
    Record,
    Scalar,
    Shape,
    Table,
    TaggedUnion,
    shape_of,
)

Schema: TypeAlias = Mapping[str, JSON]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_FORMATS: Final = {"datetime": "date-time", "date": "date"}


def input_schema(parameters: Sequence[Parameter]) -> Schema:
    """Return the schema of an object of arguments; it allows no others."""
    writer = _Writer(incoming=True)
    return writer.document(writer.object(parameters))


def output_schema(hint: object) -> Schema:
    """Return the schema of a result; later versions may add keys to its objects.

    Args:
        hint: The type of the result.
    """
    writer = _Writer(incoming=False)
    return writer.document(writer.of_type(hint))


class _Writer:
    """Writes the schemas of a document, with one shared definition per attrs class."""

    def __init__(self, *, incoming: bool) -> None:
        self._incoming = incoming
        self._names: dict[type, str] = {}
        self._definitions: dict[str, JSON] = {}

    def document(self, schema: Schema) -> Schema:
        """Return the whole document."""
        definitions = {"$defs": self._definitions} if self._definitions else {}
        return {"$schema": DIALECT, **schema, **definitions}

    def of_type(self, hint: object) -> Schema:
        """Return the schema of a type."""
        return self._of(shape_of(hint))

    def object(self, parameters: Sequence[Parameter]) -> Schema:
        """Return the schema of an object with these members."""
        required = [one.name for one in parameters if one.required or not self._incoming]
        return {
            "type": "object",
            "properties": {one.name: self._member(one) for one in parameters},
            **({"required": required} if required else {}),
            **({"additionalProperties": False} if self._incoming else {}),
        }

    def _member(self, parameter: Parameter) -> Schema:
        schema = dict(self.of_type(parameter.type))
        if parameter.help:
            schema["description"] = parameter.help
        if self._incoming and parameter.default is not attrs.NOTHING:
            schema["default"] = to_json(parameter.default)
        return schema

    def _of(self, shape: Shape) -> Schema:  # noqa: PLR0911  # one for each kind of shape
        match shape:
            case Scalar(kind):
                form = _FORMATS.get(kind.__name__)
                return {"type": SCALARS[kind][0], **({"format": form} if form else {})}
            case Choice(values):
                return {"enum": list(values)}
            case Many(of):
                return {"type": "array", "items": self._of(of)}
            case Table(of):
                return {"type": "object", "additionalProperties": self._of(of)}
            case Record(cls):
                return {"$ref": f"#/$defs/{self._define(cls)}"}
            case TaggedUnion(tag, records):
                alternatives = dict.fromkeys(records.values())
                return {"anyOf": [{**self._of(one), "required": [tag]} for one in alternatives]}
            case OneOf(members):
                return {"anyOf": [self._of(member) for member in members]}
            case Anything():
                return {}

    def _define(self, cls: type[attrs.AttrsInstance]) -> str:
        if cls not in self._names:
            name = self._names[cls] = self._free_name(cls.__name__)
            title = (cls.__doc__ or "").strip().partition("\n")[0]
            self._definitions[name] = {}  # It keeps its place before those that it leads to.
            self._definitions[name] = {
                **({"description": title} if title else {}),
                **self.object(parameters_of(cls, outgoing=not self._incoming)),
            }
        return self._names[cls]

    def _free_name(self, name: str) -> str:
        """Return a name for a class: two modules may have one of the same name."""
        names = chain([name], (f"{name}_{number}" for number in count(2)))
        return next(one for one in names if one not in self._definitions)
