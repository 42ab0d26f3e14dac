"""Typed values to JSON and back, with JSON Schema."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rove_core.wire.json_types import JSON as JSON
    from rove_core.wire.scalars import WrongShape as WrongShape
    from rove_core.wire.structure import STRICT as STRICT
    from rove_core.wire.structure import TOLERANT as TOLERANT
    from rove_core.wire.structure import to_json as to_json
else:
    from rove_core._lazy import lazy

    __getattr__, __dir__ = lazy(
        __name__,
        {
            "json_types": ("JSON",),
            "scalars": ("WrongShape",),
            "structure": ("STRICT", "TOLERANT", "to_json"),
        },
    )

__all__ = ["JSON", "STRICT", "TOLERANT", "WrongShape", "to_json"]
