"""The types of settings, and conversion of values to them."""

from datetime import timedelta
from types import NoneType, UnionType
from typing import Final, Literal, Union, get_args, get_origin

from rove_core.project.settings.durations import parse_duration
from rove_core.safety.secret import Secret

_WORDS: Final = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_NAMES: Final[dict[object, str]] = {
    str: "text in quotes",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    timedelta: "a duration like 30m, 6h or 7d",
    Secret: "text in quotes",
    tuple[str, ...]: "a list of texts",
}


#: What a field can be annotated with, for authors of plugins.
_TYPES: Final = (
    "str, int, float, bool, timedelta, Secret, tuple[str, ...] or a Literal of texts,"
    " alone or with None"
)


def bare_type(annotation: object) -> object:
    """Return a type without its ``None``; raise TypeError if no setting can have it."""
    if get_origin(annotation) in (Union, UnionType):
        members = [member for member in get_args(annotation) if member is not NoneType]
        if len(members) == 1:
            return bare_type(members[0])
    if get_origin(annotation) is Literal or annotation in _NAMES:
        return annotation
    raise TypeError(f"{annotation} is not a type that a setting can have: use {_TYPES}")


def expected(kind: object) -> str:
    """Return the description of valid values."""
    if get_origin(kind) is Literal:
        return "one of: " + ", ".join(f'"{choice}"' for choice in get_args(kind))
    return _NAMES[kind]


def typed(kind: object, value: object) -> object:
    """Return a value from TOML as the type wanted; raise ValueError if it is another."""
    if kind is timedelta and isinstance(value, str):
        return parse_duration(value)
    if kind is Secret and isinstance(value, str):
        return Secret(value)
    if kind is float and type(value) is int:
        return float(value)
    if _is(kind, value):
        return tuple(value) if isinstance(value, list) else value
    raise ValueError(f"expected {expected(kind)}")


def from_text(kind: object, text: str) -> object:
    """Return a value from a variable, where all is text, as the type wanted."""
    if kind is bool:
        return typed(bool, _WORDS.get(text.strip().lower()))
    if kind is int or kind is float:
        return _number(kind, text)
    if kind == tuple[str, ...]:
        return tuple(part.strip() for part in text.split(",") if part.strip())
    return typed(kind, text)


def _is(annotation: object, value: object) -> bool:
    if get_origin(annotation) is Literal:
        return isinstance(value, str) and value in get_args(annotation)
    if annotation == tuple[str, ...]:
        return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)
    return type(value) is annotation


def _number(annotation: object, text: str) -> int | float:
    try:
        return int(text) if annotation is int else float(text)
    except ValueError:
        raise ValueError(f"expected {expected(annotation)}") from None
