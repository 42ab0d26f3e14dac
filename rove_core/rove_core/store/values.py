"""Column formats: times as sortable UTC text, structures as JSON."""

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, cast

if TYPE_CHECKING:
    from rove_core.wire.json_types import JSON

#: How much of a damaged value is shown.
_LONGEST: Final = 60
_WRITER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=dict)


class DamagedValueError(ValueError):
    """A column holds what this Rove never writes."""


def whole_second(moment: datetime) -> datetime:
    """Return a time in stored precision: UTC, whole seconds."""
    utc = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    return utc.replace(microsecond=0) if utc.microsecond else utc


def second_text(moment: datetime) -> str:
    """Return ``2026-11-20T10:00:00Z``."""
    return whole_second(moment).replace(tzinfo=None).isoformat() + "Z"


def exact_text(moment: datetime) -> str:
    """Return ``2026-11-20T10:00:00.000000Z``: of one width, so that such texts sort."""
    naive = moment.astimezone(UTC).replace(tzinfo=None)
    return naive.isoformat(timespec="microseconds") + "Z"


def moment(text: str) -> datetime:
    """Return the time in a text of either format."""
    try:
        return datetime.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise DamagedValueError(f"{str(text)[:_LONGEST]!r} is not a time") from error


def json_text(value: "JSON") -> str:
    """Return a value as JSON that people can read."""
    return storable(_WRITER.encode(value))


def json_value(text: str) -> "JSON":
    """Return the value of a JSON column."""
    try:
        return cast("JSON", json.loads(text))
    except (TypeError, ValueError, RecursionError) as error:
        raise DamagedValueError(f"{str(text)[:_LONGEST]!r} is not JSON") from error


def storable(text: str) -> str:
    """Return a text with what UTF-8 cannot say replaced: vendors do send halves of characters."""
    return text.encode("utf-8", "replace").decode("utf-8")
