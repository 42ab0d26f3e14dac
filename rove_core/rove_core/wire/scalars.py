"""Decode scalar values, with errors that name them."""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from types import NoneType
from typing import Any, Final, TypeAlias

from attrs import frozen

from rove_core.wire.type_shapes import SCALARS, Choice, Scalar, Shape, expectation

Read: TypeAlias = Callable[[object], Any]

_MOST_PROBLEMS: Final = 10
_MOST_LETTERS: Final = 40


@frozen
class Problem:
    """A place where a value does not fit its type.

    Attributes:
        path: Where (``evidence.tests[1]``); empty for the value itself.
        text: What is wrong there.
        steps: The keys and places that lead there, as they are.
    """

    path: str
    text: str
    steps: tuple[str | int, ...] = ()

    def __str__(self) -> str:
        return f"{self.path}: {self.text}" if self.path else self.text

    def below(self, key: str | int) -> "Problem":
        """Return the problem as seen from the containing value."""
        dot = "." if self.path and not self.path.startswith("[") else ""
        return Problem(f"{_step(key)}{dot}{self.path}", self.text, (key, *self.steps))


class WrongShape(ValueError):  # noqa: N818  # like all of Rove's, named for what is wrong
    """Input with the wrong structure; the message names every problem."""

    def __init__(self, *problems: Problem) -> None:
        messages = [str(problem) for problem in problems[:_MOST_PROBLEMS]]
        if len(problems) > _MOST_PROBLEMS:
            messages.append(f"and {len(problems) - _MOST_PROBLEMS} more")
        super().__init__("; ".join(messages))
        self.problems = problems


def choose(value: object, choice: Choice) -> object:
    """Return the member of a choice that the value is."""
    for one in choice.values:
        if kind_of(one) == kind_of(value) and one == value:
            return one if choice.enum is None else choice.enum(one)
    raise unexpected(choice, value)


def read_array(value: object) -> Sequence[object]:
    """Return the value if it is a list."""
    if isinstance(value, list | tuple):
        return value
    raise WrongShape(Problem("", f"expected a list, got {_show(value)}"))


def read_object(value: object) -> Mapping[str, object]:
    """Return the value if it is an object."""
    if isinstance(value, Mapping):
        return value
    raise WrongShape(Problem("", f"expected an object, got {_show(value)}"))


def unexpected(shape: Shape, value: object) -> WrongShape:
    """Return the error that names the expected type and the actual value."""
    return WrongShape(Problem("", f"expected {expectation(shape)}, got {_show(value)}"))


def kind_of(value: object) -> str:
    """Return the JSON type of a value; of anything else the name of its class."""
    match value:
        case None | bool() | int() | float() | str():
            return SCALARS[next(kind for kind in type(value).__mro__ if kind in SCALARS)][0]
        case list() | tuple():
            return "array"
        case Mapping():
            return "object"
        case _:
            return type(value).__qualname__


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise unexpected(Scalar(str), value)


def _whole_number(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise unexpected(Scalar(int), value)


def _number(value: object) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        with suppress(OverflowError):
            if math.isfinite(number := float(value)):
                return number
    raise unexpected(Scalar(float), value)


def _truth(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise unexpected(Scalar(bool), value)


def _null(value: object) -> None:
    if value is not None:
        raise unexpected(Scalar(NoneType), value)


def _time(value: object) -> datetime:
    if isinstance(value, str):
        with suppress(ValueError, OverflowError):
            time = datetime.fromisoformat(value)
            if time.tzinfo is not None:
                return time.astimezone(UTC)
    raise unexpected(Scalar(datetime), value)


def _date(value: object) -> date:
    if isinstance(value, str):
        with suppress(ValueError):
            return date.fromisoformat(value)
    raise unexpected(Scalar(date), value)


def _path(value: object) -> Path:
    if isinstance(value, str):
        return Path(value)
    raise unexpected(Scalar(Path), value)


def _show(value: object) -> str:
    match kind_of(value):
        case "null" | "boolean":
            return json.dumps(value)
        case "integer" | "number":
            return f"a number ({_short(repr(value))})"
        case "string":
            return f"text ({json.dumps(_short(str(value)), ensure_ascii=False)})"
        case "array":
            return "a list"
        case "object":
            return "an object"
        case name:
            return name


def _step(key: str | int) -> str:
    if isinstance(key, str) and key.isidentifier():
        return _short(key)
    return f"[{json.dumps(_short(key) if isinstance(key, str) else key, ensure_ascii=False)}]"


def _short(text: str) -> str:
    return text if len(text) <= _MOST_LETTERS else f"{text[: _MOST_LETTERS - 1]}…"


#: How each scalar is read.
SCALAR_READERS: Final[Mapping[type, Read]] = {
    str: _text,
    int: _whole_number,
    float: _number,
    bool: _truth,
    NoneType: _null,
    datetime: _time,
    date: _date,
    Path: _path,
}
