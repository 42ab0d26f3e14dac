"""How the command line spells the parameters of operations."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from enum import Enum
from pathlib import Path
from typing import Any, Final, Literal, get_args, get_origin

#: Other names of an operation's options, where an argument cannot be called what people say.
ALIASES: Final[Mapping[tuple[str, str], str]] = {
    ("settings_set", "everywhere"): "--global",
    ("settings_unset", "everywhere"): "--global",
}
#: The parameter of a command that is given without an option, though it may be left out.
BARE: Final[Mapping[str, str]] = {
    "cancel": "tasks",
    "prime": "ticket",
    "refresh": "tickets",
    "setup": "agents",
}
_SEVERAL: Final = (list, tuple, Sequence)


def day(text: str) -> str:
    """Return a date, which is text on the wire; raise ValueError if it is none."""
    date.fromisoformat(text)
    return text


def json_value(text: str) -> object:
    """Return a value that is written as JSON; text needs no quotes.

    Whether it is what the operation takes is the operation's to say.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


#: What reads a scalar; a time or a path is text on the wire.
_SCALARS: Final[Mapping[Any, Callable[[str], Any]]] = {
    int: int,
    float: float,
    date: day,
    **dict.fromkeys((str, datetime, Path), str),
}


def single_type(kind: Any) -> tuple[Any, bool]:  # noqa: ANN401  # a type, of any kind
    """Return the type of one value of a parameter, and whether it takes several."""
    bare = _without_none(kind)
    if get_origin(bare) in _SEVERAL:
        return get_args(bare)[0], True
    return bare, False


def choices(kind: Any) -> Sequence[Any] | None:  # noqa: ANN401  # the same
    """Return the values that a type allows; None if it does not list them."""
    if get_origin(kind) is Literal:
        return get_args(kind)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [member.value for member in kind]
    return None


def reader(kind: Any) -> Callable[[str], Any]:  # noqa: ANN401  # the same
    """Return what reads a value of a type that lists no choices."""
    return _SCALARS.get(kind, json_value)


def _without_none(kind: Any) -> Any:  # noqa: ANN401  # the same
    others = [each for each in get_args(kind) if each is not type(None)]
    is_optional = type(None) in get_args(kind) and len(others) == 1
    return others[0] if is_optional else kind
