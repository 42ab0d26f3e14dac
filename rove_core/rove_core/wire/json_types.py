"""The type of plain JSON data, and which fields of a class are in it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    import attrs

#: Anything JSON can say.
JSON: TypeAlias = bool | int | float | str | Sequence["JSON"] | Mapping[str, "JSON"] | None

#: The metadata of a field that follows from others, and that JSON has all the same.
IN_JSON: Final[Mapping[str, bool]] = {"in_json": True}


def is_shown(field: "attrs.Attribute[Any]") -> bool:
    """Return whether JSON has a field: it is given, or it is marked with ``IN_JSON``."""
    return field.init or "in_json" in field.metadata
