"""Dates in JQL: in the reader's time zone, by the minute."""

import re
from datetime import UTC, datetime, timedelta, tzinfo

from rove_sim.jira.jql_tokens import JqlError
from rove_sim.jira.jql_tree import Call

_DATE = re.compile(r"(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?: (\d{1,2}):(\d{2}))?")
_PERIOD = re.compile(r"([+-]?)\s*((?:\d+\s*[wdhm]\s*)+)")
_UNITS = {"w": "weeks", "d": "days", "h": "hours", "m": "minutes"}


def moment(value: str | Call, field: str, now: datetime, zone: tzinfo) -> datetime:
    """Return the moment that a value names, or raise :class:`JqlError`."""
    if isinstance(value, Call):
        return _called(value, now, zone)
    if match := _DATE.fullmatch(value.strip()):
        year, _, month, day, hour, minute = match.groups()
        try:
            local = datetime(
                int(year), int(month), int(day), int(hour or 0), int(minute or 0), tzinfo=zone
            )
        except ValueError:
            raise _wrong(value, field) from None
        return local.astimezone(UTC)
    if re.fullmatch(r"-?\d{10,}", value):
        return datetime.fromtimestamp(int(value) / 1000, UTC)
    if match := _PERIOD.fullmatch(value.strip()):
        return now + _period(match)
    raise _wrong(value, field)


def _called(call: Call, now: datetime, zone: tzinfo) -> datetime:
    local = now.astimezone(zone)
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
    starts = {
        "now": local,
        "startofday": midnight,
        "startofweek": midnight - timedelta(days=midnight.weekday()),
        "startofmonth": midnight.replace(day=1),
        "startofyear": midnight.replace(month=1, day=1),
        "endofday": midnight + timedelta(days=1, seconds=-1),
    }
    if call.name.lower() not in starts:
        raise JqlError(f"Unable to find JQL function '{call.name}({', '.join(call.arguments)})'.")
    increment = _PERIOD.fullmatch(call.arguments[0].strip()) if call.arguments else None
    start = starts[call.name.lower()].astimezone(UTC)
    return start + _period(increment) if increment else start


def _period(match: re.Match[str]) -> timedelta:
    parts = re.findall(r"(\d+)\s*([wdhm])", match[2])
    whole = sum((timedelta(**{_UNITS[unit]: int(many)}) for many, unit in parts), timedelta())
    return -whole if match[1] == "-" else whole


def _wrong(value: str, field: str) -> JqlError:
    return JqlError(
        f"Date value '{value}' for field '{field}' is invalid. Valid formats include: "
        "'yyyy/MM/dd HH:mm', 'yyyy-MM-dd HH:mm', 'yyyy/MM/dd', 'yyyy-MM-dd', or a period format "
        "e.g. '-5d', '4w 2d'."
    )
