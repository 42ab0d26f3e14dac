"""A vendor's answers: plain data, or an error in its place.

An object is a mapping from the names of its fields to their values. A value may be a function:
it is called with the field's arguments when, and only when, it is asked for. The real type of
something that could be of several stands under ``__typename``.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from rove_core import JSON

Arguments: TypeAlias = Mapping[str, object]
Answer: TypeAlias = (
    str
    | int
    | float
    | Sequence["Answer"]
    | Mapping[str, "Answer"]
    | Callable[[Arguments], "Answer"]
    | None
)
Node: TypeAlias = Mapping[str, Answer]


class FieldError(Exception):
    """A field cannot be answered; the rest of the reply can.

    Attributes:
        extensions: What the vendor says beside the message.
    """

    def __init__(self, message: str, extensions: Mapping[str, JSON] | None = None) -> None:
        super().__init__(message)
        self.extensions = dict(extensions or {})


class InputError(ValueError):
    """A request without a valid operation or variables."""
