"""Parameters of an operation or an attrs class: names, types, defaults and help."""

import inspect
import re
from collections.abc import Mapping
from itertools import takewhile
from typing import Annotated, Any, Final, Literal, NamedTuple, get_args, get_origin

import attrs

#: It is the class of attrs' own marker of a default that is made anew each time.
_FACTORY: Final[type] = type(attrs.Factory(list))


class Parameter(NamedTuple):
    """One named value that an operation or an attrs class takes.

    Attributes:
        name: How it is called on the wire.
        type: Its type, without ``Annotated``.
        required: Whether it must be given.
        default: What it is otherwise; ``attrs.NOTHING`` when it is required or made anew.
        help: One line for people; empty when nobody wrote one.
    """

    name: str
    type: Any
    required: bool
    default: Any
    help: str = ""


def parameters_of(
    record: type[attrs.AttrsInstance], *, outgoing: bool = False
) -> tuple[Parameter, ...]:
    """Return the parameters of an attrs class, with resolved types and help.

    Args:
        record: The class.
        outgoing: Whether to add the derived fields that only JSON for a reader has.
    """
    from rove_core.wire.type_shapes import fields_of, shown_fields  # noqa: PLC0415  # they build on this module

    helps: dict[str, str] = {}
    for base in reversed(record.__mro__):
        helps |= described(base.__doc__ or "", "Attributes")
    fields = shown_fields(record) if outgoing else fields_of(record)
    return tuple(_parameter(field, helps) for field in fields)


def without_help(hint: object) -> tuple[Any, str]:
    """Split ``Annotated[T, "help"]``; any other type comes back with an empty help."""
    if get_origin(hint) is not Annotated:
        return hint, ""
    bare, *notes = get_args(hint)
    return bare, next((note for note in notes if isinstance(note, str)), "")


def described(doc: str, section: str) -> Mapping[str, str]:
    """Return the descriptions by name in a Google-style docstring section."""
    _, _, below = inspect.cleandoc(doc).partition(f"\n{section}:\n")
    block = takewhile(lambda line: not line or line.startswith(" "), below.splitlines())
    text = inspect.cleandoc("\n" + "\n".join(block))
    found = re.findall(r"^(\w+): (.*(?:\n +.*)*)", text, re.MULTILINE)
    return {name: " ".join(words.split()) for name, words in found}


def needs_no_check(kind: object, value: object) -> bool:
    """Return whether a value is text, a boolean, or one of a few texts, as expected."""
    if get_origin(kind) is Literal:
        return type(value) is str and value in get_args(kind)
    expected = {str: (str, str | None), bool: (bool, bool | None)}.get(type(value), ())
    return kind in expected


def _parameter(field: "attrs.Attribute[Any]", helps: Mapping[str, str]) -> Parameter:
    bare, help_ = without_help(field.type)
    made_anew = isinstance(field.default, _FACTORY)
    return Parameter(
        name=field.alias or field.name,
        type=bare,
        required=field.default is attrs.NOTHING,
        default=attrs.NOTHING if made_anew else field.default,
        help=help_ or helps.get(field.name, ""),
    )
