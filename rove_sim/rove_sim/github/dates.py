"""Date qualifiers of a search: days or times, single, bounded or ranges."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final

from rove_sim.github.query import WrongQueryError

_Holds = Callable[[datetime], bool]
_BOUNDS: Final = (">=", "<=", ">", "<")


def holds(limit: str) -> _Holds:
    """Return the test whether a time is within a limit.

    Raises:
        WrongQueryError: When it is none.
    """
    if ".." in limit:
        first, _, last = limit.partition("..")
        start = _span(first)[0] if first != "*" else datetime.min.replace(tzinfo=UTC)
        end = _span(last)[1] if last != "*" else datetime.max.replace(tzinfo=UTC)
        return lambda when: start <= _whole(when) < end
    sign = next((each for each in _BOUNDS if limit.startswith(each)), "")
    start, end = _span(limit.removeprefix(sign))
    return {
        ">=": lambda when: _whole(when) >= start,
        "<=": lambda when: _whole(when) < end,
        ">": lambda when: _whole(when) >= end,
        "<": lambda when: _whole(when) < start,
        "": lambda when: start <= _whole(when) < end,
    }[sign]


def _span(text: str) -> tuple[datetime, datetime]:
    """Return when a day or a second begins and ends; without a zone it is UTC."""
    try:
        begins = datetime.fromisoformat(text)
        lasts = timedelta(seconds=1) if "T" in text else timedelta(days=1)
        return (_aware(begins), _aware(begins) + lasts)
    except (ValueError, OverflowError):
        raise WrongQueryError(f"{text!r} is not a recognized date/time format.") from None


def _aware(when: datetime) -> datetime:
    return when if when.tzinfo else when.replace(tzinfo=UTC)


def _whole(when: datetime) -> datetime:
    """Return a time in GitHub's whole seconds."""
    return when.replace(microsecond=0)
