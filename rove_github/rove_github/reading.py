"""Reads replies so that what is odd in one place costs no word in another."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Final, TypeVar

from rove_core import JSON, MalformedReply, Reply
from rove_core.wire.structure import TOLERANT, WrongShape

Shape = TypeVar("Shape")

_STEP: Final = re.compile(r"\w+")


def read_one(reply: Reply, shape: type[Shape]) -> Shape:
    """Return as much of a reply as fits a shape; it must be an object."""
    value = reply.json()
    if not isinstance(value, Mapping):
        raise MalformedReply(f"{reply.where} sent an unexpected reply: it is no object")
    return _fitting(value, shape)


def read_all(reply: Reply, shape: type[Shape]) -> list[Shape]:
    """Return as much of each object of a reply as fits a shape; it must be a list."""
    value = reply.json()
    if not isinstance(value, list):
        raise MalformedReply(f"{reply.where} sent an unexpected reply: it is no list")
    return list(read_each(value, shape))


def read_each(values: Iterable[JSON], shape: type[Shape]) -> Iterator[Shape]:
    """Yield as much of each object as fits a shape; what is no object is passed over."""
    for value in values:
        if isinstance(value, Mapping):
            yield _fitting(value, shape)


def moment(*texts: str) -> datetime | None:
    """Return the first of these that is a time with its zone, in UTC."""
    for text in texts:
        with suppress(ValueError, OverflowError):
            time = datetime.fromisoformat(text)
            if time.tzinfo is not None:
                return time.astimezone(UTC)
    return None


def _fitting(value: JSON, shape: type[Shape]) -> Shape:
    """Return an object as a shape in which nothing is required, without what does not fit."""
    while True:
        try:
            return TOLERANT.structure(value, shape)
        except WrongShape as error:
            value = _without(value, _STEP.findall(error.problems[0].path))


def _without(value: JSON, steps: Sequence[str]) -> JSON:
    """Return a value without what lies where the steps lead."""
    step, *rest = steps
    match value:
        case Mapping():
            return {
                key: _without(each, rest) if key == step else each
                for key, each in value.items()
                if rest or key != step
            }
        case Sequence() if not isinstance(value, str):
            return [
                _without(each, rest) if str(index) == step else each
                for index, each in enumerate(value)
                if rest or str(index) != step
            ]
    return value
