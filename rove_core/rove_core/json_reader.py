"""Read a vendor's JSON tolerantly: a value that is missing or of another type counts as empty.

An item is many people's words. One odd value in a reply must not cost the others.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, TypeVar

from rove_core.errors import MalformedReply
from rove_core.wire.structure import TOLERANT, WrongShape, to_json

if TYPE_CHECKING:
    from rove_core.http.reply import Reply
    from rove_core.wire.json_types import JSON

Shape = TypeVar("Shape")

#: What does not fit is left out at once; a value that still does not fit is nobody's.
_MOST_ROUNDS: Final = 10
#: What a class has where the vendor sent nothing.
_EMPTY: Final[tuple["JSON", ...]] = (None, "", [], {})

__all__ = [
    "elements",
    "first_moment",
    "integer",
    "leaves",
    "mapping",
    "moment",
    "objects",
    "read_all",
    "read_each",
    "read_one",
    "reply_object",
    "string",
    "text",
    "texts",
    "value_at",
]


def value_at(value: "JSON", *path: str) -> "JSON":
    """Return the value at a path of keys; None if there is none."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def text(value: "JSON", *path: str) -> str:
    """Return the text at a path, a number as text; empty if there is neither."""
    found = value_at(value, *path)
    if isinstance(found, str):
        return found
    is_number = isinstance(found, int | float) and not isinstance(found, bool)
    return str(found) if is_number else ""


def string(value: "JSON", *path: str) -> str:
    """Return the text at a path; empty if there is none. A number counts as none."""
    found = value_at(value, *path)
    return found if isinstance(found, str) else ""


def integer(value: "JSON", *path: str) -> int | None:
    """Return the whole number at a path; None if there is none."""
    found = value_at(value, *path)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def moment(value: "JSON", *path: str) -> datetime | None:
    """Return the time at a path in UTC; None if there is none with a time zone."""
    return first_moment(text(value, *path))


def first_moment(*candidates: str) -> datetime | None:
    """Return the first text that is a time with a time zone, in UTC; None if none is."""
    for candidate in candidates:
        try:
            time = datetime.fromisoformat(candidate)
            if time.tzinfo is not None:
                return time.astimezone(UTC)
        except (ValueError, OverflowError):
            continue
    return None


def mapping(value: "JSON", *path: str) -> Mapping[str, "JSON"]:
    """Return the object at a path; an empty one if there is none."""
    found = value_at(value, *path)
    return found if isinstance(found, dict) else {}


def elements(value: "JSON", *path: str) -> Sequence["JSON"]:
    """Return the elements of the list at a path; none if there is no list."""
    found = value_at(value, *path)
    return found if isinstance(found, list) else ()


def objects(value: "JSON", *path: str) -> Iterator[Mapping[str, "JSON"]]:
    """Yield the objects of the list at a path."""
    return (element for element in elements(value, *path) if isinstance(element, dict))


def texts(value: "JSON", *path: str, name: str = "name") -> list[str]:
    """Return the texts of the list at a path; of an object, the text under ``name``."""
    found = (text(element) or text(element, name) for element in elements(value, *path))
    return [*filter(None, found)]


def leaves(value: "JSON", key: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text with its key, in order and at any depth."""
    left: list[tuple[str, JSON]] = [(key, value)]
    while left:
        name, found = left.pop()
        if isinstance(found, str):
            yield name, found
        elif isinstance(found, dict):
            left.extend(reversed(list(found.items())))
        else:
            left.extend((name, element) for element in reversed(elements(found)))


def read_one(reply: "Reply", shape: type[Shape]) -> Shape:
    """Return a reply as a class with default values; attributes that do not fit keep theirs.

    Raises:
        MalformedReply: The reply is not an object.
    """
    value = reply.json()
    if not isinstance(value, Mapping):
        raise MalformedReply(f"{reply.where} sent an unexpected reply: it is not an object")
    return _fit(value, shape)


def read_all(reply: "Reply", shape: type[Shape]) -> list[Shape]:
    """Return each object of a reply as a class, without what does not fit.

    Raises:
        MalformedReply: The reply is not a list.
    """
    value = reply.json()
    if not isinstance(value, list):
        raise MalformedReply(f"{reply.where} sent an unexpected reply: it is not a list")
    return list(read_each(value, shape))


def read_each(values: Iterable["JSON"], shape: type[Shape]) -> Iterator[Shape]:
    """Yield each object as a class with default values; other values are skipped."""
    for value in values:
        if isinstance(value, Mapping):
            yield _fit(value, shape)


def reply_object(reply: object) -> dict[str, "JSON"]:
    """Return an object that was read as a class as JSON again, without its empty values.

    Args:
        reply: An object of a class with the vendor's names.
    """
    return dict(mapping(_non_empty(to_json(reply))))


def _non_empty(value: "JSON") -> "JSON":
    match value:
        case dict():
            inside = {name: _non_empty(each) for name, each in value.items()}
            return {name: each for name, each in inside.items() if each not in _EMPTY}
        case list():
            return [_non_empty(each) for each in value]
    return value


def _fit(value: "JSON", shape: type[Shape]) -> Shape:
    """Return an object as a class in which nothing is required, without what does not fit."""
    for _ in range(_MOST_ROUNDS):
        try:
            return TOLERANT.structure(value, shape)
        except WrongShape as error:
            value = _without(value, [problem.steps for problem in error.problems])
    return TOLERANT.structure({}, shape)


def _without(value: "JSON", wrong: Iterable[Sequence[str | int]]) -> "JSON":
    """Return a value without the part at a path."""
    below: dict[str | int, list[Sequence[str | int]]] = {}
    for steps in wrong:
        if steps:
            below.setdefault(steps[0], []).append(steps[1:])
    gone = {step for step, rests in below.items() if not all(rests)}
    match value:
        case Mapping():
            return {
                key: _without(found, below[key]) if key in below else found
                for key, found in value.items()
                if key not in gone
            }
        case Sequence() if not isinstance(value, str):
            return [
                _without(found, below[index]) if index in below else found
                for index, found in enumerate(value)
                if index not in gone
            ]
    return value
