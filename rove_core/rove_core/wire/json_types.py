"""The type of plain JSON data."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

#: Anything JSON can say.
JSON: TypeAlias = bool | int | float | str | Sequence["JSON"] | Mapping[str, "JSON"] | None
