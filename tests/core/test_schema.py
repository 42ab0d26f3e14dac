from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import attrs
import jsonschema
import msgspec
import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st

from rove_core.items import ContextItem, ItemRef
from rove_core.wire.json_types import JSON
from rove_core.wire.parameters import Parameter
from rove_core.wire.schema import Schema, input_schema, output_schema
from rove_core.wire.structure import STRICT, WrongShape, to_json


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@frozen
class Evidence:
    """What shows that it is done.

    Attributes:
        tests: Which tests pass,
            by their names.
        note: Overridden below.
    """

    tests: tuple[str, ...] = ()
    note: Annotated[str | None, "In a sentence."] = None
    seen: list[int] = field(factory=list)


@frozen
class Node:
    name: str
    below: "tuple[Node, ...]" = ()
    weight: float = 1


@frozen
class Moved:
    kind: Literal["moved"]
    to: str


@frozen
class Closed:
    kind: Literal["closed"] = "closed"


HINTS = [
    str,
    int,
    float,
    bool,
    type(None),
    int | str | None,
    int | float,
    Literal["a", 1],
    Colour,
    list[int],
    tuple[float, ...],
    Mapping[str, bool | None],
    Node,
    Evidence | None,
    Sequence[Moved | Closed],
    JSON,
]
KEYS = st.sampled_from(["a", "kind", "name", "below", "weight", "tests", "note", "to"])
#: A float without a fraction is an integer to JSON Schema, but not to Python.
FLOATS = st.floats(allow_nan=False, allow_infinity=False).filter(lambda one: not one.is_integer())
LEAVES = st.sampled_from([None, True, False, 1, "a", "red", "moved", "closed"]) | FLOATS
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


def taking(hint: object) -> Schema:
    """Return the schema of an operation with one argument."""
    return input_schema([Parameter("it", hint, required=True, default=attrs.NOTHING)])


def is_valid(value: object, schema: Schema) -> bool:
    """Tell what an independent validator says."""
    return bool(jsonschema.Draft202012Validator(dict(schema)).is_valid(value))


def is_read(value: object, hint: object) -> bool:
    """Tell whether the strict side takes a value."""
    try:
        STRICT.structure(value, hint)
    except WrongShape:
        return False
    return True


@given(hint=st.sampled_from(HINTS), value=VALUES)
def test_the_schema_says_what_is_taken(hint: object, value: object) -> None:
    """A value is valid by the schema exactly when the strict side reads it."""
    assert is_valid({"it": value}, taking(hint)) == is_read(value, hint)


@given(hint=st.sampled_from(HINTS[:12]), value=VALUES)
def test_msgspec_takes_the_same(hint: type, value: object) -> None:
    """Where msgspec knows the type, it takes and refuses the same values."""
    try:
        msgspec.convert(value, hint, strict=True)
    except msgspec.ValidationError:
        taken = False
    else:
        taken = True

    assert taken == is_read(value, hint)


@pytest.mark.parametrize("hint", [*HINTS[:7], Literal["a", "b"], *HINTS[9:12], date, Any])
def test_msgspec_writes_the_same(hint: object) -> None:
    """Where msgspec knows the type, it writes the same schema."""
    ours = {name: part for name, part in output_schema(hint).items() if name != "$schema"}

    assert msgspec.json.schema(hint) == ours


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (datetime, {"type": "string", "format": "date-time"}),
        (Path, {"type": "string"}),
        (Colour, {"enum": ["red", "blue"]}),
        (JSON, {}),
    ],
)
def test_what_msgspec_writes_otherwise(hint: object, schema: Schema) -> None:
    """Times have a format, paths none, choices stand where they are used, JSON is anything."""
    assert schema.items() <= output_schema(hint).items()


def test_a_class_is_described_by_its_own_words() -> None:
    """Docstring, attributes and Annotated become descriptions; defaults are told."""
    assert taking(Evidence)["$defs"] == {
        "Evidence": {
            "description": "What shows that it is done.",
            "type": "object",
            "properties": {
                "tests": {
                    "type": "array",
                    "items": {"type": "string"},
                    "description": "Which tests pass, by their names.",
                    "default": [],
                },
                "note": {
                    "anyOf": [{"type": "string"}, {"type": "null"}],
                    "description": "In a sentence.",
                    "default": None,
                },
                "seen": {"type": "array", "items": {"type": "integer"}},
            },
            "additionalProperties": False,
        }
    }


def test_what_comes_out_is_all_there_and_may_grow() -> None:
    """A result has every key, and the schema does not forbid the keys of later versions."""
    assert output_schema(Closed) == {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$ref": "#/$defs/Closed",
        "$defs": {
            "Closed": {
                "type": "object",
                "properties": {"kind": {"enum": ["closed"]}},
                "required": ["kind"],
            }
        },
    }


def test_a_result_is_valid_by_its_schema() -> None:
    """What is written of a recursive item is what its schema says."""
    item = STRICT.structure(
        {
            "ref": {"account": "jira", "kind": "ticket", "id": "TB-1"},
            "source": "jira",
            "role": "ticket",
            "title": "A",
            "content": "",
            "timestamp": "2024-12-15T10:00:00Z",
        },
        ContextItem,
    )

    assert is_valid(to_json(attrs.evolve(item, thread=(item,))), output_schema(ContextItem))


def test_an_items_type_is_in_json() -> None:
    """It follows from the reference, and is read back with it."""
    item = ContextItem(
        ref=ItemRef(account="jira", kind="ticket", id="TB-1"),
        source="jira",
        role="ticket",
        title="",
        content="",
        timestamp=datetime(2026, 1, 1, tzinfo=UTC),
    )
    told = cast("dict[str, JSON]", to_json(item))

    assert told["item_type"] == "ticket"
    assert STRICT.structure({**told, "item_type": "other"}, ContextItem) == item
    assert (
        "item_type" in cast("Any", output_schema(ContextItem))["$defs"]["ContextItem"]["required"]
    )


def test_two_classes_of_one_name_do_not_meet() -> None:
    """Each has its own definition, even beside a class with the very name that is free."""
    first = attrs.make_class("Node", {"a": field(type=int)}, frozen=True)
    second = attrs.make_class("Node_2", {"b": field(type=int)}, frozen=True)
    holder = attrs.make_class(
        "Holder", {"a": field(type=second), "b": field(type=Node), "c": field(type=first)}
    )

    definitions = output_schema(holder)["$defs"]

    assert isinstance(definitions, dict)
    assert [*definitions] == ["Holder", "Node_2", "Node", "Node_3"]


def test_a_type_outside_the_set_has_no_schema() -> None:
    """The TypeError names the type, however deep it lies."""
    strange = attrs.make_class("Strange", {"bag": field(type=set[str])}, frozen=True)

    with pytest.raises(TypeError, match=r"set\[str\] is not allowed here: use str, int"):
        output_schema(list[strange])  # type: ignore[valid-type]  # made by a call


def test_a_type_that_is_not_there_is_named() -> None:
    """A type that is only imported for the type checker is a TypeError."""

    @frozen
    class Hollow:
        project: "Nowhere"  # type: ignore[name-defined]  # noqa: F821  # it is what is refused

    with pytest.raises(TypeError, match="Hollow: name 'Nowhere' is not defined"):
        output_schema(Hollow)
