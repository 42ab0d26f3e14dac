"""The way out: no more requests at once and a minute than the user and the vendor allow."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Final

import attrs

from rove_core.clock import Clock
from rove_core.errors import RateLimited, Unavailable
from rove_core.http.caps import Caps, Counts
from rove_core.http.hints import LONGEST, asked_wait
from rove_core.http.limits import Limits
from rove_core.http.reply import Reply

_FIRST_PAUSE: Final = 0.5
_LONGEST_PAUSE: Final = 8.0


@attrs.frozen
class Deadline:
    """When a request must be done, on a clock."""

    clock: Clock
    at: float

    @property
    def left(self) -> float:
        """Seconds until then."""
        return self.at - self.clock.monotonic()


@attrs.frozen(kw_only=True)
class Gate:
    """Lets the requests of one account out, and makes them wait."""

    account: str
    caps: Caps
    limits: Limits
    clock: Clock
    counts: Counts = attrs.field(factory=Counts)
    _slots: asyncio.Semaphore = attrs.field(init=False)

    @_slots.default
    def _all_slots(self) -> asyncio.Semaphore:
        return asyncio.Semaphore(self.caps.at_once)

    @asynccontextmanager
    async def open(self, kind: str, deadline: Deadline) -> AsyncIterator[None]:
        """Wait for a request's turn and hold its place while it is under way.

        Raises RateLimited at once when its turn would come after the deadline.
        """
        while wait := await self._reserve(kind, deadline):
            await self._sleep(wait)
            if not await self.limits.closed_for(self._bucket(kind)):
                break
        async with self._slots:
            self.counts.requests += 1
            yield

    async def heed(self, kind: str, reply: Reply) -> None:
        """Do what the reply asks for: to wait."""
        if wait := asked_wait(reply, self.clock.now()):
            await self.limits.close(self._bucket(kind), wait)

    async def explain(self, error: RateLimited, kind: str, reply: Reply) -> None:
        """Add to an error until when it lasts, or learn it from there when the body said it."""
        now = self.clock.now()
        if error.retry_at is None:
            wait = asked_wait(reply, now)
            error.retry_at = now + timedelta(seconds=wait) if wait else None
        else:
            wait = min((error.retry_at - now).total_seconds(), LONGEST)
            error.retry_at = now + timedelta(seconds=wait)
            await self.limits.close(self._bucket(kind), wait)

    async def pause(
        self, error: RateLimited | Unavailable, attempt: int, deadline: Deadline
    ) -> None:
        """Wait before a request is sent again; raise its error when there is no time for that."""
        if isinstance(error, RateLimited) and error.retry_at:
            wait = max(0.0, (error.retry_at - self.clock.now()).total_seconds())
        else:
            longest = min(_LONGEST_PAUSE, _FIRST_PAUSE * 2 ** (attempt - 1))
            wait = random.uniform(0, longest)  # noqa: S311  # it spreads retries, it hides nothing
        if wait > deadline.left:
            raise error
        await self._sleep(wait)
        self.counts.retries += 1

    async def _reserve(self, kind: str, deadline: Deadline) -> float:
        """Return how long to wait for the next request of a kind."""
        bucket, at_most = self._bucket(kind), max(0.0, deadline.left)
        wait = await self.limits.take(bucket, per_minute=self.caps.rate_limit, at_most=at_most)
        if wait <= at_most:
            return wait
        reason = f"rate_limit = {self.caps.rate_limit} is used up"
        if await self.limits.closed_for(bucket):
            reason = "the vendor asks to wait"
        at = self.clock.now() + timedelta(seconds=wait)
        raise RateLimited(f"{kind}: {reason} until {at:%H:%M:%S} UTC", retry_at=at)

    async def _sleep(self, seconds: float) -> None:
        self.counts.waited += seconds
        await self.clock.sleep(seconds)

    def _bucket(self, kind: str) -> str:
        return f"{self.account} {kind}"
