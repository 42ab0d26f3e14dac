"""Bounds of a setting's value."""

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import attrs

Bound = TypeVar("Bound", int, timedelta)
Validator = Callable[[object, "attrs.Attribute[Bound]", Bound], None]


def between(least: Bound, most: Bound) -> Validator[Bound]:
    """Return a validator that refuses what lies outside of two bounds."""

    def validate(_: object, attribute: "attrs.Attribute[Bound]", value: Bound) -> None:
        if not least <= value <= most:
            raise ValueError(f"{attribute.name} must be between {least} and {most}")

    return validate
