"""Named request parameters with their parsers; unknown ones are refused."""

import re
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from attrs import frozen

from rove_core import JSON

Value: TypeAlias = str | int | bool | tuple[str, ...]
#: Reads a value as it came, a text out of a query or anything out of a JSON body.
Reader: TypeAlias = Callable[[JSON], Value]


class MalformedError(ValueError):
    """A value is invalid; the message says what is expected."""


@frozen
class Wrong:
    """An error in one request parameter.

    Attributes:
        name: The parameter's.
        why: ``unknown``, ``missing`` or ``malformed``.
        value: What was given.
        expected: What should have been, when it is malformed.
    """

    name: str
    why: str
    value: JSON = None
    expected: str = ""

    def __str__(self) -> str:
        value = f" {self.value!r}" if self.why == "malformed" else ""
        return f"{self.why} {self.name}{value}" + (f": {self.expected}" if self.expected else "")


@frozen
class Parameters:
    """The parameters of a route.

    Attributes:
        readers: How each is read.
        required: Which must be there.
    """

    readers: Mapping[str, Reader]
    required: frozenset[str] = frozenset()

    def read(self, values: Mapping[str, JSON]) -> tuple[dict[str, Value], list[Wrong]]:
        """Return the parsed parameters, and the errors."""
        wrong = [Wrong(name, "missing") for name in sorted(self.required - values.keys())]
        read: dict[str, Value] = {}
        for name, value in values.items():
            reader = self.readers.get(name)
            if reader is None:
                wrong.append(Wrong(name, "unknown", value))
                continue
            try:
                read[name] = reader(value)
            except MalformedError as error:
                wrong.append(Wrong(name, "malformed", value, str(error)))
        return read, wrong


#: No parameters at all.
NOTHING: Final = Parameters({})


def taking(*required: str, **readers: Reader) -> Parameters:
    """Return parameters, some of them required."""
    return Parameters(readers, frozenset(required))


def text(value: JSON) -> str:
    """Read a text."""
    if isinstance(value, str):
        return value
    raise MalformedError("expected a text")


def integer(value: JSON) -> int:
    """Read a whole number, also out of a text."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,18}", value):
        return int(value)
    raise MalformedError("expected a whole number")


def flag(value: JSON) -> bool:
    """Read yes or no, also out of a text."""
    values: dict[JSON, bool] = {"true": True, "1": True, "false": False, "0": False}
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in values:
        return values[value.lower()]
    raise MalformedError("expected true or false")


def words(value: JSON) -> tuple[str, ...]:
    """Read several words: a list of texts, or one text with commas between."""
    if isinstance(value, str):
        return tuple(word.strip() for word in value.split(",") if word.strip())
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(str(each) for each in value)
    raise MalformedError("expected words")


def one_of(*choices: str) -> Reader:
    """Read one of a few words."""

    def read(value: JSON) -> str:
        if isinstance(value, str) and value in choices:
            return value
        raise MalformedError(f"expected one of {', '.join(choices)}")

    return read


def some_of(*choices: str) -> Reader:
    """Read some of a few words."""

    def read(value: JSON) -> tuple[str, ...]:
        chosen = words(value)
        if unknown := set(chosen) - set(choices):
            raise MalformedError(f"{min(unknown)} is none of {', '.join(choices)}")
        return chosen

    return read


def typed(kind: type, reader: Reader) -> Reader:
    """Read a value of a JSON body, where a text is not a number and no list."""

    def read(value: JSON) -> Value:
        if isinstance(value, kind):
            return reader(value)
        raise MalformedError(f"expected {kind.__name__}")

    return read


def within(least: int, most: int) -> Reader:
    """Read a whole number within bounds."""

    def read(value: JSON) -> int:
        if least <= (number := integer(value)) <= most:
            return number
        raise MalformedError(f"expected a number from {least} to {most}")

    return read
