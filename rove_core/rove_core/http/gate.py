"""Limit concurrent requests and requests per minute, as the user and vendor allow."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from typing import Final

import attrs

from rove_core.clock import Clock
from rove_core.errors import RateLimited, Unavailable
from rove_core.http.call_time import current_patience, waiting_without_patience
from rove_core.http.rate_limits import Limits, PlannedLimit
from rove_core.http.reply import Reply
from rove_core.http.request_limits import Caps, Counts
from rove_core.http.retry_headers import (
    LONGEST,
    RemainingRequests,
    remaining_requests,
    wait_seconds,
)

#: How long a request that belongs to no patient call waits for a limit that Rove keeps itself.
_OWN_LIMIT: Final = 65.0


@attrs.define
class Deadline:
    """A request's deadline on a clock."""

    clock: Clock
    at: float
    timeout: asyncio.Timeout | None = None

    @property
    def remaining(self) -> float:
        """Seconds until then."""
        return self.at - self.clock.monotonic()

    def extend(self, seconds: float) -> None:
        """Allow so much more time."""
        self.at += seconds
        if self.timeout and (end := self.timeout.when()) is not None:
            self.timeout.reschedule(end + seconds)


@attrs.frozen(kw_only=True)
class Gate:
    """Admits the requests of one account, within its limits."""

    account: str
    caps: Caps
    limits: Limits
    clock: Clock
    counts: Counts = attrs.field(factory=Counts)
    _slots: asyncio.Semaphore = attrs.field(init=False)
    #: How many requests of a bucket are under way, and how many more the vendor said it takes.
    _out: Counter[str] = attrs.field(factory=Counter, init=False)
    _remaining: dict[str, RemainingRequests] = attrs.field(factory=dict, init=False)
    _waiting: list[asyncio.Event] = attrs.field(factory=list, init=False)

    @_slots.default
    def _all_slots(self) -> asyncio.Semaphore:
        return asyncio.Semaphore(self.caps.at_once)

    @asynccontextmanager
    async def open(
        self, kind: str, deadline: Deadline, per_minute: int | None = None
    ) -> AsyncIterator[None]:
        """Wait for a request's turn and hold its place while it is under way.

        Raises RateLimited at once when its turn would come after the deadline, or later than
        the call that it belongs to waits for a limit.
        """
        bucket, allowed = self._bucket(kind), self._allowed_per_minute(per_minute)
        limit = PlannedLimit(bucket, allowed, self.limits) if allowed else None
        while wait := await self._reserve(kind, deadline, allowed):
            await self._wait(wait, deadline)
            if self._queues() and not await self.limits.closed_for(bucket):
                break
        while True:
            async with self._slots:
                if self._has_room(bucket):
                    self.counts.sent(limit)
                    with self._under_way(bucket):
                        yield
                    return
            await self._wait_for_room(kind, deadline)

    async def heed(self, kind: str, reply: Reply) -> None:
        """Apply the waiting times and remaining requests that a reply states."""
        bucket = self._bucket(kind)
        if left := remaining_requests(reply):
            self._remaining[bucket] = left.after(self._remaining.get(bucket))
        if wait := wait_seconds(reply, self.clock.now()):
            await self.limits.close(bucket, wait)

    async def explain(self, error: RateLimited, kind: str, reply: Reply) -> None:
        """Add the end of a limit to an error, or learn it from the error."""
        now = self.clock.now()
        if error.retry_at is None:
            wait = wait_seconds(reply, now) or error.at_least
        else:
            wait = min((error.retry_at - now).total_seconds(), LONGEST)
        if error.retry_at or wait:
            error.retry_at = now + timedelta(seconds=wait)
            await self.limits.close(self._bucket(kind), wait)

    async def pause(
        self, error: RateLimited | Unavailable, seconds: float, deadline: Deadline
    ) -> None:
        """Wait before a request is sent again; raise its error when there is no time for that.

        Args:
            error: What went wrong with it.
            seconds: How long, where the vendor does not say until when.
            deadline: When the request must be done.
        """
        if isinstance(error, RateLimited) and error.retry_at:
            wait = max(0.0, (error.retry_at - self.clock.now()).total_seconds())
            if wait > self._longest(deadline):
                raise error
            await self._wait(wait, deadline)
        else:
            if seconds > deadline.remaining:
                raise error
            await self._sleep(seconds)
        self.counts.retries += 1

    def _allowed_per_minute(self, per_minute: int | None) -> int | None:
        """Return how many requests a minute both the user and the source allow."""
        return min(filter(None, (self.caps.rate_limit, per_minute)), default=None)

    async def _reserve(self, kind: str, deadline: Deadline, allowed: int | None) -> float:
        """Return how long to wait for the next request of a kind."""
        bucket, at_most, patience = self._bucket(kind), self._longest(deadline), current_patience()
        if patience is None and await self.limits.closed_for(bucket) <= at_most:
            at_most = max(at_most, _OWN_LIMIT)
        wait = await self.limits.take(
            bucket,
            per_minute=allowed,
            at_most=at_most if self._queues() else 0.0,
            share=patience.share if patience else 1.0,
            begun=patience.begun if patience else None,
        )
        if wait <= at_most:
            return wait
        reason = f"your rate_limit = {self.caps.rate_limit} is used up"
        if allowed != self.caps.rate_limit:
            reason = f"the {allowed} requests of a minute are used up"
        if await self.limits.closed_for(bucket):
            reason = f"{self.account} asks to wait"
        raise self._too_late(f"{kind}: {reason}", wait)

    def _longest(self, deadline: Deadline) -> float:
        """Return the longest allowed wait for a limit: the call's own, else its remaining time."""
        patience = current_patience()
        return patience.longest if patience else max(0.0, deadline.remaining)

    def _queues(self) -> bool:
        """Return whether waiting requests keep their order."""
        patience = current_patience()
        return patience is None or patience.share >= 1

    async def _wait(self, seconds: float, deadline: Deadline) -> None:
        """Wait for a limit, which takes none of the request's time."""
        deadline.extend(seconds)
        patience = current_patience()
        if patience is None:
            with waiting_without_patience(self.clock):
                await self._sleep(seconds)
            return
        until = self.clock.now() + timedelta(seconds=seconds)
        with patience.waiting():
            await patience.report(until)
            await self._sleep(max(0.0, (until - self.clock.now()).total_seconds()))

    def _too_late(self, reason: str, wait: float) -> RateLimited:
        at = self.clock.now() + timedelta(seconds=wait)
        return RateLimited(f"{reason} until {at:%H:%M:%S} UTC", retry_at=at)

    def _has_room(self, bucket: str) -> bool:
        """Return whether requests remain beyond those in flight."""
        left = self._remaining.get(bucket)
        return left is None or self._out[bucket] < left.requests

    @contextmanager
    def _under_way(self, bucket: str) -> Iterator[None]:
        self._out[bucket] += 1
        try:
            yield
        finally:
            self._out[bucket] -= 1
            for returned in self._waiting:
                returned.set()
            self._waiting.clear()

    async def _wait_for_room(self, kind: str, deadline: Deadline) -> None:
        """Wait for another reply, which may report room, or for the next window."""
        bucket = self._bucket(kind)
        if self._out[bucket]:
            returned = asyncio.Event()
            self._waiting.append(returned)
            await returned.wait()
        elif wait := await self.limits.closed_for(bucket):
            if wait > self._longest(deadline):
                raise self._too_late(f"{kind}: {self.account} asks to wait", wait)
            await self._wait(wait, deadline)
        else:
            self._remaining.pop(bucket, None)

    async def _sleep(self, seconds: float) -> None:
        self.counts.waited += seconds
        await self.clock.sleep(seconds)

    def _bucket(self, kind: str) -> str:
        return f"{self.account} {kind}"
