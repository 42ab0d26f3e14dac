"""Rate limits: requests per window, by any key."""

from datetime import datetime, timedelta

from attrs import define, frozen

from rove_core.clock import Clock


@frozen
class Limit:
    """So many requests in so many seconds."""

    requests: int
    seconds: float


@frozen
class Allowance:
    """A limit's answer to one more request.

    Attributes:
        limit: The limit itself.
        remaining: How many more are allowed before it resets.
        reset_at: When it resets.
        wait: Seconds until then when the request is refused; else 0.
    """

    limit: Limit
    remaining: int
    reset_at: datetime
    wait: float = 0.0


@define
class _Window:
    began: float
    used: float = 0.0


class Limiter:
    """Counts requests by key, in windows that begin with the first request of each."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._windows: dict[tuple[str, ...], _Window] = {}

    def take(self, key: tuple[str, ...], limit: Limit, *, cost: float = 1) -> Allowance:
        """Count a request unless it is refused, and return what remains."""
        window = self._window(key, limit)
        ends = window.began + limit.seconds - self._clock.monotonic()
        reset_at = self._clock.now() + timedelta(seconds=ends)
        if window.used + cost > limit.requests:
            return Allowance(limit, 0, reset_at, wait=ends)
        window.used += cost
        return Allowance(limit, int(limit.requests - window.used), reset_at)

    def peek(self, key: tuple[str, ...], limit: Limit) -> Allowance:
        """Return what remains, without counting."""
        return self.take(key, limit, cost=0)

    def _window(self, key: tuple[str, ...], limit: Limit) -> _Window:
        now = self._clock.monotonic()
        window = self._windows.get(key)
        if window is None or now >= window.began + limit.seconds:
            window = self._windows[key] = _Window(now)
        return window
