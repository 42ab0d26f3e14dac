"""How long a reply asks to wait: retry and rate-limit headers in all common forms."""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from attrs import frozen

from rove_core.http.reply import Reply

#: No vendor's window is longer; who asks for more is asked again after this.
LONGEST: Final = 3600.0

#: Pairs of headers: how many requests are left, and when there will be more.
_WINDOWS: Final = (
    ("x-ratelimit-remaining", "x-ratelimit-reset"),
    ("x-ratelimit-requests-remaining", "x-ratelimit-requests-reset"),
    ("x-ratelimit-complexity-remaining", "x-ratelimit-complexity-reset"),
    ("x-ratelimit-endpoint-requests-remaining", "x-ratelimit-endpoint-requests-reset"),
    ("ratelimit-remaining", "ratelimit-reset"),
)
_STRUCTURED: Final = re.compile(r"\b(?:r|remaining)=(\d+)\b.*?\b(?:t|reset)=(\d+)")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
#: Larger numbers are a moment: seconds since 1970, or milliseconds.
_SECONDS_SINCE_1970: Final = 1e9
_MILLISECONDS_SINCE_1970: Final = 1e11
#: Digits of a number that counts nothing any more.
_LONG_NUMBER: Final = 10


@frozen
class RemainingRequests:
    """Remaining requests in a vendor's window.

    Attributes:
        requests: How many.
        window: When the window ends, in the vendor's words: what tells it from others.
    """

    requests: int
    window: str

    def after(self, before: "RemainingRequests | None") -> "RemainingRequests":
        """Return the lower of two counts, since replies may arrive out of order."""
        if before and before.window == self.window and before.requests < self.requests:
            return before
        return self


def wait_seconds(reply: Reply, now: datetime) -> float:
    """Return the seconds that a reply asks to wait, at most an hour; 0 when it does not ask.

    Moments are compared with the vendor's own ``Date``, so that a wrong clock here does no harm.

    Args:
        reply: Any reply, whatever its status.
        now: The time here, for a vendor that does not say its own.
    """
    headers = reply.headers
    there = _moment(headers.get("date", "")) or now
    delay = _delay(headers.get("retry-after", ""), there)
    if delay is None:
        delay = max(_resets(headers, there, used_up=reply.status == 429), default=0.0)
    return min(max(delay, 0.0), LONGEST)


def remaining_requests(reply: Reply) -> RemainingRequests | None:
    """Return how many more requests a reply says there may be; None when it does not say."""
    windows = [
        RemainingRequests(int(left), reply.headers.get(reset, ""))
        for name, reset in _WINDOWS
        if (left := reply.headers.get(name, "")).isdecimal() and len(left) < _LONG_NUMBER
    ]
    return min(windows, key=lambda each: each.requests, default=None)


def _resets(headers: Mapping[str, str], there: datetime, *, used_up: bool) -> list[float]:
    """Return when each window that is used up opens again, in seconds."""
    found = _STRUCTURED.search(headers.get("ratelimit", ""))
    windows = [(headers.get(left, ""), headers.get(reset, "")) for left, reset in _WINDOWS]
    windows += [(found[1], found[2])] if found else []
    resets = [
        _delay(reset, there) for left, reset in windows if _is_zero(left) or (used_up and not left)
    ]
    return [reset for reset in resets if reset is not None]


def _is_zero(left: str) -> bool:
    return left.startswith("-") or (bool(_NUMBER.fullmatch(left)) and float(left) < 1)


def _delay(value: str, there: datetime) -> float | None:
    """Return the seconds until a header's delay or time; None if it is neither."""
    value = value.strip()
    if not _NUMBER.fullmatch(value):
        moment = _moment(value)
        return (moment - there).total_seconds() if moment else None
    number = float(value)
    if number < _SECONDS_SINCE_1970 or math.isinf(number):
        return number
    return number / (1 if number < _MILLISECONDS_SINCE_1970 else 1000) - there.timestamp()


def _moment(value: str) -> datetime | None:
    """Read a moment: ISO 8601, or the date of a mail."""
    from email.utils import parsedate_to_datetime  # noqa: PLC0415  # only where limits are near

    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = read(value)
        except (ValueError, TypeError, OverflowError):
            continue
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return None
