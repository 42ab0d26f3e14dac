"""Time windows as people write them: ``2024-12-01``, ``30 days ago``, ``7d``, ``yesterday``.

A date, and whatever counts days or more, means the whole of a local day, and both ends belong to
the window. A time, and whatever counts hours or minutes, means that moment.
"""

import re
from calendar import monthrange
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final, TypeAlias

from attrs import frozen

from rove_core.errors import WrongCall

#: A whole local day, or one moment; a moment without a zone is a local one.
_Meant: TypeAlias = date | datetime

_NAMED: Final[Mapping[str, int]] = {"today": 0, "yesterday": 1}
_AGO: Final = re.compile(r"([0-9]{1,9}) ?([a-z]+?)(?: ago)?")
_SPELLED: Final[Mapping[str, tuple[str, ...]]] = {
    "minutes": ("m", "min", "mins", "minute", "minutes"),
    "hours": ("h", "hour", "hours"),
    "days": ("d", "day", "days"),
    "weeks": ("w", "week", "weeks"),
    "months": ("month", "months"),
    "years": ("y", "year", "years"),
}
_UNITS: Final = {word: unit for unit, words in _SPELLED.items() for word in words}
_TICK: Final = timedelta(microseconds=1)


@frozen(kw_only=True)
class Window:
    """From when to when; both ends belong to it.

    Attributes:
        since: Its first moment, in UTC; open when None.
        until: Its last moment, in UTC; open when None.
    """

    since: datetime | None = None
    until: datetime | None = None

    def covers(self, at: datetime) -> bool:
        """Return whether a time is in the window."""
        return (self.since is None or self.since <= at) and (self.until is None or at <= self.until)


def window(
    since: str | None, until: str | None, *, now: datetime, zone: tzinfo | None = None
) -> Window:
    """Return the window that a person means.

    Args:
        since: Its beginning, in the person's words; open when None.
        until: Its end, in the same words.
        now: The current time.
        zone: Where the person is; where this machine is unless given.

    Raises:
        WrongCall: One of them is not a valid time, or the end is before the beginning.
    """
    meant = Window(
        since=None if since is None else first_moment(since, now=now, zone=zone),
        until=None if until is None else last_moment(until, now=now, zone=zone),
    )
    if meant.since and meant.until and meant.until < meant.since:
        raise WrongCall(f"until {until!r} is before since {since!r}", hint="Swap the two dates.")
    return meant


def first_moment(text: str, *, now: datetime, zone: tzinfo | None = None) -> datetime:
    """Return the first moment, in UTC, of the day or time that a person means."""
    try:
        return _readings(_parse_end(text, now.astimezone(zone)), zone)[0]
    except (OverflowError, ValueError) as error:
        raise _no_time(text) from error


def last_moment(text: str, *, now: datetime, zone: tzinfo | None = None) -> datetime:
    """Return the last moment, in UTC, of the day or time that a person means."""
    try:
        meant = _parse_end(text, now.astimezone(zone))
        if isinstance(meant, datetime):
            return max(_readings(meant, zone))
        return max(_readings(meant + timedelta(days=1), zone)) - _TICK
    except (OverflowError, ValueError) as error:
        raise _no_time(text) from error


def _parse_end(text: str, now: datetime) -> _Meant:
    phrase = " ".join(text.lower().split())
    if phrase in _NAMED:
        return now.date() - timedelta(days=_NAMED[phrase])
    if (found := _AGO.fullmatch(phrase)) and found[2] in _UNITS:
        return _time_before(now, int(found[1]), _UNITS[found[2]])
    with suppress(ValueError):
        return date.fromisoformat(phrase.upper())
    return datetime.fromisoformat(phrase.upper())


def _time_before(now: datetime, count: int, unit: str) -> _Meant:
    match unit:
        case "minutes" | "hours":
            return now.astimezone(UTC) - timedelta(**{unit: count})
        case "days" | "weeks":
            return now.date() - timedelta(**{unit: count})
        case _:
            return _months_before(now.date(), count if unit == "months" else 12 * count)


def _months_before(day: date, months: int) -> date:
    """Return the same day of an earlier month, or that month's last if it has no such day."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _readings(meant: _Meant, zone: tzinfo | None) -> tuple[datetime, datetime]:
    """Return the moments that a day's beginning or a time can be.

    Where clocks are set back they show it twice, and the earlier moment comes first. Where they
    are set forward over it they never show it; the first moment is then the later one, and the
    right one for a day that begins so.
    """
    if not isinstance(meant, datetime):
        meant = datetime.combine(meant, time())
    if meant.tzinfo is None:
        meant = meant.replace(tzinfo=zone)
    first, second = (meant.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
    return first, second


def _no_time(text: str) -> WrongCall:
    return WrongCall(
        f"{text!r} is not a valid time",
        hint="Write 2024-12-01, 2024-12-01T10:30, 7d, '30 days ago', today or yesterday.",
    )
