"""Moments as a mirror stores them: in seconds."""

from datetime import UTC, datetime


def seconds_of(moment: datetime | None) -> float | None:
    """Return the stored form of a moment."""
    return moment.timestamp() if moment else None


def moment_of(seconds: object) -> datetime | None:
    """Return a moment from its stored form."""
    return None if seconds is None else datetime.fromtimestamp(float(str(seconds)), UTC)
