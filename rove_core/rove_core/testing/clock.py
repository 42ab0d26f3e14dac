"""A virtual clock for tests."""

import asyncio
import heapq
from datetime import UTC, datetime, timedelta
from typing import Final

_START: Final = datetime(2026, 1, 1, tzinfo=UTC)


class VirtualClock:
    """A clock whose time advances only when somebody sleeps on it or a test moves it.

    Sleepers wake in the order of their times, so a program takes the same course in each run.

    Args:
        start: What time it is at first.
    """

    def __init__(self, start: datetime = _START) -> None:
        self._now = start
        self._passed = timedelta()
        self._sleepers: list[tuple[timedelta, int]] = []
        self._turn = 0

    def now(self) -> datetime:
        """Return the time of day; aware, UTC."""
        return self._now

    def monotonic(self) -> float:
        """Return the seconds that have passed."""
        return self._passed.total_seconds()

    def advance(self, seconds: float) -> None:
        """Advance the time."""
        self._passed += timedelta(seconds=seconds)
        self._now += timedelta(seconds=seconds)

    def put(self, now: datetime) -> None:
        """Set the time of day, as a person or a time server does; nothing has passed."""
        self._now = now

    async def sleep(self, seconds: float) -> None:
        """Advance the time until this sleeper wakes."""
        self._turn += 1
        sleeper = (self._passed + timedelta(seconds=max(seconds, 0.0)), self._turn)
        heapq.heappush(self._sleepers, sleeper)
        try:
            while True:
                await asyncio.sleep(0)  # noqa: TID251  # a clock itself: the others get their turn
                if self._sleepers[0] == sleeper:
                    break
            self.advance(max(0.0, (sleeper[0] - self._passed).total_seconds()))
        finally:
            self._sleepers.remove(sleeper)
            heapq.heapify(self._sleepers)
