"""Limits and counters of an account's requests."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

import attrs

from rove_core.errors import TimedOut

if TYPE_CHECKING:
    from rove_core.http.rate_limits import PlannedLimit


@attrs.frozen(kw_only=True)
class Caps:
    """Limits of one account's requests.

    Attributes:
        deadline: Seconds for a request with all its waits, retries and redirects.
        body: Bytes of a decoded body.
        attempts: How often a request is sent at most.
        at_once: How many requests may be under way together.
        rate_limit: How many may leave in any minute; None when only the vendor limits them.
    """

    deadline: float = 30.0
    body: int = 16_000_000
    attempts: int = 3
    at_once: int = 8
    rate_limit: int | None = attrs.field(
        default=None, validator=attrs.validators.optional(attrs.validators.ge(1))
    )


class RequestsSpent(TimedOut):
    """A piece of work has sent all the requests that it may send."""

    advice = "Open the item at its source, or copy the place where it is: rove mirror scope"


@attrs.define(kw_only=True)
class Counts:
    """Request counters of an account or a piece of work.

    Attributes:
        most: How many requests the work may send; None for any number.
        requests: How many were sent.
        bytes: How large the decoded bodies were together.
        retries: How many requests were sent again.
        waited: Seconds of waiting for limits and before retries.
        not_modified: How many were answered from what was kept.
        planned: How many were sent by each limit that Rove keeps itself.
    """

    most: int | None = None
    requests: int = 0
    bytes: int = 0
    retries: int = 0
    waited: float = 0.0
    not_modified: int = 0
    planned: "Counter[PlannedLimit]" = attrs.field(factory=Counter)

    def sent(self, limit: "PlannedLimit | None" = None) -> None:
        """Count a request, here and for the work that it is sent for.

        Args:
            limit: The limit by which it was let out, if Rove keeps one.

        Raises:
            RequestsSpent: The work has sent all that it may; then the request is not counted.
        """
        counters = (self, *_WORK.get())
        for each in counters:
            if each.most is not None and each.requests >= each.most:
                raise RequestsSpent(f"more than {each.most} requests")
        for each in counters:
            each.requests += 1
            if limit:
                each.planned[limit] += 1

    def received(self, size: int) -> None:
        """Count bytes of a body, here and for the work that they are received for."""
        for each in (self, *_WORK.get()):
            each.bytes += size


_WORK: Final[ContextVar[tuple[Counts, ...]]] = ContextVar("rove_http_work", default=())


@contextmanager
def counting(counts: Counts | None = None) -> Iterator[Counts]:
    """Yield counters of requests made inside.

    Args:
        counts: Counters to go on with; new ones by default. If they say how many requests the
            work may send, a further one raises an error.
    """
    counts = Counts() if counts is None else counts
    before = _WORK.set((*_WORK.get(), counts))
    try:
        yield counts
    finally:
        _WORK.reset(before)
