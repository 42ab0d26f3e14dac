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
from rove_core.http.deadline import Deadline
from rove_core.http.rate_limits import Limits, PlannedLimit
from rove_core.http.reply import Reply
from rove_core.http.request_limits import Caps, Counts
from rove_core.http.retry_after import (
    LONGEST,
    RemainingRequests,
    remaining_requests,
    wait_seconds,
)

#: The longest wait for one of Rove's own limits, in seconds, for a request without ``Patience``.
_OWN_LIMIT: Final = 65.0


@attrs.frozen(kw_only=True)
class Gate:
    """Admits the requests of one account, within its limits.

    Requests of the same kind of endpoint share a *bucket*, which a vendor may close for a while.
    """

    account: str
    caps: Caps
    limits: Limits
    clock: Clock
    counts: Counts = attrs.field(factory=Counts)
    _slots: asyncio.Semaphore = attrs.field(init=False)
    #: For each bucket: the requests in flight, and how many more the vendor said it accepts.
    _in_flight: Counter[str] = attrs.field(factory=Counter, init=False)
    _remaining: dict[str, RemainingRequests] = attrs.field(factory=dict, init=False)
    #: Set when the next request returns.
    _waiting: list[asyncio.Event] = attrs.field(factory=list, init=False)

    @_slots.default
    def _all_slots(self) -> asyncio.Semaphore:
        return asyncio.Semaphore(self.caps.at_once)

    @asynccontextmanager
    async def open(
        self, kind: str, deadline: Deadline, per_minute: int | None = None
    ) -> AsyncIterator[None]:
        """Wait for a request's turn, and hold its place while it is in flight.

        Raise RateLimited at once if its turn comes after the deadline, or later than the
        ``Patience`` of its call allows.
        """
        bucket, allowed = self._bucket(kind), self._allowed_per_minute(per_minute)
        limit = PlannedLimit(bucket, allowed, self.limits) if allowed else None
        while wait := await self._reserve(kind, deadline, allowed):
            await self._wait(wait, deadline)
            if self._is_queued() and not await self.limits.closed_for(bucket):
                break
        while True:
            async with self._slots:
                if self._has_room(bucket):
                    self.counts.sent(limit)
                    with self._hold_place(bucket):
                        yield
                    return
            await self._wait_for_room(kind, deadline)

    async def apply_limits(self, kind: str, reply: Reply) -> None:
        """Apply the wait and the number of remaining requests that a reply states."""
        bucket = self._bucket(kind)
        if left := remaining_requests(reply):
            self._remaining[bucket] = left.after(self._remaining.get(bucket))
        if wait := wait_seconds(reply, self.clock.now()):
            await self.limits.close(bucket, wait)

    async def close_after(self, error: RateLimited, kind: str, reply: Reply) -> None:
        """Close the bucket that refused a request, and set the error's ``retry_at``."""
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
        """Wait before the next attempt; raise the error if there is no time for that.

        Args:
            error: The error of the last attempt.
            seconds: How long to wait if the vendor does not say.
            deadline: The request's deadline.
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
        """Return the lower of the user's and the source's limit; None without any."""
        return min(filter(None, (self.caps.rate_limit, per_minute)), default=None)

    async def _reserve(self, kind: str, deadline: Deadline, allowed: int | None) -> float:
        """Reserve the next request of a kind; return how long to wait for it."""
        bucket, at_most, patience = self._bucket(kind), self._longest(deadline), current_patience()
        if patience is None and await self.limits.closed_for(bucket) <= at_most:
            at_most = max(at_most, _OWN_LIMIT)
        wait = await self.limits.take(
            bucket,
            per_minute=allowed,
            at_most=at_most if self._is_queued() else 0.0,
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

    def _is_queued(self) -> bool:
        """Return whether requests reserve their turn; less urgent ones try again."""
        patience = current_patience()
        return patience is None or patience.is_queued

    async def _wait(self, seconds: float, deadline: Deadline) -> None:
        """Wait for a limit; the deadline moves by as much."""
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
        return left is None or self._in_flight[bucket] < left.requests

    @contextmanager
    def _hold_place(self, bucket: str) -> Iterator[None]:
        self._in_flight[bucket] += 1
        try:
            yield
        finally:
            self._in_flight[bucket] -= 1
            for returned in self._waiting:
                returned.set()
            self._waiting.clear()

    async def _wait_for_room(self, kind: str, deadline: Deadline) -> None:
        """Wait for a request in flight, whose reply may report room, or until the bucket opens."""
        bucket = self._bucket(kind)
        if self._in_flight[bucket]:
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
