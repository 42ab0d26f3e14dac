"""Find the day of a note: in its front matter, name, folders, heading or date line."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice
from typing import Final

#: ``2024-12-15``, ``2024_12_15`` and ``20241215``, not within a longer number.
_DAY: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)([-_.]?)(\d\d)\2(\d\d)(?!\d)")
#: ``15 December 2024``, ``15. Dec 2024``, ``December 15, 2024`` and ``Dec 15th 2024``.
_DAY_FIRST: Final = re.compile(
    r"\b(\d{1,2})(?:st|nd|rd|th|\.)?[ ]+([A-Za-z]{3,9})\.?,?[ ]+(\d{4})\b"
)
_MONTH_FIRST: Final = re.compile(
    r"\b([A-Za-z]{3,9})\.?[ ]+(\d{1,2})(?:st|nd|rd|th)?,?[ ]+(\d{4})\b"
)
_MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
#: A space between a time and its zone, as in ``2024-12-15 10:00:00 +0100``.
_ZONE: Final = re.compile(r"(\d) +(?=[+-]\d\d:?\d\d$|Z$)")
#: ``Date: ...``, ``**Date:** ...`` and ``- When: ...``.
_DATE_LINE: Final = re.compile(r"[-*\s]*(?:date|when|day)\W{0,4}:\W{0,4}(.*)", re.IGNORECASE)
_HEADING: Final = re.compile(r"#{1,6}[ \t]+(.*)")
#: Minutes say at their top when they are from.
_TOP: Final = 10


def time_of(text: str) -> datetime | None:
    """Return the time, or the day, with which a text begins; without a zone it is UTC."""
    text = text.strip()
    day = re.match(r"(?:19|20)\d\d-\d\d-\d\d(?!\d)", text)
    for written in (_ZONE.sub(r"\1", text), day[0]) if day else ():
        with suppress(ValueError, OverflowError):
            time = datetime.fromisoformat(written)
            return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    return None


def day_of_path(name: str, folders: Sequence[str]) -> datetime | None:
    """Return the day in a file's name, else in the name of the nearest folder that has one.

    Args:
        name: The file's name, without its suffix.
        folders: The folders that it is in, outermost first.
    """
    return next(filter(None, map(_day_of_name, (name, *reversed(folders)))), None)


def day_of_minutes(text: str) -> datetime | None:
    """Return the day that a text gives for itself at its top: in a date line or the heading."""
    top = [*islice(filter(None, map(str.strip, text.splitlines())), _TOP)]
    dated = (found[1] for line in top if (found := _DATE_LINE.fullmatch(line)))
    headings = (found[1] for line in top[:1] if (found := _HEADING.fullmatch(line)))
    return next((day for line in (*dated, *headings) for day in _days(line)), None)


def _day_of_name(name: str) -> datetime | None:
    """Return the day with which a name begins, else the only one in it."""
    found = [*_DAY.finditer(name)]
    days = [day for each in found if (day := _day(each[1], each[3], each[4]))]
    begins = bool(found) and found[0].start() == 0
    return days[0] if days and (begins or len({*days}) == 1) else None


def _days(text: str) -> Iterator[datetime]:
    """Yield the days that a line names, in each of the ways to write one."""
    parts: Iterable[tuple[str, str, str]] = (
        *((each[1], each[3], each[4]) for each in _DAY.finditer(text)),
        *((each[3], _month(each[2]), each[1]) for each in _DAY_FIRST.finditer(text)),
        *((each[3], _month(each[1]), each[2]) for each in _MONTH_FIRST.finditer(text)),
    )
    yield from filter(None, (_day(*each) for each in parts))


def _month(name: str) -> str:
    """Return the number of an English month; 0 for other words."""
    found = [at for at, month in enumerate(_MONTHS, 1) if month.startswith(name.lower()[:9])]
    return str(found[0] if found else 0)


def _day(year: str, month: str, day: str) -> datetime | None:
    with suppress(ValueError):
        return datetime(int(year), int(month), int(day), tzinfo=UTC)
    return None
