"""Linear's format of times."""

from datetime import UTC, datetime

from rove_sim.linear.faults import invalid


def written(when: datetime) -> str:
    """Return a time in UTC, to the millisecond."""
    utc = when.astimezone(UTC)
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z"


def perhaps(when: datetime | None) -> str | None:
    """Return a time that may not be there."""
    return written(when) if when else None


def read(text: str) -> datetime:
    """Read a time that a client gives; without a zone it is UTC."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise invalid(f"{text!r} is no date") from None
    return when if when.tzinfo else when.replace(tzinfo=UTC)
