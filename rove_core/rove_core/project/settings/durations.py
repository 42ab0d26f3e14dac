"""Durations as people write them in settings."""

from datetime import timedelta
from typing import Final

from rove_core.safety.lazy_pattern import lazy_pattern

_UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_DURATION: Final = lazy_pattern(r"(\d{1,6})\s*([smhdw])")


def duration_text(value: timedelta) -> str:
    """Return a span as settings write it: ``6h``."""
    seconds = int(value.total_seconds())
    for unit in "dhm":
        if seconds and seconds % _UNITS[unit] == 0:
            return f"{seconds // _UNITS[unit]}{unit}"
    return f"{seconds}s"


def parse_duration(text: str) -> timedelta:
    """Return a span like ``30m``, ``6h`` or ``7d``; raise ValueError if it is none."""
    if (found := _DURATION.fullmatch(text.strip().lower())) is None:
        raise ValueError(f"{text!r} is not a duration like 30m, 6h or 7d")
    return timedelta(seconds=int(found[1]) * _UNITS[found[2]])
